// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/base/TemporaryFiles.h"
#include "core/bench/workers/BenchConsole.h"
#include "core/capture/ChildProcess.h"

namespace kinetoscope::bench::workers {

/// Of a compiled module; larger ones are not read.
inline constexpr std::size_t kMaxModuleBytes = 64U << 20U;
/// Of CompiledModule::record(): 10 times 10.
inline constexpr std::uint64_t kModuleRuns = 100;

/// A module that Inductor compiled, run by the user's Python as its own main would, in a temporary
/// folder that is removed with this, also when a signal ends us. Make it before any thread.
class CompiledModule {
public:
    CompiledModule(std::string module, std::string python)
        : m_module(std::move(module)), m_python(std::move(python)) {}

    /// Runs it; it prints its figure itself. Gives the seconds of one run.
    [[nodiscard]] Result<double> time();

    struct Recorded {
        std::vector<std::string> captures;  ///< in the temporary folder; none without a GPU
        double wallS = 0.0;                 ///< of one run, without the profiler
    };
    /// Runs it and records kModuleRuns of its runs. Where PyTorch has no GPU its own profiler
    /// writes the trace of the CPU to `path`.
    [[nodiscard]] Result<Recorded> record(const std::string& path, BenchConsole& console);

private:
    [[nodiscard]] Result<void> prepare() const;
    [[nodiscard]] std::vector<std::string> command(const char* mode) const;
    [[nodiscard]] Result<void> endedWell(int exitCode) const;
    [[nodiscard]] Result<double> wallSeconds() const;

    capture::StopSignals m_stopping;  // outlives the folder
    TemporaryFolder m_work;
    std::string m_module;
    std::string m_python;
};

}  // namespace kinetoscope::bench::workers
