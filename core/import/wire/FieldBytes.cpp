// SPDX-License-Identifier: Apache-2.0
#include "core/import/wire/FieldBytes.h"

#include <algorithm>

namespace kinetoscope::import::wire {

bool FieldBytes::read(std::uint64_t offset, std::uint64_t limit, Field& field) {
    constexpr std::size_t kNearlyAll = 512;  // bytes of an event
    const std::uint64_t begin = m_bytes.position() - m_held.size();
    const bool there = offset >= begin && offset < m_bytes.position();
    m_held.erase(0, there ? static_cast<std::size_t>(offset - begin) : m_held.size());
    if (offset >= limit || (!there && !m_bytes.goTo(offset))) {
        return false;
    }
    for (std::size_t wanted = kNearlyAll;;) {
        m_held += m_bytes.take(wanted - std::min(wanted, m_held.size()));
        const char* at = m_held.data();
        if (!nextField(at, at + m_held.size(), field)) {
            return false;
        }
        if (!field.cut) {
            return true;
        }
        const auto whole = static_cast<std::size_t>(limit - offset);
        if (wanted >= whole) {
            return false;
        }
        wanted = whole;
    }
}

}  // namespace kinetoscope::import::wire
