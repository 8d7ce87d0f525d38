// SPDX-License-Identifier: Apache-2.0
#include "core/import/capture/CaptureTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace kinetoscope {

using namespace capture;

namespace {

template <class T>
T atMost(std::uint64_t value) {
    return static_cast<T>(std::min<std::uint64_t>(value, std::numeric_limits<T>::max()));
}

void logEnd(ImportLog& log, const CaptureDecoder& decoder, const CaptureEnd& end) {
    if (!end.damage.empty()) {
        log.add("capture_damaged", Severity::DataLoss, end.position,
                fmt::format("{}; everything before byte {} is shown", end.damage, end.position));
    } else if (end.insideOfChunk) {
        log.add("capture_cut", Severity::DataLoss, end.position,
                fmt::format("the file ends in the middle of a chunk; the {} before are shown",
                            end.chunks));
    } else if (!decoder.hasFooter()) {
        log.add("capture_unfinished", Severity::Warning, end.position,
                "the recording has no end: the program was killed or is still running");
    }
}

void logSanity(ImportLog& log, const CaptureDecoder& decoder, std::uint64_t early) {
    const auto count = [&](std::string_view name, Severity severity, std::uint64_t number,
                           std::string_view text) {
        if (number > 0) {
            log.add(name, severity, 0, text, number);
        }
    };
    count("zero_timestamp", Severity::DataLoss, decoder.zeroTimes(),
          "CUPTI gave no time for it; it cannot be shown");
    count("negative_duration", Severity::Warning, decoder.backwardTimes(),
          "ends before it starts; its duration counts as 0");
    count("unknown_record", Severity::Warning, decoder.unknownRecords(),
          "a record that this version does not know");
    count("impossible_record", Severity::DataLoss, decoder.impossibleRecords(),
          "its times, its GPU or its id are none that can be; it is left out");
    count("impossible_number", Severity::Warning, decoder.impossibleNumbers(),
          "a number of a record is none that can be; it counts as 0");
    count("open_range", Severity::Info, decoder.openRanges(),
          "a range had no end in the recording and is shown up to the last event");
    count("work_before_launch", Severity::Warning, early,
          "GPU work starts before the call that launched it: the clocks disagree");
    for (const CaptureNote& note : decoder.notes()) {
        log.add(note.name, note.loss ? Severity::DataLoss : Severity::Info, 0, note.text,
                static_cast<std::uint64_t>(std::max<std::int64_t>(note.count, 1)));
    }
}

}  // namespace

void CaptureTrace::row(const CaptureRow& row) {
    const RowId pid{false, row.pid};
    if (row.isProcess) {
        Process& process = m_builder.processRow(m_builder.process(pid));
        process.name = m_builder.name(row.name);
        process.labels = m_builder.name(row.labels);
        process.sortIndex = row.sortIndex;
        if (row.labels.starts_with("GPU")) {
            m_builder.compatFacts().gpuPids.push_back(pid);
        }
        return;
    }
    Track& track = m_builder.trackRow(m_builder.track(pid, {false, row.tid}));
    track.name = m_builder.name(row.name);
    track.sortIndex = row.sortIndex;
}

void CaptureTrace::event(const CaptureEvent& event) {
    const TrackId track = m_builder.track({false, event.pid}, {false, event.tid});
    const auto category = static_cast<CategoryId>(event.category);
    if (event.instant) {
        return m_builder.addInstant({event.start, m_builder.name(event.name), track, category, 't',
                                     event.offset + m_offsetBase});
    }
    SliceInput slice;
    slice.start = event.start;
    slice.duration = event.duration;
    slice.correlation = event.correlation == kNoCaptureId ? kNoId : event.correlation;
    slice.externalId = event.externalId == kNoCaptureId ? kNoId : event.externalId;
    slice.offset = event.offset + m_offsetBase;
    slice.name = m_builder.name(event.name);
    slice.track = track;
    slice.category = category;
    const SliceId id = m_builder.addSlice(slice);
    if (event.startsFlow) {
        m_launches.push_back({event.correlation, event.start});
    }
    if (isGpuOperation(event.category)) {
        gpuOperation(event, id);
    }
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

void CaptureTrace::gpuOperation(const CaptureEvent& event, SliceId slice) {
    GpuOperation operation;
    operation.slice = slice;
    operation.gpu = static_cast<std::int32_t>(event.pid);
    operation.stream = event.stream;
    if (event.type == RecordType::Kernel) {
        const auto record = recordOf<KernelRecord>(event.record);
        operation.grid = record.grid;
        std::ranges::transform(record.block, operation.block.begin(), atMost<std::uint16_t>);
        operation.registers = atMost<std::uint16_t>(record.registers);
        operation.sharedBytes = record.staticShared + record.dynamicShared;
        operation.graph = record.graph;
        operation.occupancyPercent = static_cast<std::int16_t>(event.occupancyPercent);
    } else if (event.type == RecordType::Copy) {
        const auto record = recordOf<CopyRecord>(event.record);
        operation.bytes = record.bytes;
        operation.graph = record.graph;
    } else if (event.type == RecordType::Memset) {
        const auto record = recordOf<MemsetRecord>(event.record);
        operation.bytes = record.bytes;
        operation.graph = record.graph;
    } else {
        operation.graph = recordOf<GraphRecord>(event.record).graph;
    }
    m_builder.addGpuOperation(operation);
    m_work.push_back({event.correlation, event.start});
}

std::string beginningMissing(const std::string& path) {
    return fmt::format("'{}' is a capture without a whole beginning: nothing of it can be read",
                       path);
}

void logCapture(ImportLog& log, const CaptureDecoder& decoder, const CaptureEnd& end,
                std::uint64_t earlyWork) {
    logEnd(log, decoder, end);
    logSanity(log, decoder, earlyWork);
}

void describeCapture(RunInfo& info, const CaptureDecoder& decoder) {
    info.baseTimeNs = decoder.placement().baseTimeNs;
    info.fields.push_back({"capture", decoder.headerJson()});
    if (decoder.info().rank >= 0) {
        info.distributed = DistributedInfo{"", decoder.info().rank, decoder.info().worldSize};
    }
    for (const CaptureDevice& device : decoder.devices()) {
        const std::int64_t row = decoder.gpuRow(device.id);
        if (info.device(row) != nullptr) {
            continue;
        }
        DeviceProperties properties;
        properties.id = row;
        properties.name = device.name;
        properties.multiprocessors = static_cast<int>(device.limits.multiprocessors);
        properties.totalMemoryBytes = device.totalMemoryBytes;
        properties.computeMajor = static_cast<int>(device.limits.computeMajor);
        properties.computeMinor = static_cast<int>(device.computeMinor);
        properties.warpSize = static_cast<int>(device.limits.warpSize);
        properties.maxThreadsPerMultiprocessor = static_cast<int>(device.limits.threads);
        properties.json = device.json;
        info.devices.push_back(std::move(properties));
    }
}

}  // namespace kinetoscope
