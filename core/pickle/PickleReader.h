// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/Threads.h"
#include "core/pickle/ByteWindow.h"
#include "core/pickle/Limits.h"
#include "core/pickle/Machine.h"

namespace kinetoscope::pickle {

inline constexpr int kNewestProtocol = 5;

/// Instructions as the module pickletools names them, with the bytes that stand for them.
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

/// What asks for more than data, and how that is said.
inline constexpr std::array<std::pair<unsigned char, std::string_view>, 11> kRefusedCodes{{
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

/// Runs a pickle's instructions on the machine, as its bytes come.
class PickleReader {
public:
    PickleReader(const ReadBytes& read, const std::stop_token& stop)
        : m_window(read),
          m_stop(stop),
          m_machine(m_document),
          m_begin(m_window.begin()),
          m_next(m_window.begin()),
          m_end(m_window.end()) {
        m_machine.touchBy(m_toucher);
    }

    [[nodiscard]] Result<Document> run() {
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
    PageToucher m_toucher;       // ends before the memory of the others
};

}  // namespace kinetoscope::pickle
