// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/TraceDocument.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "core/import/chrome/DocumentText.h"
#include "core/import/chrome/EventArray.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::chrome {

namespace {

constexpr std::size_t kMaxFieldBytes = 1024 * 1024;

std::string cancelledMessage() {
    return "loading was cancelled";
}

}  // namespace

Result<void> TraceDocument::read() {
    const char* at = documentBegin(m_window);
    if (!skipSpace(m_window, at)) {
        return fail("contains only white space");
    }
    const bool bare = *at == '[';
    Result<void> result = bare ? bareArray(at + 1) : object(at + 1);
    // To the end, so that the size of the text does not depend on how it was read.
    at = m_window.end();
    while (result && m_window.more(at)) {
        at = m_window.end();
    }
    if (m_window.stopped()) {
        return fail(cancelledMessage(), ErrorKind::Cancelled);
    }
    return result;
}

Result<void> TraceDocument::bareArray(const char* at) {
    if (events(at, true)) {
        afterEnd(at);
    }
    if (m_elements > 0 && m_skipped + m_target.assembler.skipped() == m_elements) {
        return fail("is a JSON array, but not a trace: none of its elements is an event");
    }
    return {};
}

Result<void> TraceDocument::object(const char* at) {
    while (skipSpace(m_window, at) && *at != '}') {
        if (*at == ',') {
            ++at;
        } else if (!member(at)) {
            return verdict();
        }
    }
    if (at < m_window.end()) {
        afterEnd(at + 1);
    } else if (!m_window.stopped()) {
        m_issues.add(trace::Issue::TruncatedText, m_window.offsetOf(at),
                     [] { return std::string("the text ends without '}'"); });
    }
    return verdict();
}

Result<void> TraceDocument::verdict() const {
    if (m_foundEvents) {
        return {};
    }
    if (m_eventsAreNoArray) {
        return fail("is JSON, but not a trace: its traceEvents is not an array");
    }
    if (m_fields.empty()) {
        return fail("is not a trace: it has no traceEvents");
    }
    constexpr std::size_t kMaxKeys = 8;
    std::vector<std::string> keys;
    for (const trace::RunField& field : m_fields) {
        keys.push_back(keys.size() < kMaxKeys ? scan::excerpt(field.key, 40) : "…");
        if (keys.size() > kMaxKeys) {
            break;
        }
    }
    return fail(fmt::format("is JSON, but not a trace: it has no traceEvents; its keys are {}",
                            fmt::join(keys, ", ")));
}

// One "key": value; false when nothing more can be read.
bool TraceDocument::member(const char*& at) {
    const std::uint64_t offset = m_window.offsetOf(at);
    scan::JsonText text;
    std::string key;
    bool good = readKey(m_window, at, key);
    if (good && key == kEventsKey && *at == '[') {
        if (m_foundEvents) {
            m_issues.add(trace::Issue::SeveralEventLists, offset,
                         [] { return std::string("one more key 'traceEvents'"); });
        }
        return events(++at, false);
    }
    good = good && readValue(m_window, at, text);
    if (good) {
        m_eventsAreNoArray |= key == kEventsKey;
        return keep(key, text, offset);
    }
    if (m_window.stopped()) {
        return false;
    }
    const bool cut = at >= m_window.end();
    m_issues.add(cut ? trace::Issue::TruncatedText : trace::Issue::MalformedMetadata, offset, [&] {
        return key.empty() ? std::string("beside the events")
                           : fmt::format("key '{}'", scan::excerpt(key));
    });
    return !cut && !m_foundEvents && findEventsKey(m_window, at);
}

bool TraceDocument::events(const char*& at, bool bare) {
    m_foundEvents = true;
    EventArray array(m_window, m_target.assembler, m_issues, bare, m_input.tuning.readers);
    const EventArray::Reached reached = readEvents(array, at);
    m_elements += array.elements();
    m_skipped += array.skipped();
    return reached == EventArray::Reached::ArrayEnd;
}

EventArray::Reached TraceDocument::readEvents(EventArray& array, const char*& at) {
    if (const auto plan = UnitPlan::of(m_input, m_window.offsetOf(at))) {
        ParallelEvents events(m_window, array, m_target, *plan, m_growing, m_input.options.stop);
        return events.read(at);
    }
    return array.readUntil(at, std::numeric_limits<std::uint64_t>::max());
}

bool TraceDocument::keep(const std::string& key, const scan::JsonText& value,
                         std::uint64_t offset) {
    const bool quoted = value.kind == scan::JsonKind::String;
    std::string json = quoted ? '"' + std::string(value.view()) + '"' : std::string(value.view());
    if (json.size() > kMaxFieldBytes) {
        m_issues.add(trace::Issue::LargeField, offset, [&] {
            return fmt::format("key '{}': {} bytes", scan::excerpt(key), json.size());
        });
        json = fmt::format("\"({} bytes)\"", json.size());
    }
    // Duplicate keys: the last wins.
    const auto [known, isNew] = m_fieldOf.try_emplace(key, m_fields.size());
    if (isNew) {
        m_fields.push_back({key, std::move(json)});
    } else {
        m_fields[known->second].json = std::move(json);
    }
    return true;
}

void TraceDocument::afterEnd(const char* at) {
    if (!skipSpace(m_window, at) || m_window.stopped()) {
        return;
    }
    const std::uint64_t offset = m_window.offsetOf(at);
    m_issues.add(trace::Issue::TrailingGarbage, offset,
                 [&] { return scan::excerpt(m_window.example(at)); });
}

}  // namespace kinetoscope::import::chrome
