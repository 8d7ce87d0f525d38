// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/MainWindow.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QSignalBlocker>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "app/kinetoscope/CentralView.h"
#include "app/kinetoscope/bars/LoadBar.h"
#include "core/import/capture/LiveCapture.h"
#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/WhatsThis.h"
#include "widgets/style/WindowStyle.h"

namespace kinetoscope::app {

namespace {

constexpr QSize kFirstSize(1500, 940);
constexpr int kMaxPathsOfTip = 20;

QStringList localFiles(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile()) {
            paths.append(url.toLocalFile());
        }
    }
    return paths;
}

// A saved result that a panel shows; those of kernels belong to none.
bool isBenchResult(const QString& path) {
    QFile file(path);
    // Of a pipe, what is looked at is gone.
    if (!path.endsWith(QLatin1String(".json")) || !QFileInfo(path).isFile() ||
        !file.open(QIODevice::ReadOnly)) {
        return false;
    }
    return file.read(256).contains("\"kinetoscope.result/");
}

}  // namespace

MainWindow::MainWindow(session::Settings& settings, session::TraceLoader::Load load)
    : m_settings(settings),
      m_session(m_view),
      m_loader(std::move(load)),
      m_recorder(recordingsPlace()),
      m_errors(new style::MessageBar(style::MessageBar::Kind::Error)),
      m_losses(new style::MessageBar(style::MessageBar::Kind::Warning)),
      m_recordBar(new RecordBar(m_recorder)),
      m_tabs(new FileTabs),
      m_pages(new QStackedWidget),
      m_welcome(new WelcomePage(samples())),
      m_timeline(makeCentralView(m_view, m_session.notes(), nullptr)),
      m_compared(new plots::CompareTimelines(m_session.compare())),
      m_search(new SearchBar(m_session.find())) {
    setWindowIcon(style::applicationIcon());
    setAcceptDrops(true);
    resize(kFirstSize);
    m_actions = std::make_unique<Actions>(*this, *this);
    buildCentre();
    m_docks = std::make_unique<Docks>(
        *this, panels::PanelContext{m_session, m_view, m_settings, m_recorder});
    offerPictures();
    buildMenus();
    buildToolBar();
    buildStatusBar();
    connectLoader();
    connectRecorder();
    connectCompare();
    connectCutter();
    m_navigation = std::make_unique<history::Navigation>(*this, m_session, *action(ActionId::Back),
                                                         *action(ActionId::Forward));
    connectNotes();
    connectPlayer();
    new style::WhatsThis(this);
    connect(&m_session, &session::Session::runsChanged, this, &MainWindow::refreshTabs);
    connect(&m_session, &session::Session::traceRequested, this,
            [this](const QString& path) { openFiles({path}); });
    connect(&m_session, &session::Session::currentChanged, this, &MainWindow::refreshCurrent);
    connect(m_losses, &style::MessageBar::actionTriggered, this,
            [this] { m_docks->showPanel(QStringLiteral("log")); });
    restoreGeometry(m_settings.windowGeometry.value());
    m_docks->restore(m_settings.windowLayout.value());
    refreshCurrent();
}

MainWindow::~MainWindow() {
    // Docks notify their panels when they are hidden, which needs the panels' context.
    hide();
    // Panels and bars listen to these; nothing may reach them while they go.
    disconnect(&m_loader, nullptr, nullptr, nullptr);
    disconnect(&m_recorder, nullptr, nullptr, nullptr);
    disconnect(&m_cutter, nullptr, nullptr, nullptr);
    m_jobs->shutDown();
    m_navigation.reset();
    m_loader.cancel();
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_losses->setAction(tr("Show import log"));
    m_tabs->setObjectName(QStringLiteral("fileTabs"));
    m_pages->addWidget(m_welcome);
    m_pages->addWidget(m_timeline);
    m_pages->addWidget(m_compared);
    column->addWidget(m_errors);
    column->addWidget(new LoadBar(m_loader));
    m_jobs = std::make_unique<JobTabs>(*m_pages);
    column->addWidget(connectJobs());
    column->addWidget(makeCutBar());
    column->addWidget(m_recordBar);
    column->addWidget(m_tabs);
    column->addWidget(m_losses);
    column->addWidget(m_pages, 1);
    setCentralWidget(centre);
    connect(m_tabs, &QTabBar::currentChanged, this, &MainWindow::showTab);
    connect(m_tabs, &QTabBar::tabCloseRequested, this, &MainWindow::closeTab);
    connect(m_welcome, &WelcomePage::tourRequested, this, &MainWindow::startTour);
    connect(m_welcome, &WelcomePage::openRequested, this, &MainWindow::openDialog);
    connect(m_welcome, &WelcomePage::fileRequested, this,
            [this](const QString& path) { openFiles({path}); });
    connect(m_welcome, &WelcomePage::jobRequested, this, &MainWindow::openJob);
}

void MainWindow::connectLoader() {
    connect(&m_loader, &session::TraceLoader::grown, this, &MainWindow::takeGrown);
    connect(&m_loader, &session::TraceLoader::loaded, this, &MainWindow::takeLoaded);
    connect(&m_loader, &session::TraceLoader::cancelled, this, &MainWindow::dropUnfinished);
    connect(&m_loader, &session::TraceLoader::failed, this,
            [this](const QString& path, const QString& why) {
                dropUnfinished(path);
                session::removeRecentFile(m_settings, path);
                m_welcome->setRecentFiles(m_settings.recentFiles.value());
                m_errors->addMessage(why);
            });
}

