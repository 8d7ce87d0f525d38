// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <utility>

#include "app/kscope/OperatorArguments.h"
#include "app/kscope/TorchWorker.h"
#include "core/base/ProcessSetup.h"
#include "core/bench/operators/OperatorStream.h"
#include "core/bench/operators/OperatorText.h"
#include "core/bench/results/JsonFields.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

using Json = nlohmann::json;

namespace {

// On top of what measuring takes: starting PyTorch, making tensors, running slow operators.
constexpr double kGraceSeconds = 300.0;
// A worker that breaks on every sample is not started for ever.
constexpr int kMostRestarts = 5;

// The lines of the older script as they come, and its file.
class CompatLines {
public:
    CompatLines(bool on, const bench::operators::OperatorDocument& document)
        : m_on(on),
          m_nvfuser(std::find(document.implementations.begin(), document.implementations.end(),
                              "nvfuser") != document.implementations.end()) {
        if (m_on && document.operatorName == "all") {
            m_file.open(fmt::format("timings_{}_all{}.txt", document.suite, document.dtype),
                        std::ios::app);
        }
    }

    // Whether the older script runs the operator; says so when it does not.
    [[nodiscard]] bool begin(const std::string& name) {
        if (!m_on) {
            return true;
        }
        if (const auto skipped = bench::operators::compatSkipLine(name)) {
            say(*skipped);
            return false;
        }
        say(fmt::format("Running {}\n", name));
        return name.find("embedding") == std::string::npos;
    }

    void sample(std::size_t index) { say(fmt::format("Iter {}\n", index)); }

    void error(const std::string& name, const std::string& reason) {
        say(fmt::format("error {}\n{}\n", name, text::printable(reason)));
    }

    void inaccurate(const std::string& name, double maxAbsolute) {
        say(fmt::format("Accuracy check failed: {}\n{}\n", name,
                        bench::operators::formatFloat(maxAbsolute)));
    }

    void end(const bench::operators::OperatorResult& result) {
        const std::string text = m_on ? bench::operators::compatSpeedups(result, m_nvfuser) : "";
        if (!text.empty()) {
            m_file << text << std::flush;
            say(text + "\n");
        }
    }

private:
    void say(const std::string& text) const {
        if (m_on) {
            fmt::print("{}", text::printableLines(text));
            std::fflush(stdout);
        }
    }

    bool m_on;
    bool m_nvfuser;
    std::ofstream m_file;
};

// Runs all operators that are not done yet.
class Runner {
public:
    Runner(const OperatorArguments& arguments, std::string program,
           bench::operators::OperatorDocument& document)
        : m_arguments(arguments),
          m_program(std::move(program)),
          m_document(document),
          m_compat(arguments.format == BenchFormat::Compat, document) {}

    [[nodiscard]] Result<void> run(const std::vector<OperatorWork>& works,
                                   const std::function<void()>& afterEach) {
        stream([&] { return bench::operators::operatorPlanLine(m_document); });
        for (std::size_t i = 0; i < works.size(); ++i) {
            bench::operators::OperatorResult& result = m_document.operators[i];
            if (result.done) {
                continue;
            }
            m_index = i;
            stream([&] { return bench::operators::operatorStartLine(i); });
            progress(works.size() - i, result.name);
            if (!m_compat.begin(result.name)) {
                result.reason = "operatorbench does not run it";
                result.samples.clear();
            } else if (auto ran = runOne(works[i], result); !ran) {
                return ran;
            }
            m_compat.end(result);
            result.done = true;
            stream([&] { return bench::operators::operatorDoneLine(i, result); });
            afterEach();
        }
        if (::isatty(STDERR_FILENO) != 0) {
            writeToStandardError("\r\x1b[K");
        }
        return {};
    }

private:
    template <class MakeLine>
    void stream(MakeLine makeLine) const {
        if (m_arguments.stream) {
            sayLine(makeLine());
        }
    }

    void streamSample(const bench::operators::OperatorResult& result, std::size_t position) const {
        stream([&] {
            return bench::operators::operatorSampleLine(m_index, position,
                                                        result.samples[position]);
        });
    }

    void progress(std::size_t left, const std::string& name) const {
        if (::isatty(STDERR_FILENO) != 0) {
            writeToStandardError(fmt::format("\r\x1b[K{} to go: {}", left, text::printable(name)));
        }
    }

