// SPDX-License-Identifier: Apache-2.0
#include "core/bench/run/Measure.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include "core/stats/Statistics.h"

namespace kinetoscope::bench::run {

namespace {

struct NamedMethod {
    BenchMethod method;
    std::string_view name;
};

constexpr std::array<NamedMethod, 6> kMethods{{{BenchMethod::EventCold, "event-cold"},
                                               {BenchMethod::EventBatch, "event-batch"},
                                               {BenchMethod::GraphCold, "graph-cold"},
                                               {BenchMethod::CuptiCold, "cupti-cold"},
                                               {BenchMethod::DoBench, "do-bench"},
                                               {BenchMethod::Benchmarker, "benchmarker"}}};

// Operations of one cold sample besides those of restore(): two clocks, flush, two marks, launch.
constexpr std::size_t kColdOperations = 6;
constexpr std::size_t kMaxRound = 32;
constexpr std::size_t kWarmUps = 3;

double steadySeconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Places differ by more than the samples of one do, so it is them that must be enough.
double relativeWidthOfMean(const std::vector<double>& places) {
    const stats::Interval interval = stats::meanInterval(places);
    const double middle = (interval.low + interval.high) / 2;
    return middle > 0 ? (interval.high - interval.low) / middle : 1.0;
}

class Measurement {
public:
    Measurement(BenchQueue& queue, std::size_t configs, const MeasureOptions& options)
        : m_queue(queue),
          m_options(options),
          m_samples(configs),
          m_spent(configs, 0.0),
          m_random(options.seed) {
        if (!m_options.now) {
            m_options.now = steadySeconds;
        }
    }

    [[nodiscard]] Result<ConfigSamples> run() {
        if (m_options.method == BenchMethod::CuptiCold) {
            if (auto done = m_queue.recordKernels(); !done) {
                return tl::unexpected(done.error());
            }
        }
        std::vector<std::size_t> open(m_samples.size());
        std::iota(open.begin(), open.end(), std::size_t{0});
        while (!open.empty()) {
            if (auto done = measureHere(open); !done) {
                return tl::unexpected(done.error());
            }
            std::erase_if(open, [this](std::size_t config) { return finished(config); });
            if (auto done = open.empty() ? Result<void>() : moveOn(open); !done) {
                return tl::unexpected(done.error());
            }
        }
        return std::move(m_samples);
    }

private:
    // What each of these configurations takes of its samples where it lies.
    [[nodiscard]] Result<void> measureHere(const std::vector<std::size_t>& all) {
        for (const std::size_t config : all) {
            if (auto done = m_isNew ? warmUp(config) : Result<void>(); !done) {
                return done;
            }
        }
        m_isNew = false;
        std::vector<std::size_t> wanted(m_samples.size());
        const std::size_t placements = std::max<std::size_t>(m_options.placements, 1);
        for (const std::size_t config : all) {
            wanted[config] =
                m_samples[config].size() + (m_options.minSamples + placements - 1) / placements;
        }
        for (std::vector<std::size_t> open = all; !open.empty();) {
            std::ranges::shuffle(open, m_random);
            for (const std::size_t config : open) {
                const double begin = m_options.now();
                if (auto done = round(config); !done) {
                    return done;
                }
                m_spent[config] += m_options.now() - begin;
            }
            std::erase_if(open, [&](std::size_t config) {
                return m_samples[config].size() >= wanted[config] || isOverdue(config);
            });
        }
        return {};
    }

    // To another place in memory, if there is one; its time is shared by all configurations still
    // measured.
    [[nodiscard]] Result<void> moveOn(const std::vector<std::size_t>& open) {
        if (!m_movable || m_options.placements <= 1) {
            return {};
        }
        const double begin = m_options.now();
        const auto moved = m_queue.move();
        if (!moved) {
            return tl::unexpected(moved.error());
        }
        m_movable = *moved;
        m_isNew = *moved;
        m_placement += *moved ? 1U : 0U;
        for (const std::size_t config : open) {
            m_spent[config] += (m_options.now() - begin) / static_cast<double>(open.size());
        }
        return {};
    }

    [[nodiscard]] Result<void> warmUp(std::size_t config) {
        for (std::size_t i = 0; i < kWarmUps; ++i) {
            m_queue.restore();
            m_queue.flush(0);
            m_queue.launch(config);
            if (m_options.method == BenchMethod::GraphCold) {
                m_queue.restore();
                m_queue.launchGraph(config);
            }
        }
        auto done = m_queue.wait();
        if (m_options.method == BenchMethod::CuptiCold) {
            (void)m_queue.kernelTimesNs(kWarmUps);
        }
        return done;
    }

