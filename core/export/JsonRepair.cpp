// SPDX-License-Identifier: Apache-2.0
#include "core/export/JsonRepair.h"

#include <fmt/format.h>

#include "core/import/JsonScan.h"
#include "core/import/StringDecoder.h"
#include "core/json/Json.h"

namespace kinetoscope {

namespace {

class Repair {
public:
    explicit Repair(std::string_view text) : m_text(text) {}

    std::string run() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '"') {
                string();
            } else if (c == ',') {
                comma();
            } else if (isWordCharacter(c)) {
                word();
            } else {
                m_out += scan::isControl(c) && c != '\n' && c != '\r' && c != '\t' ? ' ' : c;
                ++m_at;
            }
        }
        return std::move(m_out);
    }

private:
    static bool isWordCharacter(char c) {
        return std::string_view("{}[]:,\" \t\r\n").find(c) == std::string_view::npos &&
               !scan::isControl(c);
    }

    // Decoding and writing again repairs everything that can be wrong inside of a string.
    void string() {
        const std::size_t begin = ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            m_at += m_text[m_at] == '\\' ? 2U : 1U;
        }
        m_at = std::min(m_at, m_text.size());
        JsonText value;
        value.data = m_text.data() + begin;
        value.size = static_cast<std::uint32_t>(m_at - begin);
        value.kind = JsonKind::String;
        value.escaped = true;
        value.nonAscii = true;
        std::string storage;
        const std::string decoded(decodeString(value, storage).text);
        m_out += quotedJson(decoded);
        ++m_at;
    }

    void comma() {
        const std::size_t next = m_text.find_first_not_of(" \t\r\n", m_at + 1);
        const auto last = m_out.find_last_not_of(" \t\r\n");
        const bool surplus = next == std::string_view::npos || m_text[next] == ',' ||
                             m_text[next] == '}' || m_text[next] == ']' ||
                             last == std::string::npos || m_out[last] == '{' || m_out[last] == '[';
        m_out += surplus ? "" : ",";
        ++m_at;
    }

    void word() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && isWordCharacter(m_text[m_at])) {
            ++m_at;
        }
        const std::string_view word = m_text.substr(begin, m_at - begin);
        m_out += isJson(word) ? word : std::string_view("null");
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_out;
};

}  // namespace

std::string repairedJson(std::string_view text) {
    if (isJson(text)) {
        return std::string(text);
    }
    std::string repaired = Repair(text).run();
    return isJson(repaired) ? repaired : std::string();
}

}  // namespace kinetoscope
