// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/JsonCursor.h"

#include <algorithm>
#include <cstring>

#include "core/import/event/EventArguments.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::event {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// Each may look at all that is left of the text.
constexpr int kMaxRecoveries = 100;

}  // namespace

JsonCursor::JsonCursor(std::string_view text)
    : m_begin(text.data()), m_at(text.data()), m_end(text.data() + text.size()) {
    m_at += text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}

bool JsonCursor::fail() {
    m_damaged = true;
    return false;
}

char JsonCursor::peek() {
    m_at = std::min(scan::skipSpace(m_at), m_end);
    return m_at == m_end ? '\0' : *m_at;
}

bool JsonCursor::enter(char bracket) {
    if (m_damaged || peek() != bracket) {
        return false;
    }
    ++m_at;
    return true;
}

bool JsonCursor::nextMember(std::string& key) {
    if (m_damaged) {
        return false;
    }
    while (peek() == ',') {
        ++m_at;
    }
    if (peek() == '}') {
        ++m_at;
        return false;
    }
    const auto text = peek() == '"' ? value() : std::nullopt;
    if (!text || peek() != ':') {
        return fail();
    }
    ++m_at;
    std::string storage;
    key = scan::decodeString(*text, storage).text;
    return true;
}

bool JsonCursor::nextElement() {
    if (m_damaged) {
        return false;
    }
    while (peek() == ',') {
        ++m_at;
    }
    if (peek() == ']') {
        ++m_at;
        return false;
    }
    return atEnd() ? fail() : true;
}

std::optional<scan::JsonText> JsonCursor::value() {
    scan::JsonText text;
    const char* const next = m_damaged || peek() == '\0' ? nullptr : valueEnd(m_at, m_end, text);
    if (next == nullptr || next > m_end || next == m_at) {
        m_damaged = true;
        return std::nullopt;
    }
    m_at = next;
    return text;
}

bool JsonCursor::recover() {
    if (++m_recoveries > kMaxRecoveries || atEnd()) {
        return false;
    }
    const auto left = static_cast<std::size_t>(m_end - m_at - 1);
    const auto* const found = static_cast<const char*>(std::memchr(m_at + 1, '{', left));
    if (found != nullptr) {
        goTo(found);
    }
    return found != nullptr;
}

std::int64_t integerOr(const scan::JsonText& value, std::int64_t otherwise) {
    return integerOf(value).value_or(otherwise);
}

std::string_view stringOf(const scan::JsonText& value, std::string& storage) {
    return value.kind == scan::JsonKind::String ? scan::decodeString(value, storage).text
                                                : std::string_view();
}

}  // namespace kinetoscope::import::event
