// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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
    std::uint32_t generation = 0;        ///< valid until the sequence's state is cleared
    std::uint32_t since = 0;             ///< the first generation in which it meant the same
    std::vector<Interned> earlier = {};  ///< what the number meant before, in this order

    /// What events of a generation mean by the number.
    [[nodiscard]] const Interned& at(std::uint32_t then) const {
        const auto after = std::ranges::upper_bound(earlier, then, {}, &Interned::since);
        return then >= since || after == earlier.begin() ? *this : *std::prev(after);
    }
};
using InternedTable = wire::IdTable<Interned>;

/// What the packets of one writer share. A number gets another text when the state is cleared;
/// the one before is kept, so that an event can be worded again.
struct Sequence {
    InternedTable categories;
    InternedTable names;
    InternedTable annotationNames;
    InternedTable annotationTexts;
    InternedTable stages;  ///< stages and queues of GPUs
    InternedTable kernels;
    InternedTable launchArguments;
    std::uint32_t generation = 1;
    bool intact = false;  ///< its state is known since the last loss
    std::optional<std::uint64_t> defaultTrack;
    std::uint32_t defaultClock = 0;
    std::int64_t pid = -1;  ///< of its process and thread, as older writers have them
    std::int64_t tid = -1;
    std::int64_t timeUs = 0;  ///< of older writers' deltas

    /// The entry if it may be referred to now.
    [[nodiscard]] const Interned* find(const InternedTable& table, std::uint64_t id) const {
        const Interned* entry = table.find(id);
        return entry != nullptr && entry->generation == generation ? entry : nullptr;
    }
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
