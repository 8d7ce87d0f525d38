// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QMainWindow>
#include <QStackedWidget>
#include <memory>

#include "app/kinetoscope/Actions.h"
#include "app/kinetoscope/Commands.h"
#include "app/kinetoscope/Docks.h"
#include "app/kinetoscope/JobTabs.h"
#include "app/kinetoscope/bars/FileTabs.h"
#include "app/kinetoscope/bars/RecordBar.h"
#include "app/kinetoscope/bars/SearchBar.h"
#include "app/kinetoscope/files/PictureExport.h"
#include "app/kinetoscope/files/WriteFile.h"
#include "app/kinetoscope/palette/PaletteModel.h"
#include "app/kinetoscope/status/StatusLine.h"
#include "app/kinetoscope/welcome/WelcomePage.h"
#include "core/sidecar/SessionFile.h"
#include "widgets/history/Navigation.h"
#include "widgets/plots/CompareTimelines.h"
#include "widgets/plots/TimelinePlayer.h"
#include "widgets/session/Session.h"
#include "widgets/session/Settings.h"
#include "widgets/session/TraceCutter.h"
#include "widgets/session/TraceLoader.h"
#include "widgets/session/ViewState.h"
#include "widgets/session/programs/Recorder.h"
#include "widgets/style/MessageBar.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::app {

/// The window: puts session, timeline, panels and actions together. It computes nothing itself.
class MainWindow final : public QMainWindow, public Commands {
    Q_OBJECT

public:
    explicit MainWindow(session::Settings& settings,
                        session::TraceLoader::Load load = import::loadTrace);
    ~MainWindow() override;

    /// Reads the files one after the other and shows each; a file that is open is only shown.
    /// A folder stands for the traces in it; without any it is a cache for the bench. CSV files are
    /// metric tables, .kscopes files are sessions.
    void openFiles(const QStringList& paths);
    /// Before it is shown: no larger than there is room on a screen, its frame included.
    void fitInto(const QRect& available);
    /// Says in one line what went wrong.
    void complain(const QString& what) { m_errors->addMessage(what); }
    /// Shows files of several ranks, or a folder of them, as one job.
    void openJob(const QStringList& paths);
    /// Runs a program and shows what is recorded of it.
    void record(const session::RecordRequest& request);

    /// Opens what a session file names and shows it as it was. Other files stay open.
    void openSession(const QString& path);

    /// Compares the first of these, open files or saved results, with each of the others.
    void compareFiles(const QStringList& paths);
    /// Opens those that are not saved results.
    void openToCompare(const QStringList& paths);
    /// The same once all are open.
    void compareWhenOpen(const QStringList& paths);

    [[nodiscard]] session::Session& session() { return m_session; }
    [[nodiscard]] session::ViewState& view() { return m_view; }
    [[nodiscard]] session::TraceLoader& loader() { return m_loader; }
    [[nodiscard]] session::Recorder& recorder() { return m_recorder; }
    [[nodiscard]] session::TraceCutter& cutter() { return m_cutter; }
    [[nodiscard]] Docks& docks() { return *m_docks; }
    [[nodiscard]] JobTabs& jobs() { return *m_jobs; }
    [[nodiscard]] QWidget* timeline() { return m_timeline; }
    [[nodiscard]] plots::CompareTimelines& compared() { return *m_compared; }
    [[nodiscard]] QAction* action(ActionId id) const { return m_actions->action(id); }
    [[nodiscard]] const style::MessageBar& errorBar() const { return *m_errors; }
    [[nodiscard]] const style::MessageBar& lossBar() const { return *m_losses; }

