// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/PacketText.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "core/import/event/HistoricalSpellings.h"
#include "core/import/event/WordedEvents.h"
#include "core/import/perfetto/Events.h"
#include "core/import/perfetto/Packets.h"
#include "core/import/wire/EventWords.h"
#include "core/import/wire/FieldBytes.h"
#include "core/import/wire/WholeText.h"

namespace kinetoscope::import::perfetto {

namespace {

// Hands events out, and before the first one of a row its names.
class Listing {
public:
    explicit Listing(const trace::EventText::TakeEvent& take) : m_take(take) {}

    void hand(char phase, std::uint64_t offset, TimeNs time, const std::string& json) {
        if (m_result) {
            trace::ListedEvent listed;
            listed.offset = offset;
            listed.json = json;
            listed.phase = phase;
            listed.time = phase == 'X' || phase == 'M' ? std::nullopt : std::optional(time);
            m_result = m_take(listed);
        }
    }
    void nameRow(const RowWords& row, std::uint64_t offset) {
        if (!m_rows.insert(&row).second) {
            return;
        }
        const ProcessWords& process = *row.process;
        if (m_processes.insert(&process).second) {
            name("process_name", process.pid, {}, "name", process.name, offset);
            name("process_labels", process.pid, {}, "labels", process.labels, offset);
        }
        if (!row.isCounter) {
            name("thread_name", process.pid, row.tid, "name", row.name, offset);
        }
    }
    [[nodiscard]] const Result<void>& result() const { return m_result; }

private:
    void name(std::string_view what, const std::string& pid, const std::string& tid,
              std::string_view key, const std::string& text, std::uint64_t offset) {
        if (!text.empty()) {
            // No event stands at such an offset.
            hand('M', offset + 1, 0, m_words.metadata(what, pid, tid, key, wire::quoted(text)));
        }
    }

