// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/PacketText.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/import/event/WordedEvents.h"
#include "core/import/perfetto/Events.h"
#include "core/import/perfetto/Packets.h"
#include "core/import/wire/EventWords.h"
#include "core/import/wire/FieldBytes.h"
#include "core/import/wire/WholeText.h"

namespace kinetoscope::import::perfetto {

namespace {

// An event as a row of JSON has it.
struct Worded {
    char phase = 'X';
    std::string pid;
    std::string tid;
    std::string_view processName;
    std::string_view threadName;  // of streams: by the tid
    std::int64_t gpu = -1;
    bool onGpu = false;
};

class PacketText final : public event::FileEvents {
public:
    PacketText(const source::InputFile& file, PacketFacts facts)
        : event::FileEvents(file), m_facts(std::move(facts)) {
        std::ranges::sort(m_facts.rows, {}, &EventRow::offset);
    }

private:
    [[nodiscard]] const EventRow* rowAt(std::uint64_t offset) const {
        const auto row = std::ranges::lower_bound(m_facts.rows, offset, {}, &EventRow::offset);
        return row != m_facts.rows.end() && row->offset == offset ? &*row : nullptr;
    }

    [[nodiscard]] Result<void> readEvents(std::span<const std::uint64_t> offsets,
                                          const Take& take) const override {
        auto source = open();
        if (!source) {
            return tl::unexpected(source.error());
        }
        // Compressed packets are placed after the text, and found only by unpacking them again.
        const auto unpacked = std::ranges::lower_bound(offsets, m_facts.textBytes);
        const auto plain = static_cast<std::size_t>(unpacked - offsets.begin());
        wire::FieldBytes bytes(**source);
        wire::EventWords words;
        for (std::size_t i = 0; i < plain; ++i) {
            wire::Field field;
            Packet packet;
            const EventRow* row = rowAt(offsets[i]);
            if (row == nullptr || !bytes.read(offsets[i], m_facts.textBytes, field) ||
                !readPacket(field.bytes, packet)) {
                return changed();
            }
            static_cast<void>(word(packet, *row, words));
            take(i, words.close());
        }
        std::size_t next = plain;
        if (next == offsets.size()) {
            return {};
        }
        const auto taken = forEachPacket(
            [&](const Packet& packet) {
                for (; next < offsets.size() && offsets[next] == packet.offset; ++next) {
                    if (const EventRow* row = rowAt(packet.offset)) {
                        static_cast<void>(word(packet, *row, words));
                        take(next, words.close());
                    }
                }
            },
            {}, nullptr);
        return taken && next < offsets.size() ? changed() : taken;
    }

    template <class Visit>
    [[nodiscard]] Result<void> forEachPacket(Visit&& visit, const std::stop_token& stop,
                                             Progress* progress) const {
        auto source = open();
        if (!source) {
            return tl::unexpected(source.error());
        }
        wire::WholeText whole;
        const auto text = whole.load(**source, stop, progress);
        if (!text) {
            return changed();
        }
        trace::IssueCounter issues;
        PacketReader reader(*text, issues);
        Packet packet;
        while (reader.next(packet)) {
            throwIfStopped(stop);
            visit(packet);
        }
        return {};
    }

    // Leaves the object open.
    [[nodiscard]] Worded word(const Packet& packet, const EventRow& row,
                              wire::EventWords& words) const {
        const auto known = m_facts.sequences.find(packet.sequence);
        static const Sequence kNone;
        const Sequence& sequence = known == m_facts.sequences.end() ? kNone : known->second;
        const EventReader reader(sequence, row.state);
        Event event;
        Worded worded;
        if (packet.trackEvent.empty() && packet.renderStage.empty()) {
            return wordCounters(packet, row, words);
        }
        const bool stage = packet.trackEvent.empty();
        static_cast<void>(stage ? reader.renderStage(packet.renderStage, event)
                                : reader.trackEvent(packet.trackEvent, event));
        const std::uint64_t uuid = stage ? 0 : uuidOf(event, sequence);
        if (event.ownCorrelation) {
            event.arguments.correlation =
                m_facts.tracks.correlation(uuid, event.arguments.correlation);
        }
        const Row place = m_facts.tracks.rowOf(uuid, sequence.pid);
        std::string category(event.category.view());
        const auto kind =
            stage ? std::optional(event.gpuCategory) : categoryOf(category, event.name.view());
        if (kind) {
            category = trace::categoryName(*kind);
        }
        const bool onGpu = worded.onGpu = stage || (kind && trace::isGpuOperation(*kind));
        worded.phase = event.kind == EventKind::Counter             ? 'C'
                       : event.kind == EventKind::Instant && !stage ? 'i'
                                                                    : 'X';
        worded.pid = place.textPid ? wire::quoted(m_facts.tracks.text(place.pidText))
                                   : std::to_string(place.pid);
        worded.tid = std::to_string(place.tid);
        const std::string_view rowName = m_facts.tracks.text(place.name);
        worded.threadName = rowName;
        worded.processName = m_facts.tracks.processName(place.pid);
        if (onGpu) {
            const GpuPlace gpu =
                gpuPlaceOf(event.arguments, stage ? nullptr : m_facts.tracks.find(uuid), uuid);
            event.arguments.device = worded.gpu = gpu.gpu;
            event.arguments.stream = gpu.stream;
            worded.pid = std::to_string(gpu.gpu);
            worded.tid = std::to_string(gpu.stream);
            worded.processName = {};
        }
        const bool counter = worded.phase == 'C';
        words.open(worded.phase, counter ? std::string_view{} : std::string_view(category),
                   counter ? rowName : event.name.view(), worded.pid,
                   counter ? std::string_view{} : std::string_view(worded.tid));
        words.time(row.start);
        if (counter) {
            words.real("value", event.value.value_or(0.0));
            return worded;
        }
        if (worded.phase == 'X') {
            words.duration(row.duration);
        }
        wordArguments(event.arguments, onGpu, words);
        if (stage) {
            reader.wordExtras(packet.renderStage, words);
        } else {
            reader.wordAnnotations(packet.trackEvent, words);
        }
        return worded;
    }

