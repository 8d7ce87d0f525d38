// SPDX-License-Identifier: Apache-2.0
#include "core/pickle/ReadPickle.h"

#include <algorithm>

#include "core/pickle/PickleReader.h"

namespace kinetoscope::pickle {

void PickleReader::refill(std::size_t count) {
    throwIfStopped(m_stop);
    m_window.usedUpTo(m_next);
    (void)m_window.fill(count);
    m_begin = m_next = m_window.begin();
    m_end = m_window.end();
    m_before = m_window.offset();
}

// Most instructions of a snapshot; false for the last one.
bool PickleReader::step(Code code) {
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
bool PickleReader::stepText(Code code) {
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

void PickleReader::readAll() {
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

bool looksLikePickle(std::string_view head) {
    if (head.size() < 2) {
        return false;
    }
    if (head[0] == '\x80') {
        return static_cast<unsigned char>(head[1]) <= kNewestProtocol;
    }
    // Protocols 0 and 1: a dict or a list that is stored in the memo or filled immediately.
    constexpr std::string_view kValues = "VSILFN().";  // what comes next without a memo
    if ((head.starts_with("(d") || head.starts_with("(l")) && head.size() > 2 &&
        kValues.find(head[2]) != std::string_view::npos) {
        return true;
    }
    return head.starts_with("(dp") || head.starts_with("(lp") || head.starts_with("}q") ||
           head.starts_with("]q") || head.starts_with("}(") || head.starts_with("](") ||
           head.starts_with("}X");
}

Result<Document> readPickle(const ReadBytes& read, const std::stop_token& stop) {
    return PickleReader(read, stop).run();
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
