// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/CompareArguments.h"
#include "app/kscope/Terminal.h"

namespace kinetoscope::app {

namespace {

struct Written {
    std::vector<std::string> files;
    bool json = false;
    bool csv = false;
    bool markdown = false;
    bool self = false;
    bool fullNames = false;
    std::string per;
    std::string match = "operator";
    std::string failOn;
    std::string output;
    std::int64_t top = -1;
    CLI::Option* topOption = nullptr;
};

constexpr const char* kFooter =
    R"(BASE and CAND are traces, or results of one bench: of kernels, operators or modules (files, or names
of kept results). RUN,RUN… are several runs of one bench, each in a process of its own, taken as one
side: pairs are then runs, so that a verdict holds between processes.

A kernel is SLOWER, FASTER or SAME when the 95 % interval of the median of its paired time ratios,
corrected for the number of kernels, lies beyond or inside of ±3 % (±1 % for benchmarks), else
UNSURE.

Examples
  kscope compare before.json.gz after.json.gz
  kscope compare --markdown before.json after.json > comment.md
  kscope compare --fail-on slower:5 before.json after.json
  kscope compare --self before.json before_again.json
  kscope compare a1.json,a2.json,a3.json,a4.json,a5.json b1.json,b2.json,b3.json,b4.json,b5.json

Exit code: 0 good, 1 --fail-on found a slower kernel (or the output could not be written),
2 wrong options or unreadable files.)";

template <class T, std::size_t N>
Result<T> parseChoice(const char* option, const std::string& text,
                      const std::array<std::pair<std::string_view, T>, N>& choices) {
    std::string names;
    for (const auto& [name, value] : choices) {
        if (text == name) {
            return value;
        }
        names += names.empty() ? "" : ", ";
        names += name;
    }
    return fail(fmt::format("{} {} is not known; it is one of {}", option, text, names));
}

Result<std::optional<double>> parseFailOn(const std::string& text) {
    constexpr std::string_view kSlower = "slower";
    if (text.empty()) {
        return std::nullopt;
    }
    const auto wrong = [&] {
        return fail(fmt::format(
            "--fail-on {} is not known; it is slower or slower:PERCENT, as in slower:5", text));
    };
    if (!text.starts_with(kSlower)) {
        return wrong();
    }
    std::string_view rest = std::string_view(text).substr(kSlower.size());
    if (rest.empty()) {
        return 0.0;
    }
    double percent = 0.0;
    rest.remove_prefix(rest[0] == ':' ? 1 : 0);
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), percent);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == rest.data() + rest.size();
    if (text[kSlower.size()] != ':' || !whole || !std::isfinite(percent) || percent < 0.0) {
        return wrong();
    }
    return percent;
}

Result<void> checkFiles(const Written& written) {
    if (written.json + written.csv + written.markdown > 1) {
        return fail("--json, --csv and --markdown exclude each other; give one of them");
    }
    if (written.self && (written.csv || written.markdown)) {
        return fail("--self prints text or, with --json, JSON; leave out --csv and --markdown");
    }
    if (written.self && !written.failOn.empty()) {
        return fail("--self compares the same with the same; leave out --fail-on");
    }
    if (*written.topOption && written.top < 0) {
        return fail("--top needs a number of kernels, 0 for all");
    }
    if (written.self && written.files.empty()) {
        return fail("no file; kscope compare --self FILE… needs at least one trace");
    }
    if (!written.self && written.files.size() < 2) {
        return fail("a comparison needs a baseline and a candidate: kscope compare BASE CAND…");
    }
    return {};
}

Result<CompareArguments> checked(const Written& written) {
    constexpr std::array<std::pair<std::string_view, std::optional<compare::Normalisation>>, 3>
        kPer{{{"step", compare::Normalisation::Step},
              {"run", compare::Normalisation::Run},
              {"", std::nullopt}}};
    constexpr std::array<std::pair<std::string_view, compare::MatchKind>, 3> kMatch{
        {{"exact", compare::MatchKind::Exact},
         {"normalised", compare::MatchKind::Normalised},
         {"operator", compare::MatchKind::Operator}}};
    if (auto files = checkFiles(written); !files) {
        return tl::unexpected(files.error());
    }
    const auto per = written.per.empty()
                         ? Result<std::optional<compare::Normalisation>>(std::nullopt)
                         : parseChoice("--per", written.per, std::array{kPer[0], kPer[1]});
    const auto match = parseChoice("--match", written.match, kMatch);
    const auto failOn = parseFailOn(written.failOn);
    if (!per || !match || !failOn) {
        return tl::unexpected(!per ? per.error() : !match ? match.error() : failOn.error());
    }
    CompareArguments arguments;
    arguments.files = written.files;
    arguments.self = written.self;
    arguments.format = written.json       ? CompareFormat::Json
                       : written.csv      ? CompareFormat::Csv
                       : written.markdown ? CompareFormat::Markdown
                                          : CompareFormat::Text;
    arguments.options.per = *per;
    arguments.options.match = *match;
    arguments.failOnSlower = *failOn;
    arguments.output = written.output;
    arguments.fullNames = written.fullNames;
    if (*written.topOption) {
        arguments.top = static_cast<std::size_t>(written.top);
    }
    return arguments;
}

void declareOutput(CLI::App& app, Written& written) {
    const char* group = "Output";
    app.add_flag("--json", written.json, "Everything as JSON; an array for several candidates")
        ->group(group);
    app.add_flag("--csv", written.csv, "The kernels as CSV")->group(group);
    app.add_flag("--markdown", written.markdown, "Markdown, for a pull request")->group(group);
    app.add_option("-o,--output", written.output, "Write to FILE, whole or not at all")
        ->type_name("FILE")
        ->group(group);
    written.topOption = app.add_option("--top", written.top, "Kernels shown; 0: all (default: 20)")
                            ->type_name("N")
                            ->group(group);
    app.add_flag("--full-names", written.fullNames, "Kernel names whole, whatever the width")
        ->group(group);
    app.add_option("--fail-on", written.failOn,
                   "Exit with 1 when a kernel is SLOWER, by PERCENT or more")
        ->type_name("slower[:PERCENT]")
        ->group(group);
}

void declareAnalysis(CLI::App& app, Written& written) {
    const char* group = "Comparison";
    app.add_option("--per", written.per,
                   "Counts and times per step or run (default: run; step if numbers differ)")
        ->type_name("step|run")
        ->group(group);
    app.add_option("--match", written.match,
                   "A kernel's partner: by exact name, normalised name, or operator (default)")
        ->type_name("exact|normalised|operator")
        ->group(group);
    app.add_flag("--self", written.self,
                 "False alarms: the halves of each file, and each file against the next")
        ->group(group);
}

int runWritten(const Written& written) {
    const auto arguments = checked(written);
    return arguments ? runCompare(*arguments) : reportError(arguments.error());
}

}  // namespace

std::function<int()> declareCompare(CLI::App& app) {
    auto written = std::make_shared<Written>();
    app.add_option("BASE CAND…", written->files,
                   "The baseline, then one or more candidates: traces or results");
    app.footer(kFooter);
    declareOutput(app, *written);
    declareAnalysis(app, *written);
    return [written] { return runWritten(*written); };
}

}  // namespace kinetoscope::app
