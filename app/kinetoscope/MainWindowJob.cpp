// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of several ranks in the window, beside the open traces.
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>
#include <array>

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/files/RankOfFile.h"
#include "widgets/session/advice/AdviceFinder.h"
#include "widgets/session/paths/FilePath.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::app {

namespace {

constexpr double kRankRoom = 0.2;  // of the time that a rank is opened at, on both sides

// What can be done with a job of what else needs a trace.
constexpr std::array kForJobs{ActionId::Reload,       ActionId::Close,    ActionId::SaveSession,
                              ActionId::ExportTable,  ActionId::SavePart, ActionId::SaveScreenshot,
                              ActionId::Fit,          ActionId::ZoomIn,   ActionId::ZoomOut,
                              ActionId::PreviousFile, ActionId::NextFile};

}  // namespace

QWidget* MainWindow::connectJobs() {
    connect(m_jobs.get(), &JobTabs::changed, this, &MainWindow::refreshCurrent);
    connect(m_jobs.get(), &JobTabs::failed, m_errors, &style::MessageBar::addMessage);
    connect(m_jobs.get(), &JobTabs::opened, this, [this](const QStringList& paths) {
        if (paths.size() == 1) {
            session::addRecentFile(m_settings, paths.front());
        }
        m_settings.lastFolder.set(QFileInfo(paths.front()).absolutePath());
    });
    connect(m_jobs.get(), &JobTabs::rankRequested, this, &MainWindow::openRank);
    connect(m_jobs.get(), &JobTabs::panelRequested, this,
            [this](const QString& id) { m_docks->showPanelAfterwards(id); });
    connect(m_jobs.get(), &JobTabs::changed, this,
            [this] { session::AdviceFinder::of(m_view).setJobs(m_jobs->jobs()); });
    connect(&m_session, &session::Session::currentChanged, this, [this] {
        if (!m_closing) {
            m_jobs->setCurrent(-1);
        }
    });
    // After the trace has been taken.
    connect(
        &m_loader, &session::TraceLoader::loaded, this,
        [this](const QString& path) { showRankTime(path); }, Qt::QueuedConnection);
    return m_jobs->makeBar();
}

void MainWindow::openJob(const QStringList& paths) {
    m_jobs->open(paths);
}

void MainWindow::openJobDialog() {
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open job: select its files, or one file for its whole folder"),
        m_settings.lastFolder.value(),
        tr("Traces and partials (*.json *.json.gz *.json.zst *.gz *.zst *.kscope *.ranks);;All "
           "files, including flight recorder dumps (*)"));
    if (paths.size() == 1) {
        openJob(wholeJobOf(paths.front()));
    } else if (!paths.isEmpty()) {
        openJob(paths);
    }
}

// Partials and dumps are one job together, a folder with several ranks and a snapshot of memory are
// pages of their own; the rest is left.
QStringList MainWindow::withoutJobs(const QStringList& paths) {
    QStringList rest;
    QStringList parts;
    for (const QString& path : paths) {
        if (isPartOfJob(path)) {
            parts.append(path);
        } else if (snapshot::isSnapshot(path) ||
                   (QFileInfo(path).isDir() && !isRecording(path) && holdsSeveralRanks({path}))) {
            openJob({path});
        } else {
            rest.append(path);
        }
    }
    if (!parts.isEmpty()) {
        openJob(parts);
    }
    return rest;
}

// Files of several ranks that were dropped together may be a job or not.
void MainWindow::openDropped(const QStringList& paths) {
    const bool mayBeJob = std::ranges::none_of(paths, isRecording) && holdsSeveralRanks(paths);
    if (!mayBeJob || std::ranges::any_of(paths, isPartOfJob)) {
        openFiles(paths);
        return;
    }
    auto* ask =
        new QMessageBox(QMessageBox::Question, tr("Open job"),
                        tr("These traces are ranks of one job."), QMessageBox::NoButton, this);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setInformativeText(tr(
        "Opened as a job they share one clock, and you can see which rank the others waited for."));
    QPushButton* job = ask->addButton(tr("Open as a job"), QMessageBox::AcceptRole);
    QPushButton* each = ask->addButton(tr("Open each"), QMessageBox::DestructiveRole);
    ask->addButton(QMessageBox::Cancel);
    ask->setDefaultButton(job);
    connect(job, &QPushButton::clicked, this, [this, paths] { openJob(paths); });
    connect(each, &QPushButton::clicked, this,
            [this, paths] { openFiles(withTracesOfFolders(paths)); });
    ask->open();
}

// The trace may be open, or comes with TraceLoader::loaded.
void MainWindow::openRank(const QString& path, qint64 start, qint64 end) {
    const QString full = QFileInfo(path).absoluteFilePath();
    if (!QFileInfo::exists(full)) {
        m_errors->addMessage(QStringLiteral("'%1': %2").arg(full, tr(job::kNoTrace)));
        return;
    }
    m_rankTimes[full] = TimeSpan{start, end};
    const int open = m_session.indexOf(full);
    if (open < 0) {
        m_loader.open({full});
        return;
    }
    m_session.setCurrent(open);
    m_jobs->setCurrent(-1);
    showRankTime(full);
}

