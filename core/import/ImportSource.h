// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/import/LoadTrace.h"
#include "core/import/TextSource.h"
#include "core/import/TextWindow.h"

namespace kinetoscope {

/// loadTrace() behind the opening of the file: chooses the importer and runs it. `path` is only
/// named in messages and RunInfo; `chunk` is the number of bytes of text read at a time.
[[nodiscard]] Result<std::shared_ptr<const Trace>> importSource(TextSource& source,
                                                                const std::string& path,
                                                                const LoadOptions& options = {},
                                                                std::size_t chunk = kTextChunk);

}  // namespace kinetoscope
