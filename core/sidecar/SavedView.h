// SPDX-License-Identifier: Apache-2.0
// How one file was looked at, as a session keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::sidecar {

inline constexpr std::size_t kMaxSavedRows = 100'000;      ///< in one list of rows
inline constexpr std::size_t kMaxSavedPins = 1000;         ///< pinned rows
inline constexpr std::size_t kMaxSavedFilterBytes = 1000;  ///< of a filter of rows

/// A slice, instant or sample by its number, which is the same as long as the file is; checked by
/// its name and start.
struct SavedSlice {
    std::uint64_t slice = 0;
    TimeNs startNs = 0;  ///< on the trace's own clock
    std::string name;

    friend bool operator==(const SavedSlice&, const SavedSlice&) = default;
};

/// An interval in which nothing ran on a GPU.
struct SavedGap {
    std::int32_t gpu = 0;
    TimeSpan span = {};

    friend bool operator==(const SavedGap&, const SavedGap&) = default;
};

/// Which rows the timeline shows, by the keys of session::RowChoices.
struct SavedRows {
    std::vector<std::string> folded = {};
    std::vector<std::string> hidden = {};
    std::vector<std::string> pinned = {};
    std::map<std::string, std::vector<std::string>, std::less<>> order = {};  ///< by group
    std::string filter = {};

    friend bool operator==(const SavedRows&, const SavedRows&) = default;
};

/// The row at the upper edge of the timeline, and how much of it is above that.
struct SavedTop {
    std::string row;
    std::int32_t pixels = 0;  ///< logical ones

    friend bool operator==(const SavedTop&, const SavedTop&) = default;
};

}  // namespace kinetoscope::sidecar
