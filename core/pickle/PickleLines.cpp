// SPDX-License-Identifier: Apache-2.0
// Instructions of protocol 0, whose arguments are lines, and those that recorders seldom write.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/pickle/Literals.h"
#include "core/pickle/PickleReader.h"

namespace kinetoscope::pickle {

std::string_view PickleReader::line() {
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

std::uint64_t PickleReader::index() {
    const std::string_view digits = line();
    std::uint64_t value = 0;
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || at != digits.data() + digits.size()) {
        throw Damage{"the number of a value is invalid"};
    }
    return value;
}

void PickleReader::pushDecimal(std::string_view digits) {
    std::int64_t value = 0;
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || at != digits.data() + digits.size()) {
        throw Damage{"a number is malformed"};
    }
    if (error == std::errc::result_out_of_range) {
        m_machine.pushText(Kind::Huge, digits);
    } else {
        m_machine.pushInt(value);
    }
}

// Protocol 0: one line each.
bool PickleReader::stepLine(Code code) {
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
                throw Damage{"a number is malformed"};
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

void PickleReader::stepRare(Code code) {
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
            // Its length tells how much a reader may fetch at a time: this one fetches by itself.
            (void)number<std::uint64_t>();
            return;
        default:
            break;
    }
    const auto byte = static_cast<unsigned char>(code);
    for (const auto& [refused, what] : kRefusedCodes) {
        if (refused == byte) {
            throw Damage{
                fmt::format("it asks {}; only plain data is read, nothing was called", what)};
        }
    }
    throw Damage{fmt::format("0x{:02x} is not an instruction", byte)};
}

}  // namespace kinetoscope::pickle
