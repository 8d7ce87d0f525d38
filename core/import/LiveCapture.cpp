// SPDX-License-Identifier: Apache-2.0
#include "core/import/LiveCapture.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/import/CaptureEventText.h"
#include "core/import/CaptureTrace.h"
#include "core/import/InputFile.h"
#include "core/stream/CaptureFolder.h"
#include "core/stream/ChunkReader.h"

namespace kinetoscope {

using namespace capture;

namespace {

constexpr std::size_t kReadBytes = 4U << 20;
constexpr std::uint64_t kMostInOnePoll = 64U << 20;
// Events of the part n have their place in the file plus n times this.
constexpr int kOffsetBits = 44;
constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;

class EventTexts final : public EventText {
public:
    explicit EventTexts(std::vector<std::shared_ptr<const EventText>> texts)
        : m_texts(std::move(texts)) {}
    [[nodiscard]] Result<std::string> event(std::uint64_t offset) const override {
        const std::uint64_t part = offset >> kOffsetBits;
        return part < m_texts.size() ? m_texts[part]->event(offset & kOffsetMask)
                                     : Result<std::string>(fail("there is no such event"));
    }

private:
    std::vector<std::shared_ptr<const EventText>> m_texts;
};

}  // namespace

/// One capture file and how far it is read.
class LiveCapture::Part {
public:
    Part(std::shared_ptr<const InputFile> file, TraceBuilder& builder, std::size_t index)
        : m_file(std::move(file)),
          m_trace(builder, static_cast<std::uint64_t>(index) << kOffsetBits),
          m_decoder(m_trace) {}

