// SPDX-License-Identifier: Apache-2.0
// What PyTorch's flight recorder of collectives wrote on one rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/StringPool.h"
#include "core/base/Time.h"

namespace kinetoscope::flight {

/// One call of a stack; innermost first.
struct Frame {
    NameId function = kEmptyName;
    NameId file = kEmptyName;
    std::int64_t line = 0;

    friend bool operator==(const Frame&, const Frame&) = default;
};

/// The tensors on one side of a call.
struct Tensors {
    std::vector<std::vector<std::int64_t>> sizes;
    std::vector<NameId> types;

    /// Elements of all together; what is negative or beyond 2^63 counts as 0.
    [[nodiscard]] std::int64_t elements() const;
    friend bool operator==(const Tensors&, const Tensors&) = default;
};

enum class State : std::uint8_t {
    Scheduled,  ///< put into the GPU's queue; not started as far as the recorder knows
    Started,
    Completed,
    TimedOut,  ///< given up without having completed
};

/// "scheduled", "started", "completed", "timed out".
[[nodiscard]] std::string_view stateName(State state);

/// One call of a collective or of point-to-point communication.
struct Entry {
    std::int64_t record = -1;  ///< counts up in the dump; the oldest ones are overwritten
    std::uint32_t group = 0;   ///< of Dump::groups
    /// Of a collective within its group: the ranks' calls with one number belong together.
    std::int64_t number = -1;
    NameId kind = kEmptyName;  ///< "all_reduce", "send", "recv"
    State state = State::Scheduled;
    bool pointToPoint = false;
    std::int64_t source = -1;  ///< of a message: ranks within the group
    std::int64_t target = -1;
    TimeNs createdNs = 0;  ///< since 1970; 0: unknown
    TimeNs startedNs = 0;
    TimeNs completedNs = 0;
    std::int64_t timeoutMs = 0;
    std::uint32_t inputs = 0;  ///< of Dump::tensors
    std::uint32_t outputs = 0;
    std::uint32_t stack = 0;  ///< of Dump::stacks
};

/// A process group as the rank knows it.
struct GroupInfo {
    std::string name;
    std::string description;
    std::vector<std::int64_t> ranks;  ///< ascending; empty: unknown
    std::int64_t lastEnqueued = -1;   ///< numbers of collectives; -1: unknown
    std::int64_t lastCompleted = -1;
};

struct Dump {
    std::int64_t rank = -1;
    std::string file;
    std::string version;
    StringPool names;
    std::vector<GroupInfo> groups;
    std::vector<Entry> entries;              ///< by record
    std::vector<Tensors> tensors;            ///< the first has none
    std::vector<std::vector<Frame>> stacks;  ///< the first is empty

    [[nodiscard]] std::string_view name(NameId id) const { return names.view(id); }
    /// Whether nothing was overwritten, so that calls can be counted from the first one.
    [[nodiscard]] bool fromTheStart() const {
        return entries.empty() || entries.front().record == 0;
    }
};

}  // namespace kinetoscope::flight