    [[nodiscard]] bool isOverdue(std::size_t config) const {
        return !m_samples[config].empty() && (m_spent[config] >= m_options.timeLimitS ||
                                              m_samples[config].size() >= m_options.maxSamples);
    }

    [[nodiscard]] bool finished(std::size_t config) const {
        if (isOverdue(config)) {
            return true;
        }
        const auto counted = results::countedNs(m_samples[config]);
        if (counted.size() < m_options.minSamples) {
            return false;
        }
        if (const auto places = results::placementTimes(m_samples[config]); places.size() > 1) {
            const bool everywhere = !m_movable || m_placement + 1 >= m_options.placements;
            return everywhere && relativeWidthOfMean(places) <= m_options.maxWidth;
        }
        return !(m_movable && m_options.placements > 1) &&
               stats::summarize(counted).relativeWidth() <= m_options.maxWidth;
    }

    [[nodiscard]] Result<void> round(std::size_t config) {
        return m_options.method == BenchMethod::EventBatch ? batchRound(config) : coldRound(config);
    }

    [[nodiscard]] Result<void> coldRound(std::size_t config) {
        const std::size_t each = kColdOperations + m_queue.restoreOperations();
        const std::size_t count =
            std::clamp<std::size_t>(m_queue.queueDepth() / each, 1, kMaxRound);
        m_queue.block();
        for (std::size_t i = 0; i < count; ++i) {
            m_queue.restore();
            m_queue.markClock(2 * i);
            m_queue.flush(0);
            m_queue.mark(2 * i);
            if (m_options.method == BenchMethod::GraphCold) {
                m_queue.launchGraph(config);
            } else {
                m_queue.launch(config);
            }
            m_queue.mark(2 * i + 1);
            m_queue.markClock(2 * i + 1);
        }
        m_queue.release();
        if (auto done = m_queue.wait(); !done) {
            return done;
        }
        const bool recorded = m_options.method == BenchMethod::CuptiCold;
        const auto times = recorded ? m_queue.kernelTimesNs(count) : std::vector<double>();
        if (recorded && times.size() != count) {
            constexpr int kMaxLost = 3;
            if (++m_lostRounds <= kMaxLost) {
                return {};
            }
            return fail("CUPTI recorded " + std::to_string(times.size()) + " of " +
                            std::to_string(count) + " launches",
                        ErrorKind::Output);
        }
        for (std::size_t i = 0; i < count; ++i) {
            take(config, recorded ? times[i] : m_queue.elapsedNs(2 * i, 2 * i + 1),
                 m_queue.clockMhz(2 * i, 2 * i + 1));
        }
        coolDown(config, count);
        return {};
    }

    // As many launches as take about a millisecond.
    [[nodiscard]] Result<void> batchRound(std::size_t config) {
        constexpr double kTargetNs = 1e6;
        if (m_batch == 0) {
            m_queue.mark(0);
            m_queue.launch(config);
            m_queue.mark(1);
            if (auto done = m_queue.wait(); !done) {
                return done;
            }
            const double one = std::max(m_queue.elapsedNs(0, 1), 1.0);
            const auto most = m_queue.queueDepth() - 4 - m_queue.restoreOperations();
            m_batch = std::clamp<std::size_t>(static_cast<std::size_t>(kTargetNs / one), 1, most);
        }
        m_queue.block();
        m_queue.restore();
        m_queue.markClock(0);
        m_queue.mark(0);
        for (std::size_t i = 0; i < m_batch; ++i) {
            m_queue.launch(config);
        }
        m_queue.mark(1);
        m_queue.markClock(1);
        m_queue.release();
        if (auto done = m_queue.wait(); !done) {
            return done;
        }
        take(config, m_queue.elapsedNs(0, 1) / static_cast<double>(m_batch),
             m_queue.clockMhz(0, 1));
        return {};
    }

    void take(std::size_t config, double ns, double mhz) {
        const bool throttled = m_options.expectedClockMhz > 0 && mhz > 0 &&
                               mhz < m_options.throttleBelow * m_options.expectedClockMhz;
        m_samples[config].push_back({ns, mhz, throttled, m_placement});
    }

    // A GPU that throttled through a whole round gets a moment to cool.
    void coolDown(std::size_t config, std::size_t count) const {
        const auto& samples = m_samples[config];
        const auto last = samples.end() - static_cast<std::ptrdiff_t>(count);
        if (std::all_of(last, samples.end(),
                        [](const results::BenchSample& s) { return s.throttled; })) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }

