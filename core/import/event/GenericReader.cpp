// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/GenericReader.h"
#include "core/import/scan/SkipNested.h"

#include "core/import/event/TolerantReader.h"
#include "core/import/scan/Decimal.h"

namespace kinetoscope::import::event {

namespace {

using namespace scan;

// A key of up to seven bytes and the quote behind it in the low bytes of a word, as load64 gives
// it. Without the quote, zero bytes of a damaged key would go unseen.
constexpr std::uint64_t keyWord(std::string_view key) {
    std::uint64_t word = '"';
    for (std::size_t i = key.size(); i > 0; --i) {
        word = word << 8 | static_cast<unsigned char>(key[i - 1]);
    }
    return word;
}

// Bit 7 of each byte that is a quote; exact up to the first one, which is all that is asked.
std::uint64_t quoteBits(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    const std::uint64_t odd = word ^ (kOnes * '"');
    return (odd - kOnes) & ~odd & (kOnes * 0x80);
}

const char* plainWordEnd(const char* at) {
    for (const std::string_view word : {"true", "false", "null"}) {
        if (std::memcmp(at, word.data(), word.size()) == 0) {
            return at + word.size();
        }
    }
    return nullptr;
}

// One event. Each step takes the place where it begins and gives the place behind it, or null
// after setting m_stop: places are passed in registers, which a member would not be.
class EventScan {
public:
    EventScan(const char* end, RawEvent& event) : m_end(end), m_event(event) {}

    ReadResult run(const char* at) {
        m_event.begin = at;
        at = scan::skipSpace(at + 1);
        while (*at == '"') {
            at = member(at);
            if (at == nullptr) {
                return {m_stop, false};
            }
            at = scan::skipSpace(at);
            if (*at != ',') {
                break;
            }
            at = scan::skipSpace(at + 1);
            if (*at != '"') {
                return {at, false};
            }
        }
        m_event.end = at + 1;
        return *at == '}' ? ReadResult{at + 1, true} : ReadResult{at, false};
    }

private:
    const char* stop(const char* at) {
        m_stop = at;
        return nullptr;
    }

    const char* member(const char* at) {
        const std::uint64_t word = scan::load64(at + 1);
        const std::uint64_t quotes = quoteBits(word);
        if (quotes == 0) {
            return longKey(at);
        }
        const int bits = __builtin_ctzll(quotes) & ~7;
        const std::uint64_t key = word & (~std::uint64_t{0} >> (56 - bits));
        const char* value = colon(at + 2 + bits / 8);
        return value == nullptr ? nullptr : shortKey(key, at + 1, value);
    }

    // From behind a key's closing quote to its value.
    const char* colon(const char* at) {
        at = scan::skipSpace(at);
        return *at == ':' ? scan::skipSpace(at + 1) : stop(at);
    }

    const char* shortKey(std::uint64_t key, const char* keyText, const char* at) {
        switch (key) {
            case keyWord("ph"):
                return text(EventField::Phase, at);
            case keyWord("cat"):
                return text(EventField::Category, at);
            case keyWord("name"):
                return text(EventField::Name, at);
            case keyWord("ts"):
                return time(EventField::Time, at);
            case keyWord("dur"):
                return time(EventField::Duration, at);
            case keyWord("pid"):
                return integer(EventField::Pid, at);
            case keyWord("tid"):
                return integer(EventField::Tid, at);
            case keyWord("args"):
                return args(at);
            case keyWord("id"):
                return other(EventField::Id, at);
            case keyWord("id2"):
                return other(EventField::Id2, at);
            case keyWord("scope"):
                return other(EventField::IdScope, at);
            case keyWord("s"):
                return other(EventField::Scope, at);
            default:
                return unknownKey(keyText, at);
        }
    }

    const char* longKey(const char* at) {
        scan::JsonText key;
        const char* end = scan::stringEnd(at + 1, key);
        if (*end != '"') {
            return stop(end);
        }
        const char* value = colon(end + 1);
        return value == nullptr ? nullptr : unknownKey(at + 1, value);
    }

