// SPDX-License-Identifier: GPL-3.0-or-later
// A tour of the window in five steps.
#include <QMenuBar>

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/tour/Tour.h"

namespace kinetoscope::app {

void MainWindow::startTour() {
    if (auto* running = findChild<Tour*>()) {
        running->close();
    }
    if (const auto found = samples(); m_session.current() == nullptr && !found.empty()) {
        openFiles(found.front().files);
    }
    const auto panel = [this](const char* id) {
        return [this, id = QString::fromLatin1(id)]() -> QWidget* {
            m_docks->showPanel(id);
            return m_docks->dock(id);
        };
    };
    auto* tour = new Tour(
        *this, {{tr("The timeline"),
                 tr("Time runs to the right; every CPU thread and every GPU stream has its rows. "
                    "The wheel, W and S zoom at the pointer; dragging, A and D pan. The strips "
                    "above show how busy the GPU was."),
                 [this]() -> QWidget* { return m_timeline; }},
                {tr("Details"),
                 tr("Click a slice in the timeline to see everything about it here: the operator "
                    "that launched it, its shapes, and links to related events."),
                 panel("details")},
                {tr("Summary"),
                 tr("How busy each GPU was, with what, and why it was idle. Press Shift+F1 and "
                    "click any figure for its definition."),
                 panel("summary")},
                {tr("Findings"),
                 tr("What to change first, the most each change can save per step, and the "
                    "evidence. Show goes to the place in the timeline."),
                 panel("findings")},
                {tr("Everything else"),
                 tr("Ctrl+F finds slices, Ctrl+R compares runs, ? lists the shortcuts, and "
                    "Ctrl+Shift+P finds any command. More panels are in the View menu."),
                 [this]() -> QWidget* { return menuBar(); }}});
    connect(
        &m_session, &session::Session::currentChanged, tour,
        [tour] {
            tour->place();
            tour->takeKeys();
        },
        Qt::QueuedConnection);
}

}  // namespace kinetoscope::app
