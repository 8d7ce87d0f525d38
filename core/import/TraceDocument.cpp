// SPDX-License-Identifier: Apache-2.0
#include "core/import/TraceDocument.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "core/import/EventArray.h"
#include "core/import/StringDecoder.h"
#include "core/import/TolerantReader.h"

namespace kinetoscope {

namespace {

constexpr std::size_t kLargestField = 1024 * 1024;
constexpr std::size_t kLargestValue = 256 * 1024 * 1024;
constexpr std::string_view kEventsKey = "traceEvents";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string cancelledMessage() {
    return "loading was cancelled";
}

}  // namespace

Result<void> TraceDocument::read() {
    const char* at = m_window.begin();
    if (std::string_view(at, static_cast<std::size_t>(m_window.end() - at))
            .starts_with(kByteOrderMark)) {
        at += kByteOrderMark.size();
    }
    if (!space(at)) {
        return fail("holds nothing but white space");
    }
    const bool bare = *at == '[';
    Result<void> result = bare ? bareArray(at + 1) : object(at + 1);
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
        return fail("is a JSON array, but no trace: none of its elements is an event");
    }
    return {};
}

Result<void> TraceDocument::object(const char* at) {
    while (space(at) && *at != '}') {
        if (*at == ',') {
            ++at;
        } else if (!member(at)) {
            return verdict();
        }
    }
    if (at < m_window.end()) {
        afterEnd(at + 1);
    } else if (!m_window.stopped()) {
        m_issues.add(Issue::TruncatedText, m_window.offsetOf(at),
                     [] { return std::string("the text ends without '}'"); });
    }
    return verdict();
}

Result<void> TraceDocument::verdict() const {
    if (m_foundEvents) {
        return {};
    }
    if (m_eventsAreNoArray) {
        return fail("is JSON, but no trace: its traceEvents is no array");
    }
    if (m_fields.empty()) {
        return fail("is no trace: no traceEvents in it");
    }
    constexpr std::size_t kMostKeys = 8;
    std::vector<std::string> keys;
    for (const RunField& field : m_fields) {
        keys.push_back(keys.size() < kMostKeys ? excerpt(field.key, 40) : "…");
        if (keys.size() > kMostKeys) {
            break;
        }
    }
    return fail(fmt::format("is JSON, but no trace: no traceEvents; its keys are {}",
                            fmt::join(keys, ", ")));
}

// One "key": value; false when nothing more can be read.
bool TraceDocument::member(const char*& at) {
    const std::uint64_t offset = m_window.offsetOf(at);
    JsonText text;
    std::string key;
    bool good = *at == '"' && value(at, text);
    if (good) {
        std::string storage;
        key = decodeString(text, storage).text;
        good = space(at) && *at == ':' && space(++at);
    }
    if (good && key == kEventsKey && *at == '[') {
        return events(++at, false);
    }
    good = good && value(at, text);
    if (good) {
        m_eventsAreNoArray |= key == kEventsKey;
        return keep(key, text, offset);
    }
    if (m_window.stopped()) {
        return false;
    }
    const bool cut = at >= m_window.end();
    m_issues.add(cut ? Issue::TruncatedText : Issue::MalformedMetadata, offset, [&] {
        return key.empty() ? std::string("beside the events")
                           : fmt::format("key '{}'", excerpt(key));
    });
    return !cut && !m_foundEvents && findEvents(at);
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

bool TraceDocument::keep(const std::string& key, const JsonText& value, std::uint64_t offset) {
    const bool quoted = value.kind == JsonKind::String;
    std::string json = quoted ? '"' + std::string(value.view()) + '"' : std::string(value.view());
    if (json.size() > kLargestField) {
        m_issues.add(Issue::LargeField, offset,
                     [&] { return fmt::format("key '{}': {} bytes", excerpt(key), json.size()); });
        json = fmt::format("\"({} bytes)\"", json.size());
    }
    // Duplicate keys: the last wins.
    const auto known = std::ranges::find(m_fields, key, &RunField::key);
    if (known != m_fields.end()) {
        known->json = std::move(json);
    } else {
        m_fields.push_back({key, std::move(json)});
    }
    return true;
}

// Reads a value, however long; `at` moves behind it, or to where it goes wrong.
bool TraceDocument::value(const char*& at, JsonText& text) {
    for (;;) {
        Oddities oddities;
        const ReadResult result = readValueTolerantly(at, m_window.end(), text, oddities);
        const bool inside = result.complete && result.at + kTextPadding < m_window.end();
        if (inside || (result.complete && m_window.atEnd())) {
            at = result.at;
            return true;
        }
        const bool nearEnd = result.at + kTextPadding >= m_window.end();
        const bool small = static_cast<std::size_t>(m_window.end() - at) < kLargestValue;
        if (nearEnd && !m_window.atEnd() && small) {
            if (!m_window.more(at) && m_window.stopped()) {
                return false;
            }
            continue;
        }
        at = result.at;
        return false;
    }
}

// Moves to the next byte that is no white space; false at the end of the text.
bool TraceDocument::space(const char*& at) {
    for (;;) {
        at = scan::skipSpace(at);
        if (at < m_window.end()) {
            return true;
        }
        if (!m_window.more(at)) {
            return false;
        }
    }
}

// Behind damaged metadata: moves to the key of the events.
bool TraceDocument::findEvents(const char*& at) {
    constexpr std::string_view kQuoted = "\"traceEvents\"";
    for (;;) {
        const std::string_view text(at, static_cast<std::size_t>(m_window.end() - at));
        const std::size_t found = text.find(kQuoted);
        if (found != std::string_view::npos) {
            at += found;
            return true;
        }
        at += text.size() - std::min(text.size(), kQuoted.size());
        if (!m_window.more(at)) {
            return false;
        }
    }
}

void TraceDocument::afterEnd(const char* at) {
    if (!space(at) || m_window.stopped()) {
        return;
    }
    const std::uint64_t offset = m_window.offsetOf(at);
    m_issues.add(Issue::TrailingGarbage, offset, [&] { return excerpt(m_window.example(at)); });
    // To the end, so that the size of the text does not depend on how it was read.
    do {
        at = m_window.end();
    } while (m_window.more(at));
}

}  // namespace kinetoscope