    const trace::EventText::TakeEvent& m_take;
    Result<void> m_result;
    wire::EventWords m_words;
    std::unordered_set<const RowWords*> m_rows;  // that are named
    std::unordered_set<const ProcessWords*> m_processes;
};

class PacketText final : public event::FileEvents {
public:
    PacketText(const source::InputFile& file, PacketFacts facts)
        : event::FileEvents(file), m_facts(std::move(facts)) {
        std::ranges::sort(m_facts.rows, {}, &EventRow::offset);
        std::ranges::stable_sort(m_facts.samples, {}, &trace::CounterSample::offset);
    }

private:
    [[nodiscard]] const EventRow* rowAt(std::uint64_t offset) const {
        const auto row = std::ranges::lower_bound(m_facts.rows, offset, {}, &EventRow::offset);
        return row != m_facts.rows.end() && row->offset == offset ? &*row : nullptr;
    }
    [[nodiscard]] std::span<const trace::CounterSample> samplesAt(std::uint64_t offset) const {
        return std::ranges::equal_range(m_facts.samples, offset, {}, &trace::CounterSample::offset);
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
            packet.offset = offsets[i];
            if (!bytes.read(offsets[i], m_facts.textBytes, field) ||
                !readPacket(field.bytes, packet) || !word(packet, words)) {
                return changed();
            }
            take(i, words.close());
        }
        std::size_t next = plain;
        if (next == offsets.size()) {
            return {};
        }
        const auto taken = forEachPacket(
            [&](const Packet& packet) {
                for (; next < offsets.size() && offsets[next] == packet.offset; ++next) {
                    if (word(packet, words)) {
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

    // These leave the object open. False if there is no event.
    [[nodiscard]] bool word(const Packet& packet, wire::EventWords& words) const {
        if (const EventRow* row = rowAt(packet.offset)) {
            static_cast<void>(wordEvent(packet, *row, words));
            return true;
        }
        const auto samples = samplesAt(packet.offset);
        if (samples.size() == 1) {
            wordSample(samples.front(), words);
        } else if (!samples.empty()) {
            wordSamples(samples, words);
        }
        return !samples.empty();
    }

    // Returns its phase.
    [[nodiscard]] char wordEvent(const Packet& packet, const EventRow& row,
                                 wire::EventWords& words) const {
        const auto known = m_facts.sequences.find(packet.sequence);
        static const Sequence kNone;
        const EventReader reader(known == m_facts.sequences.end() ? kNone : known->second,
                                 row.state);
        Event event;
        const bool stage = packet.trackEvent.empty();
        static_cast<void>(stage ? reader.renderStage(packet.renderStage, event)
                                : reader.trackEvent(packet.trackEvent, event));
        if (event.ownCorrelation) {
            event.arguments.correlation =
                m_facts.tracks.correlation(row.uuid, event.arguments.correlation);
        }
        std::string category(event.category.view());
        const auto kind = stage ? std::optional(event.gpuCategory)
                                : event::categoryOfSpelling(category, event.name.view());
        if (kind) {
            category = trace::categoryName(*kind);
        }
        const RowWords& place = m_facts.rowWords[row.track];
        const char phase = event.kind == EventKind::Instant && !stage ? 'i' : 'X';
        const bool onGpu = stage || (kind && trace::isGpuOperation(*kind));
        if (onGpu && phase == 'X') {
            event.arguments.device = place.gpu;
            event.arguments.stream = place.stream;
        }
        words.open(phase, category, event.name.view(), place.process->pid, place.tid);
        words.time(row.start);
        if (phase == 'X') {
            words.duration(row.duration);
        }
        wordArguments(event.arguments, onGpu, words);
        if (stage) {
            reader.wordExtras(packet.renderStage, words);
        } else {
            reader.wordAnnotations(packet.trackEvent, words);
        }
        return phase;
    }

    void wordSample(const trace::CounterSample& sample, wire::EventWords& words) const {
        const RowWords& place = m_facts.rowWords[sample.track];
        words.open('C', {}, place.name, place.process->pid, {});
        words.time(sample.time);
        words.real({}, sample.value);
    }

    // Those of one packet as one event.
    void wordSamples(std::span<const trace::CounterSample> samples, wire::EventWords& words) const {
        words.open('C', {}, "GPU counters", m_facts.rowWords[samples.front().track].process->pid,
                   {});
        words.time(samples.front().time);
        for (const trace::CounterSample& sample : samples) {
            words.real(m_facts.rowWords[sample.track].name, sample.value);
        }
    }

    void wordFlow(const trace::FlowPoint& flow, wire::EventWords& words) const {
        const RowWords& place = m_facts.rowWords[flow.track];
        words.open(flow.phase, kFlow, kFlow, place.process->pid, place.tid);
        words.time(flow.time);
        words.flow(flow.id);
    }

    [[nodiscard]] Result<void> list(const TakeEvent& take, const std::stop_token& stop,
                                    Progress* progress) const override {
        Listing listing(take);
        wire::EventWords words;
        auto read = forEachPacket(
            [&](const Packet& packet) {
                if (const EventRow* row = rowAt(packet.offset)) {
                    const char phase = wordEvent(packet, *row, words);
                    listing.nameRow(m_facts.rowWords[row->track], packet.offset);
                    listing.hand(phase, packet.offset, row->start, words.close());
                }
                for (const trace::CounterSample& sample : samplesAt(packet.offset)) {
                    wordSample(sample, words);
                    listing.nameRow(m_facts.rowWords[sample.track], packet.offset);
                    listing.hand('C', packet.offset, sample.time, words.close());
                }
            },
            stop, progress);
        if (!read) {
            return read;
        }
        constexpr std::uint64_t kBehind = std::numeric_limits<std::uint64_t>::max();  // all slices
        for (const trace::FlowPoint& flow : m_facts.flows) {
            wordFlow(flow, words);
            listing.hand(flow.phase, kBehind, flow.time, words.close());
        }
        return listing.result();
    }

    PacketFacts m_facts;
};

}  // namespace

std::shared_ptr<const trace::EventText> makePacketText(const source::InputFile& file,
                                                       PacketFacts facts) {
    return std::make_shared<PacketText>(file, std::move(facts));
}

}  // namespace kinetoscope::import::perfetto