    [[nodiscard]] Json requestFor(const OperatorWork& work) const {
        const auto turns =
            static_cast<double>(m_document.repeats * m_document.implementations.size());
        const double share = m_document.timeLimitS * 1e3 / turns;
        Json packages = Json::array();
        for (std::size_t i = 0; i < work.packages.size(); ++i) {
            packages.push_back({{"path", work.packages[i]}, {"reason", work.packageReasons[i]}});
        }
        return {{"task", "operators"},
                {"device", m_document.device},
                {"inputs", bench::operators::formatOperator(work.entry)},
                {"implementations", m_document.implementations},
                {"repeats", m_document.repeats},
                {"warm_up_ms", std::min(25.0, share * 0.2)},
                {"measure_ms", std::min(100.0, share * 0.8)},
                {"accuracy", m_document.accuracyChecking},
                {"shrink", m_arguments.shrink},
                {"seed", m_document.seed},
                {"packages", packages}};
    }

    // A worker that breaks costs the sample it was at.
    [[nodiscard]] Result<void> runOne(const OperatorWork& work,
                                      bench::operators::OperatorResult& result) {
        Json request = requestFor(work);
        request["no_graph"] = Json::array();
        const double patience = kGraceSeconds + 10.0 * m_document.timeLimitS;
        std::size_t next = 0;
        int breaks = 0;
        while (next < result.samples.size() && breaks <= kMostRestarts) {
            request["first"] = next;
            bool again = false;
            TorchFacts facts;
            const auto ending = runTorchWorker({m_program}, request, patience, facts,
                                               [&](const Json& json, const std::string& line) {
                                                   const std::string event =
                                                       bench::results::fields::text(json, "event");
                                                   if (event == "uncapturable") {
                                                       request["no_graph"].push_back(json);
                                                   } else if (event == "again") {
                                                       again = true;
                                                   } else {
                                                       take(json, line, result, next);
                                                   }
                                               });
            if (!ending) {
                return tl::unexpected(ending.error());
            }
            if (!ending->failure.empty()) {
                return fail(ending->failure);
            }
            takeFacts(facts);
            if (!again && next < result.samples.size()) {
                lose(result, next, ending->sentence);
                ++breaks;
            }
        }
        for (; next < result.samples.size(); ++next) {
            result.samples[next].reason = "not tried: the workers before it broke";
            streamSample(result, next);
        }
        return {};
    }

    void lose(bench::operators::OperatorResult& result, std::size_t& next,
              const std::string& sentence) {
        result.samples[next].reason = sentence;
        m_compat.error(result.name, sentence);
        streamSample(result, next);
        ++next;
    }

    void take(const Json& json, const std::string& line, bench::operators::OperatorResult& result,
              std::size_t& next) {
        const auto index = static_cast<std::size_t>(
            bench::results::fields::upTo(json, "index", std::numeric_limits<std::int64_t>::max()));
        if (index >= result.samples.size()) {
            return;
        }
        bench::operators::OperatorSample& sample = result.samples[index];
        const std::string event = bench::results::fields::text(json, "event");
        if (event == "start") {
            // Another process may begin the same sample again.
            if (std::exchange(m_started, &sample) != &sample) {
                m_compat.sample(sample.index);
            }
            next = index;
        } else if (event == "result") {
            (void)bench::operators::takeSampleLine(line, sample);
            sortImplementations(sample);
            report(result.name, sample);
            streamSample(result, index);
            next = index + 1;
        }
    }

    void report(const std::string& name, const bench::operators::OperatorSample& sample) {
        if (!sample.reason.empty()) {
            m_compat.error(name, sample.reason);
        }
        for (const bench::operators::ImplementationResult& one : sample.implementations) {
            if (one.accuracy && one.accuracy->reason.empty() && !one.accuracy->same) {
                m_compat.inaccurate(name, one.accuracy->maxAbsolute);
            }
        }
    }

    void sortImplementations(bench::operators::OperatorSample& sample) const {
        const auto& order = m_document.implementations;
        std::stable_sort(sample.implementations.begin(), sample.implementations.end(),
                         [&](const bench::operators::ImplementationResult& a,
                             const bench::operators::ImplementationResult& b) {
                             return std::find(order.begin(), order.end(), a.name) <
                                    std::find(order.begin(), order.end(), b.name);
                         });
    }

    void takeFacts(const TorchFacts& facts) {
        if (!facts.version.empty()) {
            m_document.torchVersion = facts.version;
            m_document.device = facts.device;
            m_document.threads = facts.threads;
            m_document.gpu = facts.gpu;
        }
    }

    const OperatorArguments& m_arguments;
    std::string m_program;
    bench::operators::OperatorDocument& m_document;
    CompatLines m_compat;
    std::size_t m_index = 0;  // of the operator that runs
    const bench::operators::OperatorSample* m_started = nullptr;
};

}  // namespace

Result<void> runOperators(const OperatorArguments& arguments, const std::string& program,
                          const std::vector<OperatorWork>& works,
                          bench::operators::OperatorDocument& document,
                          const std::function<void()>& afterEach) {
    return Runner(arguments, program, document).run(works, afterEach);
}

}  // namespace kinetoscope::app
