// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/IsalInflater.h"

#include <algorithm>
#include <limits>

namespace kinetoscope::import::source {

namespace {

// RFC 1952: whoever reads a header must refuse one that has any of them. The library does not.
constexpr std::uint32_t kReservedFlags = 0xe0;

std::uint32_t counted(std::size_t bytes) {
    return static_cast<std::uint32_t>(
        std::min<std::size_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

IsalInflater::IsalInflater() {
    isal_inflate_init(&m_state);
    m_state.crc_flag = ISAL_GZIP;
}

InflateState IsalInflater::inflate(InflateSpans& spans) {
    // The library's pointer is not const, but only read.
    m_state.next_in = const_cast<std::uint8_t*>(spans.in);
    m_state.next_out = spans.out;
    const std::uint32_t in = counted(spans.inBytes);
    const std::uint32_t out = counted(spans.outBytes);
    m_state.avail_in = in;
    m_state.avail_out = out;
    // isal_inflate() forgets between two calls which parts a header has, if the input ends inside
    // it.
    int status = ISAL_DECOMP_OK;
    if (m_state.wrapper_flag == 0) {
        status = isal_read_gzip_header(&m_state, &m_header);
        if (status == ISAL_DECOMP_OK && (m_header.flags & kReservedFlags) != 0) {
            status = ISAL_INVALID_WRAPPER;
        }
    }
    if (status == ISAL_DECOMP_OK) {
        status = isal_inflate(&m_state);
    }
    spans.in = m_state.next_in;
    spans.inBytes -= in - m_state.avail_in;
    spans.out = m_state.next_out;
    spans.outBytes -= out - m_state.avail_out;
    if (status < 0) {
        return InflateState::Damaged;
    }
    return m_state.block_state == ISAL_BLOCK_FINISH ? InflateState::MemberEnd : InflateState::Going;
}

void IsalInflater::startMember() {
    isal_inflate_reset(&m_state);
    m_state.crc_flag = ISAL_GZIP;
}

std::unique_ptr<Inflater> IsalInflater::copy() const {
    auto other = std::make_unique<IsalInflater>();
    other->m_state = m_state;
    other->m_header = m_header;
    return other;
}

}  // namespace kinetoscope::import::source
