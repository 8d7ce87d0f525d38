// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/EventShape.h"

#include <algorithm>
#include <atomic>

#include "core/import/event/GenericReader.h"
#include "core/import/event/HistoricalSpellings.h"
#include "core/import/scan/Decimal.h"

namespace kinetoscope::import::event {

namespace {

using namespace scan;

constexpr std::size_t kMaxTextLength = 4096;
constexpr std::size_t kMaxSteps = 48;
constexpr std::size_t kLiteralPadding = 64;

// An optional minus, digits, an optional fraction; null for anything else.
const char* plainNumberEnd(const char* at) {
    at += *at == '-' ? 1 : 0;
    const char* digits = at;
    while (scan::isDigit(*at)) {
        ++at;
    }
    if (at == digits) {
        return nullptr;
    }
    if (*at != '.') {
        return at;
    }
    const char* fraction = ++at;
    while (scan::isDigit(*at)) {
        ++at;
    }
    return at == fraction ? nullptr : at;
}

// Events that take nothing from "args" but what EventArguments has. Of instants an allocator's
// totals are taken, which those of the same form without them cannot tell.
bool isLearnable(const RawEvent& event) {
    static constexpr std::string_view kPhases = "XBEstfbeSF";
    static constexpr std::string_view kInstants = "iIRPnTp";
    const scan::JsonText& phase = event[EventField::Phase];
    if (phase.kind != scan::JsonKind::String || phase.size != 1) {
        return false;
    }
    return kPhases.find(*phase.data) != std::string_view::npos ||
           (kInstants.find(*phase.data) != std::string_view::npos && !event.has(EventField::Args));
}

std::int64_t* integerArgument(Argument argument, EventArguments& to) {
    switch (argument) {
        case Argument::Correlation:
            return &to.correlation;
        case Argument::ExternalId:
            return &to.externalId;
        case Argument::Device:
            return &to.device;
        case Argument::Stream:
            return &to.stream;
        case Argument::Registers:
            return &to.registers;
        case Argument::SharedMemory:
            return &to.sharedBytes;
        case Argument::Occupancy:
            return &to.occupancyPercent;
        case Argument::Bytes:
            return &to.bytes;
        case Argument::GraphId:
            return &to.graph;
        default:
            return nullptr;
    }
}

bool isId(Argument argument) {
    return argument == Argument::Correlation || argument == Argument::ExternalId;
}

// Takes one event apart. The text is the shape's own copy.
class ShapeLearner {
public:
    explicit ShapeLearner(EventShape& shape, std::size_t size)
        : m_shape(shape), m_begin(shape.text.data()), m_end(m_begin + size), m_literal(m_begin) {}

    [[nodiscard]] bool run() {
        RawEvent event;
        const ReadResult read = readEvent(m_begin, m_end, event);
        if (!read.complete || read.at != m_end || !isLearnable(event)) {
            return false;
        }
        const scan::JsonText& category = event[EventField::Category];
        if (event.has(EventField::Category) &&
            (category.kind != scan::JsonKind::String || category.escaped || category.nonAscii ||
             spellingNeedsName(category.view()))) {
            return false;
        }
        m_needs = argumentsNeeded(
            categoryOfSpelling(category.view(), event[EventField::Name].view())
                .value_or(category.size == 0 ? trace::Category::None : trace::Category::Other));
        scan::JsonText whole{.data = m_begin,
                             .size = static_cast<std::uint32_t>(m_end - m_begin),
                             .kind = scan::JsonKind::Object};
        bool good = true;
        const bool walked =
            forEachMember(whole, [&](const scan::JsonText& key, const scan::JsonText& value) {
                good = good && member(key, value);
            });
        if (!walked || !good) {
            return false;
        }
        step(ShapeSlot::End, m_end, m_end);
        return m_shape.steps.size() <= kMaxSteps;
    }

private:
    ShapeStep& step(ShapeSlot slot, const char* valueBegin, const char* valueEnd) {
        ShapeStep& step = m_shape.steps.emplace_back();
        step.literal = m_literal;
        step.size = static_cast<std::uint32_t>(valueBegin - m_literal);
        step.slot = slot;
        m_literal = valueEnd;
        return step;
    }

    // The value without its quotes.
    ShapeStep& step(ShapeSlot slot, const scan::JsonText& value) {
        return step(slot, value.data, value.data + value.size);
    }

    bool member(const scan::JsonText& key, const scan::JsonText& value) {
        if (key.escaped) {
            return false;
        }
        const auto field = eventField(key.view());
        if (!field) {
            return ignored(value);
        }
        const std::uint32_t bit = 1U << static_cast<unsigned>(*field);
        if ((m_seen & bit) != 0) {
            return false;
        }
        m_seen |= bit;
        if (*field == EventField::Args) {
            return arguments(value);
        }
        m_shape.present |= bit;
        switch (*field) {
            case EventField::Phase:
            case EventField::Category:
            case EventField::Scope:
            case EventField::IdScope:
                return constant(*field, value);
            case EventField::Time:
            case EventField::Duration:
                return number(*field, value, ShapeSlot::Microseconds, bit);
            case EventField::Pid:
            case EventField::Tid:
                return value.kind == scan::JsonKind::Number
                           ? number(*field, value, ShapeSlot::Integer, bit)
                           : text(*field, value);
            case EventField::Id:
                if (value.kind == scan::JsonKind::Number && plainNumber(value)) {
                    step(ShapeSlot::Number, value).field = *field;
                    return true;
                }
                return text(*field, value);
            case EventField::Name:
                return text(*field, value);
            default:
                return false;
        }
    }

