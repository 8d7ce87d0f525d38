// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/import/source/InputFile.h"
#include "core/import/source/TextSource.h"

namespace kinetoscope::import::source {

/// Chooses by the first bytes, never by the name. Fails when the file cannot be read or is empty.
[[nodiscard]] Result<std::unique_ptr<TextSource>> openTextSource(const std::string& path);
/// The same for a file that is open.
[[nodiscard]] Result<std::unique_ptr<TextSource>> openTextSource(
    std::shared_ptr<const InputFile> file);

enum class Compression : std::uint8_t { None, Gzip, Zstd };

/// Tells by the first four bytes of a file.
[[nodiscard]] Compression compressionOf(std::string_view head);

}  // namespace kinetoscope::import::source
