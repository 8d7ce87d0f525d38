// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/kscope/Command.h"
#include "app/kscope/OwnInput.h"
#include "app/kscope/Terminal.h"
#include "core/about/About.h"
#include "core/base/ProcessSetup.h"

namespace {

using namespace kinetoscope;
using namespace kinetoscope::app;

constexpr std::array<Command, 22> kCommands{{
    {"report", "How busy the GPUs were, with what, and why they were idle", "[OPTIONS] FILE…",
     declareReport},
    {"cut", "Cut a time window out of a trace, as a smaller trace",
     "FILE --window WINDOW -o OUT.json[.gz]", declareCut},
    {"compare", "What changed between two runs, kernel by kernel", "[OPTIONS] BASE CAND…",
     declareCompare},
    {"baseline", "Save runs as baselines, in a folder that machines can share",
     "save NAME RESULT|TRACE… | list | show NAME | remove NAME [ENTRY]", declareBaseline},
    {"check", "Compare new runs with a saved baseline; can fail a CI job",
     "[OPTIONS] NEW… --against NAME", declareCheck},
    {"history", "Show a baseline over time, with its change points", "[OPTIONS] NAME",
     declareHistory},
    {"ranks", "Which ranks of a job waited for which, and why", "[OPTIONS] DIR | FILES…",
     declareRanks},
    {"memory", "What held GPU memory at the peak, and what was never freed",
     "[OPTIONS] FILE [FILE]", declareMemory},
    {"path", "The critical path of each step, and what-if predictions", "[OPTIONS] FILE | DIR",
     declarePath},
    {"advise", "What to change first, with evidence and the most it can save",
     "[OPTIONS] FILE | DIR | FILES…", declareAdvise},
    {"bench", "Time kernels, compiled modules and PyTorch operators",
     "kernels [OPTIONS] DIR… | module [OPTIONS] FILE | operators [OPTIONS] | modules [OPTIONS] | "
     "roof [OPTIONS]",
     declareBench},
    {"results", "Show, export and remove saved bench results", "list|show|export|remove",
     declareResults},
    {"metrics", "Fill and show Inductor's metric tables",
     "kernels [OPTIONS] DIR… | record [OPTIONS] -- PROGRAM [ARGUMENTS] | show FILE",
     declareMetrics},
    {"record", "Record the GPU activity of a CUDA program", "[OPTIONS] -- PROGRAM [ARGUMENTS]",
     nullptr, declareRecord},
    {"convert", "Convert recordings to torch.profiler's format, traces to Perfetto's",
     "IN… OUT.json[.gz]", declareConvert},
    {"query", "Query traces and jobs with SQL", "[OPTIONS] TRACE|JOB… 'SELECT …'", declareQuery},
    {"export", "Export the tables of a trace as a SQLite database", "TRACE|JOB… -o OUT.sqlite",
     declareExport},
    {"mcp", "Serve traces to AI assistants (Model Context Protocol)", "[FOLDER…]", declareMcp},
    {"about", "Versions, and which features work on this machine", "[--json]", declareAbout},
    {"doctor", "Check what each feature needs on this machine, and how to get it", "[OPTIONS]",
     declareDoctor},
    {"torch", "Build kscope-torch, the bench of operators and modules, for your PyTorch",
     "build [OPTIONS]", declareTorch},
    {"completion", "Print a completion script for your shell", "bash|zsh|fish", declareCompletion},
}};

// Part of a command whose words end where those of a program to run begin.
constexpr Command kMetricsRecord{"metrics record",
                                 "Fill Inductor's metric tables while a program compiles",
                                 "[OPTIONS] -- PROGRAM [ARGUMENTS]", nullptr, declareMetricsRecord};

// Help with a usage line of our own; everything else is CLI11's.
class Help final : public CLI::Formatter {
public:
    explicit Help(std::string usage) : m_usage(std::move(usage)) { column_width(26); }
    std::string make_usage(const CLI::App*, std::string) const override {
        return "usage: kscope " + m_usage + "\n";
    }

    // It is in the usage line already.
    std::string make_positionals(const CLI::App*) const override { return {}; }

