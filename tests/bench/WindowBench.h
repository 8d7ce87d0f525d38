// SPDX-License-Identifier: GPL-3.0-or-later
// What the measurements of the window share.
#pragma once

#include <fmt/format.h>
#include <time.h>

#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/stats/Statistics.h"
#include "widgets/style/WindowStyle.h"

namespace kinetoscope::bench {

/// Milliseconds of frames; processor time of this thread tells what a busy machine adds.
class Frames {
public:
    /// A frame that counts unless `draw` says false.
    template <class Draw>
    void time(Draw draw) {
        QElapsedTimer timer;
        const double cpu = threadMs();
        timer.start();
        if (draw()) {
            m_wall.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            m_cpu.push_back(threadMs() - cpu);
        }
    }

    void sort() {
        std::ranges::sort(m_wall);
        std::ranges::sort(m_cpu);
    }

    [[nodiscard]] std::size_t count() const { return m_wall.size(); }

    // Of sorted frames.
    [[nodiscard]] std::string words() const {
        return fmt::format(
            "{} frames at 1920 x 1080: p50 {:.1f} ms, p95 {:.1f} ms (processor {:.1f} ms), p99 "
            "{:.1f} ms, max {:.1f} ms",
            count(), wall(0.50), wall(0.95), cpu(0.95), wall(0.99), wall(1.0));
    }
    [[nodiscard]] std::string json() const {
        return fmt::format(
            R"("frames": {}, "p50_ms": {:.3f}, "p95_ms": {:.3f}, "p95_cpu_ms": {:.3f}, )"
            R"("p99_ms": {:.3f}, "max_ms": {:.3f})",
            count(), wall(0.50), wall(0.95), cpu(0.95), wall(0.99), wall(1.0));
    }

private:
    static double threadMs() {
        timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    }
    [[nodiscard]] double wall(double share) const { return stats::quantileOfSorted(m_wall, share); }
    [[nodiscard]] double cpu(double share) const { return stats::quantileOfSorted(m_cpu, share); }

    std::vector<double> m_wall;
    std::vector<double> m_cpu;
};

/// A measurement's `main`: the light window, drawn into memory unless a platform is given.
template <class Run>
int runInWindow(int argc, char** argv, Run run) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication application(argc, argv);
    style::applyTheme(style::ThemeChoice::Light);
    return run();
}

}  // namespace kinetoscope::bench
