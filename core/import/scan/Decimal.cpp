// SPDX-License-Identifier: Apache-2.0
#include "core/import/scan/Decimal.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::scan {

namespace {

struct DecimalParts {
    bool negative = false;
    std::string_view whole;
    std::string_view fraction;
    std::int64_t exponent = 0;
};

std::string_view takeDigits(std::string_view& text) {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
}

bool takeSign(std::string_view& text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    return negative;
}

std::optional<std::int64_t> takeExponent(std::string_view& text) {
    if (!text.starts_with('e') && !text.starts_with('E')) {
        return 0;
    }
    text.remove_prefix(1);
    const bool negative = takeSign(text);
    const std::string_view digits = takeDigits(text);
    if (digits.empty()) {
        return std::nullopt;
    }
    // Far more than any number of digits that fits into memory; keeps the sums below in range.
    constexpr std::int64_t kMax = std::int64_t{1} << 40;
    std::int64_t exponent = 0;
    for (const char digit : digits) {
        exponent = std::min(exponent * 10 + (digit - '0'), kMax);
    }
    return negative ? -exponent : exponent;
}

std::optional<DecimalParts> split(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return std::nullopt;
    }
    text = text.substr(first, text.find_last_not_of(" \t") - first + 1);
    DecimalParts parts;
    parts.negative = takeSign(text);
    parts.whole = takeDigits(text);
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        parts.fraction = takeDigits(text);
    }
    const auto exponent = takeExponent(text);
    if (!exponent || !text.empty() || (parts.whole.empty() && parts.fraction.empty())) {
        return std::nullopt;
    }
    parts.exponent = *exponent;
    return parts;
}

// The digits of a decimal as one row, without the zeros in front.
class DigitRow {
public:
    explicit DigitRow(const DecimalParts& parts) : m_whole(parts.whole), m_rest(parts.fraction) {
        while (!m_whole.empty() && m_whole.front() == '0') {
            m_whole.remove_prefix(1);
        }
        m_point = static_cast<std::int64_t>(m_whole.size());
        while (m_whole.empty() && !m_rest.empty() && m_rest.front() == '0') {
            m_rest.remove_prefix(1);
            --m_point;
        }
    }
    [[nodiscard]] std::int64_t size() const {
        return static_cast<std::int64_t>(m_whole.size() + m_rest.size());
    }
    /// Digits before the decimal point; negative for zeros behind it.
    [[nodiscard]] std::int64_t point() const { return m_point; }
    [[nodiscard]] unsigned digit(std::int64_t at) const {
        const auto index = static_cast<std::size_t>(at);
        const char c = index < m_whole.size() ? m_whole[index] : m_rest[index - m_whole.size()];
        return static_cast<unsigned>(c - '0');
    }
    [[nodiscard]] bool anyBeyond(std::int64_t at) const {
        for (; at < size(); ++at) {
            if (digit(at) != 0) {
                return true;
            }
        }
        return false;
    }

private:
    std::string_view m_whole;
    std::string_view m_rest;
    std::int64_t m_point = 0;
};

// +1 to round up, 0 to round down; `exact` when nothing is cut off.
unsigned rounding(const DigitRow& row, std::int64_t kept, std::uint64_t value, bool& exact) {
    exact = kept >= row.size() || (kept < 0 ? !row.anyBeyond(0) : !row.anyBeyond(kept));
    if (exact || kept < 0) {
        return 0;
    }
    const unsigned next = row.digit(kept);
    const bool tie = next == 5 && !row.anyBeyond(kept + 1);
    return next > 5 || (next == 5 && !tie) || (tie && value % 2 == 1) ? 1 : 0;
}

Decimal outOfRange(bool negative) {
    using Limits = std::numeric_limits<std::int64_t>;
    return {negative ? Limits::min() : Limits::max(), DecimalStatus::OutOfRange};
}

}  // namespace

Decimal parseDecimal(std::string_view text, int shift) {
    const auto parts = split(text);
    if (!parts) {
        return {};
    }
    const DigitRow row(*parts);
    if (row.size() == 0) {
        return {0, DecimalStatus::Exact};
    }
    const std::int64_t kept = row.point() + parts->exponent + shift;
    // 19 digits always fit into 64 bits without a sign.
    if (kept > 19) {
        return outOfRange(parts->negative);
    }
    std::uint64_t value = 0;
    for (std::int64_t at = 0; at < kept; ++at) {
        value = value * 10 + (at < row.size() ? row.digit(at) : 0);
    }
    bool exact = false;
    value += rounding(row, kept, value, exact);
    const std::uint64_t limit =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) +
        (parts->negative ? 1 : 0);
    if (value > limit) {
        return outOfRange(parts->negative);
    }
    const std::uint64_t bits = parts->negative ? 0 - value : value;
    return {static_cast<std::int64_t>(bits), exact ? DecimalStatus::Exact : DecimalStatus::Rounded};
}

Decimal parseDecimal(const JsonText& value, int shift) {
    std::string storage;
    return parseDecimal(numberText(value, storage), shift);
}

std::string_view numberText(const JsonText& value, std::string& storage) {
    if (value.kind == JsonKind::String) {
        return decodeString(value, storage).text;
    }
    return value.kind == JsonKind::Number ? value.view() : std::string_view();
}

}  // namespace kinetoscope::import::scan