void MainWindow::showRankTime(const QString& path) {
    const auto span = m_rankTimes.constFind(path);
    if (span == m_rankTimes.cend() || m_session.current() == nullptr ||
        m_session.current()->path != path) {
        return;
    }
    m_view.selectRange(*span);
    m_view.zoomTo(*span, kRankRoom);
    m_rankTimes.erase(span);
}

void MainWindow::showTab(int index) {
    const auto runs = static_cast<int>(m_session.runs().size());
    if (index >= runs) {
        m_jobs->setCurrent(index - runs);
        return;
    }
    m_session.setCurrent(index);
    m_jobs->setCurrent(-1);
}

// A trace that is closed behind a job leaves the job in front.
void MainWindow::closeTab(int index) {
    const auto runs = static_cast<int>(m_session.runs().size());
    if (index >= runs) {
        m_jobs->close(index - runs);
        return;
    }
    m_closing = true;
    m_session.close(index);
    m_closing = false;
    refreshCurrent();
}

void MainWindow::closeFile() {
    closeTab(m_tabs->currentIndex());
}

void MainWindow::reloadFile() {
    if (m_jobs->current() != nullptr) {
        m_jobs->reload();
    } else if (const session::Run* run = m_session.current()) {
        m_loader.open({run->path});
    }
}

void MainWindow::fitTrace() {
    if (job::JobPage* job = m_jobs->current()) {
        job->fit();
    } else {
        m_session.viewInUse().fit();
    }
}

void MainWindow::zoomAtMiddle(double factor) {
    if (job::JobPage* job = m_jobs->current()) {
        job->zoom(factor);
        return;
    }
    session::ViewState& view = m_session.viewInUse();
    view.zoom(factor, view.visible().start + view.visible().duration() / 2);
}

// The panels are about a trace: while a job is in front they are put aside.
void MainWindow::showJobOrTrace() {
    job::JobPage* job = m_jobs->current();
    if (job != nullptr || m_session.current() != nullptr || !m_docks->isWaiting()) {
        m_docks->setAside(job != nullptr);
    }
    m_search->setEnabled(job == nullptr);  // it is about slices
    m_pages->setCurrentWidget(job != nullptr                   ? static_cast<QWidget*>(job)
                              : m_session.current() != nullptr ? m_timeline
                                                               : m_welcome);
    m_actions->setTraceOpen(m_session.current() != nullptr && job == nullptr);
    if (job == nullptr) {
        m_status->tellJob({});
        return;
    }
    for (const ActionId id : kForJobs) {
        action(id)->setEnabled(true);
    }
    setWindowTitle(
        tr("%1 – Kinetoscope")
            .arg(QString(m_jobs->items()[static_cast<std::size_t>(m_jobs->currentIndex())].title)
                     .replace(QLatin1String("[*]"), QLatin1String("[*][*]"))));
    m_status->tellJob(job->summary().value(0));
}

// The one in front comes last, and is the one that is in front when all have been read.
void MainWindow::saveJobs(sidecar::SavedSession& saved) const {
    const int front = m_jobs->currentIndex();
    saved.jobInFront = front >= 0;
    for (int i = 0; i < static_cast<int>(m_jobs->items().size()); ++i) {
        const JobTabs::Item& item = m_jobs->items()[static_cast<std::size_t>(i)];
        const job::JobPage::Choices choices = item.page->choices();
        sidecar::SavedJob job{.paths = {},
                              .figure = choices.figure.toStdString(),
                              .order = choices.order,
                              .groups = choices.groups};
        for (const QString& path : item.paths) {
            job.paths.push_back(session::encodedPath(path));
        }
        saved.jobs.push_back(std::move(job));
    }
    if (front >= 0) {
        std::rotate(saved.jobs.begin() + front, saved.jobs.begin() + front + 1, saved.jobs.end());
    }
}

void MainWindow::openSavedJobs(const sidecar::SavedSession& saved) {
    for (const sidecar::SavedJob& job : saved.jobs) {
        QStringList paths;
        for (const std::string& path : job.paths) {
            paths.append(session::decodedPath(path));
        }
        m_jobs->open(paths, [job, front = saved.jobInFront](JobTabs& tabs, job::JobPage& page) {
            page.setChoices({QString::fromStdString(job.figure), job.order, job.groups});
            if (!front) {
                tabs.setCurrent(-1);
            }
        });
    }
}

const models::ColumnTableModel* MainWindow::tableInFront(QString* title) const {
    const job::JobPage* job = m_jobs->current();
    return job != nullptr ? job->tableInFront(title) : m_docks->tableInFront(title);
}

}  // namespace kinetoscope::app
