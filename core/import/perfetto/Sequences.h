// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/StringPool.h"
#include "core/import/event/HistoricalSpellings.h"
#include "core/import/perfetto/Packets.h"
#include "core/import/wire/IdTable.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::perfetto {

/// A text that packets of one sequence refer to by a number.
struct Interned {
    std::string text;
    std::string more;  ///< description of a stage, linker's name of a kernel
    NameId id = kEmptyName;
    event::Argument argument = event::Argument::None;  ///< of names of annotations
};

/// How far a sequence's state has come: what numbers mean depends on it.
struct StateMark {
    std::uint32_t generation = 1;  ///< counts the times it was cleared
    std::uint32_t told = 0;        ///< counts what numbers were given to mean
};

/// All that a number of a sequence has meant, so that an event can be worded again.
class InternedId {
public:
    /// What events at that mark mean by the number; null if that is not known, or not any more.
    [[nodiscard]] const Interned* at(StateMark mark) const {
        const auto after = std::ranges::upper_bound(m_told, mark.told, {}, &Told::since);
        const bool known =
            after != m_told.begin() && std::prev(after)->generation == mark.generation;
        return known ? &m_meanings[std::prev(after)->meaning] : nullptr;
    }
    [[nodiscard]] const Interned* last() const {
        return m_meanings.empty() ? nullptr : &m_meanings.back();
    }
    void add(Interned meaning) { m_meanings.push_back(std::move(meaning)); }
    /// From here on the number has its last meaning.
    void tell(StateMark& mark);

private:
    struct Told {
        std::uint32_t since = 0;
        std::uint32_t generation = 0;
        std::uint32_t meaning = 0;
    };

    std::vector<Interned> m_meanings;
    std::vector<Told> m_told;  // in this order
};
using InternedTable = wire::IdTable<InternedId>;

/// What the packets of one writer share.
struct Sequence {
    InternedTable categories;
    InternedTable names;
    InternedTable annotationNames;
    InternedTable annotationTexts;
    InternedTable stages;  ///< stages and queues of GPUs
    InternedTable kernels;
    InternedTable launchArguments;
    StateMark state;
    bool intact = false;  ///< its state is known since the last loss
    std::optional<std::uint64_t> defaultTrack;
    std::uint32_t defaultClock = 0;
    std::int64_t pid = -1;  ///< of its process and thread, as older writers have them
    std::int64_t tid = -1;
    std::int64_t timeUs = 0;  ///< of older writers' deltas
};

class Sequences {
public:
    explicit Sequences(trace::TraceBuilder& builder) : m_builder(builder) {}

    /// The packet's sequence, with the packet's changes to its state. Null if the packet needs a
    /// state that is lost.
    [[nodiscard]] Sequence* enter(const Packet& packet);
    [[nodiscard]] std::unordered_map<std::uint32_t, Sequence>& all() { return m_sequences; }

private:
    void intern(Sequence& sequence, std::string_view message);
    void internText(Sequence& sequence, InternedTable& table, std::string_view message,
                    std::uint32_t moreTag = 0);

    trace::TraceBuilder& m_builder;
    std::unordered_map<std::uint32_t, Sequence> m_sequences;
    std::string m_storage;
};

/// The argument that an annotation's name stands for, in Kineto's and ROCm's spelling and that of
/// the stages of GPUs.
[[nodiscard]] event::Argument argumentOfName(std::string_view name);

}  // namespace kinetoscope::import::perfetto
