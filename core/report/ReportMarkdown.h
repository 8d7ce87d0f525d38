// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/report/ReportDocument.h"

namespace kinetoscope::report {

/// The report as GitHub-flavoured Markdown, for a pull request or a wiki.
[[nodiscard]] std::string reportMarkdown(const ReportDocument& document, bool fullNames = false);

}  // namespace kinetoscope::report
