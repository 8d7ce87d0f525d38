// SPDX-License-Identifier: Apache-2.0
// GzipWriter where ISA-L is not built in.
#include <zlib.h>

#include <array>

#include "core/export/GzipWriter.h"

namespace kinetoscope {

namespace {

constexpr std::size_t kOutputChunk = 256 * 1024;
// The library counts input in 32 bits.
constexpr std::size_t kMostInput = 64 * 1024 * 1024;
constexpr int kLevel = 2;  // as small as what ISA-L writes
constexpr int kGzip = 16;
constexpr int kMemoryLevel = 8;

}  // namespace

struct GzipWriter::State {
    State() {
        good = deflateInit2(&stream, kLevel, Z_DEFLATED, MAX_WBITS + kGzip, kMemoryLevel,
                            Z_DEFAULT_STRATEGY) == Z_OK;
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { deflateEnd(&stream); }

    z_stream stream{};
    bool good = false;
    std::array<Bytef, kOutputChunk> output{};
};

GzipWriter::GzipWriter(OutputFile& file) : m_file(file), m_state(std::make_unique<State>()) {}

GzipWriter::~GzipWriter() = default;

Result<void> GzipWriter::deflate(std::string_view bytes, bool last) {
    z_stream& stream = m_state->stream;
    // The library's pointer is not const, but only read.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
        stream.next_out = m_state->output.data();
        stream.avail_out = static_cast<uInt>(m_state->output.size());
        if (!m_state->good || ::deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR) {
            return fail("cannot compress the output", ErrorKind::Output);
        }
        const std::string_view done(reinterpret_cast<const char*>(m_state->output.data()),
                                    m_state->output.size() - stream.avail_out);
        if (auto written = m_file.write(done); !written) {
            return written;
        }
    } while (stream.avail_out == 0);
    return {};
}

Result<void> GzipWriter::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::string_view piece = bytes.substr(0, kMostInput);
        if (auto written = deflate(piece, false); !written) {
            return written;
        }
        bytes.remove_prefix(piece.size());
    }
    return {};
}

Result<void> GzipWriter::finish() {
    return deflate({}, true);
}

}  // namespace kinetoscope
