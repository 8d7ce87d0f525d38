// SPDX-License-Identifier: Apache-2.0
#include "core/text/GzipWriter.h"

namespace kinetoscope::text {

namespace {

constexpr std::size_t kOutputChunk = 256 * 1024;
// Below what a deflater counts.
constexpr std::size_t kMaxInput = 64 * 1024 * 1024;

}  // namespace

GzipWriter::GzipWriter(OutputFile& file)
    : m_file(file), m_deflater(makeDeflater()), m_output(kOutputChunk) {}

Result<void> GzipWriter::deflate(std::string_view bytes, bool last) {
    DeflateSpans spans{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    do {
        spans.out = m_output.data();
        spans.outBytes = m_output.size();
        if (!m_deflater->deflate(spans, last)) {
            return fail("cannot compress the output", ErrorKind::Output);
        }
        const std::string_view done(reinterpret_cast<const char*>(m_output.data()),
                                    m_output.size() - spans.outBytes);
        if (auto written = m_file.write(done); !written) {
            return written;
        }
    } while (spans.outBytes == 0);
    return {};
}

Result<void> GzipWriter::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::string_view piece = bytes.substr(0, kMaxInput);
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

}  // namespace kinetoscope::text
