// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::test {

/// Changes JSON texts by whole members and elements, so that most of what comes out is JSON again
/// and gets past a parser's first look; always the same way for one seed.
class JsonMutator {
public:
    explicit JsonMutator(std::uint64_t seed) : m_random(seed) {}

    /// One to four changes; what is put in comes from the text itself or from `other`.
    [[nodiscard]] std::string change(std::string text, std::string_view other) {
        for (std::size_t left = 1 + below(4); left > 0; --left) {
            const std::vector<Item> items = itemsOf(text);
            const std::string_view giver = below(2) == 0 ? std::string_view(text) : other;
            const std::vector<Item> gifts = itemsOf(giver);
            if (!items.empty() && !gifts.empty()) {
                const Item& gift = gifts[below(gifts.size())];
                change(text, items[below(items.size())], gift, std::string(giver));
            }
        }
        return text;
    }

private:
    /// A member or an element, without the commas around it: text from `begin` up to `end`, whose
    /// value begins at `value`.
    struct Item {
        std::size_t begin;
        std::size_t value;
        std::size_t end;
        [[nodiscard]] std::string_view whole(std::string_view text) const {
            return text.substr(begin, end - begin);
        }
        [[nodiscard]] std::string_view valueIn(std::string_view text) const {
            return text.substr(value, end - value);
        }
        /// With the colon; empty for an element.
        [[nodiscard]] std::string_view keyIn(std::string_view text) const {
            return text.substr(begin, value - begin);
        }
    };

    [[nodiscard]] std::size_t below(std::size_t limit) {
        return static_cast<std::size_t>(m_random() % limit);
    }

    // Of a text that may be damaged anywhere: brackets need not match.
    [[nodiscard]] static std::vector<Item> itemsOf(std::string_view text) {
        std::vector<Item> items;
        std::vector<Item> open;
        const auto finish = [&](std::size_t end) {
            if (open.back().begin < end) {
                open.back().end = end;
                items.push_back(open.back());
            }
        };
        for (std::size_t at = text.find_first_of("[{"); at < text.size(); ++at) {
            switch (text[at]) {
                case '"':
                    at = endOfString(text, at);
                    break;
                case '{':
                case '[':
                    open.push_back({at + 1, at + 1, at + 1});
                    break;
                case ':':
                    if (!open.empty() && open.back().value == open.back().begin) {
                        open.back().value = at + 1;
                    }
                    break;
                case ',':
                case '}':
                case ']':
                    if (!open.empty()) {
                        finish(at);
                        open.back() = {at + 1, at + 1, at + 1};
                        open.resize(open.size() - (text[at] == ',' ? 0U : 1U));
                    }
                    break;
                default:
                    break;
            }
        }
        return items;
    }

    // Of the quote behind the string that begins at `at`, or of the end.
    [[nodiscard]] static std::size_t endOfString(std::string_view text, std::size_t at) {
        for (++at; at < text.size() && text[at] != '"'; ++at) {
            at += text[at] == '\\' ? 1U : 0U;
        }
        return at;
    }

    // By value: `from` may be the text that changes.
    void change(std::string& text, Item item, Item gift, const std::string& from) {
        const std::size_t size = item.end - item.begin;
        switch (below(10)) {
            case 0: {
                const bool comma = item.end < text.size() && text[item.end] == ',';
                text.erase(item.begin, size + (comma ? 1U : 0U));
                break;
            }
            case 1:
                text.insert(item.begin, std::string(gift.whole(from)) + ',');
                break;
            case 2:
                text.replace(item.begin, size, gift.whole(from));
                break;
            case 3:
                replaceValue(text, item, gift.valueIn(from));
                break;
            case 4:
                text.replace(item.begin, item.value - item.begin, gift.keyIn(from));
                break;
            case 5:
                replaceValue(text, item, oddValue());
                break;
            case 6:
                replaceValue(text, item, wrapped(std::string(item.valueIn(text))));
                break;
            case 7:
                escape(text, item);
                break;
            case 8: {
                static constexpr std::string_view kSpaces = " \n\t\r";
                const std::array<std::size_t, 3> places{item.begin, item.value, item.end};
                text.insert(places[below(places.size())], 1 + below(3), kSpaces[below(4)]);
                break;
            }
            default:
                changeDigit(text, item);
        }
    }

    static void replaceValue(std::string& text, Item item, std::string_view value) {
        text.replace(item.value, item.end - item.value, value);
    }

    [[nodiscard]] std::string_view oddValue() {
        static constexpr std::array<std::string_view, 28> kValues{"null",
                                                                  "true",
                                                                  "false",
                                                                  "-0",
                                                                  "0.5",
                                                                  "-1.25",
                                                                  "1e3",
                                                                  "1E-3",
                                                                  "01",
                                                                  "+1",
                                                                  ".5",
                                                                  "1.",
                                                                  "NaN",
                                                                  "-Infinity",
                                                                  "{}",
                                                                  "[]",
                                                                  "\"\"",
                                                                  "\"1\"",
                                                                  "\"0x1f\"",
                                                                  "1 2",
                                                                  "\"\\u0000\"",
                                                                  "\"\\ud83d\\ude00\"",
                                                                  "\"\\ud800\"",
                                                                  "\"\\q\"",
                                                                  "9223372036854775807",
                                                                  "9223372036854775808",
                                                                  "-9223372036854775809",
                                                                  "123456789.0001"};
        return kValues[below(kValues.size())];
    }

    [[nodiscard]] std::string wrapped(const std::string& value) {
        switch (below(3)) {
            case 0:
                return '[' + value + ']';
            case 1:
                return '"' + value + '"';
            default:
                return "{\"args\":" + value + '}';
        }
    }

    // Writes a letter in another way, which means the same within a string.
    void escape(std::string& text, Item item) {
        const std::size_t at = item.begin + below(item.end - item.begin);
        if (std::isalpha(static_cast<unsigned char>(text[at])) != 0) {
            text.replace(at, 1, fmt::format("\\u{:04x}", static_cast<unsigned>(text[at])));
        }
    }

    // Small numbers meet one another: ids and times that are equal, or one apart.
    void changeDigit(std::string& text, Item item) {
        const std::size_t at = text.find_first_of("0123456789", item.value);
        if (at < item.end) {
            text[at] = static_cast<char>('0' + below(10));
        }
    }

    std::mt19937_64 m_random;
};

}  // namespace kinetoscope::test
