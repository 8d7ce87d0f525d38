// SPDX-License-Identifier: Apache-2.0
#include "core/export/GzipWriter.h"

#include <isa-l/igzip_lib.h>

#include <array>
#include <vector>

namespace kinetoscope {

namespace {

constexpr std::size_t kOutputChunk = 256 * 1024;
// The library counts input in 32 bits; a piece is copied once.
constexpr std::size_t kMostInput = 64 * 1024 * 1024;

}  // namespace

struct GzipWriter::State {
    isal_zstream stream{};
    std::array<std::uint8_t, ISAL_DEF_LVL3_DEFAULT> level{};
    std::array<std::uint8_t, kOutputChunk> output{};
};

GzipWriter::GzipWriter(OutputFile& file) : m_file(file), m_state(std::make_unique<State>()) {
    isal_deflate_init(&m_state->stream);
    m_state->stream.gzip_flag = IGZIP_GZIP;
    m_state->stream.level = 3;
    m_state->stream.level_buf = m_state->level.data();
    m_state->stream.level_buf_size = static_cast<std::uint32_t>(m_state->level.size());
}

GzipWriter::~GzipWriter() = default;

Result<void> GzipWriter::deflate(std::string_view bytes, bool last) {
    isal_zstream& stream = m_state->stream;
    // The library's pointer is not const.
    std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
    stream.next_in = copy.data();
    stream.avail_in = static_cast<std::uint32_t>(copy.size());
    stream.end_of_stream = last ? 1 : 0;
    do {
        stream.next_out = m_state->output.data();
        stream.avail_out = static_cast<std::uint32_t>(m_state->output.size());
        if (isal_deflate(&stream) != COMP_OK) {
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