    bool constant(EventField field, const scan::JsonText& value) {
        m_shape.constants.emplace_back(field, value);
        return value.kind == scan::JsonKind::String && !value.escaped && !value.nonAscii;
    }

    bool number(EventField field, const scan::JsonText& value, ShapeSlot slot, std::uint32_t bit) {
        std::int64_t decoded = 0;
        const char* end = slot == ShapeSlot::Integer ? scan::fastInteger(value.data, decoded)
                                                     : scan::fastMicroseconds(value.data, decoded);
        if (value.kind != scan::JsonKind::Number || end != value.data + value.size) {
            return false;
        }
        m_shape.decoded |= bit;
        step(slot, value).field = field;
        return true;
    }

    bool text(EventField field, const scan::JsonText& value) {
        if (value.kind != scan::JsonKind::String) {
            return false;
        }
        step(ShapeSlot::Text, value).field = field;
        return true;
    }

    static bool plainNumber(const scan::JsonText& value) {
        return plainNumberEnd(value.data) == value.data + value.size;
    }

    // A member that means nothing here.
    bool ignored(const scan::JsonText& value) {
        switch (value.kind) {
            case scan::JsonKind::String:
                step(ShapeSlot::IgnoredText, value);
                return true;
            case scan::JsonKind::Number:
                step(ShapeSlot::IgnoredNumber, value);
                return plainNumber(value);
            case scan::JsonKind::Word:
                return true;
            default:
                return false;
        }
    }

    bool arguments(const scan::JsonText& value) {
        if (value.kind != scan::JsonKind::Object || value.escaped || value.nonAscii) {
            return false;
        }
        const char* end = value.data + value.size;
        if (m_needs == ArgumentNeeds::Nothing) {
            step(ShapeSlot::Rest, value.data + 1, end);
            return true;
        }
        // Events that have nothing but ids to give are taken apart up to the last id.
        const char* rest = m_needs == ArgumentNeeds::Everything ? end : value.data + 1;
        bool good = true;
        const auto findRest = [&](const scan::JsonText& key, const scan::JsonText& member) {
            if (m_needs == ArgumentNeeds::Ids && isId(argumentOfSpelling(key.view()))) {
                rest = member.data + member.size;
            }
        };
        const auto take = [&](const scan::JsonText& key, const scan::JsonText& member) {
            if (member.data < rest) {
                good = good && argument(argumentOfSpelling(key.view()), member);
            }
        };
        if (!forEachMember(value, findRest) || !forEachMember(value, take) || !good) {
            return false;
        }
        if (rest != end) {
            step(ShapeSlot::RestWithoutIds, rest, end);
        }
        return true;
    }

    bool argument(Argument argument, const scan::JsonText& value) {
        if (m_needs == ArgumentNeeds::Ids && !isId(argument)) {
            argument = Argument::None;
        }
        if (argument == Argument::Grid || argument == Argument::Block) {
            step(ShapeSlot::ArgumentTriple, value.data, value.data + value.size).number =
                argument == Argument::Grid ? m_shape.arguments.grid.data()
                                           : m_shape.arguments.block.data();
            return value.kind == scan::JsonKind::Array;
        }
        if (argument == Argument::KernelName) {
            step(ShapeSlot::KernelName, value);
            return value.kind == scan::JsonKind::String;
        }
        m_shape.arguments.collective |= argument == Argument::CollectiveName;
        if (std::int64_t* number = integerArgument(argument, m_shape.arguments)) {
            return integer(value, number);
        }
        switch (value.kind) {
            case scan::JsonKind::Array:
                step(ShapeSlot::ArgumentArray, value);
                return true;
            case scan::JsonKind::String:
                step(ShapeSlot::ArgumentText, value);
                return true;
            default:
                return ignored(value);
        }
    }

    bool integer(const scan::JsonText& value, std::int64_t* number) {
        if (value.kind != scan::JsonKind::Number || !plainNumber(value)) {
            return false;
        }
        std::int64_t fast = 0;
        const bool isInteger = scan::fastInteger(value.data, fast) == value.data + value.size;
        step(isInteger ? ShapeSlot::ArgumentInteger : ShapeSlot::ArgumentDecimal, value).number =
            number;
        return true;
    }

    EventShape& m_shape;
    const char* m_begin;
    const char* m_end;
    const char* m_literal;
    std::uint32_t m_seen = 0;
    ArgumentNeeds m_needs = ArgumentNeeds::Nothing;
};

}  // namespace

std::unique_ptr<EventShape> learnShape(const RawEvent& event) {
    const auto size = static_cast<std::size_t>(event.end - event.begin);
    if (size > kMaxTextLength) {
        return nullptr;
    }
    static std::atomic<std::uint32_t> lastId{0};
    auto shape = std::make_unique<EventShape>();
    shape->id = lastId.fetch_add(1, std::memory_order_relaxed) + 1;
    shape->text.assign(event.begin, size);
    shape->text.append(std::max(kLiteralPadding, scan::kTextPadding), '\0');
    return ShapeLearner(*shape, size).run() ? std::move(shape) : nullptr;
}

}  // namespace kinetoscope::import::event
