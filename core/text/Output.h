// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/base/Result.h"
#include "core/text/GzipWriter.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::text {

/// No more text than that becomes a file; `refusal` is said instead.
struct OutputLimit {
    std::uint64_t textBytes = std::numeric_limits<std::uint64_t>::max();
    std::string refusal;
};

/// A file that is written in large pieces, compressed or not.
class Output {
public:
    Output(OutputFile file, bool compressed, OutputLimit limit = {})
        : m_file(std::move(file)), m_limit(std::move(limit)) {
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
        m_textBytes += text.size();
        if (m_textBytes > m_limit.textBytes) {
            return fail(m_limit.refusal);
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
    OutputFile m_file;
    std::optional<GzipWriter> m_gzip;
    OutputLimit m_limit;
    std::uint64_t m_textBytes = 0;  // that were written
};

}  // namespace kinetoscope::text
