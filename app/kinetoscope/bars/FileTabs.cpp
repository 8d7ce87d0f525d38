// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/bars/FileTabs.h"

#include <QEvent>
#include <QSet>
#include <algorithm>
#include <array>
#include <vector>

#include "widgets/style/PlainText.h"

namespace kinetoscope::app {

namespace {

constexpr int kLeastTabText = 60;
constexpr int kLeastBar = 200;
constexpr qsizetype kMostBefore = 8;  // letters before those that distinguish a name
constexpr qsizetype kSeenAfter = 2;   // and behind the first of them
constexpr std::array kTraceEndings{".pt.trace.json.gz", ".pt.trace.json", ".trace.json.gz",
                                   ".trace.json",       ".json.gz",       ".json"};
constexpr QChar kEllipsis(0x2026);

QString withoutTraceEnding(const QString& name) {
    for (const char* ending : kTraceEndings) {
        if (name.endsWith(QLatin1String(ending), Qt::CaseInsensitive) &&
            name.size() > qsizetype(qstrlen(ending))) {
            return name.chopped(qsizetype(qstrlen(ending)));
        }
    }
    return name;
}

/// Where the name differs from the one that is most like it.
qsizetype firstDifference(const QString& name, const QStringList& others) {
    qsizetype most = 0;
    for (const QString& other : others) {
        const auto common = std::mismatch(name.begin(), name.end(), other.begin(), other.end());
        if (other != name) {
            most = std::max(most, qsizetype(common.first - name.begin()));
        }
    }
    return std::min(most, name.size() - 1);
}

}  // namespace

QStringList withoutTraceEndings(const QStringList& names) {
    QStringList shorter;
    for (const QString& name : names) {
        shorter.append(withoutTraceEnding(name));
    }
    return QSet<QString>(shorter.begin(), shorter.end()).size() == names.size() ? shorter : names;
}

QString elidedAmong(const QString& name, const QStringList& others, const QFontMetrics& metrics,
                    int width) {
    QString middle = metrics.elidedText(name, Qt::ElideMiddle, width);
    if (middle == name) {
        return name;
    }
    const qsizetype differs = firstDifference(name, others);
    if (middle.indexOf(kEllipsis) > differs + kSeenAfter) {
        return middle;
    }
    // From the beginning of the word in which it differs.
    qsizetype start = differs;
    while (start > std::max<qsizetype>(0, differs - kMostBefore) &&
           name[start - 1].isLetterOrNumber()) {
        --start;
    }
    if (start > 0 && name[start].isLowSurrogate()) {
        --start;
    }
    const QString before = start > 0 ? QString(kEllipsis) : QString();
    return before + metrics.elidedText(name.mid(start), Qt::ElideRight,
                                       width - metrics.horizontalAdvance(before));
}

FileTabs::FileTabs(QWidget* parent) : QTabBar(parent) {
    setTabsClosable(true);
    setExpanding(false);
    setDocumentMode(true);
    setDrawBase(false);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideNone);
}

void FileTabs::setFiles(const std::vector<File>& files) {
    while (count() > 0) {
        removeTab(0);
    }
    m_names.clear();
    for (const File& file : files) {
        m_names.append(style::shownText(file.title));
        setTabToolTip(addTab(style::plainActionText(m_names.back())), file.toolTip);
    }
    fit();
}

QSize FileTabs::minimumSizeHint() const {
    return {kLeastBar, QTabBar::minimumSizeHint().height()};
}

void FileTabs::resizeEvent(QResizeEvent* event) {
    fit();
    QTabBar::resizeEvent(event);
}

void FileTabs::changeEvent(QEvent* event) {
    QTabBar::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        fit();
    }
}

int FileTabs::besideText(int index) const {
    const QString shown = QString(tabText(index)).replace(QLatin1String("&&"), QLatin1String("&"));
    return tabSizeHint(index).width() - fontMetrics().horizontalAdvance(shown);
}

/// The width that texts may have so that all of them have `room`: short ones leave theirs to
/// others.
int FileTabs::widestText(const QStringList& names, int room) const {
    std::vector<int> widths;
    for (const QString& name : names) {
        widths.push_back(fontMetrics().horizontalAdvance(name) + 1);
    }
    std::ranges::sort(widths);
    int left = room;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const int share = left / static_cast<int>(widths.size() - i);
        if (widths[i] > share) {
            return std::max(share, kLeastTabText);
        }
        left -= widths[i];
    }
    return widths.empty() ? 0 : widths.back();
}

void FileTabs::fit() {
    if (m_names.size() != count()) {
        return;
    }
    int room = width();
    int longest = 0;
    for (int tab = 0; tab < count(); ++tab) {
        room -= besideText(tab);
        longest = std::max(longest, fontMetrics().horizontalAdvance(m_names[tab]));
    }
    const bool allFit = widestText(m_names, room) >= longest;
    const QStringList names = allFit ? m_names : withoutTraceEndings(m_names);
    const int widest = widestText(names, room);
    for (int tab = 0; tab < count(); ++tab) {
        const QString text =
            style::plainActionText(elidedAmong(names[tab], names, fontMetrics(), widest));
        if (text != tabText(tab)) {
            setTabText(tab, text);
        }
    }
}

}  // namespace kinetoscope::app
