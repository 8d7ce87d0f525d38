// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <string_view>

#include "app/kscope/Command.h"
#include "app/kscope/Terminal.h"

namespace {

using namespace kinetoscope;

constexpr std::array<Command, 8> kCommands{{
    {"report", "How busy the GPUs were, with what, and why they were idle", "[OPTIONS] FILE…",
     declareReport},
    {"cut", "Write the part of a trace inside a window as a smaller trace",
     "FILE --window WINDOW -o OUT.json[.gz]", declareCut},
    {"compare", "What changed between two runs, kernel by kernel", "[OPTIONS] BASE CAND…",
     declareCompare},
    {"bench", "Time kernels, compiled modules and PyTorch's operators",
     "kernels [OPTIONS] DIR… | module [OPTIONS] FILE | operators [OPTIONS] | modules [OPTIONS]",
     declareBench},
    {"results", "Show, export and remove what benches measured", "list|show|export|remove",
     declareResults},
    {"metrics", "Fill and show the metric tables of compiler caches", "kernels|show [OPTIONS] …",
     declareMetrics},
    {"record", "Record what a CUDA program does on its GPUs", "[OPTIONS] -- PROGRAM [ARGUMENTS]",
     declareRecord, true},
    {"convert", "Write recordings as one trace in the format of torch.profiler",
     "IN… OUT.json[.gz]", declareConvert},
}};

// Help with a usage line of our own; everything else is CLI11's.
class Help final : public CLI::Formatter {
public:
    explicit Help(std::string usage) : m_usage(std::move(usage)) { column_width(26); }
    std::string make_usage(const CLI::App*, std::string) const override {
        return "usage: kscope " + m_usage + "\n";
    }

    // The usage line says it already.
    std::string make_positionals(const CLI::App*) const override { return {}; }

private:
    std::string m_usage;
};

struct Declared {
    CLI::App* app;
    std::function<int()> run;
    bool takesProgram = false;
};

std::string commandNames() {
    std::string names;
    for (const Command& command : kCommands) {
        names += names.empty() ? "" : ", ";
        names += command.name;
    }
    return names;
}

// What is left over was understood by nobody.
int rejectLeftOver(const std::string& word, const std::string& command) {
    const std::string program = command.empty() ? "kscope" : "kscope " + command;
    if (word.starts_with('-')) {
        printError("unknown option " + word + "; " + program + " --help lists them");
    } else if (command.empty()) {
        printError("unknown command '" + word + "'; the commands are " + commandNames());
    } else {
        printError("unexpected argument '" + word + "'; " + program + " --help shows the usage");
    }
    return kExitInput;
}

int run(CLI::App& app, const std::vector<Declared>& declared) {
    for (const Declared& command : declared) {
        if (!command.app->parsed()) {
            continue;
        }
        const auto rest = command.app->remaining();
        if (!command.takesProgram && !rest.empty()) {
            return rejectLeftOver(rest.front(), command.app->get_name());
        }
        return command.run();
    }
    if (const auto rest = app.remaining(); !rest.empty()) {
        return rejectLeftOver(rest.front(), {});
    }
    printError("no command; the commands are " + commandNames() + ", and kscope --help tells more");
    return kExitInput;
}

int parseAndRun(int argc, char** argv) {
    CLI::App app("Kinetoscope without a window: analyses of GPU traces in a shell.", "kscope");
    app.set_version_flag("--version", "kscope " KINETOSCOPE_VERSION, "Print the version");
    app.get_help_ptr()->description("Print this help");
    app.footer("kscope COMMAND --help tells more about a command.");
    app.formatter(std::make_shared<Help>("COMMAND [OPTIONS] …"));
    app.allow_extras();
    const std::vector<std::string_view> words(argv, argv + argc);
    std::vector<Declared> declared;
    for (const Command& command : kCommands) {
        CLI::App* sub = app.add_subcommand(command.name, command.summary);
        sub->get_help_ptr()->description("Print this help");
        sub->formatter(std::make_shared<Help>(std::string(command.name) + " " + command.usage));
        sub->allow_extras();
        sub->prefix_command(command.takesProgram);
        // The options of all commands take half a millisecond.
        const bool isNamed = std::ranges::find(words, command.name) != words.end();
        declared.push_back({sub, isNamed ? command.declare(*sub) : nullptr, command.takesProgram});
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& asked) {
        // --help and --version
        app.exit(asked);
        return std::cout.flush() ? kExitGood : kExitOutput;
    } catch (const CLI::ParseError& error) {
        printError(error.what());
        return kExitInput;
    }
    return run(app, declared);
}

}  // namespace

int main(int argc, char** argv) {
    // A reader that goes away (| head) ends the program quietly, even when the parent ignores it.
    std::signal(SIGPIPE, SIG_DFL);
    try {
        return parseAndRun(argc, argv);
    } catch (const std::bad_alloc&) {
        printError("out of memory");
    } catch (const std::exception& error) {
        printError(error.what());
    }
    return kExitOutput;
}
