// SPDX-License-Identifier: Apache-2.0
// A session: which files were open in the window and how they were looked at, in a JSON file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/base/Time.h"
#include "core/sidecar/SavedView.h"

namespace kinetoscope::sidecar {

/// `schema` of the file. Members may be added to a version; none changes its meaning.
inline constexpr std::string_view kSessionSchema = "kinetoscope.session/1";
inline constexpr std::size_t kMaxSessionBytes = 8U << 20;
inline constexpr std::size_t kMaxSessionFiles = 1000;

/// One open file. Times are on the trace's own clock, in nanoseconds.
struct SavedFile {
    std::string path;  ///< absolute
    std::optional<TimeSpan> visible = {};
    std::string window =
        "gpu";  ///< as analysis::parseWindow() takes it; a range: the selected time
    std::vector<std::uint32_t> tracks = {};   ///< rows of the selected time; none: all
    std::optional<SavedSlice> selected = {};  ///< of this and the next three one at most
    std::optional<SavedSlice> instant = {};
    std::optional<SavedSlice> sample = {};  ///< of a counter; its name is that of the series
    std::optional<SavedGap> gap = {};
    std::optional<SavedSlice> highlighted = {};  ///< all of the name of this one are emphasised
    SavedRows rows = {};
    std::optional<SavedTop> top = {};

    friend bool operator==(const SavedFile&, const SavedFile&) = default;
};

/// The compared runs, or those marked for comparison: absolute paths of open files, or names of
/// saved results.
struct SavedComparison {
    std::string baseline;
    std::vector<std::string> candidates;  ///< none: only the baseline is marked
    std::uint64_t shown = 0;              ///< which candidate
    bool timelines = false;               ///< the timelines of both are in front
    std::string per = {};                 ///< "run", "step", or empty: as it fits
    std::string match = {};               ///< name of a compare::MatchKind; empty: the usual one
    bool compared = true;                 ///< it is shown; else no more than marked
    std::vector<SavedFile> sides = {};    ///< how the timelines of the shown pair are looked at
    std::string lock = {};                ///< what they have at one place; only the window knows
    std::string annotation = {};          ///< the same, where it is one
    TimeNs offsetNs = 0;                  ///< candidate's time minus baseline's there
    std::string kernel = {};              ///< the selected row, by name

    friend bool operator==(const SavedComparison&, const SavedComparison&) = default;
};

/// One open job of many ranks.
struct SavedJob {
    std::vector<std::string> paths;  ///< absolute: a folder, or files
    std::string figure = {};         ///< what its matrix is coloured by; only the window knows
    std::uint64_t order = 0;         ///< of its rows, as in the window's list
    std::uint64_t groups = 0;        ///< the same

    friend bool operator==(const SavedJob&, const SavedJob&) = default;
};

struct SavedSession {
    std::vector<SavedFile> files;
    std::uint64_t current = 0;  ///< number of the file in front
    std::vector<SavedJob> jobs = {};
    bool jobInFront = false;          ///< the last one, instead of `current`
    std::vector<std::string> others;  ///< absolute paths of caches, metric tables and results
    std::optional<SavedComparison> comparison = {};
    std::string layout = {};  ///< of the panels, as text; only the window knows what it means

    friend bool operator==(const SavedSession&, const SavedSession&) = default;
};

/// Writes the session whole or not at all. Paths are written relative to its folder and absolute.
/// Fails for paths that are not UTF-8 and where the file cannot be written.
[[nodiscard]] Result<void> writeSession(const std::string& path, const SavedSession& session);

/// Every path is absolute: the relative one where something is there, else the absolute one.
/// Whether the files are there is not asked. Fails in one line on what is not a session or passes a
/// limit.
[[nodiscard]] Result<SavedSession> readSession(const std::string& path);

}  // namespace kinetoscope::sidecar
