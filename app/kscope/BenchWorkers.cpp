// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "app/kscope/BenchArguments.h"
#include "app/kscope/Terminal.h"
#include "core/bench/BenchJson.h"
#include "core/export/Printable.h"

extern char** environ;

namespace kinetoscope {

namespace {

using Json = nlohmann::json;

// Start of the driver, loading and filling on top of what measuring takes.
constexpr double kGraceSeconds = 120.0;

// A child process whose standard output is read line by line.
class Worker {
public:
    [[nodiscard]] Result<void> start(std::vector<std::string> arguments) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) {
            return fail(fmt::format("no pipe for a worker: {}", std::strerror(errno)),
                        ErrorKind::Output);
        }
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        std::vector<char*> pointers;
        pointers.reserve(arguments.size() + 1);
        for (std::string& argument : arguments) {
            pointers.push_back(argument.data());
        }
        pointers.push_back(nullptr);
        const int error = ::posix_spawn(&m_process, "/proc/self/exe", &actions, nullptr,
                                        pointers.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        m_output = ends[0];
        if (error != 0) {
            m_process = -1;
            return fail(fmt::format("a worker does not start: {}", std::strerror(error)),
                        ErrorKind::Output);
        }
        return {};
    }
    Worker() = default;
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() { (void)end(); }

    /// The next line; nothing at the end of the output or after `seconds` without a line.
    [[nodiscard]] std::optional<std::string> line(double seconds) {
        using Clock = std::chrono::steady_clock;
        const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
        for (;;) {
            if (const auto at = m_buffer.find('\n'); at != std::string::npos) {
                std::string found = m_buffer.substr(0, at);
                m_buffer.erase(0, at + 1);
                return found;
            }
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
            pollfd wait{m_output, POLLIN, 0};
            const int ready =
                left.count() > 0 ? ::poll(&wait, 1, static_cast<int>(left.count())) : 0;
            if (ready == 0) {
                m_hung = true;
                ::kill(m_process, SIGKILL);
                return std::nullopt;
            }
            char bytes[65536];
            const ssize_t got = ready > 0 ? ::read(m_output, bytes, sizeof(bytes)) : -1;
            if (got <= 0 && errno != EINTR) {
                return std::nullopt;
            }
            m_buffer.append(bytes, got > 0 ? static_cast<std::size_t>(got) : 0);
        }
    }

    /// How it ended, as a sentence for the kernel that it was at.
    [[nodiscard]] std::string end() {
        if (m_output >= 0) {
            ::close(std::exchange(m_output, -1));
        }
        if (m_process <= 0) {
            return {};
        }
        int status = 0;
        while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
        }
        m_process = -1;
        if (m_hung) {
            return "it did not come to an end, and its worker was stopped";
        }
        if (WIFSIGNALED(status)) {
            return fmt::format("its worker was ended by signal {}", WTERMSIG(status));
        }
        return fmt::format("its worker ended with exit code {}", WEXITSTATUS(status));
    }

private:
    pid_t m_process = -1;
    int m_output = -1;
    bool m_hung = false;
    std::string m_buffer;
};

std::vector<std::string> workerArguments(const BenchArguments& arguments,
                                         const std::vector<std::size_t>& indices) {
    const MeasureOptions& measure = arguments.bench.measure;
    std::vector<std::string> all{"kscope",
                                 "bench",
                                 "worker",
                                 "--gpu",
                                 std::to_string(arguments.gpu),
                                 "--method",
                                 std::string(benchMethodName(measure.method)),
                                 "--min-samples",
                                 std::to_string(measure.minSamples),
                                 "--time-limit",
                                 fmt::format("{}", measure.timeLimitS),
                                 "--max-width",
                                 fmt::format("{}", measure.maxWidth * 100.0)};
    if (arguments.bench.accuracy) {
        all.emplace_back("--accuracy");
    }
    if (!arguments.bench.dumpFolder.empty()) {
        all.emplace_back("--dump");
        all.push_back(arguments.bench.dumpFolder);
    }
    all.emplace_back("--indices");
    all.push_back(fmt::format("{}", fmt::join(indices, ",")));
    all.emplace_back("--");
    all.insert(all.end(), arguments.folders.begin(), arguments.folders.end());
    return all;
}

