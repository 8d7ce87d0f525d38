// SPDX-License-Identifier: Apache-2.0
#include "core/import/wire/FieldBytes.h"

#include <algorithm>

namespace kinetoscope::import::wire {

namespace {

// Of a field whose text is not there yet: its header and what that states.
std::uint64_t statedBytes(const Field& field, const char* end) {
    const char* at = field.at;
    (void)protozero::decode_varint(&at, end);
    const std::uint64_t length = protozero::decode_varint(&at, end);
    const auto header = static_cast<std::uint64_t>(at - field.at);
    return length > UINT64_MAX - header ? length : length + header;
}

}  // namespace

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
        const std::uint64_t whole = statedBytes(field, m_held.data() + m_held.size());
        if (whole > limit - offset || m_held.size() < wanted) {
            return false;
        }
        wanted = static_cast<std::size_t>(whole);
    }
}

}  // namespace kinetoscope::import::wire
