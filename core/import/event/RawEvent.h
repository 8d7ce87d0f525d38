// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/import/scan/JsonScan.h"

namespace kinetoscope::import::event {

struct EventArguments;

/// The members of an event that have a meaning of their own.
enum class EventField : std::uint8_t {
    Time,      ///< "ts"
    Duration,  ///< "dur"
    Pid,
    Tid,
    Phase,  ///< "ph"
    Category,
    Name,
    Id,
    Id2,
    IdScope,  ///< "scope": a name space of ids
    Scope,    ///< "s": of instants
    Args,
};

inline constexpr std::size_t kEventFields = 12;
inline constexpr std::size_t kNumberFields = 4;  ///< Time to Tid

/// One element of traceEvents as views into the text it was read from.
struct RawEvent {
    std::uint64_t offset = 0;
    const char* begin = nullptr;
    const char* end = nullptr;
    std::uint32_t present = 0;  ///< bit per EventField
    std::uint32_t decoded = 0;  ///< bit per number field: `number` holds it (times in ns)
    std::array<std::int64_t, kNumberFields> number{};
    std::array<scan::JsonText, kEventFields> text{};
    /// The members of "args" that have columns, if the reader has parsed them already.
    const EventArguments* arguments = nullptr;
    /// Events of the same EventShape have the same phase and category; 0: not known by shape.
    std::uint32_t shape = 0;

    void clear() {
        present = 0;
        decoded = 0;
        arguments = nullptr;
        shape = 0;
    }
    [[nodiscard]] bool has(EventField field) const { return (present >> index(field) & 1U) != 0; }
    /// The value as written; without data when the event has none or it is decoded already.
    [[nodiscard]] const scan::JsonText& operator[](EventField field) const {
        static constexpr scan::JsonText kNone;
        return ((present & ~decoded) >> index(field) & 1U) != 0 ? text[index(field)] : kNone;
    }

    void set(EventField field, const scan::JsonText& value) { place(field) = value; }
    /// Where to write the field's value; marks it present.
    [[nodiscard]] scan::JsonText& place(EventField field) {
        present |= 1U << index(field);
        decoded &= ~(1U << index(field));
        return text[index(field)];
    }
    void setNumber(EventField field, std::int64_t value) {
        number[index(field)] = value;
        present |= 1U << index(field);
        decoded |= 1U << index(field);
    }
    [[nodiscard]] std::optional<std::int64_t> decodedNumber(EventField field) const {
        return (decoded >> index(field) & 1U) != 0 ? std::optional(number[index(field)])
                                                   : std::nullopt;
    }

private:
    static constexpr std::size_t index(EventField field) { return static_cast<std::size_t>(field); }
};

/// The one character of "ph"; 0 if it is another text, or none.
[[nodiscard]] char phaseOf(const RawEvent& event);

/// The field a key names; nullopt for keys without a meaning here.
[[nodiscard]] std::optional<EventField> eventField(std::string_view key);

struct ReadResult {
    const char* at = nullptr;  ///< behind the event, or where reading stopped
    bool complete = false;
};

}  // namespace kinetoscope::import::event
