// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/base/Result.h"
#include "core/text/GzipWriter.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::convert {

/// A file that is written in large pieces, compressed or not.
class Output {
public:
    Output(text::OutputFile file, bool compressed) : m_file(std::move(file)) {
        if (compressed) {
            m_gzip.emplace(m_file);
        }
    }
    std::string text;  ///< what comes next

    /// Writes it if there are that many bytes.
    [[nodiscard]] Result<void> flush(std::size_t least) {
        if (text.size() < least) {
            return {};
        }
        auto written = m_gzip ? m_gzip->write(text) : m_file.write(text);
        text.clear();
        return written;
    }
    /// Bytes of the file.
    [[nodiscard]] Result<std::uint64_t> finish() {
        auto done = flush(0);
        if (done && m_gzip) {
            done = m_gzip->finish();
        }
        const std::uint64_t bytes = m_file.written();
        if (done) {
            done = m_file.commit();
        }
        return done ? Result<std::uint64_t>(bytes) : tl::unexpected(done.error());
    }

private:
    text::OutputFile m_file;
    std::optional<text::GzipWriter> m_gzip;
};

}  // namespace kinetoscope::convert
