// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/KernelNames.h"
#include "core/analysis/MmConv.h"
#include "core/analysis/Steps.h"
#include "core/base/Result.h"
#include "core/query/GpuTimeline.h"
#include "core/query/Intervals.h"
#include "core/query/LaunchLinks.h"
#include "core/query/RowNames.h"
#include "core/query/sql/Arguments.h"
#include "core/query/sql/Nesting.h"
#include "core/ranks/Job.h"

namespace kinetoscope::query::sql {

/// What no memory was left for must not look like what is not known.
template <class T>
[[nodiscard]] Result<T> orOutOfMemory(Result<T> made) {
    if (!made && made.error().kind == ErrorKind::Output) {
        throw std::bad_alloc();
    }
    return made;
}

/// One trace that is asked about, with what has been found out about it so far. Of one thread.
class FileFacts {
public:
    explicit FileFacts(std::shared_ptr<const trace::Trace> trace);

    [[nodiscard]] const trace::Trace& trace() const { return *m_trace; }
    [[nodiscard]] const LaunchLinks& links();
    [[nodiscard]] const GpuTimeline& timeline();
    [[nodiscard]] const analysis::KernelNames& kernelNames();
    [[nodiscard]] const std::vector<analysis::MmConvKind>& mmConv();
    [[nodiscard]] const std::vector<analysis::Step>& steps();
    [[nodiscard]] const RowNames& rowNames();
    [[nodiscard]] const Nesting& nesting(const std::stop_token& stop);
    /// When a GPU ran kernels, copies or memsets; null without any. -1: any GPU.
    [[nodiscard]] const CoveredTime* busy(std::int64_t gpu);
    [[nodiscard]] Arguments& arguments() { return m_arguments; }

private:
    std::shared_ptr<const trace::Trace> m_trace;
    std::unique_ptr<const LaunchLinks> m_links;
    std::unique_ptr<const GpuTimeline> m_timeline;
    std::unique_ptr<const analysis::KernelNames> m_kernelNames;
    std::optional<std::vector<analysis::MmConvKind>> m_mmConv;
    std::optional<std::vector<analysis::Step>> m_steps;
    std::unique_ptr<const RowNames> m_rowNames;
    std::unique_ptr<const Nesting> m_nesting;
    std::map<std::int64_t, CoveredTime> m_busy;
    Arguments m_arguments;
};

/// The files that are asked about, and what of the question the tables have to know.
class Material {
public:
    struct File {
        std::unique_ptr<FileFacts> facts;
        std::int64_t rank = 0;  ///< in the job; else its number among the files
        TimeNs origin = 0;      ///< the trace's time that is called 0
    };

    /// Several traces that are the ranks of one job get one clock; others begin at 0 each.
    [[nodiscard]] static Result<std::unique_ptr<Material>> make(
        std::span<const std::shared_ptr<const trace::Trace>> traces,
        std::vector<std::string> results, const std::stop_token& stop);

    [[nodiscard]] FileFacts& facts(std::size_t file) { return *files[file].facts; }
    [[nodiscard]] TimeNs shown(std::size_t file, TimeNs time) const {
        return time - files[file].origin;
    }
    /// The selected time on the clock of one file.
    [[nodiscard]] std::optional<TimeSpan> windowOf(std::size_t file) const;
    /// The job of the traces, of a single trace as well; null if they are not a job.
    [[nodiscard]] const ranks::Job* job();
    /// Throws Stopped once the question has to end.
    void look() const;

    std::vector<File> files;
    std::vector<std::string> results;  ///< files of results; empty: the saved ones
    std::optional<TimeSpan> window;    ///< what overlaps it counts; as times are shown
    std::stop_token stop;              ///< of the question that is being answered
    std::optional<std::chrono::steady_clock::time_point> until;  ///< when it has to end
    std::size_t maxBytes = 0;                                    ///< that it may take; 0: no limit

private:
    void alignClocks();

    bool m_jobTried = false;
    std::optional<ranks::Job> m_job;
};

/// The number of a slice among those of all files.
[[nodiscard]] constexpr std::int64_t wholeId(std::size_t file, trace::SliceId slice) {
    return static_cast<std::int64_t>(file) << 32U | slice;
}
struct FileSlice {
    std::size_t file = 0;
    trace::SliceId slice = trace::kNoSlice;
};
/// Nothing for numbers that no slice has.
[[nodiscard]] std::optional<FileSlice> sliceOfId(Material& material, std::int64_t id);

}  // namespace kinetoscope::query::sql
