// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/KernelWorkers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/bench/results/JsonParts.h"
#include "core/bench/results/ResultStream.h"
#include "core/bench/workers/WorkerProcess.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::workers {

namespace {

// Start of the driver, loading and filling on top of what measuring takes.
constexpr double kGraceSeconds = 120.0;
constexpr std::int64_t kMaxKernels = 1 << 30;

std::vector<std::string> workerArguments(const KernelsRun& request,
                                         const std::vector<std::size_t>& indices) {
    const run::MeasureOptions& measure = request.bench.measure;
    std::vector<std::string> all{"kscope",
                                 "bench",
                                 "worker",
                                 "--gpu",
                                 std::to_string(request.gpu),
                                 "--method",
                                 std::string(run::benchMethodName(measure.method)),
                                 "--min-samples",
                                 std::to_string(measure.minSamples),
                                 "--time-limit",
                                 fmt::format("{}", measure.timeLimitS),
                                 "--max-width",
                                 fmt::format("{}", measure.maxWidth * 100.0),
                                 "--placements",
                                 std::to_string(measure.placements)};
    if (request.bench.accuracy) {
        all.emplace_back("--accuracy");
    }
    if (!request.bench.dumpFolder.empty()) {
        all.emplace_back("--dump");
        all.push_back(request.bench.dumpFolder);
    }
    all.emplace_back("--indices");
    all.push_back(fmt::format("{}", fmt::join(indices, ",")));
    all.emplace_back("--");
    all.insert(all.end(), request.folders.begin(), request.folders.end());
    return all;
}

// Results of the workers so far. Indices are those of the plan.
class Collector {
public:
    Collector(const plan::CachePlan& plan, results::ResultDocument& document,
              const std::vector<std::size_t>& selected, bool stream, BenchConsole& console)
        : m_plan(plan), m_document(document), m_stream(stream), m_console(console) {
        for (const std::size_t index : selected) {
            const plan::KernelPlan& kernel = plan.kernels[index];
            m_slots[index] = document.items.size();
            document.items.push_back(run::resultWithoutRun(kernel, kernel.reason));
            if (kernel.runnable()) {
                m_pending.push_back(index);
            }
        }
        // What comes late in a run meets a warmer GPU: not always the same kernels.
        std::ranges::shuffle(m_pending, std::mt19937_64(std::random_device{}()));
        say([&] { return results::planLine(m_document); });
        for (const std::size_t index : selected) {
            if (!plan.kernels[index].runnable()) {
                tell(index);
            }
        }
    }

    [[nodiscard]] const std::vector<std::size_t>& pending() const { return m_pending; }
    [[nodiscard]] std::optional<std::size_t> current() const { return m_current; }
    [[nodiscard]] const std::string& failure() const { return m_failure; }

    void take(const std::string& line) {
        const auto parsed = results::fields::jsonObject(line);
        if (!parsed) {
            return;
        }
        const results::fields::Json& json = *parsed;
        const std::string event = results::fields::text(json, "event");
        const auto index =
            static_cast<std::size_t>(results::fields::upTo(json, "index", kMaxKernels));
        if (event == "gpu") {
            results::readDevice(json, m_document);
            say([&] { return results::deviceLine(m_document); });
        } else if (event == "waiting") {
            m_console.warn("another bench is using this GPU; waiting for it to finish");
        } else if (event == "failed") {
            m_failure = results::fields::text(json, "message");
        } else if (!m_slots.contains(index)) {
            return;
        } else if (event == "start") {
            m_current = index;
            progress(index);
        } else if (event == "result") {
            finish(index, results::readItem(results::fields::object(json, "kernel")));
        } else if (event == "error") {
            finish(index, run::resultWithoutRun(m_plan.kernels[index],
                                                results::fields::text(json, "message")));
        }
    }

    void finish(std::size_t index, results::BenchItem result) {
        m_document.items[m_slots[index]] = std::move(result);
        std::erase(m_pending, index);
        m_current.reset();
        tell(index);
        if (m_pending.empty()) {
            m_console.progress({});
        }
    }

private:
    template <class MakeLine>
    void say(MakeLine makeLine) const {
        if (m_stream) {
            m_console.outputLine(makeLine());
        }
    }
    void tell(std::size_t index) {
        say([&] { return results::itemLine(m_document, m_slots[index]); });
    }
    void progress(std::size_t index) {
        say([&] { return results::startLine(m_slots[index]); });
        if (!m_stream) {
            m_console.progress(fmt::format("{} to go: {}", m_pending.size(),
                                           text::printable(m_plan.kernels[index].name)));
        }
    }

    const plan::CachePlan& m_plan;
    results::ResultDocument& m_document;
    bool m_stream;
    BenchConsole& m_console;
    std::map<std::size_t, std::size_t> m_slots;  // of the selected kernels in the document
    std::vector<std::size_t> m_pending;
    std::optional<std::size_t> m_current;
    std::string m_failure;
};

double patience(const KernelsRun& request, const plan::CachePlan& plan) {
    std::size_t most = 1;
    for (const plan::KernelPlan& kernel : plan.kernels) {
        most = std::max(most, kernel.configs.size());
    }
    return kGraceSeconds + 2.0 * request.bench.measure.timeLimitS * static_cast<double>(most);
}

}  // namespace

Result<void> runWorkers(const KernelsRun& request, const plan::CachePlan& plan,
                        const std::vector<std::size_t>& selected, results::ResultDocument& document,
                        BenchConsole& console) {
    const capture::StopSignals stopping;
    Collector collector(plan, document, selected, request.stream, console);
    while (!collector.pending().empty()) {
        const std::size_t before = collector.pending().size();
        WorkerProcess worker;
        if (auto started =
                worker.start("/proc/self/exe", workerArguments(request, collector.pending()));
            !started) {
            return started;
        }
        while (const auto line = worker.line(patience(request, plan))) {
            collector.take(*line);
        }
        const std::string ending = worker.end();
        if (WorkerProcess::isCancelled()) {
            return fail("cancelled", ErrorKind::Cancelled);
        }
        if (!collector.failure().empty()) {
            return fail(collector.failure(), ErrorKind::Output);
        }
        if (const auto lost = collector.current()) {
            collector.finish(*lost, run::resultWithoutRun(plan.kernels[*lost], ending));
        }
        if (collector.pending().size() == before) {
            return fail("the worker cannot work: " + ending, ErrorKind::Output);
        }
    }
    return {};
}

}  // namespace kinetoscope::bench::workers
