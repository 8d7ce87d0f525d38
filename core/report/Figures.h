// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/report/Report.h"

namespace kinetoscope::report {

/// Nanoseconds, a count, or a mean of nanoseconds; null: there is none.
using FigureValue = std::variant<std::nullptr_t, TimeNs, std::uint64_t, double>;

/// What stands together in a report, in its order.
enum class FigureGroup : std::uint8_t { Operations, Launches, Busy, Breakdown, Idle, StreamGaps };

/// One figure of a GPU: everything that is said of it anywhere. Text, JSON, Markdown, CSV, window,
/// comparisons and --explain are made from these rows.
struct Figure {
    std::string_view key;    ///< its place in the JSON of a GPU: "breakdown.idle_ns"; unique
    std::string_view label;  ///< for people; begins with a capital unless it is a symbol
    std::string_view unit;   ///< "ns" or empty
    std::string_view definition;
    FigureGroup group = FigureGroup::Busy;
    FigureValue (*value)(const GpuReport& gpu) = nullptr;
    /// Where in the trace it was found; null for what is not a single place.
    std::optional<TimeSpan> (*place)(const GpuReport& gpu) = nullptr;
    bool (*isShown)(const GpuReport& gpu) = nullptr;  ///< to people; null: always
    bool isShare = false;     ///< a part of the window, shown as a share of it
    bool isCompared = false;  ///< adds up over GPUs, and two runs are compared by it

    /// The last part of the key, its name for --explain.
    [[nodiscard]] std::string_view name() const { return key.substr(key.rfind('.') + 1); }
    /// The value in ns, rounded, or the count; 0 without one.
    [[nodiscard]] std::int64_t number(const GpuReport& gpu) const;
    [[nodiscard]] bool isTime() const { return unit == "ns"; }
};

/// Every figure of a GPU, in the order in which a report shows them.
[[nodiscard]] std::span<const Figure> gpuFigures();

/// By its whole key or its name; null for an unknown one.
[[nodiscard]] const Figure* findFigure(std::string_view key);

/// "kernel busy" for "Kernel busy", for the middle of a line; "GPU busy" stays.
[[nodiscard]] std::string midSentence(std::string_view label);

/// Those of a group that are to be shown for this GPU.
[[nodiscard]] std::vector<const Figure*> shownFigures(FigureGroup group, const GpuReport& gpu);

/// "from 1.2 s to 1.3 s after the first event"; empty without a place. `origin` is the first event.
[[nodiscard]] std::string placeText(const Figure& figure, const GpuReport& gpu, TimeNs origin);

}  // namespace kinetoscope::report
