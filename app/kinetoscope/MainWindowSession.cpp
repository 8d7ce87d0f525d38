// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: saving what is open and bringing it back.
#include <QFileInfo>
#include <algorithm>
#include <memory>
#include <utility>

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/SavedComparison.h"
#include "app/kinetoscope/files/SavedViews.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/paths/FilePath.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::app {

namespace {

timeline::TimelineWidget& timelineOf(QWidget& central) {
    return static_cast<plots::TimelineView&>(central).timeline();
}

}  // namespace

sidecar::SavedSession MainWindow::currentSession() {
    sidecar::SavedSession saved;
    const session::ViewState::Snapshot shown = m_view.snapshot();
    for (std::size_t i = 0; i < m_session.runs().size(); ++i) {
        const session::Run& run = m_session.runs()[i];
        const bool inFront = static_cast<int>(i) == m_session.currentIndex();
        const session::ViewState::Snapshot* view = inFront ? &shown : nullptr;
        saved.files.push_back(savedFile(run, view == nullptr && run.view ? &*run.view : view));
        if (inFront) {
            const timeline::TopRow top = timelineOf(*m_timeline).topRow();
            saved.files.back().top = sidecar::SavedTop{top.key, top.above};
        }
    }
    saved.current = static_cast<std::uint64_t>(std::max(0, m_session.currentIndex()));
    saveJobs(saved);
    m_others.removeDuplicates();
    for (const QString& other : m_others) {
        saved.others.push_back(session::encodedPath(other));
    }
    saved.comparison =
        savedComparison(m_session, *m_compared, m_pages->currentWidget() == m_compared);
    saved.layout = m_docks->layout().toBase64().toStdString();
    return saved;
}

void MainWindow::saveSession() {
    const QString path = askWhereToSave(
        *this, tr("Save session"), m_settings.lastFolder.value() + QLatin1String("/work.kscopes"),
        {tr("Sessions (*.kscopes)")});
    if (path.isEmpty()) {
        return;
    }
    if (const auto written = sidecar::writeSession(session::encodedPath(path), currentSession());
        !written) {
        m_errors->addMessage(QString::fromStdString(written.error().message));
        return;
    }
    session::addRecentFile(m_settings, QFileInfo(path).absoluteFilePath());
    m_welcome->setRecentFiles(m_settings.recentFiles.value());
}

void MainWindow::openSession(const QString& path) {
    const auto read = sidecar::readSession(session::encodedPath(path));
    if (!read) {
        session::removeRecentFile(m_settings, path);
        m_welcome->setRecentFiles(m_settings.recentFiles.value());
        m_errors->addMessage(QString::fromStdString(read.error().message));
        return;
    }
    QStringList there;
    QStringList missing;
    const auto look = [&](const std::string& name) {
        const QString file = session::decodedPath(name);
        (QFileInfo::exists(file) ? there : missing).append(file);
    };
    for (const std::string& other : read->others) {
        look(other);
    }
    for (const sidecar::SavedFile& file : read->files) {
        look(file.path);
    }
    // A session inside a session could recurse for ever.
    there.removeIf([](const QString& file) {
        return file.endsWith(QLatin1String(".kscopes"), Qt::CaseInsensitive);
    });
    if (!missing.isEmpty()) {
        m_errors->addMessage(
            tr("'%1': names files that do not exist; the others are open: %2")
                .arg(QFileInfo(path).fileName(), missing.join(QLatin1String(", "))));
    }
    session::addRecentFile(m_settings, path);
    m_docks->restore(QByteArray::fromBase64(QByteArray::fromStdString(read->layout)));
    const auto showNamed = [this, saved = *read](const QString& file) {
        const auto named =
            std::ranges::find(saved.files, session::encodedPath(file), &sidecar::SavedFile::path);
        if (named != saved.files.end()) {
            showSaved(*named);
        }
    };
    for (const QString& file : there) {
        if (m_session.indexOf(file) >= 0) {
            showNamed(file);
        }
    }
    auto* waiting = new QObject(this);
    const auto done = std::make_shared<bool>(false);
    const auto finish = [this, waiting, done, saved = *read] {
        if (!std::exchange(*done, true)) {
            waiting->deleteLater();
            finishSession(saved);
        }
    };
    connect(&m_loader, &session::TraceLoader::loaded, waiting, showNamed);
    connect(&m_loader, &session::TraceLoader::idle, waiting, finish, Qt::QueuedConnection);
    openSavedJobs(*read);
    openFiles(there);
    if (!m_loader.isLoading()) {
        finish();
    }
}

