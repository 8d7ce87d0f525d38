// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/analysis/Compat.h"
#include "core/base/Result.h"

namespace kinetoscope::report {

/// The profile that a module compiled by Inductor prints: its operators and the GPU's work. `path`
/// is that of the trace. Fails as cancelled.
[[nodiscard]] Result<std::string> moduleProfileText(const trace::Trace& trace,
                                                    const analysis::CompatOptions& options,
                                                    const std::string& path,
                                                    const std::stop_token& stop);

}  // namespace kinetoscope::report
