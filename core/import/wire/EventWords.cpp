// SPDX-License-Identifier: Apache-2.0
#include "core/import/wire/EventWords.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/Utf8.h"
#include "core/json/Json.h"

namespace kinetoscope::import::wire {

namespace {

std::string microseconds(TimeNs ns) {
    // The magnitude of the smallest number is not a TimeNs.
    const std::uint64_t size =
        ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
}

}  // namespace

std::string quoted(std::string_view text) {
    std::string storage;  // as names are repaired, or the event would have another one
    return json::quotedJson(asUtf8(text, storage));
}

void EventWords::open(char phase, std::string_view category, std::string_view name,
                      std::string_view pid, std::string_view tid) {
    m_arguments = false;
    m_text = fmt::format(R"({{"ph": "{}")", phase);
    if (!category.empty()) {
        m_text += ", \"cat\": " + quoted(category);
    }
    m_text += ", \"name\": " + quoted(name) + ", \"pid\": ";
    m_text += pid;
    if (!tid.empty()) {
        m_text += ", \"tid\": ";
        m_text += tid;
    }
}

void EventWords::time(TimeNs ns) {
    m_text += ", \"ts\": " + microseconds(ns);
}

void EventWords::duration(TimeNs ns) {
    m_text += ", \"dur\": " + microseconds(ns);
}

void EventWords::flow(std::int64_t id) {
    m_text += fmt::format(R"(, "id": {}, "bp": "e")", id);
}

void EventWords::key(std::string_view key) {
    m_text += m_arguments ? ", " : ", \"args\": {";
    m_arguments = true;
    m_text += quoted(key);
    m_text += ": ";
}

void EventWords::number(std::string_view name, std::int64_t value) {
    key(name);
    m_text += std::to_string(value);
}

void EventWords::number(std::string_view name, std::uint64_t value) {
    key(name);
    m_text += std::to_string(value);
}

void EventWords::real(std::string_view name, double value) {
    key(name);
    m_text += std::isfinite(value) ? fmt::format("{}", value) : "null";  // JSON has no others
}

void EventWords::text(std::string_view name, std::string_view value) {
    key(name);
    m_text += quoted(value);
}

void EventWords::json(std::string_view name, std::string_view value) {
    key(name);
    m_text += value;
}

const std::string& EventWords::close() {
    m_text += m_arguments ? "}}" : "}";
    return m_text;
}

const std::string& EventWords::metadata(std::string_view what, std::string_view pid,
                                        std::string_view tid, std::string_view key,
                                        std::string_view valueJson) {
    open('M', {}, what, pid, tid);
    json(key, valueJson);
    return close();
}

}  // namespace kinetoscope::import::wire
