// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing runs, and their timelines above each other.
#include <QFileInfo>
#include <algorithm>

#include "app/kinetoscope/MainWindow.h"

namespace kinetoscope::app {

namespace {

/// Of something that can be compared: a file's whole path, or a saved result's name.
QString idOf(const QString& path) {
    return QFileInfo::exists(path) ? QFileInfo(path).absoluteFilePath() : path;
}

}  // namespace

void MainWindow::connectCompare() {
    connect(&m_session.compare(), &session::CompareState::failed, m_errors,
            &style::MessageBar::addMessage);
    connect(&m_session.reports(), &session::ReportRunner::failed, m_errors,
            &style::MessageBar::addMessage);
    action(ActionId::CompareTimelines)->setCheckable(true);
    connect(&m_session.compare(), &session::CompareState::compared, this,
            &MainWindow::takeComparison);
    connect(m_compared, &plots::CompareTimelines::closeRequested, this,
            &MainWindow::showOneTimeline);
    connect(m_tabs, &QTabBar::tabBarClicked, this, &MainWindow::showOneTimeline);
    connect(m_pages, &QStackedWidget::currentChanged, this, [this] {
        action(ActionId::CompareTimelines)->setChecked(m_pages->currentWidget() == m_compared);
        m_session.setComparing(m_pages->currentWidget() == m_compared);
    });
    connectCompared(m_session.compare().baseView());
    connectCompared(m_session.compare().candidateView());
    const auto enable = [this] {
        const session::ComparedPair* pair = m_session.compare().shown();
        const bool hasTimelines = pair != nullptr && pair->run.base;
        action(ActionId::CompareTimelines)->setEnabled(hasTimelines);
        if (!hasTimelines && m_pages->currentWidget() == m_compared) {
            showOneTimeline();
        }
    };
    connect(&m_session.compare(), &session::CompareState::shownChanged, this, enable);
    enable();
}

// Requests of one side's menus. Searches and call trees are of one file, which comes to the front.
void MainWindow::connectCompared(session::ViewState& view) {
    connect(&view, &session::ViewState::panelRequested, m_docks.get(), &Docks::showPanel);
    connect(&view, &session::ViewState::kernelRequested, &m_view,
            &session::ViewState::kernelRequested);
    connect(&view, &session::ViewState::benchRequested, &m_view,
            &session::ViewState::benchRequested);
    connect(&view, &session::ViewState::findRequested, this, [this, &view](const QString& pattern) {
        if (showAlone(view)) {
            m_view.askToFind(pattern);
        }
    });
    connect(&view, &session::ViewState::callsRequested, this, [this, &view](NameId name) {
        if (showAlone(view)) {
            m_view.askForCalls(name);
        }
    });
}

int MainWindow::runOf(const session::ViewState& view) const {
    const auto& runs = m_session.runs();
    const auto found = std::ranges::find(runs, view.trace(), &session::Run::trace);
    return view.trace() && found != runs.end() ? static_cast<int>(found - runs.begin()) : -1;
}

/// Shows the file of that side as it is viewed there; false: it is no longer open.
bool MainWindow::showAlone(const session::ViewState& view) {
    const int run = runOf(view);
    if (run < 0) {
        complain(tr("That file is no longer open; open it again to see it on its own."));
        return false;
    }
    m_session.setCurrent(run);
    showOneTimeline();
    m_view.setVisible(view.visible());
    m_view.setSelection(view.selection());
    return true;
}

void MainWindow::takeComparison() {
    const session::ComparedPair* pair = m_session.compare().shown();
    if (pair != nullptr) {
        m_jobs->setCurrent(-1);
        m_docks->showPanel(QStringLiteral("compare"));
        m_pages->setCurrentWidget(pair->run.base ? m_compared : m_pages->currentWidget());
    }
}

void MainWindow::showOneTimeline() {
    showJobOrTrace();
}

void MainWindow::compareFiles(const QStringList& paths) {
    session::CompareState& state = m_session.compare();
    for (const QString& path : paths) {
        state.setRole(idOf(path), path == paths.front() ? session::CompareRole::Baseline
                                                        : session::CompareRole::Candidate);
    }
    state.compare();
}

void MainWindow::compareWhenOpen(const QStringList& paths) {
    auto* waiting = new QObject(this);
    const auto compareOnceThere = [this, waiting, paths] {
        const session::CompareState& state = m_session.compare();
        if (std::ranges::all_of(paths, [&](const auto& path) { return state.has(idOf(path)); })) {
            waiting->deleteLater();
            compareFiles(paths);
        }
    };
    openToCompare(paths);
    connect(&m_session, &session::Session::runsChanged, waiting, compareOnceThere);
    compareOnceThere();
}

void MainWindow::openToCompare(const QStringList& paths) {
    m_session.compare().refreshItems();
    QStringList files;
    for (const QString& path : paths) {
        if (!m_session.compare().has(idOf(path))) {
            files.append(path);
        }
    }
    openFiles(files);
}

void MainWindow::chooseRuns() {
    m_session.compare().suggestRoles();
    m_docks->showPanel(QStringLiteral("runs"));
}

void MainWindow::toggleCompare() {
    if (m_pages->currentWidget() == m_compared) {
        showOneTimeline();
    } else {
        m_jobs->setCurrent(-1);
        m_pages->setCurrentWidget(m_compared);
    }
}

}  // namespace kinetoscope::app
