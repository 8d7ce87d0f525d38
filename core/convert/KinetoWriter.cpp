// SPDX-License-Identifier: Apache-2.0
#include "core/convert/KinetoWriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "core/base/Threads.h"
#include "core/convert/CaptureFile.h"
#include "core/import/source/Expansion.h"
#include "core/stream/CaptureDecoder.h"
#include "core/stream/CaptureFolder.h"
#include "core/stream/EventJson.h"
#include "core/text/Output.h"

namespace kinetoscope::convert {

namespace {

constexpr std::size_t kJsonWriteBytes = 4U << 20;

class EventWriter final : public stream::CaptureSink {
public:
    EventWriter(text::Output& output, bool& first) : m_output(output), m_first(first) {}
    void attach(const stream::CaptureDecoder& decoder) { m_json.emplace(decoder); }

    void row(const stream::CaptureRow& row) override {
        const std::size_t before = m_output.text.size();
        m_json->appendRow(m_output.text, row);
        if (std::exchange(m_first, false)) {
            m_output.text.erase(before, 2);  // no comma before the first element
        }
        flush();
    }
    void event(const stream::CaptureEvent& event) override {
        m_output.text += ",\n";
        m_json->append(m_output.text, event);
        if (event.startsFlow || event.endsFlow) {
            m_output.text += ",\n";
            m_json->appendFlow(m_output.text, event);
        }
        ++m_events;
        flush();
    }
    [[nodiscard]] const Result<void>& written() const { return m_written; }
    [[nodiscard]] std::uint64_t events() const { return m_events; }

private:
    // Not once a chunk: each of its events may have a name of megabytes.
    void flush() {
        if (m_written) {
            m_written = m_output.flush(kJsonWriteBytes);
        }
    }

    text::Output& m_output;
    bool& m_first;
    std::optional<stream::EventJson> m_json;
    std::uint64_t m_events = 0;
    Result<void> m_written;
};

std::vector<stream::CapturePlacement> placements(const std::vector<CaptureSummary>& captures) {
    TimeNs base = captures.front().info.baseTimeNs();
    for (const CaptureSummary& capture : captures) {
        base = std::min(base, capture.info.baseTimeNs());
    }
    stream::CapturePlacer placer(base);
    std::vector<stream::CapturePlacement> result;
    for (const CaptureSummary& capture : captures) {
        stream::CapturePlacement placement = placer.add(capture.info, captures.size() > 1);
        for (const stream::CaptureDevice& device : capture.devices) {
            placer.addDevice(placement, capture.info, device);
        }
        result.push_back(std::move(placement));
    }
    return result;
}

std::string deviceProperties(const std::vector<CaptureSummary>& captures,
                             const std::vector<stream::CapturePlacement>& places) {
    std::map<std::int64_t, std::string> entries;
    for (std::size_t i = 0; i < captures.size(); ++i) {
        for (const stream::CaptureDevice& device : captures[i].devices) {
            const std::int64_t row = places[i].gpus.at(device.id);
            entries.try_emplace(row, device.jsonOfRow(row));
        }
    }
    std::string text;
    for (const auto& [row, json] : entries) {
        text += (text.empty() ? "\n    " : ",\n    ") + json;
    }
    return text;
}

void writeHead(std::string& out, const std::vector<CaptureSummary>& captures,
               const std::vector<stream::CapturePlacement>& places, std::size_t processes) {
    const stream::CaptureInfo& info = captures.front().info;
    out += "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [";
    out += deviceProperties(captures, places);
    out += fmt::format("\n  ],\n  \"cuda_driver_version\": {},\n  \"cupti_version\": {},\n",
                       info.driverVersion, info.cuptiVersion);
    if (processes == 1 && info.rank >= 0) {
        out += fmt::format("  \"distributedInfo\": {{\"rank\": {}, \"world_size\": {}}},\n",
                           info.rank, info.worldSize);
    }
    out += "  \"captures\": [";
    for (const CaptureSummary& capture : captures) {
        out += &capture == captures.data() ? "\n    " : ",\n    ";
        out += capture.headerJson;
    }
    out += fmt::format(
        "\n  ],\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": {},\n"
        "  \"traceEvents\": [\n",
        places.front().baseTimeNs);
}

class Conversion {
public:
    Conversion(const KinetoOptions& options, text::Output& output)
        : m_options(options), m_output(output) {}

