// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Conversion.h"
#include "app/kscope/Options.h"
#include "app/kscope/OwnInput.h"
#include "app/kscope/Terminal.h"
#include "core/convert/KinetoWriter.h"
#include "core/convert/PerfettoWriter.h"
#include "core/import/load/LoadTrace.h"
#include "core/stream/CaptureFolder.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kConvertFooter =
    R"(IN is a capture from kscope record, or a folder of captures; several are merged into one trace, all
processes on one clock, for Perfetto and any tool that reads torch.profiler traces. With
OUT.pftrace, Perfetto's own format, IN may be any single trace or folder of captures.

Examples
  kscope convert kscope-20261120-141500 run.json.gz
  kscope convert vm.xplane.pb vm.pftrace)";

// Any trace that can be opened, as Perfetto's packets.
int convertToPerfetto(const std::vector<std::string>& files) {
    const std::string& output = files.back();
    if (files.size() != 2) {
        printError("'" + output + "': takes only one trace or one folder of captures");
        return kExitInput;
    }
    CommandWatch watch;
    watch.show("reading");
    import::LoadOptions loading;
    loading.stop = watch.token();
    loading.progress = &watch.progress();
    const auto trace = import::loadTrace(files[0], loading);
    if (!trace) {
        return reportError(trace.error());
    }
    watch.show("writing");
    convert::PerfettoOptions options;
    options.output = output;
    options.stop = watch.token();
    options.progress = &watch.progress();
    const auto summary = convert::writePerfettoTrace(**trace, options);
    if (!summary) {
        return reportError(summary.error());
    }
    if (summary->outOfRange > 0) {
        printWarning(
            fmt::format("{} events are too far apart from the others and were left out",
                        text::formatCount(static_cast<std::int64_t>(summary->outOfRange))));
    }
    printNote(fmt::format("{}: {} events, {}", text::printable(output),
                          text::formatCount(static_cast<std::int64_t>(summary->events)),
                          text::formatBytes(summary->outputBytes)));
    return kExitGood;
}

int runConvert(const std::vector<std::string>& files) {
    if (files.size() < 2) {
        printError("convert needs captures and an output; usage: kscope convert IN… OUT.json[.gz]");
        return kExitInput;
    }
    const std::string& output = files.back();
    const std::vector<std::string> inputs(files.begin(), files.end() - 1);
    if (const auto allowed = refuseOwnInput(inputs, output); !allowed) {
        return reportError(allowed.error());
    }
    if (output.ends_with(".pftrace") || output.ends_with(".pftrace.gz")) {
        return convertToPerfetto(files);
    }
    if (!output.ends_with(".json") && !output.ends_with(".json.gz")) {
        printError("'" + output + "': an output ends in .json, .json.gz or .pftrace");
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
            printError(problem.empty() ? "'" + files[i] + "': holds no captures" : problem);
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
    declareExpansion(app);
    app.footer(kConvertFooter);
    return [files] { return runConvert(*files); };
}

}  // namespace kinetoscope::app
