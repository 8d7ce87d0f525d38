// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/base/Result.h"
#include "core/export/OutputFile.h"

namespace kinetoscope {

/// Compresses what is written into a file, in bounded memory.
class GzipWriter {
public:
    explicit GzipWriter(OutputFile& file);
    GzipWriter(const GzipWriter&) = delete;
    GzipWriter& operator=(const GzipWriter&) = delete;
    ~GzipWriter();

    [[nodiscard]] Result<void> write(std::string_view bytes);
    /// Writes the end of the gzip member. To be called once.
    [[nodiscard]] Result<void> finish();

private:
    struct State;
    [[nodiscard]] Result<void> deflate(std::string_view bytes, bool last);

    OutputFile& m_file;
    std::unique_ptr<State> m_state;
};

}  // namespace kinetoscope
