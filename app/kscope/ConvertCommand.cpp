// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Conversion.h"
#include "app/kscope/Terminal.h"
#include "core/convert/KinetoWriter.h"
#include "core/stream/CaptureFolder.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kFooter =
    R"(IN is a capture of kscope record, or a folder of them; several become one trace, with the
processes beside each other in real time. Perfetto and whatever reads torch.profiler's traces
open it.

Example
  kscope convert kscope-20261120-141500 run.json.gz)";

int runConvert(const std::vector<std::string>& files) {
    if (files.size() < 2) {
        printError("convert needs captures and an output: kscope convert IN… OUT.json[.gz]");
        return kExitInput;
    }
    const std::string& output = files.back();
    if (!output.ends_with(".json") && !output.ends_with(".json.gz")) {
        printError("the output '" + output + "' has to end in .json or .json.gz");
        return kExitInput;
    }
    std::vector<std::string> captures;
    for (std::size_t i = 0; i + 1 < files.size(); ++i) {
        std::error_code error;
        if (!std::filesystem::is_directory(files[i], error)) {
            captures.push_back(files[i]);
            continue;
        }
        const auto [inside, problem] = stream::listCaptures(files[i]);
        if (inside.empty() || !problem.empty()) {
            printError(problem.empty() ? "'" + files[i] + "' holds no captures" : problem);
            return kExitInput;
        }
        captures.insert(captures.end(), inside.begin(), inside.end());
    }
    return convertCaptures(captures, output);
}

}  // namespace

int convertCaptures(const std::vector<std::string>& captures, const std::string& output) {
    CommandWatch watch;
    watch.show("writing");
    convert::KinetoOptions options;
    options.captures = captures;
    options.output = output;
    options.stop = watch.token();
    options.progress = &watch.progress();
    const auto summary = convert::writeKinetoTrace(options);
    if (!summary) {
        return reportError(summary.error());
    }
    for (const std::string& warning : summary->warnings) {
        printWarning(warning);
    }
    if (summary->lost > 0) {
        printWarning(fmt::format("{} records could not be placed in time and were left out",
                                 text::formatCount(static_cast<std::int64_t>(summary->lost))));
    }
    printNote(fmt::format("{}: {} events, {}", text::printable(output),
                          text::formatCount(static_cast<std::int64_t>(summary->events)),
                          text::formatBytes(summary->outputBytes)));
    return kExitGood;
}

std::function<int()> declareConvert(CLI::App& app) {
    auto files = std::make_shared<std::vector<std::string>>();
    app.add_option("FILES", *files, "Captures or folders of them, then the trace to write")
        ->expected(-1);
    app.footer(kFooter);
    return [files] { return runConvert(*files); };
}

}  // namespace kinetoscope::app
