// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStackedWidget>
#include <QStringList>
#include <functional>
#include <vector>

#include "app/kinetoscope/bars/WaitBar.h"
#include "widgets/job/JobLoader.h"
#include "widgets/job/JobPreview.h"
#include "widgets/job/JobView.h"
#include "widgets/job/dumps/DumpView.h"
#include "widgets/snapshot/SnapshotLoader.h"
#include "widgets/snapshot/SnapshotView.h"

namespace kinetoscope::app {

/// The open jobs and snapshots of memory, each a page of the window, and which of them is in front.
/// Their tabs follow those of the traces.
class JobTabs final : public QObject {
    Q_OBJECT

public:
    struct Item {
        QStringList paths;  ///< absolute, as requested
        QString title;
        job::JobPage* page;
    };

    explicit JobTabs(QStackedWidget& pages);

    using Opened = std::function<void(JobTabs& tabs, job::JobPage& page)>;
    /// Reads a job, or shows it where it is open; `then` is called once it is shown.
    void open(const QStringList& paths, const Opened& then = {});
    /// Reads the one in front again.
    void reload();
    void close(int index);
    /// -1: no job is in front.
    void setCurrent(int index);

    [[nodiscard]] const std::vector<Item>& items() const { return m_items; }
    [[nodiscard]] int currentIndex() const { return m_current; }
    [[nodiscard]] job::JobPage* current() const;
    /// The one in front where it is a job of traces, or dumps; else null.
    [[nodiscard]] job::JobView* shownJob() const { return qobject_cast<job::JobView*>(current()); }
    [[nodiscard]] job::dumps::DumpView* shownDumps() const {
        return qobject_cast<job::dumps::DumpView*>(current());
    }
    [[nodiscard]] snapshot::SnapshotView* shownSnapshot() const {
        return qobject_cast<snapshot::SnapshotView*>(current());
    }
    /// All that were read from traces or partials.
    [[nodiscard]] std::vector<job::JobState::Shown> jobs() const;
    [[nodiscard]] job::JobLoader& loader() { return m_loader; }
    [[nodiscard]] bool isLoading() const {
        return m_loader.isLoading() || m_snapshotLoader.isLoading();
    }
    /// Progress of what is being read, with Cancel; the caller's.
    [[nodiscard]] WaitBar* makeBar();

    /// Called before the window is destroyed: nothing is emitted any more.
    void shutDown();

signals:
    /// Jobs were opened or closed, or another one is in front.
    void changed();
    void opened(const QStringList& paths);
    void failed(const QString& why);
    /// Times on the rank's own clock.
    void rankRequested(const QString& path, qint64 start, qint64 end);
    /// That panel of the trace that comes in front next.
    void panelRequested(const QString& id);

private:
    /// What to do with a job once it has been read.
    struct Waiting {
        QStringList paths;
        Opened then;
    };

    void read(const QStringList& paths);
    void take(const QStringList& paths, job::JobPage* page);
    /// Adds the page, or puts it where another one of these paths is.
    void put(const QStringList& paths, job::JobPage* page);
    [[nodiscard]] bool isPreview(int index) const;
    void dropPreviews();
    void remove(int index);
    void giveUp(const QStringList& paths, const QString& why);
    void tellOthers();
    [[nodiscard]] int indexOf(const QStringList& paths) const;

    QStackedWidget& m_pages;
    job::JobLoader m_loader;
    snapshot::SnapshotLoader m_snapshotLoader;
    std::vector<Item> m_items;
    std::vector<Waiting> m_waiting;
    int m_current = -1;
};

/// "memory a.pickle" of a snapshot, "job traces" of a folder, "job rank0.json.gz and 7 more" of
/// files.
[[nodiscard]] QString jobTitle(const QStringList& paths);

}  // namespace kinetoscope::app
