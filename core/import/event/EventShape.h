// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/import/event/EventArguments.h"
#include "core/import/event/RawEvent.h"

namespace kinetoscope::import::event {

/// What varies between two literals of a shape.
enum class ShapeSlot : std::uint8_t {
    Microseconds,     ///< a time of the event, as nanoseconds
    Integer,          ///< pid or tid
    Number,           ///< kept as written
    Text,             ///< kept as written, between its quotes
    IgnoredNumber,    ///< no exponent
    IgnoredText,      ///< of a member without a meaning
    ArgumentInteger,  ///< into ShapeStep::number
    ArgumentDecimal,  ///< the same, rounded
    ArgumentTriple,   ///< [x, y, z] into three numbers
    ArgumentText,     ///< ignored; without escapes
    ArgumentArray,    ///< ignored; without objects inside
    KernelName,       ///< without escapes
    RestWithoutIds,   ///< to the end of "args", where no key of an id may come any more
    Rest,             ///< to the end of "args"
    End,              ///< nothing: the literal before it ends the event
};

struct ShapeStep {
    const char* literal = nullptr;   ///< the text before the slot, padded for vector loads
    std::int64_t* number = nullptr;  ///< for arguments
    std::uint32_t size = 0;          ///< of the literal
    ShapeSlot slot = ShapeSlot::End;
    EventField field = EventField::Time;
};

/// The form that many events of a file share: the same text between values that vary. Reading an
/// event of a known shape means comparing that text and taking the values; nothing is searched.
/// Reading writes into `arguments`, so that each reader has shapes of its own.
struct EventShape {
    EventShape() = default;
    EventShape(const EventShape&) = delete;
    EventShape& operator=(const EventShape&) = delete;
    ~EventShape() = default;

    std::uint32_t id = 0;  ///< no other shape of the process has it; not 0
    std::vector<ShapeStep> steps;
    std::uint32_t present = 0;  ///< RawEvent::present of each such event
    std::uint32_t decoded = 0;
    std::vector<std::pair<EventField, scan::JsonText>> constants;  ///< e.g. phase and category
    EventArguments arguments;  ///< members that the shape does not have keep their defaults
    std::string text;          ///< the event it was learned from; literals point into it
};

/// The shape of an event that readEvent() has read; null when it has something that a shape cannot
/// hold, such as a member that occurs twice. A text of that shape is read to the same result by
/// either reader.
[[nodiscard]] std::unique_ptr<EventShape> learnShape(const RawEvent& event);

}  // namespace kinetoscope::import::event
