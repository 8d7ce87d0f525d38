// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/EventArguments.h"
#include "core/import/scan/SkipNested.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "core/import/event/TolerantReader.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::event {

namespace {

using namespace scan;

void setInteger(const scan::JsonText& value, std::int64_t& target) {
    std::int64_t fast = 0;
    if (value.kind == scan::JsonKind::Number &&
        scan::fastInteger(value.data, fast) == value.data + value.size) {
        target = fast;
    } else if (const auto number = integerOf(value)) {
        target = *number;
    }
}

// [x, y, z]; missing ones stay as they are, what is not a number ends it.
void setTriple(const scan::JsonText& value, std::array<std::int64_t, 3>& target) {
    if (value.kind != scan::JsonKind::Array) {
        return;
    }
    const char* at = value.data + 1;
    for (std::int64_t& part : target) {
        scan::JsonText element;
        at = scan::skipSpace(at);
        const char* next = valueEnd(at, value.data + value.size, element);
        if (next == nullptr || *at == ']') {
            return;
        }
        setInteger(element, part);
        at = scan::skipSpace(next);
        at += *at == ',' ? 1 : 0;
    }
}

void setArgument(Argument argument, const scan::JsonText& value, EventArguments& to) {
    switch (argument) {
        case Argument::None:
            return;
        case Argument::Correlation:
            return setInteger(value, to.correlation);
        case Argument::ExternalId:
            return setInteger(value, to.externalId);
        case Argument::Device:
            return setInteger(value, to.device);
        case Argument::Stream:
            return setInteger(value, to.stream);
        case Argument::Grid:
            return setTriple(value, to.grid);
        case Argument::Block:
            return setTriple(value, to.block);
        case Argument::Registers:
            return setInteger(value, to.registers);
        case Argument::SharedMemory:
            return setInteger(value, to.sharedBytes);
        case Argument::Occupancy:
            return setInteger(value, to.occupancyPercent);
        case Argument::Bytes:
            return setInteger(value, to.bytes);
        case Argument::GraphId:
            return setInteger(value, to.graph);
        case Argument::CollectiveName:
            to.collective = true;
            return;
        case Argument::KernelName:
            to.kernelName = value;
            return;
    }
}

// Numbers, strings and well-formed nests; null for everything else.
const char* usualValueEnd(const char* at, const char* end, scan::JsonText& value) {
    value = {.data = at};
    if (*at == '"') {
        value.kind = scan::JsonKind::String;
        ++value.data;
        at = scan::stringEnd(value.data, value);
        value.size = static_cast<std::uint32_t>(at - value.data);
        return *at == '"' ? at + 1 : nullptr;
    }
    const char* next = nullptr;
    if (*at == '-' || scan::isDigit(*at)) {
        value.kind = scan::JsonKind::Number;
        next = scan::numberEnd(at);
        next = scan::endsMember(*next) ? next : nullptr;
    } else if (*at == '[' || *at == '{') {
        value.kind = *at == '[' ? scan::JsonKind::Array : scan::JsonKind::Object;
        const scan::Skipped skipped = *at == '[' ? scan::skipNested<'['>(at, end, value)
                                                 : scan::skipNested<'{'>(at, end, value);
        next = skipped.complete ? skipped.at : nullptr;
    }
    if (next != nullptr) {
        value.size = static_cast<std::uint32_t>(next - value.data);
    }
    return next;
}

// The id whose key may begin behind the quote at `at`.
void idAt(const char* at, const char* end, EventArguments& arguments) {
    const char* key = at + 1;
    const std::size_t size = *key == 'c' ? std::string_view("correlation").size()
                                         : std::string_view("External id").size();
    if (static_cast<std::size_t>(end - key) <= size || key[size] != '"') {
        return;
    }
    const Argument argument = argumentOfSpelling({key, size});
    const char* colon = scan::skipSpace(key + size + 1);
    if ((argument != Argument::Correlation && argument != Argument::ExternalId) || *colon != ':') {
        return;
    }
    scan::JsonText value;
    if (valueEnd(scan::skipSpace(colon + 1), end, value) != nullptr) {
        setArgument(argument, value, arguments);
    }
}

// Tries every quote before the first letter of an id's key, sixteen bytes at a time.
void findIds(const scan::JsonText& text, EventArguments& arguments) {
    const char* end = text.data + text.size;
    for (const char* at = text.data; at < end; at += 16) {
        const std::uint32_t quotes = scan::Lanes16(at).equal('"');
        const scan::Lanes16 next(at + 1);
        std::uint32_t found = quotes & (next.equal('c') | next.equal('e') | next.equal('E'));
        for (; found != 0; found &= found - 1) {
            idAt(at + __builtin_ctz(found), end, arguments);
        }
    }
}

std::string_view keyOf(const scan::JsonText& key, std::string& storage) {
    return key.escaped ? scan::decodeString(key, storage).text : key.view();
}

template <class T>
T saturated(std::int64_t value) {
    constexpr auto kMax = static_cast<std::int64_t>(std::numeric_limits<T>::max());
    return static_cast<T>(std::clamp<std::int64_t>(value, 0, kMax));
}

template <class T, std::size_t N>
std::array<T, N> saturated(const std::array<std::int64_t, N>& values) {
    std::array<T, N> result{};
    std::ranges::transform(values, result.begin(), [](std::int64_t v) { return saturated<T>(v); });
    return result;
}

}  // namespace

