// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/EventArray.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/import/chrome/DocumentText.h"
#include "core/import/event/EventDecoder.h"
#include "core/import/event/GenericReader.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::chrome {

namespace {

constexpr std::size_t kMaxEventBytes = 256 * 1024 * 1024;
// Nearly all events are smaller; looked at even when the recovery budget is spent.
constexpr std::uint64_t kAlwaysLook = 4096;

}  // namespace

EventArray::Reached EventArray::readUntil(const char*& at, std::uint64_t limit) {
    for (;;) {
        if (const Reached reached = step(at, limit); reached != Reached::Element) {
            return reached;
        }
    }
}

EventArray::Reached EventArray::step(const char*& at, std::uint64_t limit) {
    if (!skipSpace(m_window, at)) {
        endOfText(m_window.offsetOf(at));
        return Reached::TextEnd;
    }
    if (*at == ',') {
        if (!m_needComma) {
            m_issues.add(trace::Issue::ExtraComma, m_window.offsetOf(at),
                         [] { return std::string("a comma without an event before it"); });
        }
        m_comma = m_window.offsetOf(at++);
        m_needComma = false;
        return Reached::Element;
    }
    if (*at == ']' && isEnd(at)) {
        if (m_comma && !m_needComma) {
            m_issues.add(trace::Issue::TrailingComma, *m_comma,
                         [] { return std::string("a comma before the end of the events"); });
        }
        ++at;
        return Reached::ArrayEnd;
    }
    if (m_window.offsetOf(at) >= limit) {
        return Reached::Limit;
    }
    return element(at) ? Reached::Element : Reached::TextEnd;
}

bool EventArray::readsCleanlyAt(std::uint64_t offset) const {
    return !m_needComma && (m_budget.untouched() ||
                            m_budget.left(offset) >= kMaxTrustedEventBytes + scan::kTextPadding);
}

void EventArray::skipTo(const ArrayPlace& place, std::uint64_t elements) {
    m_comma = place.comma;
    m_needComma = place.needComma;
    m_elements += elements;
}

// A ']' where an element should begin ends the events, unless it stands in front of something that
// cannot follow them: then it is the damaged first byte of an event.
bool EventArray::isEnd(const char*& at) {
    const char* next = scan::skipSpace(at + 1);
    while (next >= m_window.end()) {
        if (!m_window.more(at)) {
            return true;
        }
        next = scan::skipSpace(at + 1);
    }
    return m_bareArray ? *next != '"' : *next == ',' || *next == '}';
}

bool EventArray::element(const char*& at) {
    if (m_needComma) {
        const std::uint64_t offset = m_window.offsetOf(at);
        m_issues.add(trace::Issue::MissingComma, offset,
                     [&] { return scan::excerpt(m_window.example(at)); });
    }
    for (;;) {
        switch (tryElement(at)) {
            case Outcome::Read:
                m_comma.reset();
                m_needComma = true;
                return true;
            case Outcome::Damaged:
                return recover(at);
            case Outcome::NeedMore:
                // Without more the next attempt knows that the text ends here.
                if (!m_window.more(at) && m_window.stopped()) {
                    return false;
                }
        }
    }
}

// How much of the text an attempt may look at; less only after much that was in vain.
const char* EventArray::lookEnd(const char* at) const {
    if (m_budget.untouched()) {
        return m_window.end();
    }
    const auto seen = static_cast<std::uint64_t>(m_window.end() - at);
    return at + std::min(seen, std::max(m_budget.left(m_window.offsetOf(at)), kAlwaysLook));
}

// An attempt stopped at `stop`: whether more text could change that.
bool EventArray::mayNeedMore(const char* at, const char* stop, std::size_t most) const {
    const auto seen = static_cast<std::size_t>(m_window.end() - at);
    return stop + scan::kTextPadding >= m_window.end() && !m_window.atEnd() && seen < most &&
           lookEnd(at) == m_window.end();
}

