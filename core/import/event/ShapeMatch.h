// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/event/EventShape.h"
#include "core/import/scan/Decimal.h"
#include "core/import/scan/NestScan.h"

namespace kinetoscope::import::event {

template <class Digits>
[[nodiscard, gnu::always_inline]] inline const char* skipDigits(const char* at) {
    int count = Digits::count(at);
    while (count == Digits::kMax) {
        at += count;
        count = Digits::count(at);
    }
    return at + count;
}

/// An optional minus, digits, an optional fraction; null for anything else.
template <class Digits>
[[nodiscard, gnu::always_inline]] inline const char* skipPlainNumber(const char* at) {
    at += *at == '-' ? 1 : 0;
    const char* end = skipDigits<Digits>(at);
    if (end == at || *end != '.') {
        return end == at ? nullptr : end;
    }
    at = end + 1;
    end = skipDigits<Digits>(at);
    return end == at ? nullptr : end;
}

/// Compares a text with a shape and takes its values. That a number ends where it seems to is seen
/// when the literal behind it is compared.
template <class Block, class Digits>
class ShapeMatch {
public:
    /// Behind the event at `at`, or null when it has another shape. Only the last place is compared
    /// with `end`: the zeros behind the text stop whatever runs on.
    [[nodiscard]] static const char* match(EventShape& shape, const char* at, const char* end,
                                           RawEvent& event) {
        event.begin = at;
        for (const ShapeStep* step = shape.steps.data(); at != nullptr; ++step) {
            if (!Block::same(at, step->literal, step->size)) {
                return nullptr;
            }
            at += step->size;
            const auto field = static_cast<std::size_t>(step->field);
            switch (step->slot) {
                case ShapeSlot::End:
                    return at <= end ? finished(shape, at, event) : nullptr;
                case ShapeSlot::Microseconds:
                    at = scan::fastMicroseconds<Digits>(at, event.number[field]);
                    break;
                case ShapeSlot::Integer:
                    at = scan::fastInteger<Digits>(at, event.number[field]);
                    break;
                case ShapeSlot::ArgumentInteger:
                    at = scan::fastInteger<Digits>(at, *step->number);
                    break;
                case ShapeSlot::Text:
                    at = text(at, event.text[field]);
                    break;
                case ShapeSlot::Number:
                    at = numberText(at, event.text[field]);
                    break;
                case ShapeSlot::IgnoredNumber:
                    at = skipPlainNumber<Digits>(at);
                    break;
                case ShapeSlot::RestWithoutIds:
                    // Directly behind an id, nothing else looks at where that ends.
                    at = step->size == 0 && !scan::endsMember(*at)
                             ? nullptr
                             : rest<scan::Refuse::IdKeys>(at, end);
                    break;
                case ShapeSlot::Rest:
                    at = rest<scan::Refuse::Nothing>(at, end);
                    break;
                default:
                    at = rareValue(*step, at, end, shape);
            }
        }
        return nullptr;
    }

private:
    [[gnu::always_inline]] static const char* finished(const EventShape& shape, const char* at,
                                                       RawEvent& event) {
        event.end = at;
        event.present = shape.present;
        event.decoded = shape.decoded;
        event.arguments = &shape.arguments;
        event.shape = shape.id;
        for (const auto& [field, text] : shape.constants) {
            event.text[static_cast<std::size_t>(field)] = text;
        }
        return at;
    }

    // To the end of "args".
    template <scan::Refuse refused>
    [[gnu::always_inline]] static const char* rest(const char* at, const char* end) {
        scan::JsonText flags;
        scan::NestScan<Block, '{', refused> scan(flags);
        const char* behind = clean(scan.run(at, end, 1), flags);
        // Beside inner objects ids are looked for member by member, which also finds damage.
        return refused == scan::Refuse::IdKeys && flags.nested ? nullptr : behind;
    }

    [[gnu::noinline]] static const char* rareValue(const ShapeStep& step, const char* at,
                                                   const char* end, EventShape& shape) {
        scan::JsonText text;
        switch (step.slot) {
            case ShapeSlot::ArgumentTriple:
                return triple(at, step.number);
            case ShapeSlot::IgnoredText:
                return ShapeMatch::text(at, text);
            case ShapeSlot::ArgumentText:
                return plainText(at, text);
            case ShapeSlot::KernelName:
                return plainText(at, shape.arguments.kernelName);
            case ShapeSlot::ArgumentArray: {
                scan::NestScan<Block, '[', scan::Refuse::Braces> scan(text);
                return *at == '[' ? clean(scan.run(at, end, 0), text) : nullptr;
            }
            case ShapeSlot::ArgumentDecimal:
                return decimal(at, *step.number);
            default:
                return nullptr;
        }
    }

    // Between the quotes; the closing one belongs to the next literal.
    [[gnu::always_inline]] static const char* text(const char* at, scan::JsonText& text) {
        text = {.data = at, .kind = scan::JsonKind::String};
        const char* quote = scan::stringEnd(at, text);
        text.size = static_cast<std::uint32_t>(quote - at);
        return quote;
    }

    static const char* plainText(const char* at, scan::JsonText& text) {
        const char* quote = ShapeMatch::text(at, text);
        return text.escaped || text.nonAscii ? nullptr : quote;
    }

    [[gnu::always_inline]] static const char* numberText(const char* at, scan::JsonText& text) {
        const char* end = skipPlainNumber<Digits>(at);
        if (end != nullptr) {
            text = {.data = at,
                    .size = static_cast<std::uint32_t>(end - at),
                    .kind = scan::JsonKind::Number};
        }
        return end;
    }

    static const char* decimal(const char* at, std::int64_t& number) {
        scan::JsonText text;
        const char* end = numberText(at, text);
        const auto value = end == nullptr ? std::nullopt : integerOf(text);
        // The number is the one of the event before: what has none is the generic reader's.
        return value ? (number = *value, end) : nullptr;
    }

    static const char* triple(const char* at, std::int64_t* numbers) {
        if (*at != '[') {
            return nullptr;
        }
        for (int part = 0; part < 3; ++part) {
            at = scan::fastInteger<Digits>(scan::skipSpace(at + 1), numbers[part]);
            at = at == nullptr ? nullptr : scan::skipSpace(at);
            if (at == nullptr || *at != (part < 2 ? ',' : ']')) {
                return nullptr;
            }
        }
        return at + 1;
    }

    // Escapes and other languages in "args" have to be checked: the generic reader sees to it.
    [[gnu::always_inline]] static const char* clean(const scan::Skipped& skipped,
                                                    const scan::JsonText& flags) {
        return skipped.complete && !flags.escaped && !flags.nonAscii ? skipped.at : nullptr;
    }
};

}  // namespace kinetoscope::import::event
