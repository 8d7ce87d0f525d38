// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Window.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "core/query/Intervals.h"
#include "core/text/Format.h"

namespace kinetoscope::analysis {

namespace {

constexpr const char* kUsage = "use gpu, trace, step:N or START..END, e.g. 1.5ms..20ms";

struct Unit {
    std::string_view suffix;
    int decimals;  ///< digits after the point that make whole nanoseconds
};
// Longer suffixes first: "ms" ends in "s" too.
constexpr std::array<Unit, 4> kUnits{{{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}}};
constexpr Unit kDefaultUnit = kUnits[1];

bool isDigit(char c) {
    return '0' <= c && c <= '9';
}

/// Digits with at most one point, to nanoseconds; more decimals than a nanosecond has round half
/// to even.
std::optional<TimeNs> parseDecimal(std::string_view text, int decimals) {
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string digits(text.substr(0, point));
    std::string fraction(text.substr(std::min(point + 1, text.size())));
    if ((digits + fraction).empty() || !std::ranges::all_of(digits + fraction, isDigit)) {
        return std::nullopt;
    }
    const auto kept = static_cast<std::size_t>(decimals);
    std::string rest = fraction.size() > kept ? fraction.substr(kept) : "";
    fraction.resize(kept, '0');
    digits = "0" + digits + fraction;
    TimeNs value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (parsed.ec != std::errc() || value > std::numeric_limits<TimeNs>::max() / 2) {
        return std::nullopt;
    }
    while (!rest.empty() && rest.back() == '0') {
        rest.pop_back();
    }
    const bool isHalf = rest == "5";
    const bool roundsUp = isHalf ? value % 2 == 1 : !rest.empty() && rest.front() >= '5';
    return value + (roundsUp ? 1 : 0);
}

std::optional<TimeNs> parseTime(std::string_view text) {
    if (text.starts_with('-')) {
        const auto positive = text.starts_with("--") ? std::nullopt : parseTime(text.substr(1));
        return positive ? std::optional(-*positive) : std::nullopt;
    }
    for (const Unit& unit : kUnits) {
        if (text.ends_with(unit.suffix)) {
            text.remove_suffix(unit.suffix.size());
            return parseDecimal(text, unit.decimals);
        }
    }
    return parseDecimal(text, kDefaultUnit.decimals);
}

Result<WindowChoice> parseStep(std::string_view number, std::string_view text) {
    WindowChoice choice;
    choice.kind = WindowKind::Step;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), choice.step);
    if (parsed.ec != std::errc() || parsed.ptr != number.data() + number.size() ||
        choice.step < 0) {
        return fail(
            fmt::format("window \"{}\": \"{}\" is not a step number; {}", text, number, kUsage));
    }
    return choice;
}

Result<WindowChoice> parseRange(std::string_view text, std::size_t dots) {
    const auto start = parseTime(text.substr(0, dots));
    const auto end = parseTime(text.substr(dots + 2));
    if (!start || !end) {
        return fail(
            fmt::format("window \"{}\": \"{}\" is not a time; write a number with ns, us, ms or s "
                        "(default: us)",
                        text, !start ? text.substr(0, dots) : text.substr(dots + 2)));
    }
    if (*end <= *start) {
        return fail(fmt::format(
            "window \"{}\" is empty: its end must come at least 1 ns after its start", text));
    }
    WindowChoice choice;
    choice.kind = WindowKind::Range;
    choice.range = {*start, *end};
    return choice;
}

}  // namespace

Result<WindowChoice> parseWindow(std::string_view text) {
    WindowChoice choice;
    if (text == "gpu") {
        return choice;
    }
    if (text == "trace") {
        choice.kind = WindowKind::Trace;
        return choice;
    }
    constexpr std::string_view kOneStep = "step:";
    if (text.starts_with(kOneStep)) {
        return parseStep(text.substr(kOneStep.size()), text);
    }
    if (const auto dots = text.find(".."); dots != std::string_view::npos) {
        return parseRange(text, dots);
    }
    return fail(fmt::format("window \"{}\" is unknown; {}", text, kUsage));
}

std::string windowText(const WindowChoice& choice) {
    switch (choice.kind) {
        case WindowKind::Gpu:
            return "gpu";
        case WindowKind::Trace:
            return "trace";
        case WindowKind::Step:
            return fmt::format("step:{}", choice.step);
        case WindowKind::Range:
            break;
    }
    const TimeNs start = std::max<TimeNs>(0, choice.range.start);
    return fmt::format("{}ns..{}ns", start, std::max(start + 1, choice.range.end));
}

std::string describeWindow(const WindowChoice& choice) {
    switch (choice.kind) {
        case WindowKind::Gpu:
            return "from each GPU's first operation to its last";
        case WindowKind::Trace:
            return "the whole trace";
        case WindowKind::Step:
            return fmt::format("step {}", choice.step);
        case WindowKind::Range:
            break;
    }
    return fmt::format("{} to {} after the first event", text::formatDuration(choice.range.start),
                       text::formatDuration(choice.range.end));
}

}  // namespace kinetoscope::analysis
