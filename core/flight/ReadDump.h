// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/flight/Dump.h"
#include "core/pickle/Document.h"

namespace kinetoscope::flight {

/// Whether a file that starts like this may be a dump: a pickle that is not a snapshot of memory,
/// or JSON whose first key is one of a dump's.
[[nodiscard]] bool looksLikeDump(std::string_view head);

/// The number behind "rank" in a file's name, else the last number there; -1 without any.
[[nodiscard]] std::int64_t rankInName(std::string_view path);

/// A dump of any version, pickle or JSON, plain or compressed. Errors name the path.
[[nodiscard]] Result<Dump> readDump(const std::string& path, const std::stop_token& stop = {});

/// The dump that a document is; errors are words that follow a name.
[[nodiscard]] Result<Dump> dumpOf(const pickle::Document& document);

}  // namespace kinetoscope::flight
