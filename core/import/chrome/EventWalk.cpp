// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/EventWalk.h"

#include <limits>

#include "core/import/chrome/DocumentText.h"
#include "core/import/event/EventFields.h"
#include "core/import/event/HistoricalSpellings.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::chrome {

namespace {

std::optional<trace::Category> categoryOf(const event::RawEvent& event) {
    std::string category;
    std::string name;
    return event::categoryOfSpelling(
        scan::decodeString(event[event::EventField::Category], category).text,
        scan::decodeString(event[event::EventField::Name], name).text);
}

// A process or thread, as the importer tells them apart.
void appendRow(std::string& key, const event::RawEvent& event, event::EventField field) {
    std::string storage;
    if (const auto number = event::rowNumber(event, field)) {
        key += std::to_string(*number);
    } else {
        key += '\x1e';
        key += event::shownText(event[field], storage).text;
    }
    key += '\x1f';
}

// Into `key`, by which begin and end events find each other.
void writeRow(std::string& key, const event::RawEvent& event, bool isAsync) {
    key = isAsync ? "a" : "t";
    appendRow(key, event, event::EventField::Pid);
    if (isAsync) {
        std::string storage;
        key += event::asyncLabel(event, [&storage](const scan::JsonText& value) {
            return event::shownText(value, storage).text;
        });
    } else {
        appendRow(key, event, event::EventField::Tid);
    }
}

std::optional<std::int64_t> flowId(const event::RawEvent& event) {
    std::string storage;
    return event::idNumber(event::shownText(event[event::EventField::Id], storage).text);
}

}  // namespace

EventWalk::EventWalk(source::TextWindow& window)
    : m_window(window),
      m_at(documentBegin(window)),
      m_hasText(skipSpace(window, m_at)),
      m_bareArray(m_hasText && *m_at == '['),
      m_array(window, *this, m_issues, m_bareArray, Readers::WithoutShapes) {}

bool EventWalk::enter() {
    if (!m_hasText) {
        return false;
    }
    ++m_at;
    return m_bareArray || enterMember();
}

bool EventWalk::enterMember() {
    while (skipSpace(m_window, m_at) && *m_at != '}') {
        if (*m_at == ',') {
            ++m_at;
            continue;
        }
        std::string key;
        scan::JsonText value;
        const bool named = readKey(m_window, m_at, key);
        if (named && key == kEventsKey && *m_at == '[') {
            ++m_at;
            return true;
        }
        if (!(named && readValue(m_window, m_at, value)) && !findEventsKey(m_window, m_at)) {
            return false;
        }
    }
    return false;
}

bool EventWalk::next(trace::ListedEvent& event) {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    m_event = nullptr;
    while (m_event == nullptr) {
        const EventArray::Reached reached = m_array.step(m_at, kNoLimit);
        const bool another = reached == EventArray::Reached::ArrayEnd && !m_bareArray;
        if (reached != EventArray::Reached::Element && !(another && enterMember())) {
            return false;
        }
    }
    describe(event);
    return true;
}

void EventWalk::describe(trace::ListedEvent& event) {
    const event::RawEvent& raw = *m_event;
    event = {};
    event.offset = raw.offset;
    event.json = {raw.begin, raw.end};
    event.phase = event::phaseOf(raw);
    switch (event.phase) {
        case 'X':
        case 'M':
            return;
        case 'B':
        case 'E':
            writeRow(m_row, raw, false);
            break;
        case 'b':
        case 'S':
        case 'e':
        case 'F':
            writeRow(m_row, raw, true);
            break;
        case 's':
        case 't':
        case 'f':
            event.category = categoryOf(raw);
            event.id = flowId(raw);
            break;
        default:
            break;
    }
    event.row = m_row;
    if (const scan::Decimal time = event::timeOf(raw); time.ok()) {
        event.time = time.value;
    }
}

}  // namespace kinetoscope::import::chrome
