// SPDX-License-Identifier: Apache-2.0
#include "core/report/ModuleProfileText.h"

#include <fmt/format.h>

#include "core/report/OperatorText.h"
#include "core/text/Printable.h"

namespace kinetoscope::report {

Result<std::string> moduleProfileText(const trace::Trace& trace,
                                      const analysis::CompatOptions& options,
                                      const std::string& path, const std::stop_token& stop) {
    const auto operators = analysis::makeOperatorTable(trace, {.stop = stop});
    if (!operators) {
        return tl::unexpected(operators.error());
    }
    return fmt::format(
        "Profiling result for a compiled module of benchmark {}:\n"
        "Chrome trace for the profile is written to {}\n{}\n{}",
        text::printable(options.name), text::printable(path),
        text::printableLines(operatorText(*operators)),
        text::printableLines(analysis::makeCompatReport(trace, options).text));
}

}  // namespace kinetoscope::report
