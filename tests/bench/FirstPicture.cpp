// SPDX-License-Identifier: GPL-3.0-or-later
// first_picture FILE: how long the window takes from the start of its process to the first slices
// and to the finished picture of a trace, report included, at 1920 x 1080.
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <QApplication>
#include <QPaintEvent>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

#include "app/kinetoscope/MainWindow.h"
#include "tests/bench/WindowBench.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope {
using namespace app;
using namespace import;
using namespace plots;
using namespace query;
using namespace session;
using namespace style;
using namespace timeline;
using namespace trace;
namespace {

constexpr double kGivenUpMs = 60'000.0;

double bootMs() {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// When the process began, exact to ten milliseconds: loading the libraries counts too.
double processStartMs() {
    std::ifstream file("/proc/self/stat");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string field;
    for (int i = 3; i <= 22; ++i) {
        fields >> field;  // the 22nd is the start in ticks since boot
    }
    return std::stod(field) * 1e3 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// Tells when a widget was painted while a trace was shown.
class PaintWatch final : public QObject {
public:
    explicit PaintWatch(const ViewState& view) : m_view(view) {}
    bool painted = false;

    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        painted |= event->type() == QEvent::Paint && m_view.trace() != nullptr;
        return false;
    }

private:
    const ViewState& m_view;
};

struct Times {
    double shownMs = 0.0;              ///< the window is there
    double startedMs = 0.0;            ///< the load began
    std::optional<double> firstMs;     ///< slices on screen
    std::optional<double> finishedMs;  ///< the whole trace and its report on screen
    double longestMs = 0.0;            ///< the window did not react for so long
};

Times measure(MainWindow& window, const QString& path) {
    const double start = processStartMs();
    const auto since = [start] { return bootMs() - start; };
    PaintWatch watch(window.view());
    window.timeline()->findChild<TimelineWidget*>()->installEventFilter(&watch);
    window.resize(1920, 1080);
    window.show();
    QCoreApplication::processEvents();
    Times times;
    times.shownMs = since();
    window.openFiles({path});
    times.startedMs = since();
    // Sleeps in the loop end in time for the measurement.
    QTimer ticks;
    ticks.start(1);
    bool settled = false;
    while (!times.finishedMs && since() < kGivenUpMs) {
        const double before = since();
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        const double now = since();
        times.longestMs = std::max(times.longestMs, now - before);
        if (watch.painted && !times.firstMs) {
            times.firstMs = now;
        }
        const bool done = !window.loader().isLoading() && window.session().reports().report();
        if (done && settled && watch.painted) {
            times.finishedMs = now;
        }
        settled = done;  // one more turn of the loop paints what the report changed
    }
    return times;
}

int run(const QString& path) {
    Settings settings{Settings::InMemory{}};
    MainWindow window(settings);
    QObject::connect(&window.loader(), &TraceLoader::failed, &window,
                     [&](const QString&, const QString& why) {
                         fmt::print(stderr, "{}\n", why.toStdString());
                         std::exit(2);
                     });
    const Times times = measure(window, path);
    if (!times.firstMs || !times.finishedMs) {
        fmt::print(stderr, "the picture was not finished after {:.0f} s\n", kGivenUpMs / 1e3);
        return 2;
    }
    fmt::print(R"({{"benchmark": "first_picture", "slices": {}, "shown_ms": {:.1f}, )"
               R"("first_ms_after_load_start": {:.1f}, "finished_ms": {:.1f}, )"
               R"("longest_stall_ms": {:.1f}}})"
               "\n",
               window.view().trace()->sliceCount(), times.shownMs, *times.firstMs - times.startedMs,
               *times.finishedMs, times.longestMs);
    return 0;
}

}  // namespace
}  // namespace kinetoscope

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "first_picture FILE\n");
        return 2;
    }
    return kinetoscope::bench::runInWindow(
        argc, argv, [&] { return kinetoscope::run(QString::fromLocal8Bit(argv[1])); });
}
