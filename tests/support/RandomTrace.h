// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::test {

/// Well-formed traces with everything that JSON allows: any key order, blanks, escapes, numbers
/// in all forms, nested arguments, missing members. A pure function of the seed.
class RandomTrace {
public:
    explicit RandomTrace(std::uint64_t seed) : m_random(seed) {}

    [[nodiscard]] std::string document() {
        std::string events;
        const std::size_t count = 1 + m_random() % 60;
        for (std::size_t i = 0; i < count; ++i) {
            events += (i > 0 ? "," + space() : "") + event() + space();
        }
        std::vector<std::string> members{"\"traceEvents\"" + space() + ":" + space() + "[" +
                                         space() + events + "]"};
        for (std::size_t i = m_random() % 4; i > 0; --i) {
            members.push_back(string("key" + std::to_string(i)) + ":" + space() + value(3));
        }
        return space() + object(members) + space();
    }

    [[nodiscard]] std::string event() {
        static constexpr std::string_view kPhases[] = {"X", "X", "X", "X", "s", "f", "i", "C", "M"};
        const std::string phase(pick(kPhases));
        std::vector<std::string> members{member("ph", quoted(phase))};
        if (phase == "M") {
            members.push_back(member("name", quoted(chance(50) ? "process_name" : "thread_name")));
            members.push_back(member("args", "{" + member("name", string(word())) + "}"));
        } else {
            members.push_back(member("ts", time()));
            const bool memory = phase == "i" && chance(40);
            maybe(members, 90, "name", string(memory ? "[memory]" : word()));
            if (memory) {
                maybe(members, 90, "args", memoryArguments());
            }
            maybe(members, 90, "cat", category());
        }
        maybe(members, 95, "pid", id());
        maybe(members, 95, "tid", id());
        if (phase == "X") {
            maybe(members, 95, "dur", time());
            maybe(members, 80, "args", arguments());
        } else if (phase == "s" || phase == "f") {
            members.push_back(member("id", std::to_string(m_random() % 100000)));
        } else if (phase == "i") {
            maybe(members, 50, "s", quoted(chance(50) ? "g" : "t"));
        } else if (phase == "C") {
            members.push_back(member("args", "{" + member("a b", integer()) + "}"));
        }
        maybe(members, 20, "unknown", value(3));
        return object(members);
    }

    [[nodiscard]] std::size_t below(std::size_t most) { return m_random() % most; }

private:
    [[nodiscard]] bool chance(unsigned percent) { return m_random() % 100 < percent; }

    template <std::size_t N>
    [[nodiscard]] std::string_view pick(const std::string_view (&choices)[N]) {
        return choices[m_random() % N];
    }

    void maybe(std::vector<std::string>& members, unsigned percent, std::string_view key,
               const std::string& value) {
        if (chance(percent)) {
            members.push_back(member(key, value));
        }
    }

    [[nodiscard]] std::string space() {
        static constexpr std::string_view kSpaces[] = {
            "", "", "", " ", "\n", "\t", "  ", "\r\n    ", "                         "};
        return std::string(pick(kSpaces));
    }

    [[nodiscard]] static std::string quoted(std::string_view text) {
        return '"' + std::string(text) + '"';
    }

    [[nodiscard]] std::string member(std::string_view key, const std::string& value) {
        return quoted(key) + space() + ":" + space() + value;
    }

    [[nodiscard]] std::string object(std::vector<std::string> members) {
        std::ranges::shuffle(members, m_random);
        std::string text = "{" + space();
        for (std::size_t i = 0; i < members.size(); ++i) {
            text += (i > 0 ? "," + space() : "") + members[i] + space();
        }
        return text + "}";
    }

    [[nodiscard]] std::string word() {
        static constexpr std::string_view kWords[] = {
            "aten::mm",
            "void k<float, 3>(int*)",
            "é中😀",
            "a\"b",
            "C:\\dir\\new",
            "line\nbreak",
            "\ttab",
            "{[]}",
            "correlation",
            "External id",
            "\"correlation\": 5,",
            ", {\"ph\": ",
            "",
            "x",
            "Memcpy HtoD (Pageable -> Device)",
            "a name that is longer than sixteen and even than sixty-four bytes of text altogether"};
        std::string text(pick(kWords));
        return chance(20) ? text + std::string(pick(kWords)) : text;
    }