    // An escape could spell a known key: the tolerant reader decodes it.
    const char* unknownKey(const char* keyText, const char* at) {
        for (const char* c = keyText; *c != '"'; ++c) {
            if (*c == '\\' || scan::isControl(*c)) {
                return stop(c);
            }
        }
        scan::JsonText ignored;
        return value(at, ignored);
    }

    const char* text(EventField field, const char* at) {
        if (*at != '"') {
            return other(field, at);
        }
        scan::JsonText& text = m_event.place(field);
        text = {.data = at + 1, .kind = scan::JsonKind::String};
        const char* end = scan::stringEnd(at + 1, text);
        text.size = static_cast<std::uint32_t>(end - at - 1);
        return *end == '"' ? end + 1 : stop(end);
    }

    const char* time(EventField field, const char* at) {
        std::int64_t ns = 0;
        const char* end = scan::fastMicroseconds(at, ns);
        return end != nullptr && scan::endsMember(*end) ? number(field, ns, end) : other(field, at);
    }

    const char* integer(EventField field, const char* at) {
        std::int64_t value = 0;
        const char* end = scan::fastInteger(at, value);
        return end != nullptr && scan::endsMember(*end) ? number(field, value, end)
                                                        : other(field, at);
    }

    const char* number(EventField field, std::int64_t value, const char* end) {
        m_event.setNumber(field, value);
        return end;
    }

    // "args" is the bulk of most files: only its braces are counted.
    const char* args(const char* at) {
        if (*at != '{') {
            return other(EventField::Args, at);
        }
        scan::JsonText& text = m_event.place(EventField::Args);
        text = {.data = at, .kind = scan::JsonKind::Object};
        const scan::Skipped skipped = scan::skipNested<'{'>(at, m_end, text);
        text.size = static_cast<std::uint32_t>(skipped.at - at);
        return skipped.complete ? skipped.at : stop(skipped.at);
    }

    [[gnu::noinline]] const char* other(EventField field, const char* at) {
        scan::JsonText text;
        const char* end = value(at, text);
        m_event.set(field, text);
        return end;
    }

    // Any value: its text, its end. Never decodes.
    const char* value(const char* at, scan::JsonText& text) {
        text = {.data = at};
        const char* end = nullptr;
        if (*at == '"') {
            text = {.data = at + 1, .kind = scan::JsonKind::String};
            end = scan::stringEnd(at + 1, text);
            text.size = static_cast<std::uint32_t>(end - text.data);
            return *end == '"' ? end + 1 : stop(end);
        }
        if (*at == '{' || *at == '[') {
            return nest(at, text);
        }
        if (*at == '-' || scan::isDigit(*at)) {
            text.kind = scan::JsonKind::Number;
            end = scan::numberEnd(at);
        } else if (end = plainWordEnd(at); end == nullptr) {
            return stop(at);
        }
        text.size = static_cast<std::uint32_t>(end - at);
        return scan::endsMember(*end) ? end : stop(end);
    }

    // Nests beside "args" are rare, and a stray bracket must not swallow the events that follow.
    const char* nest(const char* at, scan::JsonText& text) {
        SyntaxIssues issues;
        const ReadResult result = readValueTolerantly(at, m_end, text, issues);
        const bool odd = issues.controlCharacter || issues.bareWord || issues.extraComma;
        return result.complete && !odd ? result.at : stop(result.at);
    }

    const char* m_end;
    RawEvent& m_event;
    const char* m_stop = nullptr;
};

}  // namespace

ReadResult readEvent(const char* at, const char* end, RawEvent& event) {
    event.clear();
    const ReadResult result = EventScan(end, event).run(at);
    // The zeros behind the end are not text: whatever ended in them is not complete.
    return {result.at, result.complete && result.at <= end};
}

ReadResult readEitherWay(const char* at, const char* end, RawEvent& event) {
    const ReadResult read = readEvent(at, end, event);
    SyntaxIssues issues;
    return read.complete ? read : readEventTolerantly(at, end, event, issues);
}

}  // namespace kinetoscope::import::event
