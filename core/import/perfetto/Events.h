// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/event/EventArguments.h"
#include "core/import/perfetto/Flows.h"
#include "core/import/perfetto/Sequences.h"
#include "core/import/wire/EventWords.h"

namespace kinetoscope::import::perfetto {

enum class EventKind : std::uint8_t { None, Begin, End, Complete, Instant, Counter };

/// A text of an event: written out or interned.
struct Text {
    std::string_view text;
    const Interned* interned = nullptr;

    [[nodiscard]] std::string_view view() const {
        return interned != nullptr ? std::string_view(interned->text) : text;
    }
};

/// One TrackEvent or GpuRenderStageEvent.
struct Event {
    EventKind kind = EventKind::None;
    Text name;
    Text category;  ///< the first of several; of stages what they are called
    std::optional<std::uint64_t> track;
    std::optional<double> value;  ///< of counters
    std::int64_t duration = 0;    ///< ns, of EventKind::Complete
    std::int64_t deltaUs = 0;     ///< older writers' timestamps
    std::optional<std::int64_t> absoluteUs;
    bool hasDelta = false;
    std::optional<std::int64_t> pid;  ///< of older writers: instead of its sequence's
    std::optional<std::int64_t> tid;
    event::EventArguments arguments;
    bool ownCorrelation = false;                          ///< it counts within its process
    trace::Category gpuCategory = trace::Category::None;  ///< of stages
    std::string_view queue;                               ///< of stages: what it is called
    std::vector<FlowEnd> flows = {};
};

/// Reads events of one sequence, as they are met, or later those at a `mark` of its state.
class EventReader {
public:
    explicit EventReader(const Sequence& sequence) : EventReader(sequence, sequence.state) {}
    EventReader(const Sequence& sequence, StateMark mark) : m_sequence(sequence), m_mark(mark) {}

    /// False if the message is damaged.
    [[nodiscard]] bool trackEvent(std::string_view message, Event& event) const;
    [[nodiscard]] bool renderStage(std::string_view message, Event& event) const;

    /// Adds the event's own annotations.
    void wordAnnotations(std::string_view trackEvent, wire::EventWords& words) const;
    void wordExtras(std::string_view renderStage, wire::EventWords& words) const;

private:
    [[nodiscard]] const Interned* find(const InternedTable& table, std::uint64_t id) const {
        const InternedId* entry = table.find(id);
        return entry == nullptr ? nullptr : entry->at(m_mark);
    }
    [[nodiscard]] Text text(const InternedTable& table, std::uint64_t id) const {
        return {{}, find(table, id)};
    }
    void legacyEvent(std::string_view message, Event& event) const;
    void annotation(std::string_view message, event::EventArguments& arguments) const;
    void launch(std::string_view message, event::EventArguments& arguments) const;

    const Sequence& m_sequence;
    StateMark m_mark;
};

/// A uuid for what has none, as unlikely to be a file's own as any other.
[[nodiscard]] std::uint64_t mixedUuid(std::uint64_t kind, std::uint64_t a, std::uint64_t b);

/// Where older writers say that events without a track have happened.
struct Thread {
    std::int64_t pid = 0;
    std::int64_t tid = 0;
};

/// The event's own thread or that of its sequence; nothing if it has a track, or neither.
[[nodiscard]] std::optional<Thread> threadOf(const Event& event, const Sequence& sequence);

/// The track of an event: its own, its sequence's, its thread's as older writers gave it, or the
/// trace's own.
[[nodiscard]] std::uint64_t uuidOf(const Event& event, const Sequence& sequence);

/// Words the arguments that have columns, in Kineto's spelling; `gpu` where they are a GPU's.
void wordArguments(const event::EventArguments& arguments, bool gpu, wire::EventWords& words);

}  // namespace kinetoscope::import::perfetto