void MainWindow::showSaved(const sidecar::SavedFile& file) {
    const int index = m_session.indexOf(session::decodedPath(file.path));
    if (index < 0) {
        return;
    }
    m_session.setCurrent(index);
    m_view.restore(restoredView(*m_session.current()->trace, m_view.snapshot(), file));
}

void MainWindow::finishSession(const sidecar::SavedSession& saved) {
    if (saved.current < saved.files.size()) {
        const int index = m_session.indexOf(session::decodedPath(saved.files[saved.current].path));
        m_session.setCurrent(index);
    }
    // Traces bring panels with them.
    m_docks->restore(QByteArray::fromBase64(QByteArray::fromStdString(saved.layout)));
    if (saved.current < saved.files.size() && saved.files[saved.current].top) {
        // Once the panels have left the timeline its height.
        QMetaObject::invokeMethod(
            this,
            [this, top = *saved.files[saved.current].top] {
                timelineOf(*m_timeline).scrollTo({top.row, top.pixels});
            },
            Qt::QueuedConnection);
    }
    // One that is still read comes to the front by itself.
    if (saved.jobInFront && !m_jobs->isLoading()) {
        m_jobs->setCurrent(static_cast<int>(m_jobs->items().size()) - 1);
    }
    if (saved.comparison) {
        compareAsSaved(saved);
    }
}

void MainWindow::compareAsSaved(const sidecar::SavedSession& saved) {
    session::CompareState& state = m_session.compare();
    const sidecar::SavedComparison& wanted = *saved.comparison;
    state.refreshItems();
    const auto has = [&state](const std::string& id) {
        return state.has(session::decodedPath(id));
    };
    if (!has(wanted.baseline) ||
        (wanted.compared && std::ranges::none_of(wanted.candidates, has))) {
        m_errors->addMessage(
            tr("The session's comparison cannot be restored: one of its sides is not open"));
        return;
    }
    for (const session::Comparable& item : std::vector(state.items())) {
        state.setRole(item.id, session::CompareRole::None);
    }
    state.setRole(session::decodedPath(wanted.baseline), session::CompareRole::Baseline);
    for (const std::string& candidate : wanted.candidates) {
        if (has(candidate)) {
            state.setRole(session::decodedPath(candidate), session::CompareRole::Candidate);
        }
    }
    setSavedOptions(state, wanted);
    if (!wanted.compared) {
        return;
    }
    auto* waiting = new QObject(this);
    // Queued: the panels show the comparison first, and bring themselves to the front.
    connect(
        &state, &session::CompareState::compared, waiting,
        [this, waiting, saved] {
            waiting->deleteLater();
            session::CompareState& done = m_session.compare();
            if (done.shown() == nullptr) {
                return;
            }
            done.show(static_cast<int>(
                std::min<std::uint64_t>(saved.comparison->shown, done.pairs().size() - 1)));
            if (saved.comparison->timelines && done.shown()->run.base) {
                m_pages->setCurrentWidget(m_compared);
            } else {
                showOneTimeline();
            }
            m_docks->restore(QByteArray::fromBase64(QByteArray::fromStdString(saved.layout)));
            restoreSides(done, *m_compared, *saved.comparison);
        },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    state.compare();
}

}  // namespace kinetoscope::app