void MainWindow::openFiles(const QStringList& paths) {
    QStringList wanted;
    QStringList caches;
    for (const QString& path : withTracesOfFolders(withoutJobs(paths))) {
        const QString full = QFileInfo(path).absoluteFilePath();
        const int open = m_session.indexOf(full);
        if (QFileInfo(full).isDir() && !isRecording(full)) {
            caches.append(full);
            m_others.append(full);
        } else if (full.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
            m_session.openTable(full);
            m_others.append(full);
        } else if (isBenchResult(full)) {
            m_session.openResult(full);
            m_others.append(full);
        } else if (full.endsWith(QLatin1String(".kscopes"), Qt::CaseInsensitive)) {
            openSession(full);
        } else if (open >= 0) {
            m_session.setCurrent(open);
        } else {
            wanted.append(full);
        }
    }
    if (!caches.isEmpty()) {
        m_session.openCaches(caches);
    }
    m_loader.open(wanted);
}

void MainWindow::takeLoaded(const QString& path, const std::shared_ptr<const trace::Trace>& trace,
                            const std::shared_ptr<session::TraceLayout>& layout) {
    m_session.add(path, trace, layout);
    session::addRecentFile(m_settings, path);
    m_settings.lastFolder.set(QFileInfo(path).absolutePath());
    m_timeline->setFocus();
}

// A file that is read again keeps what is shown until all of it is there: it may be cancelled.
void MainWindow::takeGrown(const QString& path, const std::shared_ptr<const trace::Trace>& trace,
                           const std::shared_ptr<session::TraceLayout>& layout) {
    const int open = m_session.indexOf(path);
    if (open < 0 || !m_session.runs()[static_cast<std::size_t>(open)].trace->isComplete()) {
        m_session.grow(path, trace, layout);
    }
}

// A trace whose file will not be read to its end.
void MainWindow::dropUnfinished(const QString& path) {
    const int index = m_session.indexOf(path);
    if (index >= 0 && !m_session.runs()[static_cast<std::size_t>(index)].trace->isComplete()) {
        m_session.close(index);
    }
}

void MainWindow::refreshTabs() {
    const QSignalBlocker quiet(m_tabs);
    std::vector<FileTabs::File> files;
    for (const session::Run& run : m_session.runs()) {
        files.push_back({run.title, style::plainToolTip(run.path)});
    }
    for (const JobTabs::Item& item : m_jobs->items()) {
        files.push_back(
            {item.title,
             style::plainToolTip(item.paths.mid(0, kMaxPathsOfTip).join(QLatin1Char('\n')))});
    }
    m_tabs->setFiles(files);
    m_tabs->setCurrentIndex(m_jobs->currentIndex() < 0 ? m_session.currentIndex()
                                                       : static_cast<int>(m_session.runs().size()) +
                                                             m_jobs->currentIndex());
    m_tabs->setVisible(m_tabs->count() > 1);
}

void MainWindow::refreshCurrent() {
    const session::Run* run = m_session.current();
    refreshTabs();
    m_welcome->setRecentFiles(m_settings.recentFiles.value());
    // Qt would put its mark of changed files in place of a single "[*]".
    const QString title =
        run == nullptr ? QString()
                       : QString(run->title).replace(QLatin1String("[*]"), QLatin1String("[*][*]"));
    setWindowTitle(run != nullptr ? tr("%1 – Kinetoscope").arg(title) : tr("Kinetoscope"));
    tellLosses();
    showJobOrTrace();
}

void MainWindow::tellLosses() {
    m_losses->clear();
    const session::Run* run = m_session.current();
    if (run == nullptr || m_jobs->currentIndex() >= 0) {
        return;
    }
    QStringList kinds;
    for (const trace::ImportIssue& issue : run->trace->log().sorted()) {
        if (issue.name == import::capture::kDroppedEvents) {
            m_losses->addMessage(tr("%1 events are no longer shown: %2")
                                     .arg(QString::fromStdString(
                                              text::formatCount(static_cast<qint64>(issue.count))),
                                          models::toText(issue.example)));
        } else if (issue.severity == trace::Severity::DataLoss) {
            kinds.append(QStringLiteral("%1 × %2").arg(
                QString::fromStdString(text::formatCount(static_cast<qint64>(issue.count))),
                models::toText(issue.name).replace(QLatin1Char('_'), QLatin1Char(' '))));
        }
    }
    if (!kinds.isEmpty()) {
        m_losses->addMessage(
            tr("Parts of this file could not be read: %1").arg(kinds.join(QLatin1String(", "))));
    }
}

void MainWindow::useTheme(style::ThemeChoice choice) {
    m_settings.theme.set(themeName(choice));
    style::applyTheme(choice);
}

void MainWindow::startFind() {
    m_search->startTyping();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayForgetRecording()) {
        event->ignore();
        return;
    }
    m_recorder.discard();
    m_loader.cancel();
    m_settings.windowGeometry.set(saveGeometry());
    m_settings.windowLayout.set(m_docks->layout());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFiles(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    openDropped(localFiles(event->mimeData()));
    event->acceptProposedAction();
}

style::ThemeChoice themeFromName(const QString& name) {
    return name == QLatin1String("light")  ? style::ThemeChoice::Light
           : name == QLatin1String("dark") ? style::ThemeChoice::Dark
                                           : style::ThemeChoice::System;
}

QString themeName(style::ThemeChoice choice) {
    return choice == style::ThemeChoice::Light  ? QStringLiteral("light")
           : choice == style::ThemeChoice::Dark ? QStringLiteral("dark")
                                                : QStringLiteral("system");
}

}  // namespace kinetoscope::app
