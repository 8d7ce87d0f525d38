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
    std::uint64_t readAheadFrom = 128 * 1024;  ///< bytes of a file whose text comes from a thread
    std::size_t aheadBlock = 1024 * 1024;      ///< bytes of text that this thread makes at a time
};

/// The threads that a load may use: at least one.
[[nodiscard]] unsigned threadsOf(const LoadOptions& options);

/// Of these, the threads that read a text which another one makes ahead of them.
[[nodiscard]] unsigned readersAhead(const LoadOptions& options);

/// loadTrace() behind the opening of the file: chooses the importer and runs it. `path` is only
/// named in messages and RunInfo.
[[nodiscard]] Result<std::shared_ptr<const Trace>> importSource(TextSource& source,
                                                                const std::string& path,
                                                                const LoadOptions& options = {},
                                                                const ReadTuning& tuning = {});

}  // namespace kinetoscope
