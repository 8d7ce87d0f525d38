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
        *this,
        {{tr("The timeline"),
          tr("Time runs to the right; each thread of the CPU and each stream of the GPUs has its "
             "rows. The wheel, W and S zoom at the pointer; dragging, A and D move. The strips "
             "above "
             "say how busy the GPU was."),
          [this]() -> QWidget* { return m_timeline; }},
         {tr("Details"),
          tr("Click a slice in the timeline: everything about it stands here, with the operator "
             "that launched it, its shapes, and links to whatever it belongs to."),
          panel("details")},
         {tr("Summary"),
          tr("How busy each GPU was, with what, and why it was idle, to the nanosecond. Shift+F1 "
             "and a click on any figure give its definition."),
          panel("summary")},
         {tr("Findings"),
          tr("What to change first, with what that saves of a step at most and what it rests on. "
             "Show goes to the place in the timeline."),
          panel("findings")},
         {tr("Everything else"),
          tr("Ctrl+F finds slices, Ctrl+R compares runs, ? lists the keys, and Ctrl+Shift+P has "
             "all that the window can do, by name. More panels are in the menu View."),
          [this]() -> QWidget* { return menuBar(); }}});
    connect(&m_session, &session::Session::currentChanged, tour, &Tour::place,
            Qt::QueuedConnection);
}

}  // namespace kinetoscope::app
