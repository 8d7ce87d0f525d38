// SPDX-License-Identifier: Apache-2.0
// The event of each type of record.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/stream/CaptureDecoder.h"
#include "core/stream/CaptureText.h"
#include "core/stream/RecordChecks.h"
#include "core/stream/TorchRange.h"

namespace kinetoscope::stream {

namespace {

// Waits on a stream get a row of their own: they overlap with its work. Above all streams, also
// those of thousands of captures, and in 32 bits, which is what viewers have for it.
constexpr std::int64_t kSyncTid = 1'000'000'000;
constexpr std::int64_t kCounterTid = -2;  // no row of a thread or stream
constexpr std::size_t kMaxRememberedCalls = 1U << 18;

template <class Record>
std::string_view bytesOf(const Record& record) {
    return {reinterpret_cast<const char*>(&record), sizeof record};
}

}  // namespace

// It stands before the API call that it belongs to.
void CaptureDecoder::externalId(std::string_view bytes) {
    const auto external = recordOf<format::ExternalIdRecord>(bytes);
    if (external.id >= format::kMaxRanges) {
        ++m_impossibleRecords;
        return;
    }
    m_pendingCorrelation = external.correlation;
    m_pendingExternalId = external.id;
    rememberRange(external.correlation, external.id);
    m_sink.callRange(m_placement.idBase + external.correlation,
                     m_placement.idBase + static_cast<std::int64_t>(external.id));
}

void CaptureDecoder::rangeStart(std::string_view bytes, std::uint64_t offset) {
    const auto range = recordOf<format::RangeStartRecord>(bytes);
    if (range.id >= format::kMaxRanges || range.time > format::kLatestTime) {
        ++m_impossibleRecords;
        return;
    }
    m_ranges[range.id] = {range.time, range.thread, range.name, offset};
    m_lastTime = std::max(m_lastTime, range.time);
}

// Whether a record may name the GPU; what does not is counted and left out.
bool CaptureDecoder::isDevice(std::uint32_t device) {
    m_impossibleRecords += device < format::kMaxDevices ? 0 : 1;
    return device < format::kMaxDevices;
}

void CaptureDecoder::setName(CaptureEvent& event, std::uint32_t id) {
    const bool known = id < nameCount();
    m_impossibleNumbers += known ? 0 : 1;
    event.nameId = known ? id : 0;
    event.name = name(event.nameId);
}

void CaptureDecoder::gpuWork(CaptureEvent& event, std::uint32_t device, std::uint32_t stream,
                             std::uint32_t correlation) {
    event.pid = gpuRow(device);
    event.stream = streamBase(event.pid) + stream;
    event.tid = event.stream;
    event.correlation = m_placement.idBase + correlation;
    event.endsFlow = correlation != 0;
    const auto range = m_rangeOfCall.find(correlation);
    event.externalId = range == m_rangeOfCall.end()
                           ? knownRange(correlation)
                           : m_placement.idBase + static_cast<std::int64_t>(range->second);
}

// Of a record that is read alone, without what stands before it.
std::int64_t CaptureDecoder::knownRange(std::uint32_t correlation) const {
    return m_calls == nullptr ? kNoCaptureId : m_calls->of(m_placement.idBase + correlation);
}

// Whoever comes first on a GPU keeps the numbers of its streams.
std::int64_t CaptureDecoder::streamBase(std::int64_t gpuRow) {
    const auto known = m_placement.streamBases.find(gpuRow);
    if (known != m_placement.streamBases.end() || m_placement.users == nullptr) {
        return known == m_placement.streamBases.end() ? 0 : known->second;
    }
    const auto [user, first] = m_placement.users->try_emplace(gpuRow, m_placement.idBase);
    const std::int64_t base = user->second == m_placement.idBase ? 0 : m_placement.streamBase;
    m_placement.streamBases.emplace(gpuRow, base);
    return base;
}

// GPU work comes later, but not much later: memory does not grow with the length of a capture.
void CaptureDecoder::rememberRange(std::uint32_t correlation, std::uint64_t id) {
    m_rangeOfCall[correlation] = id;
    m_rememberedCalls.push_back(correlation);
    if (m_rememberedCalls.size() > kMaxRememberedCalls) {
        m_rangeOfCall.erase(m_rememberedCalls.front());
        m_rememberedCalls.pop_front();
    }
}

void CaptureDecoder::kernel(std::string_view bytes, CaptureEvent& event) {
    auto record = recordOf<format::KernelRecord>(bytes);
    if (!isDevice(record.device)) {
        return;
    }
    m_impossibleNumbers += mendRecord(record);
    event.record = bytesOf(record);
    event.category = trace::Category::Kernel;
    setName(event, record.name);
    gpuWork(event, record.device, record.stream, record.correlation);
    if (const CaptureDevice* gpu = device(record.device)) {
        event.occupancyPercent = achievedOccupancyPercent(gpu->limits, record).value_or(-1);
    }
    emitSpan(event, record.start, record.end);
}

void CaptureDecoder::copy(std::string_view bytes, CaptureEvent& event) {
    auto record = recordOf<format::CopyRecord>(bytes);
    if (!isDevice(record.device)) {
        return;
    }
    m_impossibleNumbers += mendRecord(record);
    event.record = bytesOf(record);
    const std::string text = copyName(record);
    event.category = trace::Category::GpuMemcpy;
    event.name = text;
    gpuWork(event, record.device, record.stream, record.correlation);
    emitSpan(event, record.start, record.end);
}

void CaptureDecoder::memset(std::string_view bytes, CaptureEvent& event) {
    auto record = recordOf<format::MemsetRecord>(bytes);
    if (!isDevice(record.device)) {
        return;
    }
    m_impossibleNumbers += mendRecord(record);
    event.record = bytesOf(record);
    const std::string text = fmt::format("Memset ({})", memoryKindName(record.memory));
    event.category = trace::Category::GpuMemset;
    event.name = text;
    gpuWork(event, record.device, record.stream, record.correlation);
    emitSpan(event, record.start, record.end);
}

void CaptureDecoder::graph(std::string_view bytes, CaptureEvent& event) {
    const auto record = recordOf<format::GraphRecord>(bytes);
    if (!isDevice(record.device)) {
        return;
    }
    const std::string text = fmt::format("CUDA graph {}", record.graph);
    event.category = trace::Category::Kernel;
    event.name = text;
    gpuWork(event, record.device, record.stream, record.correlation);
    emitSpan(event, record.start, record.end);
}

void CaptureDecoder::api(std::string_view bytes, CaptureEvent& event) {
    const auto record = recordOf<format::ApiRecord>(bytes);
    event.category = record.driver != 0 ? trace::Category::Driver : trace::Category::Runtime;
    setName(event, record.name);
    event.pid = m_placement.pid;
    event.tid = record.thread;
    event.correlation = m_placement.idBase + record.correlation;
    event.startsFlow = record.launches != 0;
    const bool pending = m_pendingCorrelation != 0 && m_pendingCorrelation == record.correlation;
    event.externalId = pending ? m_placement.idBase + static_cast<std::int64_t>(m_pendingExternalId)
                               : knownRange(record.correlation);
    emitSpan(event, record.start, record.end);
}

void CaptureDecoder::synchronization(std::string_view bytes, CaptureEvent& event) {
    const auto record = recordOf<format::SynchronizationRecord>(bytes);
    if (record.device != format::kNone && !isDevice(record.device)) {
        return;
    }
    event.category = trace::Category::CudaSync;
    event.name = synchronizationName(record.kind);
    const bool whole = record.stream == format::kNone;
    if (record.device == format::kNone) {
        event.pid = kUnknownGpuPid;
        event.stream = whole ? -1 : std::int64_t{record.stream};
        event.tid = kSyncTid + m_placement.streamBase + event.stream;
    } else {
        event.pid = gpuRow(record.device);
        event.stream = whole ? -1 : streamBase(event.pid) + record.stream;
        event.tid = kSyncTid + event.stream;
    }
    event.correlation = m_placement.idBase + record.correlation;
    emitSpan(event, record.start, record.end);
}

void CaptureDecoder::cudaEvent(std::string_view bytes, CaptureEvent& event) {
    const auto record = recordOf<format::CudaEventRecord>(bytes);
    if (!isDevice(record.device)) {
        return;
    }
    event.category = trace::Category::CudaEvent;
    event.name = "cudaEventRecord";
    event.pid = gpuRow(record.device);
    event.stream = streamBase(event.pid) + record.stream;
    event.tid = event.stream;
    event.correlation = m_placement.idBase + record.correlation;
    if (record.time > format::kLatestTime) {
        ++m_impossibleRecords;
    } else if (record.time != 0) {
        emitSpan(event, record.time, record.time + 1);
    }
}

void CaptureDecoder::overhead(std::string_view bytes, CaptureEvent& event) {
    const auto record = recordOf<format::OverheadRecord>(bytes);
    event.category = trace::Category::Overhead;
    event.name = overheadName(record.kind);
    event.pid = kOverheadPid;
    event.tid = record.thread;
    emitSpan(event, record.start, record.end);
}

void CaptureDecoder::memory(std::string_view bytes, CaptureEvent& event) {
    auto record = recordOf<format::MemoryRecord>(bytes);
    m_impossibleNumbers += mendRecord(record);
    event.record = bytesOf(record);
    event.category = trace::Category::CpuInstantEvent;
    event.name = "[memory]";
    event.pid = m_placement.pid;
    event.tid = 0;
    event.correlation = m_placement.idBase + record.correlation;
    emitInstant(event, record.time);
}

void CaptureDecoder::rangeEnd(std::string_view bytes, CaptureEvent& event) {
    const auto record = recordOf<format::RangeEndRecord>(bytes);
    const auto open = m_ranges.find(record.id);
    if (open == m_ranges.end()) {
        return;  // started before the recording
    }
    emitRange(record.id, open->second, record.time, event);
    m_ranges.erase(open);
}

void CaptureDecoder::emitRange(std::uint64_t id, const OpenRange& range, TimeNs end,
                               CaptureEvent& event) {
    event.category = trace::Category::UserAnnotation;
    setName(event, range.name);
    event.pid = m_placement.pid;
    event.tid = range.thread;
    event.externalId = m_placement.idBase + static_cast<std::int64_t>(id);
    event.offset = range.offset;
    const auto torch = parseTorchRange(event.name);
    if (torch) {
        event.category = trace::Category::CpuOp;
        event.nameId = 0;
        event.name = torch->name;
        event.inputShapes = torch->inputShapes;
    }
    emitSpan(event, range.start, end);
}

void CaptureDecoder::mark(std::string_view bytes, CaptureEvent& event) {
    const auto record = recordOf<format::MarkRecord>(bytes);
    event.category = trace::Category::UserAnnotation;
    setName(event, record.name);
    event.pid = m_placement.pid;
    event.tid = record.thread;
    emitInstant(event, record.time);
}

void CaptureDecoder::counter(std::string_view bytes, CaptureEvent& event) {
    const auto record = recordOf<format::CounterRecord>(bytes);
    if (!isDevice(record.device)) {
        return;
    }
    if (!std::isfinite(record.value)) {
        ++m_impossibleRecords;
        return;
    }
    setName(event, record.name);
    event.series = name(record.series);
    event.value = record.value;
    event.isCounter = true;
    event.pid = gpuRow(record.device);
    event.tid = kCounterTid;
    emitInstant(event, record.time);
}

void CaptureDecoder::finish() {
    m_openRanges += m_ranges.size();
    for (const auto& [id, range] : m_ranges) {
        format::RangeEndRecord end = format::makeRecord<format::RangeEndRecord>();
        end.thread = range.thread;
        end.time = m_lastTime;
        end.id = id;
        CaptureEvent event;
        event.type = format::RecordType::RangeEnd;
        event.record = bytesOf(end);
        emitRange(id, range, std::max(m_lastTime, range.start), event);
    }
    m_ranges.clear();
}

}  // namespace kinetoscope::stream
