// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include "core/text/Deflater.h"

namespace kinetoscope::text {

namespace {

constexpr int kLevel = 2;  // as small as what ISA-L writes
constexpr int kGzip = 16;
constexpr int kMemoryLevel = 8;

class ZlibDeflater : public Deflater {
public:
    ZlibDeflater()
        : m_good(deflateInit2(&m_stream, kLevel, Z_DEFLATED, MAX_WBITS + kGzip, kMemoryLevel,
                              Z_DEFAULT_STRATEGY) == Z_OK) {}
    ~ZlibDeflater() override { deflateEnd(&m_stream); }

    bool deflate(DeflateSpans& spans, bool last) override {
        // The library's pointer is not const, but only read.
        m_stream.next_in = const_cast<Bytef*>(spans.in);
        m_stream.avail_in = static_cast<uInt>(spans.inBytes);
        m_stream.next_out = spans.out;
        m_stream.avail_out = static_cast<uInt>(spans.outBytes);
        const bool good =
            m_good && ::deflate(&m_stream, last ? Z_FINISH : Z_NO_FLUSH) != Z_STREAM_ERROR;
        spans = {m_stream.next_in, m_stream.avail_in, m_stream.next_out, m_stream.avail_out};
        return good;
    }

private:
    z_stream m_stream{};
    bool m_good;
};

}  // namespace

std::unique_ptr<Deflater> makeDeflater() {
    return std::make_unique<ZlibDeflater>();
}

}  // namespace kinetoscope::text
