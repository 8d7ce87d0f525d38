// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CaptureDecoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/stream/CaptureText.h"
#include "core/stream/RecordChecks.h"
#include "core/stream/TorchRange.h"

namespace kinetoscope::stream {

using namespace format;

namespace {

// As Kineto has them: GPUs below the processes, overhead below the GPUs.
constexpr std::int64_t kGpuSortIndex = 5'000'000;
constexpr std::int64_t kOverheadSortIndex = 0x100000a;
constexpr std::int64_t kOverheadPid = -1;
// Waits on a stream get a row of their own: they overlap with its work.
constexpr std::int64_t kSyncTid = 1'000'000;
constexpr std::int64_t kCounterTid = -2;  // no row of a thread or stream
constexpr std::size_t kMaxRememberedCalls = 1U << 18;

template <class Record>
std::string_view bytesOf(const Record& record) {
    return {reinterpret_cast<const char*>(&record), sizeof record};
}

}  // namespace

void CaptureDecoder::place(CapturePlacement placement) {
    m_placement = std::move(placement);
    m_placed = true;
    if (m_placement.pid == 0) {
        m_placement.pid = m_info.pid;
    }
    m_shift = m_info.realtimeOffset() - m_placement.baseTimeNs;
}

std::shared_ptr<const CaptureState> CaptureDecoder::state() const {
    auto state =
        std::make_shared<CaptureState>(CaptureState{m_info, m_placement, m_names, m_devices});
    state->placement.users.reset();  // readers of single records change nothing that is shared
    return state;
}

void CaptureDecoder::restore(const CaptureState& state) {
    m_info = state.info;
    m_names = state.names;
    m_devices = state.devices;
    m_hasHeader = true;
    place(state.placement);
}

Result<void> CaptureDecoder::accept(const Chunk& chunk, std::uint64_t offset) {
    if (!m_hasHeader && chunk.type != format::ChunkType::Header) {
        return fail(std::string(kNoHeader));
    }
    switch (chunk.type) {
        case format::ChunkType::Header:
            if (!m_hasHeader) {
                return header(chunk.payload);
            }
            ++m_unknownRecords;  // what went before would have to be placed anew
            break;
        case format::ChunkType::Names:
            names(chunk.payload);
            break;
        case format::ChunkType::Records:
            records(chunk.payload, offset);
            break;
        case format::ChunkType::Device:
            if (auto device = parseCaptureDevice(chunk.payload)) {
                addDevice(m_devices, std::move(*device));
            } else {
                ++m_unknownRecords;
            }
            break;
        case format::ChunkType::Note:
            if (auto note = parseCaptureNote(chunk.payload)) {
                m_notes.push_back(std::move(*note));
            }
            break;
        case format::ChunkType::Footer:
            m_hasFooter = true;
            break;
    }
    return {};
}

Result<void> CaptureDecoder::header(std::string_view payload) {
    auto info = parseCaptureInfo(payload);
    if (!info) {
        return tl::unexpected(info.error());
    }
    m_info = std::move(*info);
    m_headerJson = std::string(payload);
    m_hasHeader = true;
    if (!m_placed) {
        m_placement.baseTimeNs = m_info.baseTimeNs();
    }
    place(CapturePlacement(m_placement));
    return {};
}

void CaptureDecoder::names(std::string_view payload) {
    while (payload.size() >= sizeof(format::NameHeader)) {
        const auto entry = recordOf<format::NameHeader>(payload);
        const std::size_t whole = sizeof entry + format::padded(entry.size);
        if (whole > payload.size() || entry.id != m_names.size()) {
            ++m_unknownRecords;
            return;
        }
        m_names.emplace_back(payload.substr(sizeof entry, entry.size));
        payload.remove_prefix(whole);
    }
}

std::string_view CaptureDecoder::name(std::uint32_t id) const {
    return id < m_names.size() ? std::string_view(m_names[id]) : std::string_view();
}

void CaptureDecoder::records(std::string_view payload, std::uint64_t offset) {
    while (payload.size() >= sizeof(format::RecordHeader)) {
        const auto header = recordOf<format::RecordHeader>(payload);
        if (header.size < sizeof header || header.size > payload.size()) {
            ++m_unknownRecords;
            return;
        }
        ++m_records;
        const auto type = static_cast<format::RecordType>(header.type);
        const std::size_t least = recordSize(type);
        if (least == 0 || header.size < least) {
            ++m_unknownRecords;
        } else {
            record(type, payload.substr(0, header.size), offset);
        }
        payload.remove_prefix(header.size);
        offset += header.size;
    }
}

void CaptureDecoder::record(format::RecordType type, std::string_view bytes, std::uint64_t offset) {
    CaptureEvent event;
    event.type = type;
    event.record = bytes;
    event.offset = offset;
    switch (type) {
        case format::RecordType::Kernel:
            return kernel(bytes, event);
        case format::RecordType::Copy:
            return copy(bytes, event);
        case format::RecordType::Memset:
            return memset(bytes, event);
        case format::RecordType::Graph:
            return graph(bytes, event);
        case format::RecordType::Api:
            return api(bytes, event);
        case format::RecordType::Synchronization:
            return synchronization(bytes, event);
        case format::RecordType::CudaEvent:
            return cudaEvent(bytes, event);
        case format::RecordType::Overhead:
            return overhead(bytes, event);
        case format::RecordType::Memory:
            return memory(bytes, event);
        case format::RecordType::RangeEnd:
            return rangeEnd(bytes, event);
        case format::RecordType::Mark:
            return mark(bytes, event);
        case format::RecordType::Counter:
            return counter(bytes, event);
        case format::RecordType::ExternalId:
            return externalId(bytes);
        case format::RecordType::RangeStart:
            return rangeStart(bytes, offset);
        case format::RecordType::ThreadName: {
            const auto thread = recordOf<format::ThreadNameRecord>(bytes);
            m_threadNames[thread.thread] = thread.name;
            return;
        }
    }
}

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
    const bool known = id < m_names.size();
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
    if (const auto range = m_rangeOfCall.find(correlation); range != m_rangeOfCall.end()) {
        event.externalId = m_placement.idBase + static_cast<std::int64_t>(range->second);
    }
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
    if (m_pendingCorrelation != 0 && m_pendingCorrelation == record.correlation) {
        event.externalId = m_placement.idBase + static_cast<std::int64_t>(m_pendingExternalId);
    }
    emitSpan(event, record.start, record.end);
}

