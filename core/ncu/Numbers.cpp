// SPDX-License-Identifier: Apache-2.0
#include "core/ncu/Numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace kinetoscope::ncu {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kGroup = 3;  // digits

bool isDecimalDigit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t digitsAt(std::string_view text, std::size_t at) {
    std::size_t count = 0;
    while (at + count < text.size() && isDecimalDigit(text[at + count])) {
        ++count;
    }
    return count;
}

// Spaces and apostrophes between groups of digits do not say what the decimal sign is.
std::string withoutSpaces(std::string_view field) {
    static constexpr std::array<std::string_view, 6> kSpaces{" ",      "\u00a0", "\u2009",
                                                             "\u202f", "'",      "\u2019"};
    std::string text;
    while (!field.empty()) {
        const auto* const space = std::ranges::find_if(
            kSpaces, [&](std::string_view one) { return field.starts_with(one); });
        const bool groups = space != kSpaces.end() && !text.empty() &&
                            isDecimalDigit(text.back()) && digitsAt(field, space->size()) == kGroup;
        if (!groups) {
            text += field.front();
        }
        field.remove_prefix(groups ? space->size() : 1);
    }
    return text;
}

// The decimal sign that a number's form asks for; 0 if it may be either.
char decimalSign(std::string_view text) {
    const std::size_t last = text.find_last_of(".,");
    if (last == std::string_view::npos) {
        return 0;
    }
    const char sign = text[last];
    const char other = sign == '.' ? ',' : '.';
    if (text.find(other) != std::string_view::npos) {
        return sign;
    }
    const std::size_t first = text.find(sign);
    if (first != last) {
        return other;
    }
    const std::size_t begin = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const std::size_t before = first - std::min(first, begin);
    const std::size_t behind = digitsAt(text, last + 1);
    const bool mayGroup = before > 0 && before <= kGroup && text[begin] != '0' &&
                          behind == kGroup && last + 1 + behind == text.size();
    return mayGroup ? '\0' : sign;
}

// Groups have three digits, in India two but for the last.
bool isGrouped(std::string_view text, char group, char decimal) {
    const std::size_t end = std::min(text.find(decimal), text.size());
    for (std::size_t at = text.find(group); at != std::string_view::npos;) {
        const std::size_t digits = digitsAt(text, at + 1);
        const std::size_t next = text.find(group, at + 1);
        const bool last = next == std::string_view::npos;
        if (at > end || (last ? digits != kGroup : digits != kGroup && digits != kGroup - 1)) {
            return false;
        }
        at = next;
    }
    return true;
}

double read(std::string text, char decimal) {
    const char group = decimal == '.' ? ',' : '.';
    if (!isGrouped(text, group, decimal)) {
        return kNoNumber;
    }
    std::erase(text, group);
    std::ranges::replace(text, decimal, '.');
    double number = 0.0;
    const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && at == text.data() + text.size();
    return whole && std::isfinite(number) ? number : kNoNumber;
}

}  // namespace

void NumberForm::note(std::string_view field) {
    std::string text = withoutSpaces(field);
    const char sign = decimalSign(text);
    if (sign != 0 && !std::isnan(read(std::move(text), sign))) {
        ++(sign == '.' ? m_points : m_commas);
    }
}

double NumberForm::number(std::string_view field) const {
    std::string text = withoutSpaces(field);
    const char sign = decimalSign(text);
    return read(std::move(text), sign != 0 ? sign : m_commas > m_points ? ',' : '.');
}

}  // namespace kinetoscope::ncu
