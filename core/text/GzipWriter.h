// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/text/Deflater.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::text {

/// Compresses what is written into a file, in bounded memory.
class GzipWriter {
public:
    explicit GzipWriter(OutputFile& file);

    [[nodiscard]] Result<void> write(std::string_view bytes);
    /// Writes the end of the gzip member. To be called once.
    [[nodiscard]] Result<void> finish();

private:
    [[nodiscard]] Result<void> deflate(std::string_view bytes, bool last);

    OutputFile& m_file;
    std::unique_ptr<Deflater> m_deflater;
    std::vector<std::uint8_t> m_output;
};

}  // namespace kinetoscope::text
