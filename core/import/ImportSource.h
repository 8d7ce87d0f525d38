// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/import/LoadTrace.h"
#include "core/import/TextSource.h"
#include "core/import/TextWindow.h"

namespace kinetoscope {

/// Which readers take part. Tests compare them; the quick ones only save time.
enum class Readers : std::uint8_t { All, WithoutShapes, Tolerant };

/// How a text is read; nothing of it changes what is read.
struct ReadTuning {
    std::size_t chunk = kTextChunk;  ///< bytes of text read at a time
    std::uint64_t unitBytes = 0;     ///< of text that one thread reads at a time; 0: by the size
    Readers readers = Readers::All;
};

/// loadTrace() behind the opening of the file: chooses the importer and runs it. `path` is only
/// named in messages and RunInfo.
[[nodiscard]] Result<std::shared_ptr<const Trace>> importSource(TextSource& source,
                                                                const std::string& path,
                                                                const LoadOptions& options = {},
                                                                const ReadTuning& tuning = {});

}  // namespace kinetoscope
