// SPDX-License-Identifier: GPL-3.0-or-later
// Going back through views, playing them, and the selected time as a file.
#include <QFileDialog>
#include <QFileInfo>
#include <QStatusBar>

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/bars/WaitBar.h"
#include "app/kinetoscope/files/WriteFile.h"

namespace kinetoscope::app {

namespace {

constexpr int kToldMs = 15'000;

/// The trace's name without its endings, and which part of it: "run-step3", "run-1200us-1350us".
QString nameOfPart(const QString& trace, const session::ViewState& view) {
    QString name = QFileInfo(trace).fileName();
    for (const char* ending : {".gz", ".zst", ".json", ".kscope"}) {
        if (name.endsWith(QLatin1String(ending), Qt::CaseInsensitive)) {
            name.chop(static_cast<qsizetype>(qstrlen(ending)));
        }
    }
    const analysis::WindowChoice& window = view.window();
    constexpr TimeNs kUs = 1000;
    return window.kind == analysis::WindowKind::Step
               ? QStringLiteral("%1-step%2.json.gz").arg(name).arg(window.step)
               : QStringLiteral("%1-%2us-%3us.json.gz")
                     .arg(name)
                     .arg(window.range.start / kUs)
                     .arg(window.range.end / kUs);
}

}  // namespace

void MainWindow::goBack() {
    m_navigation->history().goBack();
}

void MainWindow::goForward() {
    m_navigation->history().goForward();
}

void MainWindow::connectPlayer() {
    m_player =
        new plots::TimelinePlayer(m_view, static_cast<plots::TimelineView&>(*m_timeline), this);
    QAction* play = action(ActionId::Play);
    play->setCheckable(true);
    connect(m_player, &plots::TimelinePlayer::playingChanged, play, &QAction::setChecked);
    connect(m_pages, &QStackedWidget::currentChanged, m_player, &plots::TimelinePlayer::stop);
    // A letter is a key of the timeline alone, as that of a note.
    play->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    removeAction(play);
    m_timeline->addAction(play);
}

void MainWindow::togglePlay() {
    if (m_player->isPlaying() || !m_timeline->isVisible()) {
        m_player->stop();
    } else {
        m_player->play();
    }
    action(ActionId::Play)->setChecked(m_player->isPlaying());
}

QWidget* MainWindow::makeCutBar() {
    auto* bar = new WaitBar(QStringLiteral("cancelCut"), tr("Cancel; leaves no file behind"));
    const auto text = [this] {
        return tr("Writing %1").arg(QFileInfo(m_cutter.path()).fileName());
    };
    connect(&m_cutter, &session::TraceCutter::started, bar, [bar, text] { bar->begin(text()); });
    connect(&m_cutter, &session::TraceCutter::progressed, bar,
            [this, bar, text] { bar->tell(text(), m_cutter.fraction()); });
    connect(&m_cutter, &session::TraceCutter::ended, bar, &WaitBar::end);
    connect(bar, &WaitBar::cancelled, &m_cutter, &session::TraceCutter::cancel);
    return bar;
}

void MainWindow::connectCutter() {
    connect(&m_cutter, &session::TraceCutter::written, this,
            [this](const QString&, const QString& summary, const QStringList& problems) {
                statusBar()->showMessage(tr("Saved: %1").arg(summary), kToldMs);
                for (const QString& problem : problems) {
                    m_errors->addMessage(problem);
                }
            });
    connect(&m_cutter, &session::TraceCutter::failed, m_errors, &style::MessageBar::addMessage);
    connect(&m_cutter, &session::TraceCutter::ended, this, [this] { m_cutPipe.reset(); });
    const auto enable = [this] {
        const auto& trace = m_view.trace();
        action(ActionId::SaveSelection)
            ->setEnabled(trace && trace->isComplete() && m_view.isPartSelected());
    };
    for (const auto signal : {&session::ViewState::windowChanged, &session::ViewState::traceChanged,
                              &session::ViewState::traceGrown}) {
        connect(&m_view, signal, this, enable);
    }
    enable();
}

void MainWindow::saveSelection() {
    // The selection at the time of the request, whatever happens behind the dialog.
    const std::shared_ptr<const trace::Trace> trace = m_view.trace();
    const analysis::WindowChoice window = m_view.window();
    const session::Run* run = m_session.current();
    if (run == nullptr || !m_view.isPartSelected()) {
        return;
    }
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save selected time"),
        m_settings.lastFolder.value() + QLatin1Char('/') + nameOfPart(run->path, m_view),
        tr("Traces (*.json.gz *.json)"));
    if (path.isEmpty()) {
        return;
    }
    auto pipe = std::make_unique<OpenPipe>(path);
    if (!pipe->problem().isEmpty()) {
        m_errors->addMessage(pipe->problem());
        return;
    }
    m_cutter.cancel();
    m_cutPipe = std::move(pipe);
    m_cutter.start(trace, window, path);
}

}  // namespace kinetoscope::app