    // Exclusions are reported when both options are given.
    std::string make_option_opts(const CLI::Option* option) const override {
        if (option->get_type_size() == 0) {
            return {};
        }
        std::string text = " " + option->get_type_name();
        if (!option->get_default_str().empty()) {
            text += "=" + option->get_default_str();
        }
        return option->get_required() ? text + " REQUIRED" : text;
    }

private:
    std::string m_usage;
};

std::string commandNames() {
    std::string names;
    for (const Command& command : kCommands) {
        names += names.empty() ? "" : ", ";
        names += command.name;
    }
    return names;
}

// Arguments that no command understood.
int rejectLeftOver(const std::string& word, const std::string& program) {
    if (word.starts_with('-')) {
        printError("unknown option " + word + "; " + program + " --help lists them");
    } else if (program == "kscope") {
        printError("unknown command '" + word + "'; the commands are " + commandNames());
    } else {
        printError("unexpected argument '" + word + "'; " + program + " --help shows the usage");
    }
    return kExitInput;
}

// Parses the words; a result ends the program, nothing lets it continue.
std::optional<int> parse(CLI::App& app, std::vector<std::string> words) {
    std::ranges::reverse(words);  // as CLI11 takes them
    try {
        app.parse(std::move(words));
    } catch (const CLI::Success& help) {
        // --help and --version
        std::ostringstream text;
        app.exit(help, text, text);
        const auto printed = printOut(text.str());
        return printed ? kExitGood : reportError(printed.error());
    } catch (const CLI::ParseError& error) {
        printError(error.what());
        return kExitInput;
    }
    return std::nullopt;
}

// A word behind "--" names a file, whatever it looks like.
std::string asFile(const std::string& word, const CLI::App& app) {
    const auto isPart = [&word](const CLI::App* part) { return part->get_name() == word; };
    const bool misleads = (word.size() > 1 && word.front() == '-') ||
                          std::ranges::any_of(app.get_subcommands({}), isPart);
    return misleads ? "./" + word : word;
}

// The program to record: everything after the first "--", or after the options without one.
std::vector<std::string> programOf(std::vector<std::string> rest,
                                   const std::vector<std::string>& behind, bool divided) {
    if (divided && !rest.empty()) {
        rest.emplace_back("--");  // the program's own
    }
    rest.insert(rest.end(), behind.begin(), behind.end());
    return rest;
}

int runCommand(const Command& command, const std::vector<std::string>& words) {
    const std::string name = std::string("kscope ") + command.name;
    CLI::App app(command.summary, name);
    app.get_help_ptr()->description("Print this help");
    app.formatter(std::make_shared<Help>(std::string(command.name) + " " + command.usage));
    app.allow_extras();
    // Nothing of what stands behind "--" is ours to understand.
    const auto divider = std::ranges::find(words, "--");
    std::vector<std::string> before(words.begin(), divider);
    const bool divided = divider != words.end();
    const std::vector<std::string> behind(divided ? divider + 1 : divider, words.end());
    if (command.declareWithProgram != nullptr) {
        app.prefix_command();
        const auto run = command.declareWithProgram(app);
        const auto ended = parse(app, std::move(before));
        return ended ? *ended : run(programOf(app.remaining(), behind, divided));
    }
    const auto run = command.declare(app);
    for (const std::string& word : behind) {
        before.push_back(asFile(word, app));
    }
    if (const auto ended = parse(app, std::move(before))) {
        return *ended;
    }
    if (const auto rest = app.remaining(true); !rest.empty()) {
        std::string program = name;
        for (const CLI::App* part : app.get_subcommands()) {
            program += " " + part->get_name();
        }
        return rejectLeftOver(rest.front(), program);
    }
    if (const auto allowed = refuseOwnInput(app); !allowed) {
        return reportError(allowed.error());
    }
    return run();
}

// Without a command: --help, --version, or what is wrong.
int runWithoutCommand(const std::vector<std::string>& words) {
    CLI::App app("Kinetoscope for the terminal: record, analyse and compare GPU work.", "kscope");
    app.set_version_flag("--version", about::versionText("kscope", KINETOSCOPE_VERSION),
                         "Print the version, its commit and how it was built");
    app.get_help_ptr()->description("Print this help");
    app.footer("For more about a command: kscope COMMAND --help");
    app.formatter(std::make_shared<Help>("COMMAND [OPTIONS] …"));
    app.allow_extras();
    for (const Command& command : kCommands) {
        app.add_subcommand(command.name, command.summary);
    }
    if (const auto ended = parse(app, words)) {
        return *ended;
    }
    if (const auto rest = app.remaining(); !rest.empty()) {
        return rejectLeftOver(rest.front(), "kscope");
    }
    printError("no command; the commands are " + commandNames() + "; see kscope --help");
    return kExitInput;
}

int dispatch(const std::vector<std::string>& words) {
    if (words.size() > 1 && words[0] + " " + words[1] == kMetricsRecord.name) {
        return runCommand(kMetricsRecord, {words.begin() + 2, words.end()});
    }
    const auto named =
        words.empty()
            ? kCommands.end()
            : std::ranges::find(kCommands, std::string_view(words.front()),
                                [](const Command& c) { return std::string_view(c.name); });
    return named == kCommands.end() ? runWithoutCommand(words)
                                    : runCommand(*named, {words.begin() + 1, words.end()});
}

}  // namespace

std::span<const Command> kinetoscope::app::allCommands() {
    return kCommands;
}

int main(int argc, char** argv) {
    setUpProcess();
    try {
        return dispatch({argv + std::min(argc, 1), argv + argc});
    } catch (const std::bad_alloc&) {
        printError("out of memory");
    } catch (const std::exception& error) {
        printError(error.what());
    }
    return kExitOutput;
}
