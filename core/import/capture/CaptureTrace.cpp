// SPDX-License-Identifier: Apache-2.0
#include "core/import/capture/CaptureTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace kinetoscope::import::capture {

using namespace stream::format;

namespace {

template <class T>
T atMost(std::uint64_t value) {
    return static_cast<T>(std::min<std::uint64_t>(value, std::numeric_limits<T>::max()));
}

void logEnd(trace::ImportLog& log, const stream::CaptureDecoder& decoder, const CaptureEnd& end) {
    if (!end.damage.empty()) {
        log.add("capture_damaged", trace::Severity::DataLoss, end.position,
                fmt::format("{}; everything before byte {} is shown", end.damage, end.position));
    } else if (end.insideOfChunk) {
        log.add("capture_cut", trace::Severity::DataLoss, end.position,
                fmt::format("the file ends in the middle of a chunk; the {} before are shown",
                            end.chunks));
    } else if (!decoder.hasFooter()) {
        log.add("capture_unfinished", trace::Severity::Warning, end.position,
                "the recording has no end: the program was killed or is still running");
    }
}

void logSanity(trace::ImportLog& log, const stream::CaptureDecoder& decoder, std::uint64_t early) {
    const auto count = [&](std::string_view name, trace::Severity severity, std::uint64_t number,
                           std::string_view text) {
        if (number > 0) {
            log.add(name, severity, 0, text, number);
        }
    };
    count("zero_timestamp", trace::Severity::DataLoss, decoder.zeroTimes(),
          "CUPTI gave no time for it; it cannot be shown");
    count("negative_duration", trace::Severity::Warning, decoder.backwardTimes(),
          "ends before it starts; its duration counts as 0");
    count("unknown_record", trace::Severity::Warning, decoder.unknownRecords(),
          "a record that this version does not know");
    count("impossible_record", trace::Severity::DataLoss, decoder.impossibleRecords(),
          "its times, its GPU or its id are impossible; it is dropped");
    count("impossible_number", trace::Severity::Warning, decoder.impossibleNumbers(),
          "a number of a record is impossible; it counts as 0");
    count("open_range", trace::Severity::Info, decoder.openRanges(),
          "a range had no end in the recording and is shown up to the last event");
    count("work_before_launch", trace::Severity::Warning, early,
          "GPU work starts before the call that launched it: the clocks disagree");
    for (const stream::CaptureNote& note : decoder.notes()) {
        log.add(note.name, note.loss ? trace::Severity::DataLoss : trace::Severity::Info, 0,
                note.text, static_cast<std::uint64_t>(std::max<std::int64_t>(note.count, 1)));
    }
}

}  // namespace

void CaptureTrace::row(const stream::CaptureRow& row) {
    const trace::RowId pid{false, row.pid};
    if (row.isProcess) {
        trace::Process& process = m_builder.processRow(m_builder.process(pid));
        process.name = m_builder.name(row.name);
        process.labels = m_builder.name(row.labels);
        process.sortIndex = row.sortIndex;
        if (row.labels.starts_with("GPU")) {
            m_builder.compatFacts().gpuPids.push_back(pid);
        }
        return;
    }
    trace::Track& track = m_builder.trackRow(m_builder.track(pid, {false, row.tid}));
    track.name = m_builder.name(row.name);
    track.sortIndex = row.sortIndex;
}

void CaptureTrace::dropBefore(TimeNs time) {
    m_from = time;
    for (auto* calls : {&m_launches, &m_work}) {
        std::erase_if(*calls, [time](const Launch& call) { return call.start < time; });
    }
    const auto first = std::ranges::min_element(m_launches, {}, &Launch::correlation);
    if (first != m_launches.end()) {
        m_calls.dropBefore(first->correlation);
    }
}

// Whether it belongs to what was dropped; it is counted then.
bool CaptureTrace::leaveOut(const stream::CaptureEvent& event) {
    if (event.start >= m_from) {
        return false;
    }
    trace::TraceCounts& counts = m_builder.counts();
    ++counts.droppedEvents;
    counts.droppedGpuOperations += trace::isGpuOperation(event.category) ? 1U : 0U;
    return true;
}

void CaptureTrace::event(const stream::CaptureEvent& event) {
    if (leaveOut(event)) {
        return;
    }
    if (event.isCounter) {
        return counter(event);
    }
    const trace::TrackId track = m_builder.track({false, event.pid}, {false, event.tid});
    const auto category = static_cast<trace::CategoryId>(event.category);
    if (event.instant) {
        return m_builder.addInstant({event.start, m_builder.name(event.name), track, category, 't',
                                     event.offset + m_offsetBase});
    }
    trace::SliceInput slice;
    slice.start = event.start;
    slice.duration = event.duration;
    slice.correlation =
        event.correlation == stream::kNoCaptureId ? trace::kNoId : event.correlation;
    slice.externalId = event.externalId == stream::kNoCaptureId ? trace::kNoId : event.externalId;
    slice.offset = event.offset + m_offsetBase;
    slice.name = m_builder.name(event.name);
    slice.track = track;
    slice.category = category;
    const trace::SliceId id = m_builder.addSlice(slice);
    if (event.startsFlow) {
        m_launches.push_back({event.correlation, event.start});
    }
    if (trace::isGpuOperation(event.category)) {
        gpuOperation(event, id);
    }
}

