// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/setup/Outline.h"

#include <CLI/CLI.hpp>

#include "app/kscope/Command.h"

namespace kinetoscope::app {

namespace {

OutlineOption outlineOf(const CLI::Option& option) {
    OutlineOption outline;
    for (const std::string& name : option.get_snames()) {
        outline.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        outline.names.push_back("--" + name);
    }
    outline.help = option.get_description();
    // Those whose value may be left out are followed by anything.
    outline.takesValue = option.get_type_size() != 0 && option.get_items_expected_min() > 0;
    return outline;
}

Outline outlineOf(const CLI::App& app, std::string name, std::string summary) {
    Outline outline{std::move(name), std::move(summary), {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        if (option->nonpositional() && !option->get_group().empty()) {
            outline.options.push_back(outlineOf(*option));
        }
    }
    for (const CLI::App* part : app.get_subcommands({})) {
        if (part->get_name().empty()) {  // a group of options
            Outline group = outlineOf(*part, {}, {});
            outline.options.insert(outline.options.end(), group.options.begin(),
                                   group.options.end());
        } else if (!part->get_group().empty()) {
            outline.parts.push_back(outlineOf(*part, part->get_name(), part->get_description()));
        }
    }
    return outline;
}

// As main() declares it.
Outline outlineOf(const Command& command) {
    CLI::App app(command.summary, command.name);
    app.get_help_ptr()->description("Print this help");
    if (command.declareWithProgram != nullptr) {
        (void)command.declareWithProgram(app);
    } else {
        (void)command.declare(app);
    }
    return outlineOf(app, command.name, command.summary);
}

}  // namespace

Outline outlineOfAll() {
    Outline all{
        "kscope",
        "GPU traces in a shell",
        {{{"-h", "--help"}, "Print this help", false}, {{"--version"}, "Print the version", false}},
        {}};
    for (const Command& command : allCommands()) {
        all.parts.push_back(outlineOf(command));
        for (Outline& part : all.parts.back().parts) {
            if (all.parts.back().name == "metrics" && part.name == "record") {  // parsed by itself
                part = outlineOf({"record", "", "", nullptr, declareMetricsRecord});
            }
        }
    }
    return all;
}

}  // namespace kinetoscope::app
