// SPDX-License-Identifier: GPL-3.0-or-later
// snapshot_frame_time FILE: time until the blocks of a snapshot are seen, and of a frame while they
// are dragged and zoomed: of everything that the window's thread does for one.
#include <fmt/format.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tests/bench/WindowBench.h"
#include "widgets/snapshot/SnapshotLoader.h"
#include "widgets/snapshot/SnapshotView.h"

namespace kinetoscope {
namespace {

constexpr int kFrames = 400;
constexpr int kDrag = 20;  // frames of one gesture
constexpr int kStep = 17;  // pixels of a frame
constexpr int kNotch = 120;

void wait(snapshot::SnapshotView& view) {
    while (view.map().busy()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

struct Opened {
    std::unique_ptr<snapshot::SnapshotView> view;
    qint64 ms = 0;
};

Opened open(const QString& path) {
    Opened opened;
    QElapsedTimer timer;
    snapshot::SnapshotLoader loader;
    QObject::connect(&loader, &snapshot::SnapshotLoader::loaded,
                     [&](const QString&, const panels::Memory& memory) {
                         opened.view = std::make_unique<snapshot::SnapshotView>(memory);
                         opened.view->resize(1920, 1080);
                         opened.view->show();
                     });
    QObject::connect(&loader, &snapshot::SnapshotLoader::failed,
                     [](const QString&, const QString& why) {
                         fmt::print(stderr, "snapshot_frame_time: {}\n", why.toStdString());
                         std::exit(2);
                     });
    timer.start();
    loader.open(path);
    while (loader.isLoading()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    QCoreApplication::processEvents();
    wait(*opened.view);
    opened.view->map().repaint();
    opened.ms = timer.elapsed();
    return opened;
}

template <typename Event>
void send(QWidget& map, Event event) {
    QCoreApplication::sendEvent(&map, &event);
}

void mouse(QWidget& map, QEvent::Type type, QPointF at, Qt::MouseButton button) {
    const Qt::MouseButtons held =
        type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    send(map, QMouseEvent(type, at, map.mapToGlobal(at), button, held, Qt::NoModifier));
}

void wheel(QWidget& map, QPointF at, int notches) {
    send(map, QWheelEvent(at, map.mapToGlobal(at), {}, {0, notches * kNotch}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false));
}

// In by the wheel, dragged to and fro, and out again.
void gesture(panels::BlockMap& map, int step) {
    const QPointF middle = map.plot().center();
    const int at = step % kDrag;
    if (at < 2) {
        wheel(map, middle, step / kDrag % 6 < 3 ? 1 : -1);
    } else if (at == 2) {
        mouse(map, QEvent::MouseButtonPress, middle, Qt::LeftButton);
    } else if (at == kDrag - 1) {
        mouse(map, QEvent::MouseButtonRelease, middle, Qt::LeftButton);
    } else {
        const double way = (at - 2) * kStep * (step / kDrag % 2 == 0 ? 1 : -1);
        mouse(map, QEvent::MouseMove, middle + QPointF(way, 0), Qt::NoButton);
    }
}

int run(const QString& path) {
    Opened opened = open(path);
    panels::BlockMap& map = opened.view->map();
    bench::Frames frames;
    for (int step = 0; step < kFrames; ++step) {
        frames.time([&] {
            gesture(map, step);
            QCoreApplication::processEvents();  // a picture that is ready by now
            map.repaint();
            return true;
        });
    }
    frames.sort();
    QElapsedTimer timer;
    timer.start();
    opened.view->fit();
    wait(*opened.view);
    const auto whole = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    fmt::print("seen after {} ms; {}; a picture of all of it is made in {:.1f} ms\n", opened.ms,
               frames.words(), whole);
    fmt::print(
        R"({{"benchmark": "snapshot_frame_time", "opened_ms": {}, {}, "picture_ms": {:.3f}}})"
        "\n",
        opened.ms, frames.json(), whole);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace kinetoscope

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: snapshot_frame_time FILE\n");
        return 2;
    }
    return kinetoscope::bench::runInWindow(
        argc, argv, [&] { return kinetoscope::run(QString::fromLocal8Bit(argv[1])); });
}
