// SPDX-License-Identifier: Apache-2.0
#include "core/import/chrome/EventUnit.h"

#include <algorithm>

#include "core/import/chrome/DocumentText.h"
#include "core/import/event/GenericReader.h"
#include "core/import/event/NextEvent.h"
#include "core/import/scan/JsonScan.h"

namespace kinetoscope::import::chrome {

void EventUnit::clear() {
    builder.clear();
    issues.clear();
    assembler.clear();
    begin = 0;
    end = {};
    elements = 0;
}

void UnitReader::read(EventUnit& unit, std::uint64_t from, std::uint64_t to) {
    unit.clear();
    // The byte before may be what separates the first event from the one before.
    const char* at = m_window.seek(from - 1, to);
    event::RecoveryBudget budget;
    if ((at == m_window.end() && !m_window.more(at)) ||
        event::findNextEvent(m_window, at, event::ArrayEndForm::None, budget, to) !=
            event::NextKind::Event) {
        return;
    }
    unit.begin = m_window.offsetOf(at);
    do {
        unit.end.offset = m_window.offsetOf(at);
        unit.end.needComma = false;
    } while (unit.end.offset < to && event(unit, at) && nextElement(unit, at));
}

bool UnitReader::event(EventUnit& unit, const char*& at) {
    m_event.offset = m_window.offsetOf(at);
    for (;;) {
        const auto seen = static_cast<std::size_t>(m_window.end() - at);
        const char* end = at + std::min(seen, kMaxTrustedEventBytes);
        event::ReadResult result{m_shapes.read(at, end, m_event), true};
        if (result.at == nullptr) {
            result = event::readEvent(at, end, m_event);
            if (result.complete) {
                m_shapes.learn(m_event);
            }
        }
        if (result.complete) {
            ++unit.elements;
            unit.assembler.add(m_event);
            at = result.at;
            return true;
        }
        const bool mayNeedMore = result.at + scan::kTextPadding >= m_window.end() &&
                                 seen < kMaxTrustedEventBytes && !m_window.atEnd();
        if (!mayNeedMore || !m_window.more(at)) {
            return false;
        }
    }
}

// From behind an event over one comma to the next one's '{'; false for anything else.
bool UnitReader::nextElement(EventUnit& unit, const char*& at) {
    // The zeros behind the text equal no separator.
    if (m_separatorSize != 0 && ((scan::load64(at) ^ m_separator) & m_separatorMask) == 0) {
        unit.end.comma = m_window.offsetOf(at);
        at += m_separatorSize - 1;
        return true;
    }
    const std::uint64_t from = m_window.offsetOf(at);
    if (!findElement(unit, at)) {
        return false;
    }
    const std::uint64_t size = m_window.offsetOf(at) + 1 - from;
    const char* begin = at + 1 - size;
    if (size <= sizeof m_separator && begin >= m_window.begin() && *begin == ',') {
        m_separatorSize = static_cast<std::uint32_t>(size);
        m_separatorMask = ~std::uint64_t{0} >> (64 - 8 * size);
        m_separator = scan::load64(begin);
    }
    return true;
}

// The same, whatever separates the two.
bool UnitReader::findElement(EventUnit& unit, const char*& at) {
    unit.end.offset = m_window.offsetOf(at);
    unit.end.comma.reset();
    unit.end.needComma = true;
    if (!skipSpace(m_window, at) || *at != ',') {
        return false;
    }
    unit.end.comma = m_window.offsetOf(at);
    unit.end.offset = *unit.end.comma + 1;
    unit.end.needComma = false;
    return skipSpace(m_window, ++at) && *at == '{';
}

}  // namespace kinetoscope::import::chrome
