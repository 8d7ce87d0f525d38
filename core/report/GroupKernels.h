// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/report/Report.h"

namespace kinetoscope::report {

/// The kernel table of those launches alone that are in one group of `options.group`, named as in
/// Report::categories. Fails as makeReport() does.
[[nodiscard]] Result<std::vector<analysis::KernelRow>> kernelsOfGroup(const trace::Trace& trace,
                                                                      const ReportOptions& options,
                                                                      const std::string& name);

}  // namespace kinetoscope::report
