// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/stream/CallRanges.h"
#include "core/stream/CaptureEvent.h"
#include "core/stream/CaptureInfo.h"
#include "core/stream/CapturePlacer.h"
#include "core/stream/ChunkReader.h"

namespace kinetoscope::stream {

/// Why a file whose first chunk is another one is of no use.
inline constexpr std::string_view kNoHeader = "it does not start with a header";

/// The process that Kineto files the profiler's overhead under.
inline constexpr std::int64_t kOverheadPid = -1;
/// The one of waits of which it is not known on which GPU; beside the GPUs, and none of them.
inline constexpr std::int64_t kUnknownGpuPid = -2;

/// By their ids, of which 0 means none.
using CaptureNames = std::vector<std::string>;

/// State of a capture that single records depend on.
struct CaptureState {
    CaptureInfo info;
    CapturePlacement placement;
    std::shared_ptr<const CaptureNames> names;
    std::vector<CaptureDevice> devices;
    std::shared_ptr<const CallRanges> calls;  ///< null: they are met before what belongs to them
};

/// Turns the chunks of one capture into events. Every record is checked; what is not a known record
/// is skipped by its size and counted.
class CaptureDecoder {
public:
    explicit CaptureDecoder(CaptureSink& sink) : m_sink(sink) {}

    /// To be called before the first Records chunk; without it, the capture is a trace of its own.
    void place(CapturePlacement placement);
    /// `offset` is where the payload stands in the file. Fails only for a header that is of no use
    /// or is not the first chunk.
    [[nodiscard]] Result<void> accept(const Chunk& chunk, std::uint64_t offset);
    /// Ends the ranges that are still open, at the last time of the capture.
    void finish();

    [[nodiscard]] std::shared_ptr<const CaptureState> state(
        std::shared_ptr<const CallRanges> calls) const;
    /// Sorted, and as the placement has them: for work that comes before its call.
    void setCalls(std::shared_ptr<const CallRanges> calls) { m_calls = std::move(calls); }
    /// Goes on as the decoder that gave `state` would.
    void restore(const CaptureState& state);

    [[nodiscard]] const CaptureInfo& info() const { return m_info; }
    [[nodiscard]] const std::string& headerJson() const { return m_headerJson; }
    [[nodiscard]] const std::vector<CaptureDevice>& devices() const { return m_devices; }
    [[nodiscard]] const std::vector<CaptureNote>& notes() const { return m_notes; }
    [[nodiscard]] bool hasFooter() const { return m_hasFooter; }
    [[nodiscard]] const CapturePlacement& placement() const { return m_placement; }
    [[nodiscard]] const CaptureDevice* device(std::uint32_t id) const;
    [[nodiscard]] std::int64_t gpuRow(std::uint32_t device) const;

    [[nodiscard]] std::uint64_t records() const { return m_records; }
    [[nodiscard]] std::uint64_t zeroTimes() const { return m_zeroTimes; }
    [[nodiscard]] std::uint64_t backwardTimes() const { return m_backwardTimes; }
    [[nodiscard]] std::uint64_t unknownRecords() const { return m_unknownRecords; }
    /// Left out: their times, GPUs or ids are impossible.
    [[nodiscard]] std::uint64_t impossibleRecords() const { return m_impossibleRecords; }
    /// Of records that are there; they count as 0.
    [[nodiscard]] std::uint64_t impossibleNumbers() const { return m_impossibleNumbers; }
    /// Records that no event was made of.
    [[nodiscard]] std::uint64_t lost() const {
        return m_zeroTimes + m_unknownRecords + m_impossibleRecords;
    }
    [[nodiscard]] std::uint64_t openRanges() const { return m_openRanges; }

private:
    struct OpenRange {
        TimeNs start = 0;
        std::uint32_t thread = 0;
        std::uint32_t name = 0;
        std::uint64_t offset = 0;
    };

