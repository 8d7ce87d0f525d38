// SPDX-License-Identifier: Apache-2.0
#include "core/text/Format.h"

#include <fmt/format.h>

#include <algorithm>

#include <array>
#include <cmath>

#include "core/base/Demangle.h"

namespace kinetoscope::text {

std::string formatDuration(TimeNs ns) {
    struct Unit {
        double size;
        const char* name;
    };
    static constexpr std::array<Unit, 3> kUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}}};
    const double value = static_cast<double>(ns);
    for (const Unit& unit : kUnits) {
        if (std::abs(value) >= unit.size) {
            return fmt::format("{:.3f} {}", value / unit.size, unit.name);
        }
    }
    return fmt::format("{} ns", ns);
}

std::string formatBytes(std::uint64_t bytes) {
    static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024.0 && unit + 1 < kUnits.size()) {
        value /= 1024.0;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string formatCount(std::int64_t count) {
    std::string digits = fmt::format("{}", count);
    const std::size_t first = count < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string formatQuantity(double value, bool isBytes) {
    constexpr double kMax = 1e15;  // beyond it doubles have no more whole numbers to show
    const bool isWhole = std::abs(value) < kMax && std::nearbyint(value) == value;
    if (isBytes && std::abs(value) < kMax) {
        const auto size = static_cast<std::uint64_t>(std::llround(std::abs(value)));
        return (value < 0 ? "-" : "") + formatBytes(size);
    }
    return isWhole ? formatCount(static_cast<std::int64_t>(value)) : fmt::format("{:.6g}", value);
}

std::string formatPercent(double part, double whole) {
    return whole > 0.0 ? fmt::format("{:.2f} %", 100.0 * part / whole) : "–";
}

namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

// Names that mean nothing without their template arguments: cutlass::Kernel2<...>.
bool saysNothing(std::string_view name) {
    return name == "Kernel" || name == "Kernel2" || name == "kernel";
}

// The first template argument list of `name`, brackets included; empty if there is none.
std::string_view templateArguments(std::string_view name) {
    const std::size_t open = name.find('<');
    int depth = 0;
    for (std::size_t i = open; i < name.size(); ++i) {
        depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
        if (depth == 0) {
            return name.substr(open, i + 1 - open);
        }
    }
    return {};
}

// Everything before the parameters, template arguments left out.
std::string withoutArguments(std::string_view name) {
    std::string plain;
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (c == '(' && name.substr(i).starts_with(kAnonymous)) {
            i += kAnonymous.size() - 1;
        } else if (c == '<') {
            ++depth;
        } else if (c == '>') {
            depth -= depth > 0 ? 1 : 0;
        } else if (c == '(' && depth == 0) {
            break;
        } else if (depth == 0) {
            plain += c;
        }
    }
    plain.erase(plain.find_last_not_of(' ') + 1);
    return plain;
}

}  // namespace

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    return lower;
}

std::string shortKernelName(std::string_view name) {
    if (isMangled(name)) {
        const std::string readable = demangledName(name);
        return isMangled(readable) ? readable : shortKernelName(readable);
    }
    // "Memcpy HtoD (Pageable -> Device)" is not a call: its bracket follows a space. Neither is a
    // cast among template arguments.
    if (const auto bracket = name.find(" (");
        bracket < name.find('<') && !name.substr(bracket + 1).starts_with(kAnonymous)) {
        return std::string(name);
    }
    std::string plain = withoutArguments(name);
    if (const auto scope = plain.rfind("::"); scope != std::string::npos) {
        plain.erase(0, scope + 2);
    } else if (plain.starts_with("void ")) {
        plain.erase(0, 5);
    }
    if (saysNothing(plain)) {
        plain += templateArguments(name);
    }
    return plain.empty() ? std::string(name) : plain;
}

}  // namespace kinetoscope::text