    // Handlers of the table's actions.
    void openDialog() override;
    void openJobDialog() override;
    void saveSession() override;
    void recordDialog() override;
    void reloadFile() override;
    void closeFile() override;
    void exportTable() override;
    void savePart() override;
    void savePicture() override;
    void saveSelection() override;
    void quit() override { close(); }
    void fitTrace() override;
    void zoomIn() override { zoomAtMiddle(0.5); }
    void zoomOut() override { zoomAtMiddle(2.0); }
    void resetLayout() override;
    void useSystemTheme() override { useTheme(style::ThemeChoice::System); }
    void useLightTheme() override { useTheme(style::ThemeChoice::Light); }
    void useDarkTheme() override { useTheme(style::ThemeChoice::Dark); }
    void goBack() override;
    void goForward() override;
    void showPalette() override;
    void startFind() override;
    void findNext() override { m_session.find().step(1); }
    void findPrevious() override { m_session.find().step(-1); }
    void goToStep() override;
    void addNote() override;
    void togglePlay() override;
    void chooseRuns() override;
    void toggleCompare() override;
    void showPreviousFile() override { m_tabs->setCurrentIndex(m_tabs->currentIndex() - 1); }
    void showNextFile() override { m_tabs->setCurrentIndex(m_tabs->currentIndex() + 1); }
    void startWhatsThis() override;
    void startTour() override;
    void showKeys() override;
    void showAbout() override;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildCentre();
    void buildMenus();
    void buildToolBar();
    void buildStatusBar();
    void offerPictures();
    [[nodiscard]] sidecar::SavedSession currentSession();
    void showSaved(const sidecar::SavedFile& file);
    void finishSession(const sidecar::SavedSession& saved);
    void compareAsSaved(const sidecar::SavedSession& saved);
    void connectNotes();
    void connectPlayer();
    void connectComparedNotes(plots::TimelineView& timelines, session::ViewState& view);
    [[nodiscard]] TimeSpan timeOfNote() const;
    void connectLoader();
    void connectRecorder();
    void connectCutter();
    [[nodiscard]] QWidget* makeCutBar();
    void saveCaptures();
    void saveRecording();
    [[nodiscard]] bool mayForgetRecording();
    void fillRecentMenu();
    [[nodiscard]] std::vector<PaletteEntry> paletteEntries();
    void addFilesTo(std::vector<PaletteEntry>& entries);
    void addStepsTo(std::vector<PaletteEntry>& entries);

    [[nodiscard]] QStringList withTracesOfFolders(const QStringList& paths);
    void takeLoaded(const QString& path, const std::shared_ptr<const trace::Trace>& trace,
                    const std::shared_ptr<session::TraceLayout>& layout);
    void takeGrown(const QString& path, const std::shared_ptr<const trace::Trace>& trace,
                   const std::shared_ptr<session::TraceLayout>& layout);
    void dropUnfinished(const QString& path);
    [[nodiscard]] QWidget* connectJobs();
    [[nodiscard]] QStringList withoutJobs(const QStringList& paths);
    void openDropped(const QStringList& paths);
    void openRank(const QString& path, qint64 start, qint64 end);
    void showRankTime(const QString& path);
    void showTab(int index);
    void closeTab(int index);
    void saveJobs(sidecar::SavedSession& saved) const;
    void openSavedJobs(const sidecar::SavedSession& saved);
    void showJobOrTrace();
    [[nodiscard]] const models::ColumnTableModel* tableInFront(QString* title) const;
    void refreshTabs();
    void refreshCurrent();
    void connectCompare();
    void connectCompared(session::ViewState& view);
    [[nodiscard]] int runOf(const session::ViewState& view) const;
    bool showAlone(const session::ViewState& view);
    void takeComparison();
    void showOneTimeline();
    void tellLosses();
    void zoomAtMiddle(double factor);
    void useTheme(style::ThemeChoice choice);

    session::Settings& m_settings;
    session::ViewState m_view;
    session::Session m_session;
    session::TraceLoader m_loader;
    session::Recorder m_recorder;
    session::TraceCutter m_cutter;
    std::unique_ptr<OpenPipe> m_cutPipe;  ///< what the cutter writes to, if it is one

    style::MessageBar* m_errors;
    style::MessageBar* m_losses;
    RecordBar* m_recordBar;
    FileTabs* m_tabs;
    QStackedWidget* m_pages;
    WelcomePage* m_welcome;
    QWidget* m_timeline;
    plots::CompareTimelines* m_compared;
    SearchBar* m_search;
    StatusLine* m_status = nullptr;
    QMenu* m_recentMenu = nullptr;
    std::unique_ptr<Actions> m_actions;
    std::unique_ptr<Docks> m_docks;
    std::unique_ptr<JobTabs> m_jobs;
    QHash<QString, TimeSpan> m_rankTimes;  ///< of traces that are opened for a time
    bool m_closing = false;                ///< a trace, from its tab
    std::unique_ptr<history::Navigation> m_navigation;
    std::unique_ptr<PictureExport> m_pictures;
    plots::TimelinePlayer* m_player = nullptr;
    QStringList m_others;  ///< opened caches, metric tables and results, for sessions
};

/// Where recordings are until they are kept.
[[nodiscard]] QString recordingsPlace();
/// Whether the folder holds captures.
[[nodiscard]] bool isRecording(const QString& folder);
[[nodiscard]] style::ThemeChoice themeFromName(const QString& name);
[[nodiscard]] QString themeName(style::ThemeChoice choice);

}  // namespace kinetoscope::app