void CaptureTrace::counter(const stream::CaptureEvent& event) {
    const trace::RowId tid{true, static_cast<std::int64_t>(m_builder.name(event.name))};
    const trace::TrackId track =
        m_builder.track({false, event.pid}, tid, trace::TrackKind::Counter);
    m_builder.addCounter({event.start, track, m_builder.name(event.series), event.value,
                          event.offset + m_offsetBase});
}

std::uint64_t CaptureTrace::earlyWork() {
    std::ranges::sort(m_launches, {}, &Launch::correlation);
    std::uint64_t early = 0;
    for (const Launch& work : m_work) {
        const auto launch =
            std::ranges::lower_bound(m_launches, work.correlation, {}, &Launch::correlation);
        const bool found = launch != m_launches.end() && launch->correlation == work.correlation;
        if (found && work.start < launch->start) {
            ++early;
        }
    }
    return early;
}

void CaptureTrace::gpuOperation(const stream::CaptureEvent& event, trace::SliceId slice) {
    trace::GpuOperation operation;
    operation.slice = slice;
    operation.gpu = static_cast<std::int32_t>(event.pid);
    operation.stream = event.stream;
    if (event.type == stream::format::RecordType::Kernel) {
        const auto record = stream::recordOf<stream::format::KernelRecord>(event.record);
        operation.grid = record.grid;
        std::ranges::transform(record.block, operation.block.begin(), atMost<std::uint16_t>);
        operation.registers = atMost<std::uint16_t>(record.registers);
        operation.sharedBytes = record.staticShared + record.dynamicShared;
        operation.graph = record.graph;
        operation.occupancyPercent = static_cast<std::int16_t>(event.occupancyPercent);
    } else if (event.type == stream::format::RecordType::Copy) {
        const auto record = stream::recordOf<stream::format::CopyRecord>(event.record);
        operation.bytes = record.bytes;
        operation.graph = record.graph;
    } else if (event.type == stream::format::RecordType::Memset) {
        const auto record = stream::recordOf<stream::format::MemsetRecord>(event.record);
        operation.bytes = record.bytes;
        operation.graph = record.graph;
    } else {
        operation.graph = stream::recordOf<stream::format::GraphRecord>(event.record).graph;
    }
    m_builder.addGpuOperation(operation);
    m_work.push_back({event.correlation, event.start});
}

void addRanges(trace::TraceBuilder& builder, const stream::CallRanges& calls) {
    builder.addExternalIds([&calls](std::int64_t correlation) {
        const std::int64_t range = calls.of(correlation);
        return range == stream::kNoCaptureId ? trace::kNoId : range;
    });
}

std::string beginningMissing(const std::string& path) {
    return fmt::format("'{}': is a capture without a complete header: nothing in it can be read",
                       path);
}

void logCapture(trace::ImportLog& log, const stream::CaptureDecoder& decoder, const CaptureEnd& end,
                std::uint64_t earlyWork) {
    logEnd(log, decoder, end);
    logSanity(log, decoder, earlyWork);
}

void describeCapture(trace::RunInfo& info, const stream::CaptureDecoder& decoder) {
    info.baseTimeNs = decoder.placement().baseTimeNs;
    info.fields.push_back({"capture", decoder.headerJson()});
    if (decoder.info().rank >= 0) {
        info.distributed =
            trace::DistributedInfo{"", decoder.info().rank, decoder.info().worldSize};
    }
    for (const stream::CaptureDevice& device : decoder.devices()) {
        const std::int64_t row = decoder.gpuRow(device.id);
        if (info.device(row) != nullptr) {
            continue;
        }
        trace::DeviceProperties properties;
        properties.id = row;
        properties.name = device.name;
        properties.multiprocessors = static_cast<int>(device.limits.multiprocessors);
        properties.totalMemoryBytes = device.totalMemoryBytes;
        properties.computeMajor = static_cast<int>(device.limits.computeMajor);
        properties.computeMinor = static_cast<int>(device.computeMinor);
        properties.warpSize = static_cast<int>(device.limits.warpSize);
        properties.maxThreadsPerMultiprocessor = static_cast<int>(device.limits.threads);
        properties.json = device.jsonOfRow(row);
        info.devices.push_back(std::move(properties));
    }
}

}  // namespace kinetoscope::import::capture
