// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/EventArgument.h"

#include <algorithm>
#include <string>

#include "core/import/event/EventArguments.h"
#include "core/import/scan/ByteLanes.h"
#include "core/import/scan/SkipNested.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::event {

namespace {

/// The end of the object at `at`, null if it is damaged. member(key, at) returns the end of the
/// value at `at`, or null.
template <class Member>
const char* walkMembers(const char* at, const char* end, Member member) {
    at = scan::skipSpace(at + 1);
    while (*at == '"') {
        scan::JsonText key{.data = at + 1, .kind = scan::JsonKind::String};
        at = scan::stringEnd(key.data, key);
        key.size = static_cast<std::uint32_t>(at - key.data);
        at = *at == '"' ? scan::skipSpace(at + 1) : end;
        at = at < end && *at == ':' ? member(key, scan::skipSpace(at + 1)) : nullptr;
        if (at == nullptr) {
            return nullptr;
        }
        at = scan::skipSpace(at);
        at = *at == ',' ? scan::skipSpace(at + 1) : at;
    }
    return at < end && *at == '}' ? at + 1 : nullptr;
}

// A value with the quotes of a string.
std::string_view asWritten(const scan::JsonText& value) {
    return value.kind == scan::JsonKind::String
               ? std::string_view(value.data - 1, std::size_t{value.size} + 2)
               : value.view();
}

// The first bracket of the event at `at` behind its own, if it is that of "args": what stands
// before it are not nests then, and quotes inside of strings have a backslash. Null otherwise, and
// where a closing brace before it may end the event.
const char* argsOf(const char* event, const char* end) {
    constexpr std::string_view kArgs = "\"args\"";
    constexpr std::ptrdiff_t kMin = 1 + kArgs.size() + 3;
    const char* at = event + 1;
    for (;; at += 16) {
        const scan::Lanes16 text(at);
        const std::uint32_t opening = text.equal('{') | text.equal('[');
        if (const std::uint32_t found = opening | text.equal('}'); found != 0) {
            at += __builtin_ctz(found);
            break;
        }
        if (at >= end) {
            return nullptr;
        }
    }
    if (at >= end || *at != '{' || at - event < kMin) {
        return nullptr;
    }
    const char* before = at;
    for (const char c : {' ', ':', ' '}) {
        before -= before[-1] == c ? 1 : 0;
    }
    before -= kArgs.size();
    return std::string_view(before, kArgs.size()) == kArgs && before[-1] != '\\' ? at : nullptr;
}

// The last values of the keys in an object without escapes and inner objects: there a key in quotes
// before a colon can only be one of its own members.
void plainMembers(const scan::JsonText& object, std::span<const std::string_view> keys,
                  std::span<std::string_view> values) {
    const char* const end = object.data + object.size;
    const auto take = [&](const char* name, std::size_t at) {
        const std::string_view key = keys[at];
        if (*name != key.front() || name + key.size() >= end || name[key.size()] != '"' ||
            std::string_view(name, key.size()) != key) {
            return;
        }
        const char* const colon = scan::skipSpace(name + key.size() + 1);
        scan::JsonText text;
        if (*colon == ':' && valueEnd(scan::skipSpace(colon + 1), end, text) != nullptr) {
            values[at] = asWritten(text);
        }
    };
    for (const char* at = object.data; at < end; at += 16) {
        for (std::uint32_t found = scan::Lanes16(at).equal('"'); found != 0; found &= found - 1) {
            for (std::size_t key = 0; key < keys.size(); ++key) {
                take(at + __builtin_ctz(found) + 1, key);
            }
        }
    }
}

}  // namespace

ReadResult findArgument(const char* at, const char* end, std::string_view key,
                        std::string_view& value) {
    return findArguments(at, end, {&key, 1}, {&value, 1});
}

ReadResult findArguments(const char* at, const char* end, std::span<const std::string_view> keys,
                         std::span<std::string_view> values) {
    const auto forget = [&] { std::ranges::fill(values, std::string_view()); };
    const auto argument = [&](const scan::JsonText& name, const char* text) {
        scan::JsonText found;
        const char* const next = valueEnd(text, end, found);
        const auto key = std::ranges::find_if(
            keys, [&name](std::string_view wanted) { return scan::standsFor(name, wanted); });
        if (next != nullptr && key != keys.end()) {
            values[static_cast<std::size_t>(key - keys.begin())] = asWritten(found);
        }
        return next;
    };
    const auto member = [&](const scan::JsonText& name, const char* text) {
        scan::JsonText other;
        if (!scan::standsFor(name, "args")) {
            return valueEnd(text, end, other);
        }
        forget();
        return *text == '{' ? walkMembers(text, end, argument) : valueEnd(text, end, other);
    };
    forget();
    if (const char* const args = argsOf(at, end)) {
        scan::JsonText all{.data = args};
        const scan::Skipped skipped = scan::skipNested<'{'>(args, end, all);
        const char* const behind = skipped.complete ? scan::skipSpace(skipped.at) : end;
        if (behind < end && *behind == '}' && !all.escaped && !all.nested) {
            all.size = static_cast<std::uint32_t>(skipped.at - args);
            plainMembers(all, keys, values);
            return {behind + 1, true};
        }
    }
    const char* const behind = walkMembers(at, end, member);
    return {behind, behind != nullptr};
}

Result<void> argumentOfEvents(const trace::EventText& text, std::span<const std::uint64_t> offsets,
                              std::string_view key, const trace::EventText::TakeValue& take) {
    std::string padded;
    return text.events(offsets, [&](std::size_t index, const std::string& event) {
        padded.assign(event).append(scan::kTextPadding, '\0');
        std::string_view value;
        const bool whole =
            event.starts_with('{') &&
            findArgument(padded.data(), padded.data() + event.size(), key, value).complete;
        take(index, whole ? value : std::string_view());
    });
}

}  // namespace kinetoscope::import::event
