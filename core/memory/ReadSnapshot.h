// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/memory/History.h"
#include "core/pickle/Document.h"

namespace kinetoscope::memory {

/// Whether the file starts like a pickle.
[[nodiscard]] bool isSnapshotFile(const std::string& path);
/// Whether it does, and soon names members of a snapshot.
[[nodiscard]] bool namesSnapshot(const std::string& path);

/// What torch.cuda.memory._dump_snapshot() wrote, plain or compressed, of any version. Errors name
/// the path.
[[nodiscard]] Result<History> readSnapshot(const std::string& path,
                                           const std::stop_token& stop = {},
                                           Progress* progress = nullptr);

/// The history that a document is; errors are words that follow a name.
[[nodiscard]] Result<History> historyOf(const pickle::Document& document);

}  // namespace kinetoscope::memory
