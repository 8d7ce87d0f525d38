// SPDX-License-Identifier: Apache-2.0
#include "core/import/capture/LiveCapture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "core/import/capture/CaptureEventText.h"
#include "core/import/capture/CaptureTrace.h"
#include "core/import/capture/FolderEventText.h"
#include "core/import/source/InputFile.h"
#include "core/stream/CaptureFolder.h"
#include "core/stream/ChunkReader.h"

namespace kinetoscope::import::capture {

using namespace stream::format;

namespace {

constexpr std::size_t kReadBytes = 4U << 20;
constexpr std::uint64_t kMaxInOnePoll = 64U << 20;

}  // namespace

/// One capture file and how far it is read.
class LiveCapture::Part {
public:
    /// `file` null: opened by its path whenever it is read.
    Part(std::string path, std::shared_ptr<const source::InputFile> file,
         trace::TraceBuilder& builder, std::size_t index)
        : m_path(std::move(path)),
          m_file(std::move(file)),
          m_trace(builder, offsetBaseOfPart(index)),
          m_decoder(m_trace) {}

    void dropBefore(TimeNs time) { m_trace.dropBefore(time); }
    /// Returns the bytes read; what is not a whole chunk yet is read again the next time.
    std::uint64_t read(std::string& bytes, std::unique_ptr<stream::CapturePlacer>& placer,
                       const std::stop_token& stop, std::uint64_t most) {
        const auto file = open();
        std::uint64_t total = 0;
        std::size_t wanted = kReadBytes;
        while (file && m_problem.empty() && total < most && !stop.stop_requested()) {
            bytes.resize(wanted);
            const std::int64_t count = file->read(bytes.data(), bytes.size(), m_position);
            m_readError = count < 0 ? std::strerror(errno) : "";
            const std::string_view got(bytes.data(),
                                       static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
            const std::size_t used = take(got, placer);
            total += used;
            m_rest = got.size() - used;
            if (got.size() < wanted || (used == 0 && !m_damage.empty())) {
                break;
            }
            wanted = used == 0 ? 2 * wanted : kReadBytes;  // a chunk may be longer
        }
        return total;
    }

    [[nodiscard]] bool isOfProcess() const { return !stream::holdsCountersOnly(m_path); }
    /// Logs its issues, under its name if there are `several`.
    void finish(trace::ImportLog& whole, bool several) {
        m_decoder.finish();
        if (!isReadable()) {
            whole.events += m_decoder.records();
            return;
        }
        trace::ImportLog log;
        log.events += m_decoder.records();
        log.skipped += m_decoder.lost();
        logCapture(log, m_decoder, {m_position, m_reader.chunks(), m_damage, m_rest > 0},
                   m_trace.earlyWork());
        if (const auto& error = m_openError.empty() ? m_readError : m_openError; !error.empty()) {
            log.add("capture_read_error", trace::Severity::DataLoss, m_position,
                    fmt::format("it could not be read further: {}", error));
        }
        trace::ImportLog named;
        for (const trace::ImportIssue& issue : log.sorted()) {
            const std::string file = std::filesystem::path(m_path).filename().string();
            named.add(issue.name, issue.severity, issue.firstOffset,
                      several ? file + ": " + issue.example : issue.example, issue.count);
        }
        named.events = log.events;
        named.skipped = log.skipped;
        whole.merge(named);
    }

    [[nodiscard]] const stream::CaptureDecoder& decoder() const { return m_decoder; }
    [[nodiscard]] const stream::CallRanges& calls() const { return m_trace.calls(); }
    [[nodiscard]] std::shared_ptr<const trace::EventText> eventText(
        const std::shared_ptr<const stream::CallRanges>& calls) const {
        return m_file ? makeCaptureEventText(m_file, m_decoder, calls)
                      : makeCaptureEventText(m_path, m_decoder, calls);
    }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::uint64_t position() const { return m_position; }
    [[nodiscard]] bool isReadable() const { return m_problem.empty() && m_placed; }
    /// Why not.
    [[nodiscard]] std::string problem() const {
        if (!m_problem.empty() || !m_openError.empty()) {
            return !m_problem.empty() ? m_problem : m_openError;
        }
        if (!m_readError.empty()) {
            return fmt::format("'{}': cannot be read: {}", m_path, m_readError);
        }
        return m_damage.empty() ? beginningMissing(m_path)
                                : fmt::format("'{}': cannot be read: {}", m_path, m_damage);
    }

private:
    // Null, and a reason, when it can no longer be opened.
    std::shared_ptr<const source::InputFile> open() {
        if (m_file) {
            return m_file;
        }
        auto opened = source::InputFile::open(m_path);
        m_openError = opened ? "" : opened.error().message;
        return opened ? std::move(*opened) : nullptr;
    }

    std::size_t take(std::string_view bytes, std::unique_ptr<stream::CapturePlacer>& placer) {
        std::size_t used = 0;
        stream::Chunk chunk;
        m_damage.clear();
        stream::ChunkStatus status = stream::ChunkStatus::Chunk;
        while (m_problem.empty() &&
               (status = m_reader.next(bytes.substr(used), chunk)) == stream::ChunkStatus::Chunk) {
            accept(chunk, placer);
            used += m_reader.consumed();
            m_position += m_reader.consumed();
        }
        if (status == stream::ChunkStatus::Damaged) {
            m_damage = m_reader.reason();
        }
        return used;
    }

    void accept(const stream::Chunk& chunk, std::unique_ptr<stream::CapturePlacer>& placer) {
        const std::size_t devices = m_decoder.devices().size();
        if (auto accepted = m_decoder.accept(chunk, m_position + chunk.payloadOffset); !accepted) {
            m_problem = fmt::format("'{}': cannot be read: {}", m_path, accepted.error().message);
            return;
        }
        const stream::CaptureInfo& info = m_decoder.info();
        if (!m_placed) {
            m_placed = true;  // by the header, without which nothing is accepted
            if (placer == nullptr) {
                placer = std::make_unique<stream::CapturePlacer>(info.baseTimeNs());
            }
            m_placement = placer->add(info, true);
            m_decoder.place(m_placement);
        } else if (m_decoder.devices().size() > devices) {
            placer->addDevice(m_placement, info, m_decoder.devices().back());
            m_decoder.place(m_placement);
        }
    }

    std::string m_path;
    std::shared_ptr<const source::InputFile> m_file;
    CaptureTrace m_trace;
    stream::CaptureDecoder m_decoder;
    stream::CapturePlacement m_placement;
    bool m_placed = false;
    stream::ChunkReader m_reader;
    std::uint64_t m_position = 0;
    std::size_t m_rest = 0;
    std::string m_damage;  // why what follows is not a chunk; it may only not be written whole yet
    std::string m_openError;
    std::string m_readError;
    std::string m_problem;  // why nothing of the file is of use
};

LiveCapture::LiveCapture(std::string folder, std::size_t mostOpen)
    : m_folder(std::move(folder)), m_mostOpen(mostOpen) {}

LiveCapture::~LiveCapture() = default;

void LiveCapture::findFiles() {
    stream::CaptureList list = stream::listCaptures(m_folder);
    m_folderProblem = std::move(list.problem);
    for (const std::string& path : list.captures) {
        if (m_known.contains(path)) {
            continue;
        }
        auto file = source::InputFile::open(path);
        if (!file) {
            m_notOpened[path] = file.error().message;
            continue;
        }
        if (m_parts.size() >= m_mostOpen) {
            file->reset();
        }
        m_parts.push_back(
            std::make_unique<Part>(path, std::move(*file), m_builder, m_parts.size()));
        m_parts.back()->dropBefore(m_from);
        m_known.insert(path);
        m_notOpened.erase(path);
    }
}

std::uint64_t LiveCapture::poll(const std::stop_token& stop) {
    findFiles();
    std::uint64_t total = 0;
    for (const auto& part : m_parts) {
        total += part->read(m_bytes, m_placer, stop, kMaxInOnePoll / m_parts.size() + 1);
    }
    return total;
}

bool LiveCapture::dropOlderHalf() {
    const auto from = m_builder.dropOlderHalf();
    if (!from) {
        return false;
    }
    m_from = *from;
    for (const auto& part : m_parts) {
        part->dropBefore(m_from);
    }
    return true;
}

// Of a job there are several; counters may lie beside a single one.
std::size_t LiveCapture::processes() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(m_parts, [](const auto& part) { return part->isOfProcess(); }));
}

