// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::baseline {

/// Names of the measures of a whole trace with steps.
inline constexpr std::string_view kStepKernelTime = "kernel time of a step";
inline constexpr std::string_view kStep = "step";

/// How runs came to be, as far as their files tell: the facts in kFacts, and any that the user has
/// added ("commit").
using Facts = std::map<std::string, std::string>;

struct Fact {
    const char* key;
    const char* label;
    bool decides;   ///< runs that differ in it are not comparable
    bool expected;  ///< of every run, so that their absence on both sides is reported
};
/// In their order of output. "kscope" is the version that saved the entry.
[[nodiscard]] std::span<const Fact> knownFacts();

/// One figure of an entry over its runs, in nanoseconds.
struct Measure {
    std::string name;
    double value = 0.0;  ///< the run's, or the median of several
    double low = 0.0;    ///< 95 % interval of the median: of the runs, or of one run's samples
    double high = 0.0;
    std::size_t samples = 0;   ///< what the interval is of
    std::vector<double> runs;  ///< the value in each run
};

struct StoredFile {
    std::string name;  ///< in the entry's folder
    std::string from;  ///< where it was
    std::uint64_t bytes = 0;
};

/// One saved run, or several runs of one bench saved together.
struct Entry {
    std::string name;      ///< of its baseline
    std::string id;        ///< time and contents, "20261120-232805-2f6c0e81a7b3d945"
    std::string kind;      ///< "trace", "kernels", "operators" or "modules"
    std::string recorded;  ///< UTC, ISO 8601; the time of saving if the files have none
    Facts facts;
    double clockMhz = 0.0;  ///< of the SMs while it ran; 0: not known
    std::vector<StoredFile> files;
    std::vector<Measure> measures;  ///< the whole first, then its parts, most time first

    [[nodiscard]] std::string fact(const std::string& key) const;
    [[nodiscard]] bool isTrace() const { return kind == "trace"; }
    /// How many measures are of the whole: of a trace with steps the kernel time of one and the
    /// step, else one.
    [[nodiscard]] std::size_t wholes() const;
    /// The median step, all kernels of a step or of the trace, and all rows of a bench; null where
    /// there is none.
    [[nodiscard]] const Measure* step() const;
    [[nodiscard]] const Measure* kernelTime() const;
    [[nodiscard]] const Measure* benchTime() const;
};

/// Names of baselines, of entries and of their files: letters, digits, ".", "_" and "-", no "." in
/// front, 1 to 128 of them. No path can be made of them.
[[nodiscard]] bool isPlainName(std::string_view name);
[[nodiscard]] bool isPlainCharacter(char c);

[[nodiscard]] std::string entryJson(const Entry& entry);
/// Fails, with a message that follows a name, if the text is not an entry.
[[nodiscard]] Result<Entry> parseEntry(std::string_view json);
/// Whether the text is whole and of a schema that this version does not know.
[[nodiscard]] bool isOfOtherSchema(std::string_view text);

}  // namespace kinetoscope::baseline
