// SPDX-License-Identifier: Apache-2.0
#include "core/export/EventWalk.h"

#include "core/import/GenericReader.h"
#include "core/import/NextEvent.h"
#include "core/import/TolerantReader.h"

namespace kinetoscope {

namespace {

// An event that the strict reader has not finished by then is checked by grammar instead.
constexpr std::size_t kTrusted = 1024 * 1024;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

bool EventWalk::skipBlanks() {
    for (;;) {
        m_at = scan::skipSpace(m_at);
        if (m_at < m_window.end()) {
            return true;
        }
        m_at = m_window.end();
        if (!m_window.more(m_at)) {
            return false;
        }
    }
}

bool EventWalk::readValue(JsonText& value) {
    for (;;) {
        Oddities oddities;
        const ReadResult result = readValueTolerantly(m_at, m_window.end(), value, oddities);
        const bool nearEnd = result.at + kTextPadding >= m_window.end() && !m_window.atEnd();
        if (nearEnd && m_window.more(m_at)) {
            continue;
        }
        if (result.complete) {
            m_at = result.at;
        }
        return result.complete;
    }
}

bool EventWalk::enter() {
    if (!skipBlanks()) {
        return false;
    }
    if (std::string_view(m_at, static_cast<std::size_t>(m_window.end() - m_at))
            .starts_with(kByteOrderMark)) {
        m_at += kByteOrderMark.size();
        if (!skipBlanks()) {
            return false;
        }
    }
    if (*m_at == '[') {
        m_arrayEnd = ArrayEndForm::Document;
        ++m_at;
        return true;
    }
    return *m_at == '{' && enterObject();
}

bool EventWalk::enterObject() {
    ++m_at;
    while (skipBlanks()) {
        if (*m_at == ',') {
            ++m_at;
            continue;
        }
        JsonText key;
        if (*m_at != '"' || !readValue(key)) {
            return false;
        }
        const bool events = key.view() == "traceEvents";
        if (!skipBlanks() || *m_at != ':') {
            return false;
        }
        ++m_at;
        if (!skipBlanks()) {
            return false;
        }
        if (events && *m_at == '[') {
            ++m_at;
            return true;
        }
        JsonText value;
        if (!readValue(value)) {
            return false;
        }
    }
    return false;
}

bool EventWalk::next(RawEvent& event) {
    while (skipBlanks()) {
        if (*m_at == ',') {
            ++m_at;
            continue;
        }
        if (*m_at == ']') {
            return false;
        }
        switch (attempt(event)) {
            case Outcome::Event:
                return true;
            case Outcome::NoEvent:
                break;
            case Outcome::NeedMore:
                if (m_window.more(m_at)) {
                    break;
                }
                if (m_window.stopped()) {
                    return false;
                }
                [[fallthrough]];
            case Outcome::Damaged:
                if (findNextEvent(m_window, m_at, m_arrayEnd, m_recovery) != NextKind::Event) {
                    return false;
                }
        }
    }
    return false;
}

EventWalk::Outcome EventWalk::attempt(RawEvent& event) {
    event.offset = m_window.offsetOf(m_at);
    if (*m_at == '{') {
        const ReadResult result = readEvent(m_at, m_window.end(), event);
        if (result.complete) {
            m_at = result.at;
            m_odd = false;
            return Outcome::Event;
        }
        const auto seen = static_cast<std::size_t>(m_window.end() - m_at);
        if (result.at + kTextPadding >= m_window.end() && !m_window.atEnd() && seen < kTrusted) {
            return Outcome::NeedMore;
        }
    }
    return attemptTolerantly(event);
}

EventWalk::Outcome EventWalk::attemptTolerantly(RawEvent& event) {
    Oddities oddities;
    JsonText value;
    const bool object = *m_at == '{';
    const ReadResult result = object ? readEventTolerantly(m_at, m_window.end(), event, oddities)
                                     : readValueTolerantly(m_at, m_window.end(), value, oddities);
    const bool nearEnd = result.at + kTextPadding >= m_window.end() && !m_window.atEnd();
    if (nearEnd && (!result.complete || !object)) {
        return Outcome::NeedMore;
    }
    if (!result.complete) {
        return Outcome::Damaged;
    }
    m_at = result.at;
    m_odd = true;
    return object ? Outcome::Event : Outcome::NoEvent;
}

}  // namespace kinetoscope
