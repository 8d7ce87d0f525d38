// SPDX-License-Identifier: Apache-2.0
#include "core/setup/ProgramOutput.h"

#include <fmt/format.h>
#include <unistd.h>

#include <sstream>

#include "core/base/UserFolders.h"
#include "core/bench/workers/WorkerProcess.h"

namespace kinetoscope::setup {

Result<ProgramOutput> outputOf(std::vector<std::string> words, double patience,
                               const std::function<void(const std::string&)>& take) {
    constexpr std::size_t kMaxText = 65536;
    // A worker's errors are ours; here they are part of its answer.
    std::vector<std::string> shell{"sh", "-c", "exec \"$@\" 2>&1 </dev/null", "sh"};
    shell.insert(shell.end(), words.begin(), words.end());
    bench::workers::WorkerProcess process;
    if (auto started = process.start(shell.front(), shell); !started) {
        return tl::unexpected(started.error());
    }
    ProgramOutput output;
    while (const auto line = process.line(patience)) {
        if (take) {
            take(*line);
        }
        output.text += *line + "\n";
        if (output.text.size() > 2 * kMaxText) {
            output.text.erase(0, output.text.find('\n', output.text.size() - kMaxText) + 1);
        }
    }
    output.ending = process.end();
    output.good = process.good();
    if (bench::workers::WorkerProcess::isCancelled()) {
        return fail("cancelled", ErrorKind::Cancelled);
    }
    return output;
}

std::string findProgram(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        return ::access(name.c_str(), X_OK) == 0 ? name : std::string();
    }
    std::istringstream folders(environment("PATH"));
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string path = fmt::format("{}/{}", folder, name);
        if (!folder.empty() && ::access(path.c_str(), X_OK) == 0) {
            return path;
        }
    }
    return {};
}

}  // namespace kinetoscope::setup