const char* valueEnd(const char* at, const char* end, scan::JsonText& value) {
    // A damaged nest may seem to end behind the event, in whatever of the text is in memory.
    if (const char* next = usualValueEnd(at, end, value); next != nullptr && next <= end) {
        return next;
    }
    SyntaxIssues issues;
    const ReadResult result = readValueTolerantly(at, end, value, issues);
    return result.complete ? result.at : nullptr;
}

ArgumentNeeds argumentsNeeded(trace::Category category) {
    if (trace::isGpuOperation(category)) {
        return ArgumentNeeds::Everything;
    }
    const bool ids = trace::isApiCall(category) || category == trace::Category::CpuOp ||
                     category == trace::Category::UserAnnotation ||
                     category == trace::Category::GpuUserAnnotation ||
                     category == trace::Category::CudaSync ||
                     category == trace::Category::CudaEvent ||
                     // Of other tools: calls and operators, too.
                     category == trace::Category::None || category == trace::Category::Other;
    return ids ? ArgumentNeeds::Ids : ArgumentNeeds::Nothing;
}

void readArguments(const scan::JsonText& text, EventArguments& arguments) {
    std::string storage;
    const bool complete =
        forEachMember(text, [&](const scan::JsonText& key, const scan::JsonText& value) {
            setArgument(argumentOfSpelling(keyOf(key, storage)), value, arguments);
        });
    arguments.malformed = !complete;
}

void readIds(const scan::JsonText& text, EventArguments& arguments) {
    // Without escapes and inner objects, an id's key in quotes before a colon can only be one of
    // the outermost members: the others need not be walked.
    if (!text.escaped && !text.nested) {
        return findIds(text, arguments);
    }
    std::string storage;
    const bool complete =
        forEachMember(text, [&](const scan::JsonText& key, const scan::JsonText& value) {
            const Argument argument = argumentOfSpelling(keyOf(key, storage));
            if (argument == Argument::Correlation || argument == Argument::ExternalId) {
                setArgument(argument, value, arguments);
            }
        });
    arguments.malformed = !complete;
}

std::optional<std::int64_t> integerOf(const scan::JsonText& value) {
    const scan::Decimal decimal = scan::parseDecimal(value, 0);
    return decimal.ok() ? std::optional(decimal.value) : std::nullopt;
}

std::optional<double> doubleOf(const scan::JsonText& value) {
    std::string storage;
    const std::string_view text = scan::numberText(value, storage);
    const char* const end = text.data() + text.size();
    double number = 0.0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end && std::isfinite(number) ? std::optional(number)
                                                                        : std::nullopt;
}

trace::GpuOperation operationOf(const EventArguments& arguments) {
    trace::GpuOperation operation;
    operation.grid = saturated<std::uint32_t>(arguments.grid);
    operation.block = saturated<std::uint16_t>(arguments.block);
    operation.registers = saturated<std::uint16_t>(arguments.registers);
    operation.sharedBytes = saturated<std::uint32_t>(arguments.sharedBytes);
    operation.graph = saturated<std::uint32_t>(arguments.graph);
    operation.occupancyPercent = arguments.occupancyPercent < 0
                                     ? std::int16_t{-1}
                                     : saturated<std::int16_t>(arguments.occupancyPercent);
    operation.collective = arguments.collective;
    operation.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(arguments.bytes, 0));
    return operation;
}

}  // namespace kinetoscope::import::event
