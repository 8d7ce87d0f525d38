// SPDX-License-Identifier: Apache-2.0
#include <isa-l/igzip_lib.h>

#include <array>

#include "core/text/Deflater.h"

namespace kinetoscope::text {

namespace {

class IsalDeflater : public Deflater {
public:
    IsalDeflater() {
        isal_deflate_init(&m_stream);
        m_stream.gzip_flag = IGZIP_GZIP;
        m_stream.level = 3;
        m_stream.level_buf = m_level.data();
        m_stream.level_buf_size = static_cast<std::uint32_t>(m_level.size());
    }

    bool deflate(DeflateSpans& spans, bool last) override {
        // The library's pointer is not const, but only read.
        m_stream.next_in = const_cast<std::uint8_t*>(spans.in);
        m_stream.avail_in = static_cast<std::uint32_t>(spans.inBytes);
        m_stream.next_out = spans.out;
        m_stream.avail_out = static_cast<std::uint32_t>(spans.outBytes);
        m_stream.end_of_stream = last ? 1 : 0;
        const bool good = isal_deflate(&m_stream) == COMP_OK;
        spans = {m_stream.next_in, m_stream.avail_in, m_stream.next_out, m_stream.avail_out};
        return good;
    }

private:
    isal_zstream m_stream{};
    std::array<std::uint8_t, ISAL_DEF_LVL3_DEFAULT> m_level{};
};

}  // namespace

std::unique_ptr<Deflater> makeDeflater() {
    return std::make_unique<IsalDeflater>();
}

}  // namespace kinetoscope::text
