// SPDX-License-Identifier: GPL-3.0-or-later
// panel_time select | tables [PANEL] | flames FILE: how long the panels of a window take, and for
// how long it stands still meanwhile: for a selected time of ten million slices, for tables of a
// million rows to sort and filter, and for the flame graph of FILE once its operators are known.
#include <fmt/format.h>

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "app/kinetoscope/MainWindow.h"
#include "tests/bench/LargeTrace.h"
#include "tests/bench/WindowBench.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/style/ElidedLabel.h"

namespace kinetoscope {
using namespace app;
using namespace panels;
using namespace session;
namespace {

constexpr double kQuietMs = 60.0;       // nothing was computed or painted for so long: all is done
constexpr double kGivenUpMs = 120e3;    // of one measurement
constexpr double kToldAfterMs = 100.0;  // what takes longer has to say so
constexpr std::size_t kSlices = 10'000'000;
constexpr std::size_t kNamedSlices = 6'000'000;
constexpr std::uint64_t kNames = 1'200'000;  // more than a million of them are kernels'
constexpr int kRounds = 3;
constexpr QChar kEllipsis(0x2026);

/// What one change of the window cost.
struct Cost {
    double doneMs = 0.0;   ///< until the last picture of it
    double pauseMs = 0.0;  ///< the window did not react for so long
    double ownMs = 0.0;    ///< until the panel in front itself was done
    bool told = true;      ///< a panel that took longer than kToldAfterMs said that it was at work

