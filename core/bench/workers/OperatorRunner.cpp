// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "core/bench/results/JsonFields.h"
#include "core/bench/results/OperatorText.h"
#include "core/bench/results/ResultStream.h"
#include "core/bench/workers/OperatorWork.h"
#include "core/bench/workers/TorchWorker.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::workers {

using Json = nlohmann::json;

namespace {

// On top of what measuring takes: starting PyTorch, making tensors, running slow operators.
constexpr double kGraceSeconds = 300.0;
// Of all repeats of an implementation together.
constexpr double kWarmUpMs = 100.0;
constexpr double kMeasureMs = 400.0;
// A worker that breaks on every sample is not started for ever.
constexpr int kMaxRestarts = 5;

// The lines of the older script as they come, and its file.
class CompatLines {
public:
    CompatLines(bool on, const results::ResultDocument& document, BenchConsole& console)
        : m_on(on),
          m_console(console),
          m_nvfuser(std::find(document.options.implementations.begin(),
                              document.options.implementations.end(),
                              "nvfuser") != document.options.implementations.end()) {
        if (m_on && document.options.operatorName == "all") {
            m_file.open(
                fmt::format("timings_{}_all{}.txt", document.options.suite, document.options.dtype),
                std::ios::app);
        }
    }

    // Whether the older script runs the operator; reports it otherwise.
    [[nodiscard]] bool begin(const std::string& name) {
        if (!m_on) {
            return true;
        }
        if (const auto skipped = results::compatSkipLine(name)) {
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

    void inaccurate(const std::string& name, const results::Accuracy& accuracy) {
        say(fmt::format("{}\nAccuracy check failed: {}\n{}\n", text::printable(accuracy.why()),
                        name, operators::formatFloat(accuracy.maxAbsolute)));
    }

    void end(const results::BenchItem& result) {
        const std::string text = m_on ? results::compatSpeedups(result, m_nvfuser) : "";
        if (!text.empty()) {
            m_file << text << std::flush;
            say(text + "\n");
        }
    }

private:
    void say(const std::string& text) const {
        if (m_on) {
            m_console.output(text::printableLines(text));
        }
    }

    bool m_on;
    BenchConsole& m_console;
    bool m_nvfuser;
    std::ofstream m_file;
};

// Runs all operators that are not done yet.
class Runner {
public:
    Runner(const OperatorsRun& run, std::string program, results::ResultDocument& document,
           BenchConsole& console)
        : m_run(run),
          m_program(std::move(program)),
          m_document(document),
          m_console(console),
          m_compat(run.compat, document, console) {}

    [[nodiscard]] Result<void> run(const std::vector<OperatorWork>& works,
                                   const std::function<void()>& afterEach) {
        stream([&] { return results::planLine(m_document); });
        std::vector<std::size_t> order(works.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::erase_if(order, [this](std::size_t i) { return m_document.items[i].done; });
        // What comes late in a run meets a warmer machine: not always the same operators.
        if (!m_run.compat) {
            std::ranges::shuffle(order, std::mt19937_64(std::random_device{}()));
        }
        std::size_t left = order.size();
        for (const std::size_t i : order) {
            results::BenchItem& result = m_document.items[i];
            m_index = i;
            stream([&] { return results::startLine(i); });
            m_console.progress(fmt::format("{} to go: {}", left--, text::printable(result.name)));
            if (!m_compat.begin(result.name)) {
                result.reason = "operatorbench does not run it";
                result.parts.clear();
            } else if (auto ran = runOne(works[i], result); !ran) {
                return ran;
            }
            m_compat.end(result);
            result.done = true;
            stream([&] { return results::itemLine(m_document, i); });
            afterEach();
        }
        m_console.progress({});
        return {};
    }

private:
    template <class MakeLine>
    void stream(MakeLine makeLine) const {
        if (m_run.stream) {
            m_console.outputLine(makeLine());
        }
    }

    void streamSample(const results::BenchItem& result, std::size_t position) const {
        stream([&] { return results::partLine(m_index, position, result.parts[position]); });
    }

    [[nodiscard]] Json requestFor(const OperatorWork& work) const {
        const auto repeats = static_cast<double>(m_document.options.repeats);
        const auto turns = repeats * static_cast<double>(m_document.options.implementations.size());
        const double share = m_document.options.timeLimitS * 1e3 / turns;
        // operatorbench times one run there.
        const bool once = m_run.compat && m_document.device == "cpu";
        Json packages = Json::array();
        for (std::size_t i = 0; i < work.packages.size(); ++i) {
            packages.push_back({{"path", work.packages[i]}, {"reason", work.packageReasons[i]}});
        }
        return {{"task", "operators"},
                {"device", m_document.device},
                {"inputs", operators::formatOperator(work.entry)},
                {"implementations", m_document.options.implementations},
                {"repeats", m_document.options.repeats},
                {"warm_up_ms", once ? 0.0 : std::min({25.0, kWarmUpMs / repeats, share * 0.2})},
                {"measure_ms", once ? 0.0 : std::min({100.0, kMeasureMs / repeats, share * 0.8})},
                {"accuracy", m_document.options.accuracyChecking},
                {"shrink", m_run.shrink},
                {"seed", m_document.options.seed},
                {"packages", packages}};
    }

    // A worker that breaks costs the sample it was at.
    [[nodiscard]] Result<void> runOne(const OperatorWork& work, results::BenchItem& result) {
        Json request = requestFor(work);
        request["no_graph"] = Json::array();
        const double patience = kGraceSeconds + 10.0 * m_document.options.timeLimitS;
        std::size_t next = 0;
        int breaks = 0;
        while (next < result.parts.size() && breaks <= kMaxRestarts) {
            request["first"] = next;
            bool again = false;
            TorchFacts facts;
            const auto ending = runTorchWorker({m_program}, request, patience, facts, m_console,
                                               [&](const Json& json, const std::string& line) {
                                                   const std::string event =
                                                       results::fields::text(json, "event");
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
            facts.describe(m_document);
            if (!again && next < result.parts.size()) {
                lose(result, next, ending->sentence);
                ++breaks;
            }
        }
        for (; next < result.parts.size(); ++next) {
            result.parts[next].reason = "not tried: the workers before it broke";
            streamSample(result, next);
        }
        return {};
    }

    void lose(results::BenchItem& result, std::size_t& next, const std::string& sentence) {
        result.parts[next].reason = sentence;
        m_compat.error(result.name, sentence);
        streamSample(result, next);
        ++next;
    }

    void take(const Json& json, const std::string& line, results::BenchItem& result,
              std::size_t& next) {
        const auto index = static_cast<std::size_t>(
            results::fields::upTo(json, "index", std::numeric_limits<std::int64_t>::max()));
        if (index >= result.parts.size()) {
            return;
        }
        results::BenchItem& sample = result.parts[index];
        const std::string event = results::fields::text(json, "event");
        if (event == "start") {
            // Another process may start the same sample again.
            if (std::exchange(m_started, &sample) != &sample) {
                m_compat.sample(sample.index);
            }
            next = index;
        } else if (event == "result") {
            (void)results::takeCallLine(line, sample, m_document.options.means);
            sortImplementations(sample);
            report(result.name, sample);
            streamSample(result, index);
            next = index + 1;
        }
    }

    void report(const std::string& name, const results::BenchItem& sample) {
        if (!sample.reason.empty()) {
            m_compat.error(name, sample.reason);
        }
        for (const results::BenchSeries& one : sample.series) {
            if (sample.reason.empty() && !one.reason.empty()) {
                m_compat.error(name, one.name + ": " + one.reason);
            }
            if (one.accuracy && one.accuracy->reason.empty() && !one.accuracy->difference.empty()) {
                m_compat.inaccurate(name, *one.accuracy);
            }
        }
    }

    void sortImplementations(results::BenchItem& sample) const {
        const auto& order = m_document.options.implementations;
        std::stable_sort(sample.series.begin(), sample.series.end(),
                         [&](const results::BenchSeries& a, const results::BenchSeries& b) {
                             return std::find(order.begin(), order.end(), a.name) <
                                    std::find(order.begin(), order.end(), b.name);
                         });
    }

    const OperatorsRun& m_run;
    std::string m_program;
    results::ResultDocument& m_document;
    BenchConsole& m_console;
    CompatLines m_compat;
    std::size_t m_index = 0;  // of the operator that runs
    const results::BenchItem* m_started = nullptr;
};

}  // namespace

Result<void> runWorks(const OperatorsRun& run, const std::string& program,
                      const std::vector<OperatorWork>& works, results::ResultDocument& document,
                      BenchConsole& console, const std::function<void()>& afterEach) {
    return Runner(run, program, document, console).run(works, afterEach);
}

}  // namespace kinetoscope::bench::workers