EventArray::Outcome EventArray::tryElement(const char*& at) {
    m_event.offset = m_window.offsetOf(at);
    if (*at != '{' || m_readers == Readers::Tolerant) {
        return tryTolerantly(at);
    }
    event::ReadResult result{
        m_readers == Readers::All ? m_shapes.read(at, lookEnd(at), m_event) : nullptr, true};
    if (result.at == nullptr) {
        result = event::readEvent(at, lookEnd(at), m_event);
        if (!result.complete) {
            return tryDamaged(at, result.at);
        }
        if (m_readers == Readers::All) {
            m_shapes.learn(m_event);
        }
    }
    ++m_elements;
    m_receiver.add(m_event);
    at = result.at;
    return Outcome::Read;
}

// The generic reader stopped at `stop`.
EventArray::Outcome EventArray::tryDamaged(const char*& at, const char* stop) {
    if (mayNeedMore(at, stop, kMaxTrustedEventBytes)) {
        return Outcome::NeedMore;
    }
    const std::ptrdiff_t looked = stop - at;
    const Outcome outcome = tryTolerantly(at);
    if (outcome == Outcome::Damaged) {
        m_budget.charge(looked);
    }
    return outcome;
}

EventArray::Outcome EventArray::tryTolerantly(const char*& at) {
    event::SyntaxIssues issues;
    scan::JsonText value;
    const bool object = *at == '{';
    const char* end = lookEnd(at);
    const event::ReadResult result = object ? event::readEventTolerantly(at, end, m_event, issues)
                                            : event::readValueTolerantly(at, end, value, issues);
    // A word or number at the very end may continue behind it.
    if ((!result.complete || !object) && mayNeedMore(at, result.at, kMaxEventBytes)) {
        return Outcome::NeedMore;
    }
    if (!result.complete) {
        m_budget.charge(result.at - at);
        // Nothing was wrong up to the end of the text: no array end can hide in there.
        m_cut = result.at >= m_window.end();
        return Outcome::Damaged;
    }
    ++m_elements;
    if (object) {
        noteSyntaxIssues(issues);
        m_receiver.add(m_event);
    } else {
        ++m_skipped;
        m_issues.add(trace::Issue::NotAnObject, m_window.offsetOf(at), [&] {
            return scan::excerpt({at, static_cast<std::size_t>(result.at - at)});
        });
    }
    at = result.at;
    return Outcome::Read;
}

bool EventArray::tooLarge(const char* at) const {
    return static_cast<std::size_t>(m_window.end() - at) >= kMaxEventBytes;
}

// The text at `at` cannot be parsed: counts it as one element and finds the next.
bool EventArray::recover(const char*& at) {
    const std::uint64_t offset = m_window.offsetOf(at);
    const bool oversized = tooLarge(at);
    const std::string example = scan::excerpt(m_window.example(at));
    const event::ArrayEndForm arrayEnd = m_cut         ? event::ArrayEndForm::None
                                         : m_bareArray ? event::ArrayEndForm::Document
                                                       : event::ArrayEndForm::Member;
    m_comma.reset();
    ++m_elements;
    ++m_skipped;
    const event::NextKind next = event::findNextEvent(m_window, at, arrayEnd, m_budget);
    if (m_window.stopped()) {
        return false;
    }
    if (next == event::NextKind::EndOfText) {
        m_issues.add(trace::Issue::TruncatedText, offset,
                     [&] { return "the text ends inside of " + example; });
        return false;
    }
    m_issues.add(oversized ? trace::Issue::OversizedEvent : trace::Issue::MalformedEvent, offset,
                 [&] { return std::string(example); });
    m_needComma = false;
    return true;
}

void EventArray::endOfText(std::uint64_t offset) {
    if (m_window.stopped()) {
        return;
    }
    if (m_bareArray && !m_window.source().issue()) {
        m_issues.add(trace::Issue::MissingArrayEnd, offset,
                     [] { return std::string("the text ends without ']'"); });
    } else {
        m_issues.add(trace::Issue::TruncatedText, offset,
                     [] { return std::string("the text ends between two events"); });
    }
}

void EventArray::noteSyntaxIssues(const event::SyntaxIssues& issues) {
    const auto note = [this](bool odd, trace::Issue issue) {
        if (odd) {
            m_issues.add(issue, m_event.offset,
                         [this] { return event::EventDecoder::describe(m_event); });
        }
    };
    note(issues.controlCharacter, trace::Issue::ControlCharacter);
    note(issues.bareWord, trace::Issue::BareWord);
    note(issues.extraComma, trace::Issue::ExtraComma);
}

}  // namespace kinetoscope::import::chrome
