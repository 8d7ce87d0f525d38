// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/Result.h"
#include "core/import/LoadOptions.h"

namespace kinetoscope::import::nsys {

/// Whether a file is a report of Nsight Systems (.nsys-rep, once .qdrep). Its form is NVIDIA's own,
/// so its name has to tell; a database of that name is none.
[[nodiscard]] bool isReport(const std::string& path);

/// The path of a report's database, which `nsys export` makes: $KINETOSCOPE_NSYS, or the one in
/// PATH. It is kept in the user's cache, with the last few others, and made once for each content.
/// Fails with the command to run elsewhere where there is no nsys, with what nsys said, or with
/// ErrorKind::Cancelled.
[[nodiscard]] Result<std::string> exportedReport(const std::string& path,
                                                 const LoadOptions& options);

}  // namespace kinetoscope::import::nsys
