// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::app {

/// Standard output, or the file of -o, which appears whole or not at all.
class Sink {
public:
    /// `path` empty: standard output.
    explicit Sink(std::string path) : m_path(std::move(path)) {}

    [[nodiscard]] Result<void> write(std::string_view text);
    /// Gives the file its name. Without any write() no file is made.
    [[nodiscard]] Result<void> finish();

private:
    std::string m_path;
    std::optional<text::OutputFile> m_file;
};

/// Writes the text there; gives an exit code of Command.h, and prints why when it fails.
[[nodiscard]] int writeOutput(const std::string& path, std::string_view text);

}  // namespace kinetoscope::app
