// SPDX-License-Identifier: Apache-2.0
#include "core/import/CaptureImporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/Format.h"
#include "core/import/CaptureEventText.h"
#include "core/stream/CaptureDecoder.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope {

using namespace capture;

namespace {

template <class T>
T atMost(std::uint64_t value) {
    return static_cast<T>(std::min<std::uint64_t>(value, std::numeric_limits<T>::max()));
}

// Which launch a GPU operation belongs to; API calls and GPU work come in separate buffers.
struct Launch {
    std::int64_t correlation = 0;
    TimeNs start = 0;
};

class Builder final : public CaptureSink {
public:
    explicit Builder(TraceBuilder& builder) : m_builder(builder) {}

    void row(const CaptureRow& row) override {
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

    void event(const CaptureEvent& event) override {
        const TrackId track = m_builder.track({false, event.pid}, {false, event.tid});
        const auto category = static_cast<CategoryId>(event.category);
        if (event.instant) {
            return m_builder.addInstant(
                {event.start, m_builder.name(event.name), track, category, 't', event.offset});
        }
        SliceInput slice;
        slice.start = event.start;
        slice.duration = event.duration;
        slice.correlation = event.correlation == kNoCaptureId ? kNoId : event.correlation;
        slice.externalId = event.externalId == kNoCaptureId ? kNoId : event.externalId;
        slice.offset = event.offset;
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

    // GPU work that seems to begin before the call that launched it.
    [[nodiscard]] std::uint64_t earlyWork() {
        std::ranges::sort(m_launches, {}, &Launch::correlation);
        std::uint64_t early = 0;
        for (const Launch& work : m_work) {
            const auto launch =
                std::ranges::lower_bound(m_launches, work.correlation, {}, &Launch::correlation);
            const bool found =
                launch != m_launches.end() && launch->correlation == work.correlation;
            if (found && work.start < launch->start) {
                ++early;
            }
        }
        return early;
    }

private:
    void gpuOperation(const CaptureEvent& event, SliceId slice) {
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

    TraceBuilder& m_builder;
    std::vector<Launch> m_launches;
    std::vector<Launch> m_work;
};

// Chunks out of the text window, which here holds bytes.
class ChunkSource {
public:
    explicit ChunkSource(TextWindow& window) : m_window(window), m_at(window.begin()) {}

    [[nodiscard]] ChunkStatus next(Chunk& chunk) {
        for (;;) {
            const std::string_view bytes(m_at, static_cast<std::size_t>(m_window.end() - m_at));
            const ChunkStatus status = m_reader.next(bytes, chunk);
            if (status == ChunkStatus::Chunk) {
                m_offset = m_window.offsetOf(m_at) + chunk.payloadOffset;
                m_at += m_reader.consumed();
            }
            if (status != ChunkStatus::NeedMore || !m_window.more(m_at)) {
                return status;
            }
        }
    }
    [[nodiscard]] std::uint64_t payloadOffset() const { return m_offset; }
    /// Bytes behind the last whole chunk.
    [[nodiscard]] std::uint64_t rest() const {
        return static_cast<std::uint64_t>(m_window.end() - m_at);
    }
    [[nodiscard]] std::uint64_t position() const { return m_window.offsetOf(m_at); }
    [[nodiscard]] const ChunkReader& reader() const { return m_reader; }

private:
    TextWindow& m_window;
    const char* m_at;
    ChunkReader m_reader;
    std::uint64_t m_offset = 0;
};

void logEnd(ImportLog& log, const CaptureDecoder& decoder, const ChunkSource& source,
            ChunkStatus status) {
    if (status == ChunkStatus::Damaged) {
        log.add("capture_damaged", Severity::DataLoss, source.position(),
                fmt::format("{}; everything before byte {} is shown", source.reader().reason(),
                            source.position()));
    } else if (source.rest() > 0) {
        log.add("capture_cut", Severity::DataLoss, source.position(),
                fmt::format("the file ends in the middle of a chunk; the {} before are shown",
                            source.reader().chunks()));
    } else if (!decoder.hasFooter()) {
        log.add("capture_unfinished", Severity::Warning, source.position(),
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
    count("open_range", Severity::Info, decoder.openRanges(),
          "a range had no end in the recording and is shown up to the last event");
    count("work_before_launch", Severity::Warning, early,
          "GPU work starts before the call that launched it: the clocks disagree");
    for (const CaptureNote& note : decoder.notes()) {
        log.add(note.name, note.loss ? Severity::DataLoss : Severity::Info, 0, note.text,
                static_cast<std::uint64_t>(std::max<std::int64_t>(note.count, 1)));
    }
}

void describeRun(RunInfo& info, const ImportInput& input, const CaptureDecoder& decoder) {
    info.path = input.path;
    info.fileBytes = input.fileBytes;
    info.textBytes = input.text.offsetOf(input.text.end());
    info.format = "Kinetoscope capture";
    info.baseTimeNs = decoder.placement().baseTimeNs;
    info.fields.push_back({"capture", decoder.headerJson()});
    if (decoder.info().rank >= 0) {
        info.distributed = DistributedInfo{"", decoder.info().rank, decoder.info().worldSize};
    }
    for (const CaptureDevice& device : decoder.devices()) {
        const auto json = nlohmann::json::parse(device.json, nullptr, false);
        DeviceProperties properties;
        properties.id = device.id;
        properties.name = device.name;
        properties.multiprocessors = static_cast<int>(device.multiprocessors);
        properties.totalMemoryBytes = json.value("totalGlobalMem", std::uint64_t{0});
        properties.computeMajor = json.value("computeMajor", 0);
        properties.computeMinor = json.value("computeMinor", 0);
        properties.warpSize = json.value("warpSize", 0);
        properties.maxThreadsPerMultiprocessor = json.value("maxThreadsPerMultiprocessor", 0);
        properties.json = device.json;
        info.devices.push_back(std::move(properties));
    }
}

}  // namespace

bool CaptureImporter::recognises(std::string_view head) const {
    return ChunkReader::isCapture(head);
}

Result<std::shared_ptr<const Trace>> CaptureImporter::read(ImportInput& input) const try {
    TraceBuilder builder;
    Builder sink(builder);
    auto decoder = std::make_shared<CaptureDecoder>(sink);
    ChunkSource source(input.text);
    Chunk chunk;
    ChunkStatus status = ChunkStatus::Chunk;
    while ((status = source.next(chunk)) == ChunkStatus::Chunk) {
        if (auto accepted = decoder->accept(chunk, source.payloadOffset()); !accepted) {
            return fail(
                fmt::format("'{}' cannot be read: {}", input.path, accepted.error().message));
        }
    }
    if (input.text.stopped()) {
        return fail("loading was cancelled", ErrorKind::Cancelled);
    }
    if (source.reader().chunks() == 0) {
        return fail(
            fmt::format("'{}' is a capture without a whole beginning: nothing of it can "
                        "be read",
                        input.path));
    }
    decoder->finish();
    describeRun(builder.info(), input, *decoder);
    builder.log().events = decoder->records();
    builder.log().skipped = decoder->zeroTimes() + decoder->unknownRecords();
    logEnd(builder.log(), *decoder, source, status);
    logSanity(builder.log(), *decoder, sink.earlyWork());
    builder.setEventText(makeCaptureEventText(input.path, *decoder));
    return builder.finish();
} catch (const nlohmann::json::exception&) {
    return fail(fmt::format("'{}' describes a GPU in a way that cannot be read", input.path));
}

}  // namespace kinetoscope
