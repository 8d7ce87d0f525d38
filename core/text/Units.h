// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/Time.h"

namespace kinetoscope::text {

/// The unit of a whole column, so that its figures can be compared by eye.
struct TimeUnit {
    const char* name;
    double ns;
};

inline constexpr TimeUnit kMicroseconds{"µs", 1e3};
inline constexpr TimeUnit kMilliseconds{"ms", 1e6};
inline constexpr TimeUnit kSeconds{"s", 1e9};

/// Milliseconds; microseconds when nothing reaches one, seconds when something reaches 100 s.
[[nodiscard]] TimeUnit unitFor(TimeNs largest);

/// "1,234.567": three decimals, thousands separated, without the unit's name.
[[nodiscard]] std::string inUnit(double ns, TimeUnit unit);
[[nodiscard]] std::string inUnit(TimeNs ns, TimeUnit unit);

/// "2026-10-01 11:37:06.000000000 UTC" of nanoseconds since 1970, `later` after them. What does not
/// fit into TimeNs is its first or last moment.
[[nodiscard]] std::string formatUtc(TimeNs unixNs, TimeNs later = 0);

/// A bar of `columns` cells in eighths; `share` beyond 0 to 1 is clipped.
[[nodiscard]] std::string shareBar(double share, std::size_t columns);

}  // namespace kinetoscope::text
