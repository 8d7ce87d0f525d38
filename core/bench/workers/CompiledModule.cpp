// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/CompiledModule.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/bench/results/JsonFields.h"
#include "core/capture/RecordRun.h"
#include "core/metrics/SourceFolder.h"
#include "core/text/OutputFile.h"

namespace kinetoscope {

extern const std::string_view kModuleDriver;

}  // namespace kinetoscope

namespace kinetoscope::bench::workers {

namespace {

constexpr const char* kDriverFile = "module_driver.py";
constexpr const char* kResultFile = "result.json";

// Runs a program to its end and gives its exit code as a shell has it.
Result<int> runToEnd(std::vector<std::string> command) {
    capture::ChildStart start;
    start.program = command.front();
    start.words = std::move(command);
    start.mask = capture::StopSignals::maskBefore();
    pid_t process = -1;
    if (const int error = capture::startChild(start, process); error != 0) {
        return fail(fmt::format("'{}': cannot be run: {}; --python names another one",
                                start.program, std::strerror(error)));
    }
    const int exitCode = capture::exitCodeOf(capture::waitForChild(process));
    return capture::StopSignals::came() == 0 ? Result<int>(exitCode)
                                             : fail("cancelled", ErrorKind::Cancelled);
}

// Whatever file systems the two are on, `to` is there whole or not at all.
Result<void> copyWhole(const std::string& from, const std::string& to) {
    auto out = text::OutputFile::create(to);
    if (!out) {
        return tl::unexpected(out.error());
    }
    std::ifstream in(from, std::ios::binary);
    std::vector<char> piece(1U << 20U);
    while (in) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        const auto size = static_cast<std::size_t>(in.gcount());
        if (auto written = out->write({piece.data(), size}); !written) {
            return written;
        }
    }
    return in.eof() ? out->commit()
                    : fail(fmt::format("'{}': cannot be read", from), ErrorKind::Output);
}

}  // namespace

std::vector<std::string> CompiledModule::command(const char* mode) const {
    return {m_python, m_work.file(kDriverFile), m_module, m_work.file(kResultFile), mode};
}

Result<void> CompiledModule::prepare() const {
    if (m_work.path().empty()) {
        return fail(fmt::format("cannot make a temporary folder: {}", std::strerror(errno)),
                    ErrorKind::Output);
    }
    return text::writeFile(m_work.file(kDriverFile), kModuleDriver);
}

Result<void> CompiledModule::endedWell(int exitCode) const {
    if (exitCode == 0) {
        return {};
    }
    return fail(fmt::format("{}: {} ended with exit code {}", m_module, m_python, exitCode),
                ErrorKind::Output);
}

// As the driver wrote them.
Result<double> CompiledModule::wallSeconds() const {
    const auto text = metrics::readSmallFile(m_work.file(kResultFile), 1U << 20U);
    const auto json = results::fields::jsonObject(text ? *text : std::string());
    const double wall = json ? results::fields::number(*json, "wall_s") : 0.0;
    if (!(wall > 0.0)) {
        return fail("the module's benchmark gave no wall time", ErrorKind::Output);
    }
    return wall;
}

Result<double> CompiledModule::time() {
    return prepare()
        .and_then([&] { return runToEnd(command("wall")); })
        .and_then([&](int exitCode) { return endedWell(exitCode); })
        .and_then([&] { return wallSeconds(); });
}

Result<CompiledModule::Recorded> CompiledModule::record(const std::string& path,
                                                        BenchConsole& console) {
    const auto injection = prepare().and_then([] { return capture::findInjectLibrary(); });
    if (!injection) {
        return tl::unexpected(injection.error());
    }
    std::error_code error;
    capture::RecordRun run;
    run.command = command("profile");
    // PyTorch compresses by the name, too.
    const std::string onCpu = m_work.file(path.ends_with(".gz") ? "cpu.json.gz" : "cpu.json");
    run.command.push_back(onCpu);
    run.options.folder = m_work.file("captures");
    run.options.control = run.options.folder + "/" + capture::kControlName;
    run.options.paused = true;
    run.injection = *injection;
    run.isOurs = true;
    run.onNote = [&](const std::string& text) { console.warn(text); };
    std::filesystem::create_directory(run.options.folder, error);
    auto outcome = capture::runRecorded(run);
    if (!outcome) {
        return tl::unexpected(outcome.error());
    }
    if (const auto good = endedWell(outcome->exitCode); !good) {
        return tl::unexpected(good.error());
    }
    if (std::filesystem::exists(onCpu, error)) {
        console.warn("PyTorch has no GPU here: what follows is of the CPU");
        return copyWhole(onCpu, path).and_then([&] { return wallSeconds(); }).map([](double wallS) {
            return Recorded{{}, wallS};
        });
    }
    if (outcome->captures.empty()) {
        return fail("nothing was recorded: the module has not started CUDA", ErrorKind::Output);
    }
    return wallSeconds().map([&](double wallS) {
        return Recorded{std::move(outcome->captures), wallS};
    });
}

}  // namespace kinetoscope::bench::workers
