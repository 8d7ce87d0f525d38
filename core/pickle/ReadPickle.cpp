// SPDX-License-Identifier: Apache-2.0
#include "core/pickle/ReadPickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

#include "core/base/Threads.h"
#include "core/pickle/Limits.h"
#include "core/pickle/Literals.h"
#include "core/pickle/Machine.h"

namespace kinetoscope::pickle {

namespace {

constexpr int kNewestProtocol = 5;

// Instructions as the module pickletools names them, with the bytes that stand for them.
enum class Code : std::uint8_t {
    Mark = '(',
    EmptyTuple = ')',
    Stop = '.',
    Pop = '0',
    PopMark = '1',
    Dup = '2',
    BinBytes = 'B',
    ShortBinBytes = 'C',
    Float = 'F',
    BinFloat = 'G',
    Int = 'I',
    BinInt = 'J',
    BinInt1 = 'K',
    Long = 'L',
    BinInt2 = 'M',
    None = 'N',
    Reduce = 'R',
    String = 'S',
    BinString = 'T',
    ShortBinString = 'U',
    Unicode = 'V',
    BinUnicode = 'X',
    EmptyList = ']',
    Append = 'a',
    Global = 'c',
    Dict = 'd',
    Appends = 'e',
    Get = 'g',
    BinGet = 'h',
    Inst = 'i',
    LongBinGet = 'j',
    List = 'l',
    Put = 'p',
    BinPut = 'q',
    LongBinPut = 'r',
    SetItem = 's',
    Tuple = 't',
    SetItems = 'u',
    EmptyDict = '}',
    Proto = 0x80,
    NewObj = 0x81,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8a,
    Long4 = 0x8b,
    ShortBinUnicode = 0x8c,
    BinUnicode8 = 0x8d,
    BinBytes8 = 0x8e,
    EmptySet = 0x8f,
    AddItems = 0x90,
    FrozenSet = 0x91,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95,
    ByteArray8 = 0x96,
};

// What asks for more than data, and how that is said.
constexpr std::array<std::pair<unsigned char, std::string_view>, 11> kRefused{{
    {'b', "to set the state of an object (BUILD)"},
    {'o', "to make an object (OBJ)"},
    {'P', "for an object of another store (PERSID)"},
    {'Q', "for an object of another store (BINPERSID)"},
    {0x82, "for a registered class (EXT1)"},
    {0x83, "for a registered class (EXT2)"},
    {0x84, "for a registered class (EXT4)"},
    {0x92, "to make an object (NEWOBJ_EX)"},
    {0x97, "for a buffer outside of it (NEXT_BUFFER)"},
    {0x98, "for a buffer outside of it (READONLY_BUFFER)"},
    {'i', "to make an object (INST)"},
}};

class Reader {
public:
    Reader(const ReadBytes& read, const std::stop_token& stop)
        : m_window(read),
          m_stop(stop),
          m_machine(m_document),
          m_begin(m_window.begin()),
          m_next(m_window.begin()),
          m_end(m_window.end()) {}

    Result<Document> run() {
        try {
            readAll();
        } catch (const Damage& damage) {
            return fail(
                fmt::format("is not a pickle that can be read: byte {}: {}", m_at, damage.what));
        }
        return std::move(m_document);
    }

private:
    void readAll();
    bool step(Code code);
    bool stepText(Code code);
    bool stepLine(Code code);
    void stepRare(Code code);
    void refill(std::size_t count);
    // Of the next byte.
    [[nodiscard]] std::uint64_t place() const {
        return m_before + static_cast<std::uint64_t>(m_next - m_begin);
    }
    [[noreturn]] static void ended() { throw Damage{"it ends in the middle"}; }

    // The next `count` bytes, taken.
    std::string_view take(std::size_t count) {
        if (static_cast<std::size_t>(m_end - m_next) < count) {
            refill(count);
            if (static_cast<std::size_t>(m_end - m_next) < count) {
                ended();
            }
        }
        const std::string_view bytes(m_next, count);
        m_next += count;
        return bytes;
    }
    // Little-endian.
    template <class Number>
    Number number() {
        Number value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        static_assert(std::endian::native == std::endian::little);
        return value;
    }
    template <class Length>
    std::string_view sized() {
        const std::uint64_t length = number<Length>();
        if (length > kMaxTextBytes) {
            throw Damage{
                fmt::format("a text of {} bytes; at most {} are read", length, kMaxTextBytes)};
        }
        return take(static_cast<std::size_t>(length));
    }
    std::string_view line();
    std::uint64_t index();
    void pushDecimal(std::string_view digits);