    /// Returns the bytes read; what is no whole chunk yet is read again the next time.
    std::uint64_t read(std::string& bytes, std::unique_ptr<CapturePlacer>& placer,
                       const std::stop_token& stop, std::uint64_t most) {
        std::uint64_t total = 0;
        std::size_t wanted = kReadBytes;
        while (m_problem.empty() && total < most && !stop.stop_requested()) {
            bytes.resize(wanted);
            const std::int64_t count = m_file->read(bytes.data(), bytes.size(), m_position);
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

    void finish(ImportLog& log) {
        m_decoder.finish();
        if (!m_problem.empty()) {
            log.add("capture_unreadable", Severity::DataLoss, 0, m_problem);
            return;
        }
        log.events += m_decoder.records();
        log.skipped += m_decoder.lost();
        logCapture(log, m_decoder, {m_position, m_reader.chunks(), m_damage, m_rest > 0},
                   m_trace.earlyWork());
    }

    [[nodiscard]] const CaptureDecoder& decoder() const { return m_decoder; }
    [[nodiscard]] const std::shared_ptr<const InputFile>& file() const { return m_file; }
    [[nodiscard]] std::uint64_t position() const { return m_position; }
    [[nodiscard]] bool isReadable() const { return m_problem.empty() && m_placed; }
    /// Why not.
    [[nodiscard]] std::string problem() const {
        return !m_problem.empty() ? m_problem : beginningMissing(m_file->path());
    }

private:
    std::size_t take(std::string_view bytes, std::unique_ptr<CapturePlacer>& placer) {
        std::size_t used = 0;
        Chunk chunk;
        m_damage.clear();
        ChunkStatus status = ChunkStatus::Chunk;
        while (m_problem.empty() &&
               (status = m_reader.next(bytes.substr(used), chunk)) == ChunkStatus::Chunk) {
            accept(chunk, placer);
            used += m_reader.consumed();
            m_position += m_reader.consumed();
        }
        if (status == ChunkStatus::Damaged) {
            m_damage = m_reader.reason();
        }
        return used;
    }

    void accept(const Chunk& chunk, std::unique_ptr<CapturePlacer>& placer) {
        const std::size_t devices = m_decoder.devices().size();
        if (auto accepted = m_decoder.accept(chunk, m_position + chunk.payloadOffset); !accepted) {
            m_problem =
                fmt::format("'{}' cannot be read: {}", m_file->path(), accepted.error().message);
            return;
        }
        const CaptureInfo& info = m_decoder.info();
        if (!m_placed) {
            m_placed = true;  // by the header, without which nothing is accepted
            if (placer == nullptr) {
                placer = std::make_unique<CapturePlacer>(info.baseTimeNs());
            }
            m_placement = placer->add(info, true);
            m_decoder.place(m_placement);
        } else if (m_decoder.devices().size() > devices) {
            placer->addDevice(m_placement, info, m_decoder.devices().back());
            m_decoder.place(m_placement);
        }
    }

    std::shared_ptr<const InputFile> m_file;
    CaptureTrace m_trace;
    CaptureDecoder m_decoder;
    CapturePlacement m_placement;
    bool m_placed = false;
    ChunkReader m_reader;
    std::uint64_t m_position = 0;
    std::size_t m_rest = 0;
    std::string m_damage;   // why what follows is no chunk; it may only not be written whole yet
    std::string m_problem;  // why nothing of the file is of use
};

LiveCapture::LiveCapture(std::string folder) : m_folder(std::move(folder)) {}

LiveCapture::~LiveCapture() = default;

void LiveCapture::findFiles() {
    for (const std::string& path : capturesIn(m_folder)) {
        const bool known = std::ranges::any_of(
            m_parts, [&](const auto& part) { return part->file()->path() == path; });
        if (known) {
            continue;
        }
        if (auto file = InputFile::open(path)) {
            m_parts.push_back(std::make_unique<Part>(std::move(*file), m_builder, m_parts.size()));
        }
    }
}

std::uint64_t LiveCapture::poll(const std::stop_token& stop) {
    findFiles();
    std::uint64_t total = 0;
    for (const auto& part : m_parts) {
        total += part->read(m_bytes, m_placer, stop, kMostInOnePoll / m_parts.size() + 1);
    }
    return total;
}

void LiveCapture::describe() {
    RunInfo& info = m_builder.info();
    info = RunInfo();
    info.path = m_folder;
    info.format = m_parts.size() == 1 ? "Kinetoscope capture"
                                      : fmt::format("{} Kinetoscope captures", m_parts.size());
    std::vector<std::shared_ptr<const EventText>> texts;
    for (const auto& part : m_parts) {
        info.fileBytes += part->position();
        texts.push_back(makeCaptureEventText(part->file(), part->decoder()));
        if (part->isReadable()) {
            describeCapture(info, part->decoder());
        }
    }
    info.textBytes = info.fileBytes;
    if (m_parts.size() > 1) {
        info.distributed.reset();
    }
    m_builder.setEventText(std::make_shared<EventTexts>(std::move(texts)));
}

std::string LiveCapture::problem() const {
    const bool readable =
        std::ranges::any_of(m_parts, [](const auto& part) { return part->isReadable(); });
    return readable || m_parts.empty() ? std::string() : m_parts.front()->problem();
}

std::shared_ptr<const Trace> LiveCapture::snapshot() {
    describe();
    return m_builder.snapshot(true);
}

std::shared_ptr<const Trace> LiveCapture::finish() {
    for (const auto& part : m_parts) {
        part->finish(m_builder.log());
    }
    describe();
    return m_builder.finish();
}

Result<std::shared_ptr<const Trace>> loadRecording(const std::string& folder,
                                                   const std::stop_token& stop,
                                                   Progress* progress) {
    std::uint64_t all = 0;
    for (const std::string& path : capturesIn(folder)) {
        std::error_code error;
        const auto size = std::filesystem::file_size(path, error);
        all += error ? 0 : size;
    }
    if (progress != nullptr) {
        progress->start(all);
    }
    LiveCapture captures(folder);
    std::uint64_t done = 0;
    while (const std::uint64_t got = captures.poll(stop)) {
        done += got;
        if (progress != nullptr) {
            progress->set(done);
        }
    }
    if (stop.stop_requested()) {
        return fail("loading was cancelled", ErrorKind::Cancelled);
    }
    if (captures.captures() == 0) {
        return fail(fmt::format("'{}' is a directory without captures; give a trace file", folder));
    }
    if (auto problem = captures.problem(); !problem.empty()) {
        return fail(std::move(problem));
    }
    return captures.finish();
}

}  // namespace kinetoscope
