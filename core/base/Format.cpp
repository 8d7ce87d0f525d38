// SPDX-License-Identifier: Apache-2.0
#include "core/base/Format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace kinetoscope {

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

std::string formatPercent(double part, double whole) {
    return whole > 0.0 ? fmt::format("{:.2f} %", 100.0 * part / whole) : "–";
}

std::string shortKernelName(std::string_view name) {
    std::string plain;
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (name.substr(i).starts_with("(anonymous namespace)")) {
            i += std::string_view("(anonymous namespace)").size() - 1;
            if (depth == 0) {
                plain += "anonymous";
            }
        } else if (c == '<') {
            ++depth;
        } else if (c == '>') {
            depth -= depth > 0 ? 1 : 0;
        } else if (c == '(' && depth == 0) {
            // "Memcpy HtoD (Pageable -> Device)" is no call: its bracket follows a space.
            if (i > 0 && name[i - 1] == ' ') {
                return std::string(name);
            }
            break;
        } else if (depth == 0) {
            plain += c;
        }
    }
    while (!plain.empty() && plain.back() == ' ') {
        plain.pop_back();
    }
    if (const auto scope = plain.rfind("::"); scope != std::string::npos) {
        plain.erase(0, scope + 2);
    } else if (plain.starts_with("void ")) {
        plain.erase(0, 5);
    }
    return plain.empty() ? std::string(name) : plain;
}

}  // namespace kinetoscope