    // Some characters as escapes that JSON would not need.
    [[nodiscard]] std::string string(std::string_view text) {
        std::string out = "\"";
        for (const char c : text) {
            if (c == '\n') {
                out += "\\n";
            } else if (c == '\t') {
                out += "\\u0009";
            } else if (c == '"' || c == '\\') {
                out += std::string("\\") + c;
            } else if (c == 'e' && chance(10)) {
                out += "\\u0065";
            } else if (c == '/' && chance(50)) {
                out += "\\/";
            } else {
                out += c;
            }
        }
        return out + '"';
    }

    [[nodiscard]] std::string category() {
        static constexpr std::string_view kCategories[] = {
            "kernel", "kernel",       "gpu_memcpy",  "gpu_memset",
            "cpu_op", "cuda_runtime", "cuda_driver", "python_function",
            "ac2g",   "fwdbwd",       "mine",        "user_annotation"};
        return quoted(pick(kCategories));
    }

    // As PyTorch's allocators write them, in any order and with parts missing.
    [[nodiscard]] std::string memoryArguments() {
        std::vector<std::string> members{member("Bytes", "-" + integer())};
        maybe(members, 90, "Total Allocated", integer());
        maybe(members, 80, "Total Reserved", integer());
        maybe(members, 80, "Device Type", chance(50) ? "1" : "0");
        maybe(members, 80, "Device Id", chance(50) ? "3" : "-1");
        return object(members);
    }

    [[nodiscard]] std::string integer() { return std::to_string(m_random() % 1'000'000); }

    [[nodiscard]] std::string time() {
        const std::string whole = std::to_string(m_random() >> (16 + m_random() % 46));
        switch (m_random() % 8) {
            case 0:
                return whole;
            case 1:
                return whole.substr(0, 3) + "." + integer() + "e" + std::to_string(m_random() % 5);
            case 2:
                return whole.substr(0, 4) + "." + integer() + "E-" + std::to_string(m_random() % 5);
            case 3:
                return "-" + whole + ".25";
            case 4:
                return whole + "." + std::to_string(m_random() % 100'000'000);
            default:
                return whole + "." + std::to_string(100 + m_random() % 900);
        }
    }

    [[nodiscard]] std::string id() {
        static constexpr std::string_view kIds[] = {
            "0", "1", "7", "-1", "2910249", "\"Spans\"", "\"\"", "\"7\"", "9007199254740993"};
        return std::string(pick(kIds));
    }

    [[nodiscard]] std::string arguments() {
        std::vector<std::string> members;
        maybe(members, 60, "correlation", integer());
        maybe(members, 60, "External id", integer());
        maybe(members, 40, "stream", integer());
        maybe(members, 40, "grid", "[" + integer() + "," + space() + integer() + ", 1]");
        maybe(members, 40, "block",
              "[" + std::to_string(m_random() % 1025) + ",1, 1" + space() + "]");
        maybe(members, 30, "registers per thread", std::to_string(m_random() % 256));
        maybe(members, 30, "shared memory", integer());
        maybe(members, 30, "est. achieved occupancy %", std::to_string(m_random() % 101));
        maybe(members, 30, "bytes", integer());
        maybe(members, 20, "graph id", integer());
        maybe(members, 10, "Collective name", string(word()));
        maybe(members, 40, "other", value(4));
        return object(members);
    }

    [[nodiscard]] std::string value(int depth) {
        switch (m_random() % (depth > 0 ? 8U : 6U)) {
            case 0:
                return "true";
            case 1:
                return "null";
            case 2:
                return time();
            case 3:
                return integer();
            case 6:
                return "[" + space() + value(depth - 1) + "," + value(depth - 1) + "]";
            case 7:
                return object({member("a", value(depth - 1)), member("b", value(depth - 1))});
            default:
                return string(word());
        }
    }

    std::mt19937_64 m_random;
};

}  // namespace kinetoscope::test
