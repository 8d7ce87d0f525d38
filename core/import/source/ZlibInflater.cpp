// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/ZlibInflater.h"

#include <algorithm>
#include <limits>
#include <new>

namespace kinetoscope::import::source {

namespace {

constexpr int kGzipOnly = 16;

uInt counted(std::size_t bytes) {
    return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

}  // namespace

ZlibInflater::ZlibInflater() {
    if (inflateInit2(&m_stream, MAX_WBITS + kGzipOnly) != Z_OK) {
        throw std::bad_alloc();
    }
}

ZlibInflater::~ZlibInflater() {
    inflateEnd(&m_stream);
}

InflateState ZlibInflater::inflate(InflateSpans& spans) {
    // The library's pointer is not const, but only read.
    m_stream.next_in = const_cast<Bytef*>(spans.in);
    m_stream.next_out = spans.out;
    const uInt in = counted(spans.inBytes);
    const uInt out = counted(spans.outBytes);
    m_stream.avail_in = in;
    m_stream.avail_out = out;
    const int status = ::inflate(&m_stream, Z_NO_FLUSH);
    spans.in = m_stream.next_in;
    spans.inBytes -= in - m_stream.avail_in;
    spans.out = m_stream.next_out;
    spans.outBytes -= out - m_stream.avail_out;
    switch (status) {
        case Z_OK:
        case Z_BUF_ERROR:  // nothing to read or no room: not wrong
            return InflateState::Going;
        case Z_STREAM_END:
            return InflateState::MemberEnd;
        default:
            return InflateState::Damaged;
    }
}

void ZlibInflater::startMember() {
    inflateReset(&m_stream);
}

std::unique_ptr<Inflater> ZlibInflater::copy() const {
    std::unique_ptr<ZlibInflater> other(new ZlibInflater(Uninitialised{}));
    // The source is only read, although its type is not const.
    if (inflateCopy(&other->m_stream, const_cast<z_stream*>(&m_stream)) != Z_OK) {
        return nullptr;
    }
    return other;
}

}  // namespace kinetoscope::import::source