    /// The worst of both.
    void join(const Cost& other) {
        doneMs = std::max(doneMs, other.doneMs);
        pauseMs = std::max(pauseMs, other.pauseMs);
        ownMs = std::max(ownMs, other.ownMs);
        told = told && other.told;
    }
};

/// Notes that something was painted since the last look.
class PaintWatch final : public QObject {
public:
    bool painted = false;

    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        painted = painted || event->type() == QEvent::Paint;
        return false;
    }
};

/// A window without files and settings of its user, in which changes are timed.
class Bench {
public:
    Bench() : m_window(m_settings) {
        QApplication::instance()->installEventFilter(&m_paints);
        QObject::connect(&m_window.loader(), &TraceLoader::failed, &m_window,
                         [](const QString&, const QString& why) {
                             fmt::print(stderr, "{}\n", why.toStdString());
                             std::exit(2);
                         });
        m_window.resize(1920, 1080);
        m_window.show();
        finish();
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;
    ~Bench() { QApplication::instance()->removeEventFilter(&m_paints); }

    MainWindow& window() { return m_window; }

    Panel& inFront(const char* id) {
        const QString name = QLatin1String(id);
        m_window.docks().bringForward(name);
        finish();
        return *m_window.docks().panel(name);
    }

    /// From `change` to the last picture that follows from it.
    template <class Change>
    Cost time(const Panel* shown, Change change) {
        // Sleeps in the loop end in time for the measurement.
        QTimer ticks;
        ticks.start(1);
        QElapsedTimer timer;
        timer.start();
        const auto since = [&timer] { return static_cast<double>(timer.nsecsElapsed()) / 1e6; };
        change();
        Cost cost{.doneMs = since(), .pauseMs = since()};
        bool told = false;
        while (since() - cost.doneMs < kQuietMs && since() < kGivenUpMs) {
            m_paints.painted = false;
            const double before = since();
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
            const double now = since();
            cost.pauseMs = std::max(cost.pauseMs, now - before);
            if (isBusy() || m_paints.painted) {
                cost.doneMs = now;
            }
            if (shown != nullptr && (shown->busy() || isArranging(*shown))) {
                cost.ownMs = now;
                told = told || saysBusy(*shown);
            }
        }
        cost.told = told || cost.ownMs <= kToldAfterMs;
        return cost;
    }

    /// Until nothing is left to do.
    void finish() {
        time(nullptr, [] {});
    }

private:
    bool isBusy() {
        Session& session = m_window.session();
        return m_window.loader().isLoading() || session.reports().busy() || session.find().busy() ||
               session.durations().busy() || m_window.docks().busy() || isArranging(m_window);
    }

    static bool isArranging(const QWidget& shown) {
        const auto tables = shown.findChildren<DataTable*>();
        return std::ranges::any_of(tables, [](const DataTable* table) {
            const auto* model = qobject_cast<models::ColumnTableModel*>(table->model());
            return model != nullptr && model->isArranging();
        });
    }

    /// "calculating…", as panels and tables put it.
    static bool saysBusy(const QWidget& shown) {
        const auto tables = shown.findChildren<DataTable*>();
        return labelSaysBusy<QLabel>(shown) || labelSaysBusy<style::ElidedLabel>(shown) ||
               std::ranges::any_of(tables, [](const DataTable* table) {
                   return table->isVisible() && table->model()->rowCount() == 0 &&
                          table->emptyText().endsWith(kEllipsis);
               });
    }

    template <class Label>
    static bool labelSaysBusy(const QWidget& shown) {
        return std::ranges::any_of(shown.findChildren<Label*>(), [](const Label* label) {
            return label->isVisible() && label->text().endsWith(kEllipsis);
        });
    }

    Settings m_settings{Settings::InMemory{}};
    PaintWatch m_paints;
    MainWindow m_window;
};

const char* yesNo(bool yes) {
    return yes ? "yes" : "no";
}

/// Ranges of nearly all slices, one after the other, with each panel in front in turn.
int selectTime() {
    constexpr std::array kPanels{"summary",   "kernels", "operators", "calltree", "idle",
                                 "selection", "find",    "durations", "steps"};
    Bench bench;
    ViewState& view = bench.window().view();
    bench.window().session().add(QStringLiteral("made"), LargeTrace(kSlices).make());
    bench.window().session().find().setText(QStringLiteral("kernel_7"));
    bench.window().session().find().setFilter({.time = FindTime::Window});
    bench.finish();
    const TimeSpan all = view.fitSpan();
    fmt::print(
        "{} slices; a selected time of 90 % of them, the worst of {}\n"
        "{:<12}{:>12}{:>12}{:>20}{:>12}\n",
        view.trace()->sliceCount(), kRounds, "panel", "updated ms", "itself ms", "longest pause ms",
        "says so");
    Cost worst;
    for (const char* id : kPanels) {
        Panel& panel = bench.inFront(id);
        Cost cost;
        for (int round = 0; round < kRounds; ++round) {
            const TimeNs from = all.start + all.duration() / 100 * (4 + round);
            const TimeSpan range{from, from + all.duration() / 100 * 90};
            cost.join(bench.time(&panel, [&] { view.selectRange(range); }));
            view.selectRange(std::nullopt);
            bench.finish();
        }
        fmt::print("{:<12}{:>12.1f}{:>12.1f}{:>20.1f}{:>12}\n", id, cost.doneMs, cost.ownMs,
                   cost.pauseMs, yesNo(cost.told));
        worst.join(cost);
    }
    fmt::print(R"({{"benchmark": "panel_time", "select_ms": {:.1f}, "pause_ms": {:.1f}, )"
               R"("told": {}}})"
               "\n",
               worst.doneMs, worst.pauseMs, worst.told);
    return 0;
}

/// The table of a panel that has most rows; null: it has none.
DataTable* largestTable(const Panel& panel) {
    DataTable* largest = nullptr;
    for (DataTable* table : panel.findChildren<DataTable*>()) {
        if (table->isVisible() &&
            (largest == nullptr || table->model()->rowCount() > largest->model()->rowCount())) {
            largest = table;
        }
    }
    return largest;
}

/// Every column up and down.
Cost sortAll(Bench& bench, const Panel& panel, DataTable& table) {
    Cost cost;
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        for (const Qt::SortOrder order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
            cost.join(bench.time(&panel, [&] { table.sortByColumn(column, order); }));
        }
    }
    cost.join(bench.time(&panel, [&] { table.sortByColumn(-1, Qt::AscendingOrder); }));
    return cost;
}

/// As it is typed, and taken away again.
Cost filterBy(Bench& bench, const Panel& panel, QLineEdit& filter) {
    Cost cost;
    for (const char* text : {"k", "kernel_7", "kernel_77", ""}) {
        cost.join(bench.time(&panel, [&] { filter.setText(QLatin1String(text)); }));
    }
    return cost;
}

/// `only`: the panel; empty: all with such tables.
int sortTables(std::string_view only) {
    Bench bench;
    FindState& find = bench.window().session().find();
    bench.window().session().add(QStringLiteral("made"), LargeTrace(kNamedSlices, kNames).make());
    find.setText(QStringLiteral("kernel"));
    bench.finish();
    bench.window().view().selectRange(bench.window().view().fitSpan());
    bench.finish();
    fmt::print("{:<12}{:>10}{:>16}{:>12}{:>20}\n", "panel", "rows", "", "done ms",
               "longest pause ms");
    Cost worst;
    for (const char* id : {"kernels", "operators", "idle", "selection", "find"}) {
        if (!only.empty() && only != id) {
            continue;
        }
        Panel& panel = bench.inFront(id);
        DataTable* table = largestTable(panel);
        if (table == nullptr) {
            fmt::print(stderr, "{} has no table\n", id);
            return 1;
        }
        const auto tell = [&](const char* what, int rows, const Cost& cost) {
            fmt::print("{:<12}{:>10}{:>16}{:>12.1f}{:>20.1f}\n", id, rows, what, cost.doneMs,
                       cost.pauseMs);
            std::fflush(stdout);
            worst.join(cost);
        };
        const int rows = table->model()->rowCount();
        tell("sorted", rows, sortAll(bench, panel, *table));
        if (auto* filter = panel.findChild<QLineEdit*>(QStringLiteral("filter"))) {
            tell("filtered", rows, filterBy(bench, panel, *filter));
        } else {
            Cost cost;
            for (const char* text : {"kernel_7", "kernel"}) {
                cost.join(bench.time(&panel, [&] { find.setText(QLatin1String(text)); }));
            }
            tell("searched", rows, cost);
        }
    }
    fmt::print(R"({{"benchmark": "panel_time", "table_ms": {:.1f}, "pause_ms": {:.1f}}})"
               "\n",
               worst.doneMs, worst.pauseMs);
    return 0;
}

int showFlames(const QString& path) {
    Bench bench;
    bench.window().openFiles({path});
    bench.finish();
    bench.inFront("operators");
    Panel& panel = *bench.window().docks().panel(QStringLiteral("calltree"));
    auto* time = panel.findChild<QComboBox*>(QStringLiteral("time"));
    auto* frames = panel.findChild<QComboBox*>(QStringLiteral("frames"));
    fmt::print("{} slices\n{:<20}{:>10}{:>12}{:>20}{:>12}\n",
               bench.window().view().trace()->sliceCount(), "frames", "time", "drawn ms",
               "longest pause ms", "says so");
    Cost worst;
    const auto tell = [&](const Cost& cost) {
        fmt::print("{:<20}{:>10}{:>12.1f}{:>20.1f}{:>12}\n", frames->currentText().toStdString(),
                   time->currentText().toStdString(), cost.doneMs, cost.pauseMs, yesNo(cost.told));
        worst.join(cost);
    };
    // The first picture, as somebody sees it who comes from the operators.
    const Cost first = bench.time(
        &panel, [&] { bench.window().docks().bringForward(QStringLiteral("calltree")); });
    tell(first);
    const auto choose = [&](QComboBox& box, int index) {
        return bench.time(&panel, [&] {
            box.setCurrentIndex(index);
            emit box.activated(index);
        });
    };
    tell(choose(*time, 1));
    for (int index = 1; index < frames->count(); ++index) {
        tell(choose(*frames, index));
    }
    fmt::print(
        R"({{"benchmark": "panel_time", "first_ms": {:.1f}, "flames_ms": {:.1f}, "pause_ms": {:.1f}, )"
        R"("told": {}}})"
        "\n",
        first.doneMs, worst.doneMs, worst.pauseMs, worst.told);
    return 0;
}

int run(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "select" && argc == 2) {
        return selectTime();
    }
    if (what == "tables" && argc <= 3) {
        return sortTables(argc == 3 ? argv[2] : "");
    }
    if (what == "flames" && argc == 3) {
        return showFlames(QString::fromLocal8Bit(argv[2]));
    }
    fmt::print(stderr, "panel_time select | tables [PANEL] | flames FILE\n");
    return 2;
}

}  // namespace
}  // namespace kinetoscope

int main(int argc, char** argv) {
    return kinetoscope::bench::runInWindow(argc, argv,
                                           [&] { return kinetoscope::run(argc, argv); });
}