    [[nodiscard]] Result<void> capture(const std::string& path, const CaptureSummary& summary,
                                       const stream::CapturePlacement& placement) {
        EventWriter writer(m_output, m_first);
        stream::CaptureDecoder decoder(writer);
        writer.attach(decoder);
        stream::CaptureState state;
        state.info = summary.info;
        state.placement = placement;
        state.names = std::make_shared<const stream::CaptureNames>(1);
        state.devices = summary.devices;
        decoder.restore(state);
        auto done = read(path, decoder, writer, summary.problem);
        if (!done) {
            return done;
        }
        decoder.finish();
        m_summary.events += writer.events();
        m_summary.lost += decoder.lost();
        for (const stream::CaptureNote& note : decoder.notes()) {
            if (note.loss) {
                m_summary.warnings.push_back(
                    fmt::format("{}: {} ({})", path, note.text, note.count));
            }
        }
        return writer.written();
    }
    [[nodiscard]] KinetoSummary& summary() { return m_summary; }

private:
    [[nodiscard]] Result<void> read(const std::string& path, stream::CaptureDecoder& decoder,
                                    const EventWriter& writer, const std::string& earlierProblem) {
        auto file = CaptureFile::open(path);
        if (!file) {
            return tl::unexpected(file.error());
        }
        stream::Chunk chunk;
        while (file->next(chunk)) {
            if (m_options.stop.stop_requested()) {
                return fail("cancelled", ErrorKind::Cancelled);
            }
            // Devices and the header are known from the summary.
            if (chunk.type != stream::format::ChunkType::Header &&
                chunk.type != stream::format::ChunkType::Device) {
                if (auto accepted = decoder.accept(chunk, file->payloadOffset()); !accepted) {
                    return accepted;
                }
            }
            if (m_options.progress != nullptr) {
                m_options.progress->set(m_before + file->filePosition());
            }
            if (!writer.written()) {
                return writer.written();
            }
        }
        m_before += file->filePosition();
        if (const std::string& problem = file->problem().empty() ? earlierProblem : file->problem();
            !problem.empty()) {
            m_summary.warnings.push_back(fmt::format("'{}': {}", path, problem));
        } else if (!decoder.hasFooter()) {
            m_summary.warnings.push_back(fmt::format(
                "'{}': the recording has no end: the program was killed or is still running",
                path));
        }
        return {};
    }

    const KinetoOptions& m_options;
    text::Output& m_output;
    KinetoSummary m_summary;
    std::uint64_t m_before = 0;
    bool m_first = true;
};

Result<std::vector<CaptureSummary>> summaries(const KinetoOptions& options) {
    std::vector<CaptureSummary> result;
    std::uint64_t bytes = 0;
    for (const std::string& path : options.captures) {
        auto summary = summarizeCapture(path);
        if (!summary) {
            return tl::unexpected(summary.error());
        }
        bytes += summary->bytes;
        result.push_back(std::move(*summary));
    }
    if (options.progress != nullptr) {
        options.progress->start(bytes);
    }
    return result;
}

// Captures hold a name once, JSON with each of its events.
text::OutputLimit limitOf(const std::vector<CaptureSummary>& captures, const std::string& output) {
    std::uint64_t bytes = 0;
    for (const CaptureSummary& capture : captures) {
        bytes += capture.bytes;
    }
    return {import::source::largestText(bytes),
            fmt::format("'{}': would be {}", output, import::source::expansionLimitWords(bytes))};
}

Result<KinetoSummary> writeCaptures(const KinetoOptions& options) {
    if (options.captures.empty()) {
        return fail("there is no capture to convert");
    }
    const auto captures = summaries(options);
    if (!captures) {
        return tl::unexpected(captures.error());
    }
    auto file = text::OutputFile::create(options.output);
    if (!file) {
        return tl::unexpected(file.error());
    }
    text::Output output(std::move(*file), options.output.ends_with(".gz"),
                        limitOf(*captures, options.output));
    const auto places = placements(*captures);
    const auto processes = std::ranges::count_if(
        options.captures, [](const std::string& path) { return !stream::holdsCountersOnly(path); });
    writeHead(output.text, *captures, places, static_cast<std::size_t>(processes));
    Conversion conversion(options, output);
    for (std::size_t i = 0; i < captures->size(); ++i) {
        if (auto done = conversion.capture(options.captures[i], (*captures)[i], places[i]); !done) {
            return tl::unexpected(done.error());
        }
    }
    output.text += "\n  ],\n  \"traceName\": ";
    stream::appendJsonString(output.text, options.output);
    output.text += "\n}\n";
    auto bytes = output.finish();
    if (!bytes) {
        return tl::unexpected(bytes.error());
    }
    conversion.summary().outputBytes = *bytes;
    return std::move(conversion.summary());
}

}  // namespace

Result<KinetoSummary> writeKinetoTrace(const KinetoOptions& options) {
    return guarded([&] { return writeCaptures(options); },
                   options.captures.empty() ? std::string() : options.captures.front());
}

}  // namespace kinetoscope::convert
