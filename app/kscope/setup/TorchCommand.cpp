// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "app/kscope/Command.h"
#include "app/kscope/Terminal.h"
#include "core/bench/workers/TorchWorker.h"
#include "core/setup/PythonTorch.h"
#include "core/setup/TorchBuild.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

struct TorchArguments {
    std::string python = "python3";
    std::string folder;  ///< of a PyTorch; empty: ask `python`
    setup::TorchBuild build;
};

Result<std::string> torchFolder(const TorchArguments& arguments) {
    if (!arguments.folder.empty()) {
        return std::filesystem::absolute(arguments.folder).lexically_normal().string();
    }
    const auto found = setup::findPythonTorch(arguments.python);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if (found->folder.empty()) {
        return fail("Python " + found->pythonVersion + " (" + found->python +
                    ") has no PyTorch; name another Python with --python, or the folder of a "
                    "libtorch with --libtorch");
    }
    printNote(text::printable("PyTorch " + found->version + " in " + found->folder));
    return found->folder;
}

int buildForPython(TorchArguments& arguments) {
    const auto source = setup::torchSource();
    if (!source) {
        return reportError(source.error());
    }
    const auto torch = torchFolder(arguments);
    if (!torch) {
        return reportError(torch.error());
    }
    arguments.build.source = *source;
    arguments.build.torch = *torch;
    const auto version = setup::buildTorch(
        arguments.build, [](const std::string& line) { printNote(text::printable(line)); });
    if (!version) {
        return reportError(version.error());
    }
    const auto written = printOut(
        text::printable("kscope-torch for " + *version + ": " + arguments.build.program) + "\n");
    return written ? static_cast<int>(kExitGood) : reportError(written.error());
}

}  // namespace

std::function<int()> declareTorch(CLI::App& app) {
    auto arguments = std::make_shared<TorchArguments>();
    arguments->build.program = bench::workers::builtTorchProgram();
    arguments->build.jobs = std::max(1U, std::thread::hardware_concurrency());
    CLI::App* build =
        app.add_subcommand("build", "Compile kscope-torch against the PyTorch of a Python");
    build
        ->add_option("--python", arguments->python,
                     "Python whose PyTorch to build for (default: python3)")
        ->type_name("PYTHON");
    build
        ->add_option("--libtorch", arguments->folder,
                     "Use this folder with PyTorch's include and lib; /usr for libtorch-dev")
        ->type_name("DIR");
    build
        ->add_option("--compiler", arguments->build.compiler,
                     "C++ compiler (default: the first suitable one)")
        ->type_name("CXX");
    build
        ->add_option("-o,--output", arguments->build.program,
                     "Where to install the program (default: where kscope looks for it)")
        ->type_name("FILE");
    build
        ->add_option("-j,--jobs", arguments->build.jobs,
                     "Parallel compile jobs (default: one per processor)")
        ->type_name("N")
        ->check(CLI::Range(1U, 1024U));
    build->footer(
        "Needs cmake 3.25 or later, g++ or clang++, and make or ninja; the sources come with "
        "kscope.\n"
        "Takes a few minutes. From then on kscope bench operators and modules use this program;\n"
        "kscope doctor shows its path.\n\n"
        "Example\n"
        "  kscope torch build --python ~/venv/bin/python\n");
    return [build, arguments] {
        if (build->parsed()) {
            return buildForPython(*arguments);
        }
        printError("no subcommand; the subcommand is build: kscope torch build");
        return static_cast<int>(kExitInput);
    };
}

}  // namespace kinetoscope::app
