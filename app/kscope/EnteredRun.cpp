// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "app/kscope/ReportArguments.h"
#include "app/kscope/Terminal.h"
#include "core/import/source/StandardInput.h"
#include "core/sidecar/Sidecar.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

sidecar::EnteredRun enteredRun(const std::string& path) {
    if (path == import::source::kStandardInput) {
        return {};
    }
    const auto read = sidecar::readSidecar(path);
    if (!read) {
        printWarning(read.error().message);
        return {};
    }
    return read->run;
}

}  // namespace

analysis::CompatOptions withEnteredRun(const std::string& path, const ReportArguments& arguments) {
    analysis::CompatOptions options = arguments.compatOptions;
    if (options.wallMs && arguments.counted && arguments.named) {
        return options;
    }
    const sidecar::EnteredRun entered = enteredRun(path);
    std::vector<std::string> taken;
    if (!options.wallMs && entered.wallMs) {
        options.wallMs = entered.wallMs;
        taken.push_back(fmt::format("--wall-ms {}", *entered.wallMs));
    }
    if (!arguments.counted && entered.runs) {
        options.runs = *entered.runs;
        taken.push_back(fmt::format("--runs {}", *entered.runs));
    }
    if (!arguments.named && !entered.name.empty()) {
        options.name = entered.name;
        taken.push_back("--name " + entered.name);
    }
    if (!taken.empty()) {
        printNote(text::printable(fmt::format("kscope: '{}': {}, as entered in the window", path,
                                              fmt::join(taken, " "))));
    }
    return options;
}

}  // namespace kinetoscope::app
