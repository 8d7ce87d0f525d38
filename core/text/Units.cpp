// SPDX-License-Identifier: Apache-2.0
#include "core/text/Units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/text/Format.h"

namespace kinetoscope::text {

TimeUnit unitFor(TimeNs largest) {
    constexpr TimeNs kOneMs = 1'000'000;
    constexpr TimeNs kHundredSeconds = 100'000'000'000;
    return largest >= kHundredSeconds ? kSeconds
           : largest >= kOneMs        ? kMilliseconds
                                      : kMicroseconds;
}

std::string inUnit(double ns, TimeUnit unit) {
    std::string text = fmt::format("{:.3f}", ns / unit.ns);
    if (!std::isfinite(ns)) {
        return text;
    }
    const std::size_t first = text.starts_with('-') ? 1 : 0;
    for (std::size_t at = text.find('.'); at > first + 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string inUnit(TimeNs ns, TimeUnit unit) {
    return inUnit(static_cast<double>(ns), unit);
}

std::string formatUtc(TimeNs unixNs, TimeNs later) {
    using namespace std::chrono;
    using Limits = std::numeric_limits<TimeNs>;
    TimeNs moment = 0;
    if (__builtin_add_overflow(unixNs, later, &moment)) {
        moment = later < 0 ? Limits::min() : Limits::max();
    }
    // The day in which the first moment lies begins before it.
    moment = std::max(moment, Limits::min() + TimeNs{nanoseconds(days(1)).count()});
    const sys_time<nanoseconds> time{nanoseconds(moment)};
    const auto day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{time - day};
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:09} UTC",
                       static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()), clock.hours().count(),
                       clock.minutes().count(), clock.seconds().count(),
                       clock.subseconds().count());
}

std::string shareBar(double share, std::size_t columns) {
    static constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const double clipped = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
    const auto eighths =
        static_cast<std::size_t>(std::lround(clipped * 8.0 * static_cast<double>(columns)));
    std::string bar;
    for (std::size_t cell = 0; cell < eighths / 8; ++cell) {
        bar += "█";
    }
    return bar + kEighths[eighths % 8];
}

}  // namespace kinetoscope::text
