// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/baseline/MoreRuns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>
#include <thread>

#include "core/base/Ascii.h"
#include "core/base/TemporaryFiles.h"
#include "core/capture/ChildProcess.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr std::string_view kOnly = "{only}";

// Names come from files, and the command goes to a shell.
bool isPlainWord(const std::string& word) {
    return !word.empty() && word.front() != '-' && std::ranges::all_of(word, [](char c) {
        return isAsciiAlnum(c) || c == '_' || c == '.';
    });
}

std::string optionsFor(bench::results::ResultKind kind,
                       const std::vector<baseline::OpenRow>& rows) {
    const bool kernels = kind == bench::results::ResultKind::Kernels;
    std::set<std::string> words;
    for (const baseline::OpenRow& row : rows) {
        words.insert(kernels ? row.key.candidate : row.op);
    }
    if (kind == bench::results::ResultKind::Modules || !std::ranges::all_of(words, isPlainWord)) {
        return {};
    }
    return kernels         ? fmt::format("--key {}", fmt::join(words, " --key "))
           : words.empty() ? std::string()
                           : fmt::format("--op {}", fmt::join(words, ","));
}

/// Waits for it; ends it when a stop is requested.
int waitUnder(CommandWatch& watch, pid_t child) {
    using Clock = std::chrono::steady_clock;
    constexpr auto kLookAgain = std::chrono::milliseconds(20);
    constexpr auto kGrace = std::chrono::seconds(2);
    std::optional<Clock::time_point> stopRequested;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        if (!stopRequested && watch.token().stop_requested()) {
            stopRequested = Clock::now();
            capture::endGroup(child, SIGTERM);
        } else if (stopRequested && Clock::now() - *stopRequested > kGrace) {
            capture::endGroup(child, SIGKILL);
        }
        std::this_thread::sleep_for(kLookAgain);
    }
    return capture::exitCodeOf(status);
}

}  // namespace

std::string moreCommand(const std::string& command, bench::results::ResultKind kind,
                        const std::vector<baseline::OpenRow>& rows) {
    std::string text = command;
    const std::string only = rows.empty() ? std::string() : optionsFor(kind, rows);
    for (auto at = text.find(kOnly); at != std::string::npos; at = text.find(kOnly, at)) {
        text.replace(at, kOnly.size(), only);
        at += only.size();
    }
    return text;
}

Result<compare::ResultText> oneMoreRun(const std::string& command, CommandWatch& watch) {
    std::string path;
    const int file = openUniqueFile(temporaryFolder() + "/kscope-more-", path);
    if (file < 0) {
        return fail(fmt::format("'{}': no temporary file: {}; set TMPDIR to another folder",
                                temporaryFolder(), std::strerror(errno)),
                    ErrorKind::Output);
    }
    capture::ChildStart start;
    start.program = "/bin/sh";
    start.words = {"sh", "-c", command};
    start.output = file;
    pid_t child = -1;
    const int error = capture::startChild(start, child);
    const int code = error == 0 ? waitUnder(watch, child) : 0;
    ::close(file);
    auto result = compare::findResult(path);
    ::unlink(path.c_str());
    releaseTemporaryFile(path);
    if (const auto resume = watch.resume(); !resume) {
        return tl::unexpected(resume.error());
    }
    if (error != 0) {
        return fail(fmt::format("cannot start the shell: {}", std::strerror(error)),
                    ErrorKind::Output);
    }
    if (code != 0) {
        return fail(
            fmt::format("--more: the command ended with {}: {}", code, text::printable(command)));
    }
    if (!result || !*result) {
        return fail(
            fmt::format("--more: the command printed no result of a bench; it needs --json: "
                        "{}",
                        text::printable(command)));
    }
    (*result)->id = "one more run";
    return std::move(**result);
}

}  // namespace kinetoscope::app
