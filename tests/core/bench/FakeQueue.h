// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/bench/run/Measure.h"

namespace kinetoscope::test {

// A GPU whose kernels take what they are told to take, and whose clock is a counter.
class FakeQueue final : public bench::run::BenchQueue {
public:
    std::vector<double> durations{10000.0};
    double clock = 1980.0;
    std::size_t failAtLaunch = 0;
    std::vector<std::string> log;
    std::size_t launches = 0;
    std::size_t graphs = 0;
    std::size_t mostQueued = 0;
    std::vector<double> recorded;
    std::size_t loseAfter = 1000000;
    std::size_t loseOnce = 1000000;

    void block() override {
        m_blocked = true;
        m_queued = 0;
        add("block");
    }
    void release() override {
        add("release");
        m_blocked = false;
    }
    [[nodiscard]] std::size_t queueDepth() const override { return 40; }
    void restore() override { add("restore"); }
    [[nodiscard]] std::size_t restoreOperations() const override { return 1; }
    void flush(std::size_t bytes) override { add("flush " + std::to_string(bytes)); }
    void launch(std::size_t config) override {
        ++launches;
        m_failed = m_failed || launches == failAtLaunch;
        // Every seventh launch is 1 % slower.
        m_now += durations[config] * (launches % 7 == 0 ? 1.01 : 1.0);
        recorded.push_back(durations[config] - 700.0);
        add("launch " + std::to_string(config));
    }
    void launchGraph(std::size_t config) override {
        ++graphs;
        launch(config);
    }
    void mark(std::size_t slot) override {
        m_marks.resize(std::max(m_marks.size(), slot + 1));
        m_marks[slot] = m_now;
        add("mark");
    }
    void markClock(std::size_t) override { add("clock"); }
    [[nodiscard]] Result<void> wait() override {
        return m_failed ? Result<void>(fail("the kernel: lost")) : Result<void>();
    }
    [[nodiscard]] double elapsedNs(std::size_t from, std::size_t to) override {
        return m_marks[to] - m_marks[from];
    }
    [[nodiscard]] Result<void> recordKernels() override {
        add("record");
        return {};
    }
    [[nodiscard]] std::vector<double> kernelTimesNs(std::size_t) override {
        const bool once = launches > loseOnce;
        loseOnce = once ? 1000000 : loseOnce;
        const std::size_t lost = (once || launches > loseAfter) && !recorded.empty() ? 1 : 0;
        recorded.resize(recorded.size() - lost);
        return std::exchange(recorded, {});
    }
    [[nodiscard]] double clockMhz(std::size_t, std::size_t) override { return clock; }
    [[nodiscard]] Result<bool> move() override {
        add("move");
        if (moves == mostMoves) {
            return false;
        }
        ++moves;
        for (double& duration : durations) {
            duration *= moveFactor;
        }
        moveFactor = alternates ? 1.0 / moveFactor : moveFactor;
        return m_failed ? Result<bool>(fail("moving: lost")) : Result<bool>(true);
    }

    std::size_t moves = 0;
    std::size_t mostMoves = 0;
    double moveFactor = 1.01;
    bool alternates = false;

private:
    void add(std::string what) {
        log.push_back(std::move(what));
        mostQueued = m_blocked ? std::max(mostQueued, ++m_queued) : mostQueued;
    }

    std::vector<double> m_marks;
    double m_now = 0.0;
    bool m_failed = false;
    bool m_blocked = false;
    std::size_t m_queued = 0;
};

inline bench::run::MeasureOptions quick(bench::run::BenchMethod method) {
    bench::run::MeasureOptions options;
    options.method = method;
    double time = 0.0;
    options.now = [time]() mutable { return time += 0.01; };
    return options;
}

}  // namespace kinetoscope::test
