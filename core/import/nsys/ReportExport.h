// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/Result.h"
#include "core/import/LoadOptions.h"

namespace kinetoscope::import::nsys {

/// Whether a file is a report of Nsight Systems (.nsys-rep, once .qdrep). The format is NVIDIA's
/// own, so only the name tells; a database of that name is not a report.
[[nodiscard]] bool isReport(const std::string& path);

/// The path of a report's database, made by `nsys export`: $KINETOSCOPE_NSYS, or the one in PATH.
/// It is cached in the user's cache folder, with the last few others, once for each content. Fails
/// with the command to run elsewhere if there is no nsys or none may be started, with the output of
/// nsys, or with ErrorKind::Cancelled.
[[nodiscard]] Result<std::string> exportedReport(const std::string& path,
                                                 const LoadOptions& options);

}  // namespace kinetoscope::import::nsys
