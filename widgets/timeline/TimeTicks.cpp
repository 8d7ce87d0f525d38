// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/TimeTicks.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace kinetoscope::timeline {

namespace {

struct Unit {
    TimeNs size;
    const char* name;
};
constexpr std::array<Unit, 4> kUnits{{{1, "ns"}, {1000, "µs"}, {1000000, "ms"}, {1000000000, "s"}}};

// More digits than this and a label no longer fits between two ticks.
constexpr TimeNs kMaxSteps = 100000;

/// The largest unit that is not above `size`.
const Unit& unitOf(TimeNs size) {
    const Unit* found = &kUnits.front();
    for (const Unit& unit : kUnits) {
        if (unit.size <= size) {
            found = &unit;
        }
    }
    return *found;
}

int decimalsFor(TimeNs step, TimeNs unit) {
    int decimals = 0;
    for (TimeNs size = step; size % unit != 0 && decimals < 9; size *= 10) {
        ++decimals;
    }
    return decimals;
}

std::string labelOf(TimeNs time, TimeNs step, const Unit& unit) {
    if (time == 0) {
        return fmt::format("0 {}", unit.name);
    }
    const double value = static_cast<double>(time) / static_cast<double>(unit.size);
    return fmt::format("{:.{}f} {}", value, decimalsFor(step, unit.size), unit.name);
}

TimeNs floorTo(TimeNs time, TimeNs step) {
    const TimeNs rest = time % step;
    return time - (rest < 0 ? rest + step : rest);
}

}  // namespace

TimeNs niceStep(double least) {
    TimeNs power = 1;
    while (static_cast<double>(power) * 10.0 < least) {
        power *= 10;
    }
    for (const TimeNs factor : {1, 2, 5}) {
        if (static_cast<double>(factor * power) >= least) {
            return factor * power;
        }
    }
    return 10 * power;
}

TimeTicks timeTicks(TimeSpan visible, TimeNs origin, double width, double spacing) {
    TimeTicks result;
    result.anchor = origin;
    if (visible.empty() || width <= 0.0) {
        return result;
    }
    result.step = niceStep(static_cast<double>(visible.duration()) * spacing / width);
    const TimeSpan since{visible.start - origin, visible.end - origin};
    const TimeNs furthest = std::max(std::abs(since.start), std::abs(since.end));
    TimeNs anchor = 0;
    const Unit* unit = &unitOf(furthest);
    if (furthest / result.step > kMaxSteps) {
        unit = &unitOf(result.step);
        const TimeNs coarse = 1000 * unit->size;
        anchor = floorTo(since.start, coarse);
        result.anchor = origin + anchor;
        result.anchorLabel = labelOf(anchor, coarse, unitOf(std::abs(anchor)));
    }
    for (TimeNs time = floorTo(since.start - anchor + result.step - 1, result.step);
         time < since.end - anchor; time += result.step) {
        const std::string sign = anchor != 0 ? "+" : "";
        result.ticks.push_back({origin + anchor + time, sign + labelOf(time, result.step, *unit)});
    }
    return result;
}

}  // namespace kinetoscope::timeline
