// SPDX-License-Identifier: Apache-2.0
#include "core/import/GenericReader.h"

#include "core/import/Decimal.h"
#include "core/import/TolerantReader.h"

namespace kinetoscope {

namespace {

using namespace scan;

// A key of up to seven bytes in the low bytes of a word, as load64 gives it.
constexpr std::uint64_t keyWord(std::string_view key) {
    std::uint64_t word = 0;
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

const char* readString(const char* at, JsonText& value) {
    value.kind = JsonKind::String;
    value.escaped = false;
    value.nonAscii = false;
    value.data = at + 1;
    at = stringEnd(at + 1, value);
    value.size = static_cast<std::uint32_t>(at - value.data);
    return at;
}

const char* plainWordEnd(const char* at) {
    for (const std::string_view word : {"true", "false", "null"}) {
        if (std::memcmp(at, word.data(), word.size()) == 0) {
            return at + word.size();
        }
    }
    return nullptr;
}

bool endsValue(char c) {
    return c == ',' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// "args" is the bulk of most files: only its braces are counted.
ReadResult readArgs(const char* at, const char* end, JsonText& value) {
    value = {.data = at, .kind = JsonKind::Object};
    const Skipped skipped = skipNested<'{'>(at, end, value);
    value.size = static_cast<std::uint32_t>(skipped.at - at);
    return {skipped.at, skipped.complete};
}

// Other nests are rare, and a stray bracket must not swallow the events that follow.
ReadResult readNest(const char* at, const char* end, JsonText& value) {
    Oddities oddities;
    ReadResult result = readValueTolerantly(at, end, value, oddities);
    result.complete &= !oddities.controlCharacter && !oddities.bareWord && !oddities.extraComma;
    return result;
}

// Any value: its text, its end. Never decodes.
ReadResult readValue(const char* at, const char* end, JsonText& value) {
    if (*at == '"') {
        at = readString(at, value);
        return {at + (*at == '"' ? 1 : 0), *at == '"'};
    }
    if (*at == '{' || *at == '[') {
        return readNest(at, end, value);
    }
    value = {.data = at};
    ReadResult result{at, false};
    if (*at == '-' || isDigit(*at)) {
        value.kind = JsonKind::Number;
        result = {numberEnd(at), true};
        result.complete = endsValue(*result.at);
    } else if (const char* word = plainWordEnd(at)) {
        value.kind = JsonKind::Word;
        result = {word, endsValue(*word)};
    }
    value.size = static_cast<std::uint32_t>(result.at - value.data);
    return result;
}

class EventScan {
public:
    EventScan(const char* at, const char* end, RawEvent& event)
        : m_at(at), m_end(end), m_event(event) {}

    ReadResult run() {
        m_event.begin = m_at;
        m_at = skipSpace(m_at + 1);
        if (*m_at == '}') {
            return finish();
        }
        while (*m_at == '"') {
            if (!member()) {
                return {m_at, false};
            }
            m_at = skipSpace(m_at);
            if (*m_at == '}') {
                return finish();
            }
            if (*m_at != ',') {
                break;
            }
            m_at = skipSpace(m_at + 1);
        }
        return {m_at, false};
    }

private:
    ReadResult finish() {
        m_event.end = ++m_at;
        return {m_at, true};
    }

    // Moves from behind a key's closing quote to its value.
    bool colon() {
        m_at = skipSpace(m_at);
        if (*m_at != ':') {
            return false;
        }
        m_at = skipSpace(m_at + 1);
        return true;
    }

    bool member() {
        const std::uint64_t word = load64(m_at + 1);
        const std::uint64_t quotes = quoteBits(word);
        if (quotes == 0) {
            return longKey();
        }
        const int bits = std::countr_zero(quotes) & ~7;
        const std::uint64_t key = word & ((std::uint64_t{1} << bits) - 1);
        const char* keyText = m_at + 1;
        m_at += 2 + bits / 8;
        return colon() && shortKey(key, keyText);
    }

    bool shortKey(std::uint64_t key, const char* keyText) {
        switch (key) {
            case keyWord("ph"):
                return text(EventField::Phase);
            case keyWord("cat"):
                return text(EventField::Category);
            case keyWord("name"):
                return text(EventField::Name);
            case keyWord("ts"):
                return number(EventField::Time, fastMicroseconds);
            case keyWord("dur"):
                return number(EventField::Duration, fastMicroseconds);
            case keyWord("pid"):
                return number(EventField::Pid, fastInteger);
            case keyWord("tid"):
                return number(EventField::Tid, fastInteger);
            case keyWord("id"):
                return text(EventField::Id);
            case keyWord("id2"):
                return text(EventField::Id2);
            case keyWord("scope"):
                return text(EventField::IdScope);
            case keyWord("s"):
                return text(EventField::Scope);
            case keyWord("args"):
                return args();
            default:
                return otherKey(keyText);
        }
    }

    bool longKey() {
        JsonText key;
        m_at = readString(m_at, key);
        if (*m_at != '"') {
            return false;
        }
        ++m_at;
        return colon() && otherKey(key.data);
    }

    // An escape could spell a known key: the tolerant reader decodes it.
    bool otherKey(const char* keyText) {
        for (const char* at = keyText; *at != '"'; ++at) {
            if (*at == '\\' || isControl(*at)) {
                m_at = at;
                return false;
            }
        }
        JsonText ignored;
        return take(readValue(m_at, m_end, ignored));
    }

    bool text(EventField field) {
        JsonText value;
        if (!take(readValue(m_at, m_end, value))) {
            return false;
        }
        m_event.set(field, value);
        return true;
    }

    bool args() {
        JsonText value;
        const bool object = *m_at == '{';
        if (!take(object ? readArgs(m_at, m_end, value) : readValue(m_at, m_end, value))) {
            return false;
        }
        m_event.set(EventField::Args, value);
        return true;
    }

    template <class Fast>
    bool number(EventField field, Fast fast) {
        std::int64_t value = 0;
        const char* at = fast(m_at, value);
        if (at == nullptr || !endsValue(*at)) {
            return text(field);
        }
        m_at = at;
        m_event.setNumber(field, value);
        return true;
    }

    bool take(ReadResult result) {
        m_at = result.at;
        return result.complete;
    }

    const char* m_at;
    const char* m_end;
    RawEvent& m_event;
};

}  // namespace

ReadResult readEvent(const char* at, const char* end, RawEvent& event) {
    event.clear();
    const ReadResult result = EventScan(at, end, event).run();
    // The zeros behind the end are no text: whatever ended in them is not complete.
    return {result.at, result.complete && result.at <= end};
}

}  // namespace kinetoscope
