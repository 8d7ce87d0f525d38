// SPDX-License-Identifier: Apache-2.0
#include "core/import/capture/CaptureImporter.h"

#include <fmt/format.h>

#include "core/import/capture/CaptureEventText.h"
#include "core/import/capture/CaptureTrace.h"
#include "core/import/capture/ChunkSource.h"

namespace kinetoscope::import::capture {

using namespace stream::format;

namespace {

// What `kscope convert` writes beside the events, for a part of the trace that becomes a file.
void addFields(trace::RunInfo& info) {
    std::string devices;
    for (const trace::DeviceProperties& device : info.devices) {
        devices += (devices.empty() ? "" : ", ") + device.json;
    }
    info.fields.push_back({"deviceProperties", "[" + devices + "]"});
    if (info.distributed) {
        info.fields.push_back(
            {"distributedInfo", fmt::format(R"({{"rank": {}, "world_size": {}}})",
                                            info.distributed->rank, info.distributed->worldSize)});
    }
    if (info.baseTimeNs) {
        info.fields.push_back({"baseTimeNanoseconds", std::to_string(*info.baseTimeNs)});
    }
}

}  // namespace

bool CaptureImporter::recognises(std::string_view head) const {
    return stream::ChunkReader::isCapture(head);
}

Result<std::shared_ptr<const trace::Trace>> CaptureImporter::read(ImportInput& input) const {
    trace::TraceBuilder builder;
    CaptureTrace sink(builder);
    auto decoder = std::make_shared<stream::CaptureDecoder>(sink);
    ChunkSource source(input.text);
    stream::Chunk chunk;
    stream::ChunkStatus status = stream::ChunkStatus::Chunk;
    while ((status = source.next(chunk)) == stream::ChunkStatus::Chunk) {
        if (auto accepted = decoder->accept(chunk, source.payloadOffset()); !accepted) {
            return fail(
                fmt::format("'{}': cannot be read: {}", input.path, accepted.error().message));
        }
    }
    if (input.text.stopped()) {
        return fail("loading was cancelled", ErrorKind::Cancelled);
    }
    if (source.reader().chunks() == 0) {
        return fail(beginningMissing(input.path));
    }
    decoder->finish();
    trace::RunInfo& info = builder.info();
    info.path = input.path;
    info.fileBytes = input.fileBytes;
    info.textBytes = input.text.offsetOf(input.text.end());
    info.format = "Kinetoscope capture";
    describeCapture(info, *decoder);
    addFields(info);
    CaptureEnd end{source.position(), source.reader().chunks(), {}, source.rest() > 0};
    if (status == stream::ChunkStatus::Damaged) {
        end.damage = source.reader().reason();
    }
    builder.log().events += decoder->records();
    builder.log().skipped += decoder->lost();
    logCapture(builder.log(), *decoder, end, sink.earlyWork());
    auto calls = std::make_shared<stream::CallRanges>(sink.calls());
    calls->sort();
    addRanges(builder, *calls);
    builder.setEventText(makeCaptureEventText(input.path, *decoder, std::move(calls)));
    return builder.finish();
}

}  // namespace kinetoscope::import::capture