    BenchQueue& m_queue;
    MeasureOptions m_options;
    ConfigSamples m_samples;
    std::vector<double> m_spent;
    std::mt19937_64 m_random;
    std::uint32_t m_placement = 0;
    bool m_movable = true;
    bool m_isNew = true;  // nothing has run yet where it lies
    std::size_t m_batch = 0;
    int m_lostRounds = 0;
};

std::vector<results::BenchSample> markedSamples(BenchQueue& queue, std::size_t count) {
    std::vector<results::BenchSample> samples;
    for (std::size_t i = 0; i < count; ++i) {
        samples.push_back({queue.elapsedNs(2 * i, 2 * i + 1), 0.0, false});
    }
    return samples;
}

// Triton's do_bench with warmup=25 and rep=40, both in milliseconds.
Result<std::vector<results::BenchSample>> doBench(BenchQueue& queue, std::size_t config) {
    constexpr std::size_t kFlushed = 256U << 20U;
    constexpr std::size_t kMaxRepeats = 20000;
    queue.launch(config);
    if (auto done = queue.wait(); !done) {
        return tl::unexpected(done.error());
    }
    queue.mark(0);
    for (int i = 0; i < 5; ++i) {
        queue.flush(kFlushed);
        queue.launch(config);
    }
    queue.mark(1);
    if (auto done = queue.wait(); !done) {
        return tl::unexpected(done.error());
    }
    const double estimateMs = std::max(queue.elapsedNs(0, 1) / 5e6, 1e-6);
    const auto times = [&](double budgetMs) {
        return std::clamp<std::size_t>(static_cast<std::size_t>(budgetMs / estimateMs), 1,
                                       kMaxRepeats);
    };
    for (std::size_t i = 0; i < times(25.0); ++i) {
        queue.launch(config);
    }
    const std::size_t repeats = times(40.0);
    for (std::size_t i = 0; i < repeats; ++i) {
        queue.flush(kFlushed);
        queue.mark(2 * i);
        queue.launch(config);
        queue.mark(2 * i + 1);
    }
    if (auto done = queue.wait(); !done) {
        return tl::unexpected(done.error());
    }
    return markedSamples(queue, repeats);
}

// PyTorch's own benchmarker: five launches to estimate, then as many as fit 25 ms, at most 100.
Result<std::vector<results::BenchSample>> seedParity(BenchQueue& queue, std::size_t config) {
    constexpr std::size_t kEstimates = 5;
    constexpr std::size_t kMax = 100;
    constexpr double kBudgetNs = 25e6;
    queue.launch(config);
    if (auto done = queue.wait(); !done) {
        return tl::unexpected(done.error());
    }
    const auto launches = [&](std::size_t count) -> Result<std::vector<results::BenchSample>> {
        for (std::size_t i = 0; i < count; ++i) {
            queue.flush(0);
            queue.mark(2 * i);
            queue.launch(config);
            queue.mark(2 * i + 1);
        }
        if (auto done = queue.wait(); !done) {
            return tl::unexpected(done.error());
        }
        return markedSamples(queue, count);
    };
    auto samples = launches(kEstimates);
    if (!samples) {
        return samples;
    }
    const double estimate = std::max(stats::summarize(results::countedNs(*samples)).min, 1.0);
    for (std::size_t i = 0; i < kMax; ++i) {
        queue.flush(0);
    }
    auto more =
        launches(std::clamp<std::size_t>(static_cast<std::size_t>(kBudgetNs / estimate), 1, kMax));
    if (!more) {
        return more;
    }
    samples->insert(samples->end(), more->begin(), more->end());
    return samples;
}

}  // namespace

std::string_view benchMethodName(BenchMethod method) {
    for (const NamedMethod& named : kMethods) {
        if (named.method == method) {
            return named.name;
        }
    }
    return {};
}

std::optional<BenchMethod> benchMethod(std::string_view name) {
    if (name == "seed-parity") {  // what earlier versions called it
        return BenchMethod::Benchmarker;
    }
    for (const NamedMethod& named : kMethods) {
        if (named.name == name) {
            return named.method;
        }
    }
    return std::nullopt;
}

std::string benchMethodNames() {
    std::string names;
    for (const NamedMethod& named : kMethods) {
        names += &named == &kMethods.front() ? "" : &named == &kMethods.back() ? " or " : ", ";
        names += named.name;
    }
    return names;
}

Result<ConfigSamples> measureConfigs(BenchQueue& queue, std::size_t configs,
                                     const MeasureOptions& options) {
    const bool parity = options.method == BenchMethod::Benchmarker;
    if (!parity && options.method != BenchMethod::DoBench) {
        return Measurement(queue, configs, options).run();
    }
    ConfigSamples all;
    for (std::size_t config = 0; config < configs; ++config) {
        auto samples = parity ? seedParity(queue, config) : doBench(queue, config);
        if (!samples) {
            return tl::unexpected(samples.error());
        }
        all.push_back(std::move(*samples));
    }
    return all;
}

}  // namespace kinetoscope::bench::run