    [[nodiscard]] Result<void> header(std::string_view payload);
    void names(std::string_view payload);
    void records(std::string_view payload, std::uint64_t offset);
    void record(format::RecordType type, std::string_view bytes, std::uint64_t offset);
    void kernel(std::string_view bytes, CaptureEvent& event);
    void copy(std::string_view bytes, CaptureEvent& event);
    void memset(std::string_view bytes, CaptureEvent& event);
    void graph(std::string_view bytes, CaptureEvent& event);
    void api(std::string_view bytes, CaptureEvent& event);
    void synchronization(std::string_view bytes, CaptureEvent& event);
    void cudaEvent(std::string_view bytes, CaptureEvent& event);
    void overhead(std::string_view bytes, CaptureEvent& event);
    void memory(std::string_view bytes, CaptureEvent& event);
    void rangeEnd(std::string_view bytes, CaptureEvent& event);
    void mark(std::string_view bytes, CaptureEvent& event);
    void counter(std::string_view bytes, CaptureEvent& event);

    void gpuWork(CaptureEvent& event, std::uint32_t device, std::uint32_t stream,
                 std::uint32_t correlation);
    [[nodiscard]] std::int64_t streamBase(std::int64_t gpuRow);
    void rememberRange(std::uint32_t correlation, std::uint64_t id);
    [[nodiscard]] std::int64_t knownRange(std::uint32_t correlation) const;
    void emitSpan(CaptureEvent& event, TimeNs start, TimeNs end);
    void emitInstant(CaptureEvent& event, TimeNs time);
    void emitRange(std::uint64_t id, const OpenRange& range, TimeNs end, CaptureEvent& event);
    void announce(const CaptureEvent& event);
    void announceProcess(const CaptureEvent& event);
    [[nodiscard]] std::string threadName(std::uint32_t thread) const;
    [[nodiscard]] std::string rowName(const CaptureEvent& event) const;
    [[nodiscard]] std::size_t nameCount() const {
        return m_firstNames->size() + m_laterNames.size();
    }
    [[nodiscard]] std::string_view name(std::uint32_t id) const;
    [[nodiscard]] bool isDevice(std::uint32_t device);
    void setName(CaptureEvent& event, std::uint32_t id);
    void deliver(CaptureEvent& event);
    void rangeStart(std::string_view bytes, std::uint64_t offset);
    void externalId(std::string_view bytes);

    CaptureSink& m_sink;
    CaptureInfo m_info;
    std::string m_headerJson;
    CapturePlacement m_placement;
    bool m_placed = false;
    bool m_hasHeader = false;
    bool m_hasFooter = false;
    TimeNs m_shift = 0;
    TimeNs m_lastTime = 0;
    std::shared_ptr<const CaptureNames> m_firstNames = std::make_shared<const CaptureNames>(1);
    CaptureNames m_laterNames;  ///< those with ids behind the first ones, which several may share
    std::vector<CaptureDevice> m_devices;
    std::vector<CaptureNote> m_notes;
    std::map<std::uint32_t, std::uint32_t> m_threadNames;
    std::map<std::uint64_t, OpenRange> m_ranges;
    std::set<std::int64_t> m_processes;
    std::set<std::pair<std::int64_t, std::int64_t>> m_rows;
    std::pair<std::int64_t, std::int64_t> m_lastRow{-3, -3};
    std::uint32_t m_pendingCorrelation = 0;
    std::uint64_t m_pendingExternalId = 0;
    std::unordered_map<std::uint32_t, std::uint64_t> m_rangeOfCall;  ///< by correlation
    std::deque<std::uint32_t> m_rememberedCalls;                     ///< the oldest first
    std::shared_ptr<const CallRanges> m_calls;                       ///< of a restored state
    std::uint64_t m_records = 0;
    std::uint64_t m_zeroTimes = 0;
    std::uint64_t m_backwardTimes = 0;
    std::uint64_t m_unknownRecords = 0;
    std::uint64_t m_impossibleRecords = 0;
    std::uint64_t m_impossibleNumbers = 0;
    std::uint64_t m_openRanges = 0;
};

}  // namespace kinetoscope::stream
