// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/stream/CaptureDecoder.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::capture {

/// Puts the events of one capture into a trace.
class CaptureTrace final : public stream::CaptureSink {
public:
    /// `offsetBase` is added to the places of the events in the file.
    explicit CaptureTrace(trace::TraceBuilder& builder, std::uint64_t offsetBase = 0)
        : m_builder(builder), m_offsetBase(offsetBase) {}

    void row(const stream::CaptureRow& row) override;
    void event(const stream::CaptureEvent& event) override;
    void callRange(std::int64_t correlation, std::int64_t range) override {
        m_calls.add(correlation, range);
    }

    /// Leaves out what starts before `time`, which the builder has dropped, from now on.
    void dropBefore(TimeNs time);
    /// GPU work that seems to begin before the call that launched it. To be asked once, at the end.
    [[nodiscard]] std::uint64_t earlyWork();
    /// Not sorted.
    [[nodiscard]] const stream::CallRanges& calls() const { return m_calls; }

private:
    // API calls and GPU work come in separate buffers, so they are put together at the end.
    struct Launch {
        std::int64_t correlation = 0;
        TimeNs start = 0;
    };

    [[nodiscard]] bool leaveOut(const stream::CaptureEvent& event);
    void counter(const stream::CaptureEvent& event);
    void gpuOperation(const stream::CaptureEvent& event, trace::SliceId slice);

    trace::TraceBuilder& m_builder;
    std::uint64_t m_offsetBase;
    TimeNs m_from = std::numeric_limits<TimeNs>::min();
    std::vector<Launch> m_launches;
    std::vector<Launch> m_work;
    stream::CallRanges m_calls;
};

/// Gives GPU work its range where its record came before that of its call. `calls` are sorted.
void addRanges(trace::TraceBuilder& builder, const stream::CallRanges& calls);

/// Where reading a capture came to its end.
struct CaptureEnd {
    std::uint64_t position = 0;  ///< behind the last whole chunk
    std::uint32_t chunks = 0;    ///< whole ones
    std::string_view damage;     ///< why what follows is not a chunk; empty when the file ends here
    bool insideOfChunk = false;  ///< the file ends in the middle of one
};

/// The message for a file that ends inside its header.
[[nodiscard]] std::string beginningMissing(const std::string& path);

/// Logs what the user should know about a capture: its end, impossible times, losses.
void logCapture(trace::ImportLog& log, const stream::CaptureDecoder& decoder, const CaptureEnd& end,
                std::uint64_t earlyWork);

/// Adds the capture's facts about the run: its header, its GPUs under their rows' numbers.
void describeCapture(trace::RunInfo& info, const stream::CaptureDecoder& decoder);

}  // namespace kinetoscope::import::capture
