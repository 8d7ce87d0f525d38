// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/JobTabs.h"

#include <QFileInfo>
#include <algorithm>

namespace kinetoscope::app {

QString jobTitle(const QStringList& paths) {
    const QString first = QFileInfo(paths.front()).fileName();
    if (paths.size() == 1 && snapshot::isSnapshot(paths.front())) {
        return QObject::tr("memory %1").arg(first);
    }
    return paths.size() == 1 ? QObject::tr("job %1").arg(first)
                             : QObject::tr("job %1 and %2 more").arg(first).arg(paths.size() - 1);
}

JobTabs::JobTabs(QStackedWidget& pages) : m_pages(pages) {
    connect(&m_loader, &job::JobLoader::loaded, this,
            [this](const QStringList& paths, const job::JobLoader::Shown& shown) {
                take(paths, new job::JobView(shown));
            });
    connect(&m_loader, &job::JobLoader::previewed, this,
            [this](const QStringList& paths, const job::JobLoader::Shown& shown, qint64 files) {
                const int index = indexOf(paths);
                if (index < 0 || isPreview(index)) {  // what is read again is shown meanwhile
                    put(paths, new job::JobPreview(shown, files));
                }
            });
    connect(&m_loader, &job::JobLoader::idle, this, &JobTabs::dropPreviews);
    connect(&m_loader, &job::JobLoader::dumpsLoaded, this,
            [this](const QStringList& paths, const job::JobLoader::Dumps& dumps) {
                take(paths, new job::dumps::DumpView(dumps));
            });
    connect(&m_loader, &job::JobLoader::failed, this,
            [this](const QStringList& paths, const QString& why) { giveUp(paths, why); });
    connect(&m_snapshotLoader, &snapshot::SnapshotLoader::loaded, this,
            [this](const QString& path, const panels::Memory& memory) {
                take({path}, new snapshot::SnapshotView(memory));
            });
    connect(&m_snapshotLoader, &snapshot::SnapshotLoader::failed, this,
            [this](const QString& path, const QString& why) { giveUp({path}, why); });
}

void JobTabs::giveUp(const QStringList& paths, const QString& why) {
    std::erase_if(m_waiting, [&](const Waiting& waiting) { return waiting.paths == paths; });
    if (const int index = indexOf(paths); index >= 0 && isPreview(index)) {
        remove(index);
    }
    emit failed(why);
}

bool JobTabs::isPreview(int index) const {
    return qobject_cast<job::JobPreview*>(m_items[static_cast<std::size_t>(index)].page) != nullptr;
}

// Of jobs that are not being read any more.
void JobTabs::dropPreviews() {
    for (int index = static_cast<int>(m_items.size()) - 1; index >= 0; --index) {
        if (isPreview(index)) {
            remove(index);
        }
    }
}

void JobTabs::read(const QStringList& paths) {
    if (paths.size() == 1 && snapshot::isSnapshot(paths.front())) {
        m_snapshotLoader.open(paths.front());
    } else {
        m_loader.open(paths);
    }
}

// Snapshots can be compared with each other.
void JobTabs::tellOthers() {
    for (const Item& item : m_items) {
        auto* const view = qobject_cast<snapshot::SnapshotView*>(item.page);
        std::vector<snapshot::SnapshotView::Other> others;
        for (const Item& other : m_items) {
            const auto* one = qobject_cast<snapshot::SnapshotView*>(other.page);
            if (view != nullptr && one != nullptr && one != view) {
                others.push_back({QFileInfo(other.paths.front()).fileName(), one->memory()});
            }
        }
        if (view != nullptr) {
            view->setOthers(std::move(others));
        }
    }
}

int JobTabs::indexOf(const QStringList& paths) const {
    const auto found = std::ranges::find(m_items, paths, &Item::paths);
    return found == m_items.end() ? -1 : static_cast<int>(found - m_items.begin());
}

job::JobPage* JobTabs::current() const {
    return m_current < 0 ? nullptr : m_items[static_cast<std::size_t>(m_current)].page;
}

std::vector<job::JobState::Shown> JobTabs::jobs() const {
    std::vector<job::JobState::Shown> jobs;
    for (const Item& item : m_items) {
        if (const auto* view = qobject_cast<const job::JobView*>(item.page)) {
            jobs.push_back(view->shown());
        }
    }
    return jobs;
}

void JobTabs::open(const QStringList& paths, const Opened& then) {
    QStringList whole;
    for (const QString& path : paths) {
        whole.append(QFileInfo(path).absoluteFilePath());
    }
    const int index = indexOf(whole);
    if (index >= 0) {
        setCurrent(index);
    }
    if (index < 0 || isPreview(index)) {
        if (then) {
            m_waiting.push_back({whole, then});
        }
        read(whole);
    } else if (then) {
        then(*this, *current());
    }
}

void JobTabs::reload() {
    if (m_current >= 0) {
        read(m_items[static_cast<std::size_t>(m_current)].paths);
    }
}

void JobTabs::put(const QStringList& paths, job::JobPage* page) {
    connect(page, &job::JobPage::failed, this, &JobTabs::failed);
    connect(page, &job::JobPage::rankRequested, this, &JobTabs::rankRequested);
    connect(page, &job::JobPage::panelRequested, this, &JobTabs::panelRequested);
    m_pages.addWidget(page);
    int index = indexOf(paths);
    if (index < 0) {
        m_items.push_back({paths, jobTitle(paths), page});
        index = static_cast<int>(m_items.size()) - 1;
        m_current = index;
    } else {
        // Read again: the requested view stays, and so does the user's place if it has changed
        // meanwhile.
        job::JobPage*& before = m_items[static_cast<std::size_t>(index)].page;
        if (!isPreview(index)) {
            page->setChoices(before->choices());
        }
        before->deleteLater();
        before = page;
    }
    emit changed();
    if (m_current == index) {
        page->setFocus();
    }
}

void JobTabs::take(const QStringList& paths, job::JobPage* page) {
    put(paths, page);
    tellOthers();
    emit opened(paths);
    for (const Waiting& waiting : m_waiting) {
        if (waiting.paths == paths) {
            waiting.then(*this, *page);
        }
    }
    std::erase_if(m_waiting, [&](const Waiting& waiting) { return waiting.paths == paths; });
    if (const QStringList lost = page->lost(); !lost.isEmpty()) {
        constexpr qsizetype kMaxTold = 4;
        const QString more =
            lost.size() > kMaxTold ? tr("; and %1 more").arg(lost.size() - kMaxTold) : QString();
        emit failed(lost.mid(0, kMaxTold).join(QLatin1String("; ")) + more);
    }
}

void JobTabs::close(int index) {
    if (index < 0 || index >= static_cast<int>(m_items.size())) {
        return;
    }
    if (isPreview(index)) {
        m_loader.cancel();  // which removes it
    } else {
        remove(index);
    }
}

void JobTabs::remove(int index) {
    m_items[static_cast<std::size_t>(index)].page->deleteLater();
    m_pages.removeWidget(m_items[static_cast<std::size_t>(index)].page);
    m_items.erase(m_items.begin() + index);
    tellOthers();
    if (m_current == index) {
        m_current = -1;
    } else if (m_current > index) {
        --m_current;
    }
    emit changed();
}

void JobTabs::setCurrent(int index) {
    if (index != m_current && index < static_cast<int>(m_items.size())) {
        m_current = std::max(-1, index);
        emit changed();
    }
}

WaitBar* JobTabs::makeBar() {
    auto* bar =
        new WaitBar(QStringLiteral("cancelJob"), tr("Cancel loading; discards what was read"));
    connect(bar, &WaitBar::cancelled, &m_loader, &job::JobLoader::cancel);
    connect(&m_loader, &job::JobLoader::started, bar,
            [bar](const QStringList& paths) { bar->begin(tr("Opening %1").arg(jobTitle(paths))); });
    connect(&m_loader, &job::JobLoader::progressed, bar, [bar](qint64 done, qint64 all) {
        bar->tell(tr("%1 of %2 ranks read").arg(done).arg(all),
                  all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 0.0);
    });
    connect(&m_loader, &job::JobLoader::idle, bar, &WaitBar::end);
    using snapshot::SnapshotLoader;
    connect(bar, &WaitBar::cancelled, &m_snapshotLoader, &SnapshotLoader::cancel);
    connect(&m_snapshotLoader, &SnapshotLoader::started, bar,
            [bar](const QString& path) { bar->begin(tr("Opening %1").arg(jobTitle({path}))); });
    connect(&m_snapshotLoader, &SnapshotLoader::progressed, bar, [bar](double fraction) {
        bar->tell(tr("%1 % read").arg(static_cast<int>(100 * fraction)), fraction);
    });
    connect(&m_snapshotLoader, &SnapshotLoader::idle, bar, &WaitBar::end);
    return bar;
}

void JobTabs::shutDown() {
    disconnect(&m_loader, nullptr, nullptr, nullptr);
    disconnect(this, nullptr, nullptr, nullptr);
    disconnect(&m_snapshotLoader, nullptr, nullptr, nullptr);
    m_loader.cancel();
    m_snapshotLoader.cancel();
}

}  // namespace kinetoscope::app
