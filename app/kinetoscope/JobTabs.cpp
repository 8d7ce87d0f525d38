// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/JobTabs.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "widgets/style/PlainText.h"

namespace kinetoscope::app {

QString jobTitle(const QStringList& paths) {
    const QString first = QFileInfo(paths.front()).fileName();
    return paths.size() == 1 ? QObject::tr("job %1").arg(first)
                             : QObject::tr("job %1 and %2 more").arg(first).arg(paths.size() - 1);
}

JobTabs::JobTabs(QStackedWidget& pages) : m_pages(pages) {
    connect(&m_loader, &job::JobLoader::loaded, this, &JobTabs::take);
    connect(&m_loader, &job::JobLoader::failed, this,
            [this](const QStringList& paths, const QString& why) {
                std::erase_if(m_waiting,
                              [&](const Waiting& waiting) { return waiting.paths == paths; });
                emit failed(why);
            });
}

int JobTabs::indexOf(const QStringList& paths) const {
    const auto found = std::ranges::find(m_items, paths, &Item::paths);
    return found == m_items.end() ? -1 : static_cast<int>(found - m_items.begin());
}

job::JobView* JobTabs::current() const {
    return m_current < 0 ? nullptr : m_items[static_cast<std::size_t>(m_current)].view;
}

void JobTabs::open(const QStringList& paths, const Opened& then) {
    QStringList whole;
    for (const QString& path : paths) {
        whole.append(QFileInfo(path).absoluteFilePath());
    }
    if (const int index = indexOf(whole); index >= 0) {
        setCurrent(index);
        if (then) {
            then(*this, *current());
        }
    } else {
        if (then) {
            m_waiting.push_back({whole, then});
        }
        m_loader.open(whole);
    }
}

void JobTabs::reload() {
    if (m_current >= 0) {
        m_loader.open(m_items[static_cast<std::size_t>(m_current)].paths);
    }
}

void JobTabs::take(const QStringList& paths, const job::JobState::Shown& shown) {
    auto* view = new job::JobView(shown);
    connect(view, &job::JobView::failed, this, &JobTabs::failed);
    connect(&view->state(), &job::JobState::rankRequested, this, &JobTabs::rankRequested);
    m_pages.addWidget(view);
    int index = indexOf(paths);
    if (index < 0) {
        m_items.push_back({paths, jobTitle(paths), view});
        index = static_cast<int>(m_items.size()) - 1;
    } else {
        // Read again: what was asked for stays.
        job::JobView*& before = m_items[static_cast<std::size_t>(index)].view;
        view->state().setFigure(before->state().figure());
        view->state().setOrder(before->state().order());
        view->state().setGroups(before->state().groups());
        before->deleteLater();
        before = view;
    }
    m_current = index;
    emit opened(paths);
    emit changed();
    view->setFocus();
    for (const Waiting& waiting : m_waiting) {
        if (waiting.paths == paths) {
            waiting.then(*this, *view);
        }
    }
    std::erase_if(m_waiting, [&](const Waiting& waiting) { return waiting.paths == paths; });
    QStringList lost;
    for (const ranks::LostFile& file : shown->job.lost) {
        // Most reasons name the file.
        const QString path = QFile::decodeName(file.file.c_str());
        const QString why = QString::fromStdString(file.reason);
        lost.append(style::shownText(why.contains(path)
                                         ? tr("Not used: %1").arg(why)
                                         : tr("'%1' is not used: %2").arg(path, why)));
    }
    if (!lost.isEmpty()) {
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
    m_items[static_cast<std::size_t>(index)].view->deleteLater();
    m_pages.removeWidget(m_items[static_cast<std::size_t>(index)].view);
    m_items.erase(m_items.begin() + index);
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
        new WaitBar(QStringLiteral("cancelJob"), tr("Stop reading; nothing of the job is kept"));
    connect(bar, &WaitBar::cancelled, &m_loader, &job::JobLoader::cancel);
    connect(&m_loader, &job::JobLoader::started, bar,
            [bar](const QStringList& paths) { bar->begin(tr("Opening %1").arg(jobTitle(paths))); });
    connect(&m_loader, &job::JobLoader::progressed, bar, [bar](qint64 done, qint64 all) {
        bar->tell(tr("%1 of %2 ranks read").arg(done).arg(all),
                  all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 0.0);
    });
    connect(&m_loader, &job::JobLoader::idle, bar, &WaitBar::end);
    return bar;
}

void JobTabs::shutDown() {
    disconnect(&m_loader, nullptr, nullptr, nullptr);
    disconnect(this, nullptr, nullptr, nullptr);
    m_loader.cancel();
}

}  // namespace kinetoscope::app