    ByteWindow m_window;
    std::stop_token m_stop;
    Document m_document;
    Machine m_machine;
    const char* m_begin;
    const char* m_next;
    const char* m_end;
    std::uint64_t m_before = 0;  // bytes before m_begin
    std::uint64_t m_at = 0;      // of the instruction where something went wrong
};

void Reader::refill(std::size_t count) {
    throwIfStopped(m_stop);
    m_window.usedUpTo(m_next);
    (void)m_window.fill(count);
    m_begin = m_next = m_window.begin();
    m_end = m_window.end();
    m_before = m_window.offset();
}

std::string_view Reader::line() {
    std::size_t looked = 0;
    for (;;) {
        const std::string_view there(m_next, static_cast<std::size_t>(m_end - m_next));
        const std::size_t at = there.find('\n', looked);
        if (at != std::string_view::npos) {
            m_next += at + 1;
            return there.substr(0, at);
        }
        looked = there.size();
        if (looked > kMaxTextBytes) {
            throw Damage{"a line is too long"};
        }
        refill(looked + 1);
        if (static_cast<std::size_t>(m_end - m_next) <= looked) {
            ended();
        }
    }
}

std::uint64_t Reader::index() {
    const std::string_view digits = line();
    std::uint64_t value = 0;
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || at != digits.data() + digits.size()) {
        throw Damage{"the number of a value is none"};
    }
    return value;
}

void Reader::pushDecimal(std::string_view digits) {
    std::int64_t value = 0;
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || at != digits.data() + digits.size()) {
        throw Damage{"a number is none"};
    }
    if (error == std::errc::result_out_of_range) {
        m_machine.pushText(Kind::Huge, digits);
    } else {
        m_machine.pushInt(value);
    }
}

// Most instructions of a snapshot; false for the last one.
bool Reader::step(Code code) {
    switch (code) {
        case Code::BinGet:
            m_machine.recall(number<std::uint8_t>());
            return true;
        case Code::LongBinGet:
            m_machine.recall(number<std::uint32_t>());
            return true;
        case Code::Memoize:
            m_machine.rememberNext();
            return true;
        case Code::BinPut:
            m_machine.remember(number<std::uint8_t>());
            return true;
        case Code::LongBinPut:
            m_machine.remember(number<std::uint32_t>());
            return true;
        case Code::BinInt:
            m_machine.pushInt(number<std::int32_t>());
            return true;
        case Code::BinInt1:
            m_machine.pushInt(number<std::uint8_t>());
            return true;
        case Code::BinInt2:
            m_machine.pushInt(number<std::uint16_t>());
            return true;
        case Code::Long1:
            m_machine.pushLong(take(number<std::uint8_t>()));
            return true;
        case Code::Mark:
            m_machine.mark();
            return true;
        case Code::EmptyList:
            m_machine.pushContainer(Kind::List);
            return true;
        case Code::EmptyDict:
            m_machine.pushContainer(Kind::Dict);
            return true;
        case Code::Appends:
            m_machine.appends();
            return true;
        case Code::SetItems:
            m_machine.setItems();
            return true;
        case Code::None:
            m_machine.push({});
            return true;
        case Code::NewTrue:
            m_machine.push({Kind::Bool, 1});
            return true;
        case Code::NewFalse:
            m_machine.push({Kind::Bool, 0});
            return true;
        case Code::Append:
            m_machine.append();
            return true;
        case Code::SetItem:
            m_machine.setItem();
            return true;
        case Code::Stop:
            return false;
        default:
            if (!stepText(code) && !stepLine(code)) {
                stepRare(code);
            }
            return true;
    }
}

// Texts and bytes with their length before them; false for another instruction.
bool Reader::stepText(Code code) {
    switch (code) {
        case Code::ShortBinUnicode:
        case Code::ShortBinString:
            m_machine.pushText(Kind::Text, sized<std::uint8_t>());
            return true;
        case Code::BinUnicode:
        case Code::BinString:
            m_machine.pushText(Kind::Text, sized<std::uint32_t>());
            return true;
        case Code::BinUnicode8:
            m_machine.pushText(Kind::Text, sized<std::uint64_t>());
            return true;
        case Code::ShortBinBytes:
            m_machine.pushText(Kind::Bytes, sized<std::uint8_t>());
            return true;
        case Code::BinBytes:
            m_machine.pushText(Kind::Bytes, sized<std::uint32_t>());
            return true;
        case Code::BinBytes8:
        case Code::ByteArray8:
            m_machine.pushText(Kind::Bytes, sized<std::uint64_t>());
            return true;
        case Code::Long4:
            m_machine.pushLong(sized<std::uint32_t>());
            return true;
        default:
            return false;
    }
}