// Correlations differ by capture, so all of them have one list.
std::shared_ptr<const stream::CallRanges> LiveCapture::calls() const {
    auto calls = std::make_shared<stream::CallRanges>();
    for (const auto& part : m_parts) {
        calls->add(part->calls());
    }
    calls->sort();
    return calls;
}

void LiveCapture::describe(const std::shared_ptr<const stream::CallRanges>& calls) {
    trace::RunInfo& info = m_builder.info();
    info = trace::RunInfo();
    info.path = m_folder;
    const auto readable = std::ranges::count_if(
        m_parts, [](const auto& part) { return part->isReadable() && part->isOfProcess(); });
    info.format =
        readable > 1 ? fmt::format("{} Kinetoscope captures", readable) : "Kinetoscope capture";
    std::vector<std::shared_ptr<const trace::EventText>> texts;
    for (const auto& part : m_parts) {
        info.fileBytes += part->position();
        texts.push_back(part->eventText(calls));
        if (part->isReadable()) {
            describeCapture(info, part->decoder());
        }
    }
    info.textBytes = info.fileBytes;
    if (processes() > 1) {
        info.distributed.reset();
    }
    m_builder.setEventText(makeFolderEventText(std::move(texts)));
}

// In the order of their names.
std::vector<std::string> LiveCapture::unreadable() const {
    std::map<std::string, std::string> reasons = m_notOpened;
    for (const auto& part : m_parts) {
        if (!part->isReadable()) {
            reasons[part->path()] = part->problem();
        }
    }
    std::vector<std::string> texts;
    texts.reserve(reasons.size());
    for (auto& [path, reason] : reasons) {
        texts.push_back(std::move(reason));
    }
    return texts;
}