    [[nodiscard]] Worded wordCounters(const Packet& packet, const EventRow& row,
                                      wire::EventWords& words) const {
        Worded worded;
        worded.phase = 'C';
        worded.pid = "0";
        wire::forEachField(packet.gpuCounters, [&](const wire::Field& field) {
            worded.pid = field.tag == 3 ? std::to_string(field.integer()) : worded.pid;
        });
        words.open('C', {}, "GPU counters", worded.pid, {});
        words.time(row.start);
        wire::forEachField(packet.gpuCounters, [&](const wire::Field& field) {
            std::uint64_t counter = 0;
            double value = 0.0;
            wire::forEachField(
                field.tag == 2 ? field.bytes : std::string_view{}, [&](const wire::Field& member) {
                    if (member.tag == 1) {
                        counter = member.number;
                    } else {
                        value =
                            member.tag == 3 ? member.real() : static_cast<double>(member.integer());
                    }
                });
            if (field.tag == 2) {
                words.real(std::to_string(counter), value);
            }
        });
        return worded;
    }

    [[nodiscard]] Result<void> list(const TakeEvent& take, const std::stop_token& stop,
                                    Progress* progress) const override {
        Result<void> result;
        wire::EventWords words;
        wire::EventWords metadata;
        std::set<std::string> named;
        const auto hand = [&](char phase, const EventRow& row, const std::string& json) {
            trace::ListedEvent listed;
            listed.offset = row.offset + (phase == 'M' ? 1 : 0);  // no event stands there
            listed.json = json;
            listed.phase = phase;
            listed.time = phase == 'i' || phase == 'C' ? std::optional(row.start) : std::nullopt;
            result = result ? take(listed) : result;
        };
        const auto name = [&](const Worded& worded, const EventRow& row) {
            const auto tell = [&](std::string_view what, const std::string& tid,
                                  std::string_view key, std::string_view text) {
                if (!text.empty() &&
                    named.insert(fmt::format("{} {} {}", what, worded.pid, tid)).second) {
                    hand('M', row,
                         metadata.metadata(what, worded.pid, tid, key, wire::quoted(text)));
                }
            };
            tell("process_name", {}, "name", worded.processName);
            tell("process_labels", {}, "labels",
                 worded.gpu < 0 ? std::string() : fmt::format("GPU {}", worded.gpu));
            tell("thread_name", worded.tid, "name",
                 worded.phase == 'C' ? std::string_view{}
                 : worded.onGpu      ? std::string_view(fmt::format("stream {}", worded.tid))
                                     : worded.threadName);
        };
        const auto read = forEachPacket(
            [&](const Packet& packet) {
                const EventRow* row = rowAt(packet.offset);
                if (row == nullptr || !result) {
                    return;
                }
                const Worded worded = word(packet, *row, words);
                name(worded, *row);
                hand(worded.phase, *row, words.close());
            },
            stop, progress);
        return read ? result : read;
    }

    PacketFacts m_facts;
};

}  // namespace

std::shared_ptr<const trace::EventText> makePacketText(const source::InputFile& file,
                                                       PacketFacts facts) {
    return std::make_shared<PacketText>(file, std::move(facts));
}

}  // namespace kinetoscope::import::perfetto