// Protocol 0: one line each.
bool Reader::stepLine(Code code) {
    switch (code) {
        case Code::Int: {
            const std::string_view digits = line();
            if (digits == "00" || digits == "01") {
                m_machine.push({Kind::Bool, digits == "01" ? 1U : 0U});
            } else {
                pushDecimal(digits);
            }
            return true;
        }
        case Code::Long: {
            std::string_view digits = line();
            if (digits.ends_with('L')) {
                digits.remove_suffix(1);
            }
            pushDecimal(digits);
            return true;
        }
        case Code::Float: {
            const std::string_view digits = line();
            double value = 0.0;
            const auto [at, error] =
                std::from_chars(digits.data(), digits.data() + digits.size(), value);
            if (at != digits.data() + digits.size() || digits.empty()) {
                throw Damage{"a number is none"};
            }
            m_machine.push(m_document.addFloat(value));
            return true;
        }
        case Code::String:
            m_machine.pushText(Kind::Text, quotedText(line()));
            return true;
        case Code::Unicode:
            m_machine.pushText(Kind::Text, escapedText(line()));
            return true;
        case Code::Get:
            m_machine.recall(index());
            return true;
        case Code::Put:
            m_machine.remember(index());
            return true;
        case Code::Global: {
            const std::string module(line());
            m_machine.pushClass(module, line());
            return true;
        }
        default:
            return false;
    }
}

void Reader::stepRare(Code code) {
    switch (code) {
        case Code::BinFloat: {
            std::array<char, sizeof(double)> bytes{};
            std::ranges::reverse_copy(take(bytes.size()), bytes.begin());
            m_machine.push(m_document.addFloat(std::bit_cast<double>(bytes)));
            return;
        }
        case Code::EmptyTuple:
            m_machine.makeTuple(0);
            return;
        case Code::Tuple1:
        case Code::Tuple2:
        case Code::Tuple3:
            m_machine.makeTuple(static_cast<std::size_t>(code) -
                                static_cast<std::size_t>(Code::Tuple1) + 1);
            return;
        case Code::Tuple:
            m_machine.makeFromMark(Kind::Tuple);
            return;
        case Code::List:
            m_machine.makeFromMark(Kind::List);
            return;
        case Code::Dict:
            m_machine.makeFromMark(Kind::Dict);
            return;
        case Code::FrozenSet:
            m_machine.makeFromMark(Kind::Set);
            return;
        case Code::EmptySet:
            m_machine.pushContainer(Kind::Set);
            return;
        case Code::AddItems:
            m_machine.appends();
            return;
        case Code::Pop:
            m_machine.drop();
            return;
        case Code::PopMark:
            m_machine.popMark();
            return;
        case Code::Dup:
            m_machine.duplicate();
            return;
        case Code::StackGlobal: {
            const Value name = m_machine.pop();
            const Value module = m_machine.pop();
            m_machine.pushClass(std::string(m_document.text(module)),
                                std::string(m_document.text(name)));
            return;
        }
        case Code::Reduce:
        case Code::NewObj:
            m_machine.call();
            return;
        case Code::Proto:
            if (const unsigned protocol = number<std::uint8_t>(); protocol > kNewestProtocol) {
                throw Damage{fmt::format("it is of protocol {}; {} is the newest that is known",
                                         protocol, kNewestProtocol)};
            }
            return;
        case Code::Frame:
            // Its length tells how much a reader may fetch at once: this one fetches by itself.
            (void)number<std::uint64_t>();
            return;
        default:
            break;
    }
    const auto byte = static_cast<unsigned char>(code);
    for (const auto& [refused, what] : kRefused) {
        if (refused == byte) {
            throw Damage{
                fmt::format("it asks {}; only plain data is read, nothing was called", what)};
        }
    }
    throw Damage{fmt::format("0x{:02x} is not an instruction", byte)};
}

void Reader::readAll() {
    constexpr std::ptrdiff_t kAhead = 16;  // more than any instruction of fixed size
    refill(kAhead);
    bool more = true;
    while (more) {
        if (m_end - m_next >= kAhead) {
            m_next = m_machine.recallMany(m_next, m_end);
        }
        if (m_end - m_next < kAhead) {
            refill(kAhead);
        }
        m_at = place();
        if (m_next == m_end) {
            ended();
        }
        more = step(static_cast<Code>(static_cast<unsigned char>(*m_next++)));
    }
    m_document.setRoot(m_machine.pop(), place());
}

}  // namespace

bool looksLikePickle(std::string_view head) {
    if (head.size() < 2) {
        return false;
    }
    if (head[0] == '\x80') {
        return static_cast<unsigned char>(head[1]) <= kNewestProtocol;
    }
    // Protocols 0 and 1: a dict or a list that is remembered or filled at once.
    return head.starts_with("(dp") || head.starts_with("(lp") || head.starts_with("}q") ||
           head.starts_with("]q") || head.starts_with("}(") || head.starts_with("](");
}

Result<Document> readPickle(const ReadBytes& read, const std::stop_token& stop) {
    return Reader(read, stop).run();
}

Result<Document> readPickle(std::string_view text) {
    const ReadBytes read = [&text](char* to, std::size_t capacity) {
        const std::size_t count = std::min(capacity, text.size());
        std::copy_n(text.data(), count, to);
        text.remove_prefix(count);
        return count;
    };
    return readPickle(read, {});
}

}  // namespace kinetoscope::pickle