void LiveCapture::logUnreadable() {
    if (const auto reasons = unreadable(); !reasons.empty()) {
        m_builder.log().add("capture_unreadable", trace::Severity::DataLoss, 0,
                            fmt::format("{}", fmt::join(reasons, "; ")), reasons.size());
    }
    if (!m_folderProblem.empty()) {
        m_builder.log().add("folder_unreadable", trace::Severity::DataLoss, 0, m_folderProblem);
    }
}

void LiveCapture::logDropped() {
    const std::uint64_t dropped = m_builder.counts().droppedEvents;
    if (dropped > m_loggedDropped) {
        m_builder.log().add(kDroppedEvents, trace::Severity::DataLoss, 0,
                            "the oldest events were dropped to make room in memory for new ones; "
                            "the captures have all of them",
                            dropped - m_loggedDropped);
        m_loggedDropped = dropped;
    }
}

std::string LiveCapture::problem() const {
    const auto reasons = unreadable();
    if (reasons.empty()) {
        return m_parts.empty() ? m_folderProblem : std::string();
    }
    const bool some = reasons.size() < m_parts.size() + m_notOpened.size();
    return some                  ? std::string()
           : reasons.size() == 1 ? reasons.front()
                                 : fmt::format("'{}': none of its {} captures can be read: {}",
                                               m_folder, reasons.size(), fmt::join(reasons, "; "));
}

std::shared_ptr<const trace::Trace> LiveCapture::snapshot() {
    logDropped();
    describe(nullptr);  // they would be copied and sorted for each snapshot
    return m_builder.snapshot(true);
}

std::shared_ptr<const trace::Trace> LiveCapture::finish() {
    for (const auto& part : m_parts) {
        const bool single = m_parts.size() == 1 || (processes() == 1 && part->isOfProcess());
        part->finish(m_builder.log(), !single);
    }
    logUnreadable();
    logDropped();
    const auto known = calls();
    addRanges(m_builder, *known);
    describe(known);
    return m_builder.finish();
}

}  // namespace kinetoscope::import::capture