void CaptureDecoder::synchronization(std::string_view bytes, CaptureEvent& event) {
    const auto record = recordOf<format::SynchronizationRecord>(bytes);
    if (record.device != format::kNone && !isDevice(record.device)) {
        return;
    }
    event.category = trace::Category::CudaSync;
    event.name = synchronizationName(record.kind);
    event.pid = gpuRow(record.device == format::kNone ? 0 : record.device);
    const bool whole = record.stream == format::kNone;
    event.stream = whole ? -1 : streamBase(event.pid) + record.stream;
    event.tid = kSyncTid + event.stream;
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
        return;  // begun before the recording was
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

void CaptureDecoder::emitSpan(CaptureEvent& event, TimeNs start, TimeNs end) {
    if (start <= 0 || end <= 0) {
        ++m_zeroTimes;
        return;
    }
    if (end < start) {
        ++m_backwardTimes;
        end = start;
    }
    if (!isMoment(start) || !isMoment(end)) {
        ++m_impossibleRecords;
        return;
    }
    m_lastTime = std::max(m_lastTime, end);
    event.start = start + m_shift;
    event.duration = end - start;
    deliver(event);
}

void CaptureDecoder::emitInstant(CaptureEvent& event, TimeNs time) {
    if (time <= 0) {
        ++m_zeroTimes;
        return;
    }
    if (!isMoment(time)) {
        ++m_impossibleRecords;
        return;
    }
    m_lastTime = std::max(m_lastTime, time);
    event.instant = true;
    event.start = time + m_shift;
    deliver(event);
}

// Clocks of hosts that are centuries apart leave no room for both on one axis.
void CaptureDecoder::deliver(CaptureEvent& event) {
    if (event.start < -format::kFarthestTime ||
        event.start + event.duration > format::kFarthestTime) {
        ++m_impossibleRecords;
        return;
    }
    announce(event);
    m_sink.event(event);
}

void CaptureDecoder::announce(const CaptureEvent& event) {
    const std::pair key{event.pid, event.tid};
    if (key == m_lastRow) {
        return;
    }
    m_lastRow = key;
    if (event.isCounter) {
        return announceProcess(event);
    }
    if (!m_rows.insert(key).second) {
        return;
    }
    announceProcess(event);
    m_sink.row({event.pid, event.tid, false, rowName(event), {}, event.tid});
}

void CaptureDecoder::announceProcess(const CaptureEvent& event) {
    if (!m_processes.insert(event.pid).second) {
        return;
    }
    const bool cpu = event.pid == m_placement.pid && event.stream == kNoCaptureId &&
                     event.category != trace::Category::CudaSync && !event.isCounter;
    const bool overhead = event.pid == kOverheadPid;
    CaptureRow process{event.pid, 0, true, {}, {}, 0};
    process.name = overhead ? "CUPTI Overhead" : m_info.program + m_placement.suffix;
    process.labels = overhead ? "" : cpu ? "CPU" : fmt::format("GPU {}", event.pid);
    process.sortIndex = overhead ? kOverheadSortIndex : cpu ? event.pid : kGpuSortIndex + event.pid;
    m_sink.row(process);
}

std::string CaptureDecoder::rowName(const CaptureEvent& event) const {
    if (event.category == trace::Category::CudaSync) {
        return event.stream < 0 ? fmt::format("device {} (sync)", event.pid)
                                : fmt::format("stream {} (sync)", event.stream);
    }
    if (event.stream != kNoCaptureId) {
        return fmt::format("stream {}", event.stream);
    }
    if (event.type == format::RecordType::Memory) {
        return "memory";
    }
    return event.tid == 0 ? "" : threadName(static_cast<std::uint32_t>(event.tid));
}

std::string CaptureDecoder::threadName(std::uint32_t thread) const {
    const auto known = m_threadNames.find(thread);
    return known == m_threadNames.end()
               ? fmt::format("thread {}", thread)
               : fmt::format("thread {} ({})", thread, name(known->second));
}

const CaptureDevice* CaptureDecoder::device(std::uint32_t id) const {
    const auto known = std::ranges::find(m_devices, id, &CaptureDevice::id);
    return known == m_devices.end() ? nullptr : &*known;
}

std::int64_t CaptureDecoder::gpuRow(std::uint32_t device) const {
    const auto known = m_placement.gpus.find(device);
    return known == m_placement.gpus.end() ? std::int64_t{device} : known->second;
}

}  // namespace kinetoscope::stream