// What the workers said so far. Indices are those of the plan.
class Collector {
public:
    Collector(const CachePlan& plan, BenchDocument& document,
              const std::vector<std::size_t>& selected, bool stream)
        : m_plan(plan), m_document(document), m_stream(stream) {
        for (const std::size_t index : selected) {
            const KernelPlan& kernel = plan.kernels[index];
            m_slots[index] = document.kernels.size();
            document.kernels.push_back(resultWithoutRun(kernel, kernel.reason));
            if (kernel.runnable()) {
                m_pending.push_back(index);
            } else {
                tell(index);
            }
        }
    }

    [[nodiscard]] const std::vector<std::size_t>& pending() const { return m_pending; }
    [[nodiscard]] std::optional<std::size_t> current() const { return m_current; }
    [[nodiscard]] const std::string& failure() const { return m_failure; }

    void take(const std::string& line) {
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object()) {
            return;
        }
        const std::string event = json.value("event", "");
        const auto index = json.value("index", std::size_t{0});
        if (event == "gpu") {
            if (auto gpu = parseGpu(json["gpu"].dump())) {
                m_document.gpu = std::move(*gpu);
                if (m_stream) {
                    sayLine(line);
                }
            }
        } else if (event == "waiting") {
            printWarning("another bench runs on this GPU; waiting for it to end");
        } else if (event == "failed") {
            m_failure = json.value("message", "");
        } else if (!m_slots.contains(index)) {
            return;
        } else if (event == "start") {
            m_current = index;
            progress(index);
        } else if (event == "result") {
            if (auto kernel = parseKernelResult(json["kernel"].dump())) {
                finish(index, std::move(*kernel));
            }
        } else if (event == "error") {
            finish(index, resultWithoutRun(m_plan.kernels[index], json.value("message", "")));
        }
    }

    void finish(std::size_t index, KernelResult result) {
        m_document.kernels[m_slots[index]] = std::move(result);
        std::erase(m_pending, index);
        m_current.reset();
        tell(index);
        if (m_pending.empty() && ::isatty(STDERR_FILENO) != 0) {
            fmt::print(stderr, "\r\x1b[K");
        }
    }

private:
    void tell(std::size_t index) {
        if (m_stream) {
            sayLine(R"({"event":"result","kernel":)" +
                    kernelResultJson(m_document.kernels[m_slots[index]]) + "}");
        }
    }
    void progress(std::size_t index) const {
        const KernelPlan& kernel = m_plan.kernels[index];
        if (m_stream) {
            const Json json{{"event", "start"}, {"key", kernel.key}, {"name", kernel.name}};
            sayLine(json.dump(-1, ' ', false, Json::error_handler_t::replace));
        } else if (::isatty(STDERR_FILENO) != 0) {
            fmt::print(stderr, "\r\x1b[K{} to go: {}", m_pending.size(), printable(kernel.name));
        }
    }

    const CachePlan& m_plan;
    BenchDocument& m_document;
    bool m_stream;
    std::map<std::size_t, std::size_t> m_slots;  // of the selected kernels in the document
    std::vector<std::size_t> m_pending;
    std::optional<std::size_t> m_current;
    std::string m_failure;
};

double patience(const BenchArguments& arguments, const CachePlan& plan) {
    std::size_t most = 1;
    for (const KernelPlan& kernel : plan.kernels) {
        most = std::max(most, kernel.configs.size());
    }
    return kGraceSeconds + 2.0 * arguments.bench.measure.timeLimitS * static_cast<double>(most);
}

}  // namespace

Result<void> runWorkers(const BenchArguments& arguments, const CachePlan& plan,
                        const std::vector<std::size_t>& selected, BenchDocument& document) {
    Collector collector(plan, document, selected, arguments.stream);
    while (!collector.pending().empty()) {
        const std::size_t before = collector.pending().size();
        Worker worker;
        if (auto started = worker.start(workerArguments(arguments, collector.pending()));
            !started) {
            return started;
        }
        while (const auto line = worker.line(patience(arguments, plan))) {
            collector.take(*line);
        }
        const std::string ending = worker.end();
        if (!collector.failure().empty()) {
            return fail(collector.failure(), ErrorKind::Output);
        }
        if (const auto lost = collector.current()) {
            collector.finish(*lost, resultWithoutRun(plan.kernels[*lost], ending));
        }
        if (collector.pending().size() == before) {
            return fail("the worker can't work: " + ending, ErrorKind::Output);
        }
    }
    return {};
}

}  // namespace kinetoscope
