// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/path/WhatIfList.h"

#include <QAction>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>

#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/panels/path/PartBar.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::panels {

namespace {

enum Column { Change, Length, Share, Critical, Columns };

constexpr std::size_t kCriticalNamed = 3;
constexpr std::size_t kCriticalTold = 8;  // in tool tips
constexpr qsizetype kNameLetters = 60;
constexpr int kRowMargin = 8;
constexpr int kHeaderMargin = 28;
constexpr int kNarrowestColumn = 64;
constexpr int kNarrowestChange = 96;
constexpr int kLeastListWidth = 330;  // what is changed and what is critical then can be read

QString shareOf(TimeNs part, TimeNs whole) {
    return models::toText(
        text::formatPercent(static_cast<double>(part), static_cast<double>(whole)));
}

QString lengthText(TimeNs ns, text::TimeUnit unit) {
    return models::toText(text::inUnit(ns, unit) + " " + unit.name);
}

// "83.33 % gemm, 10.00 % softmax": where there is little room, the name gives way.
QString criticalText(const std::vector<path::Part>& parts, TimeNs length, std::size_t most) {
    QStringList named;
    for (std::size_t i = 0; i < std::min(most, parts.size()); ++i) {
        named.append(shareOf(parts[i].ns, length) + QLatin1Char(' ') +
                     style::shownText(parts[i].name, kNameLetters));
    }
    return named.join(QStringLiteral(", "));
}

}  // namespace

WhatIfList::WhatIfList(session::PathFinder& paths, QWidget* parent)
    : QWidget(parent),
      m_paths(paths),
      m_rows(new QTableWidget(0, Columns)),
      m_more(new QLineEdit),
      m_together(new QLabel) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_rows, 1);
    layout->addWidget(m_more);
    layout->addWidget(m_together);
    m_rows->setObjectName(QStringLiteral("whatIfs"));
    m_rows->setHorizontalHeaderLabels(
        {tr("What if"), tr("Step"), tr("Of before"), tr("New critical path")});
    m_rows->verticalHeader()->hide();
    m_rows->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowMargin);
    m_rows->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_rows->horizontalHeader()->setSectionResizeMode(Share, QHeaderView::Interactive);
    m_rows->setColumnWidth(Share, fontMetrics().horizontalAdvance(tr("Of before")) + kHeaderMargin);
    m_rows->horizontalHeader()->setSectionResizeMode(Change, QHeaderView::Interactive);
    m_rows->horizontalHeader()->setSectionResizeMode(Critical, QHeaderView::Stretch);
    m_rows->horizontalHeader()->setHighlightSections(false);
    for (int column = 0; column < Columns; ++column) {
        const bool isNumber = column == Length || column == Share;
        m_rows->horizontalHeaderItem(column)->setTextAlignment(
            (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    m_rows->horizontalHeader()->setMinimumSectionSize(kNarrowestColumn);
    m_rows->setMinimumWidth(kLeastListWidth);
    m_rows->setFrameShape(QFrame::NoFrame);
    m_rows->setShowGrid(false);
    m_rows->setWordWrap(false);
    m_rows->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_rows->setWhatsThis(
        tr("Scale durations by a factor and replay the step: kernel:/REGEX/=F, family:NAME=F, "
           "operator:/REGEX/=F, host=F, launch=F, comm=F, copy=F, wait=F, roof. Double-click "
           "edits, Delete removes; ticked what-ifs are tried together."));
    m_more->setObjectName(QStringLiteral("moreWhatIf"));
    m_more->setPlaceholderText(tr("Add a what-if, e.g. kernel:/softmax/=0.5"));
    m_together->setObjectName(QStringLiteral("together"));
    m_together->setWordWrap(true);
    m_together->setTextFormat(Qt::PlainText);
    auto* remove = new QAction(tr("Remove"), m_rows);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    m_rows->addAction(remove);
    m_rows->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(remove, &QAction::triggered, this, &WhatIfList::removeCurrent);
    connect(m_more, &QLineEdit::returnPressed, this, &WhatIfList::addWritten);
    connect(m_rows, &QTableWidget::itemChanged, this, &WhatIfList::takeRows);
    connect(&m_paths, &session::PathFinder::changed, this, &WhatIfList::follow);
    refresh();
}

void WhatIfList::refresh() {
    const QScopedValueRollback own(m_filling, true);
    m_shown = m_paths.whatIfs();
    m_rows->setRowCount(static_cast<int>(m_shown.size()));
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        const session::WhatIf& one = m_shown[static_cast<std::size_t>(row)];
        auto* change = new QTableWidgetItem(style::shownText(one.text));
        const Qt::ItemFlags editable = one.nodes ? Qt::NoItemFlags : Qt::ItemIsEditable;
        change->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                         editable);
        change->setCheckState(one.ticked ? Qt::Checked : Qt::Unchecked);
        m_rows->setItem(row, Change, change);
        for (const int column : {Length, Share, Critical}) {
            auto* item = new QTableWidgetItem;
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            item->setTextAlignment((column == Critical ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
            m_rows->setItem(row, column, item);
        }
    }
    showAnswers();
}

// What-ifs come from elsewhere too.
void WhatIfList::follow() {
    if (m_paths.whatIfs() == m_shown) {
        showAnswers();
    } else {
        refresh();
    }
}

void WhatIfList::showAnswers() {
    const QScopedValueRollback own(m_filling, true);
    const auto& shown = m_paths.shown();
    const style::Theme& theme = style::Theme::current();
    const bool isFresh = shown && !m_paths.busy() &&
                         shown->answers.size() == static_cast<std::size_t>(m_rows->rowCount());
    const text::TimeUnit unit =
        text::unitFor(isFresh ? shown->found->path.span.duration() : TimeNs{0});
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        const session::WhatIfAnswer answer =
            isFresh ? shown->answers[static_cast<std::size_t>(row)] : session::WhatIfAnswer();
        m_rows->item(row, Length)
            ->setText(answer.lengthNs ? lengthText(*answer.lengthNs, unit) : QString());
        m_rows->item(row, Share)
            ->setText(answer.lengthNs
                          ? shareOf(*answer.lengthNs, shown->found->path.span.duration())
                          : QString());
        m_rows->item(row, Critical)
            ->setText(!answer.lengthNs  ? QString()
                      : !answer.matches ? tr("nothing matches")
                                        : criticalText(answer.parts, *answer.lengthNs, 1));
        m_rows->item(row, Critical)
            ->setToolTip(style::plainToolTip(
                answer.lengthNs ? criticalText(answer.parts, *answer.lengthNs, kCriticalTold)
                                : QString()));
        const session::WhatIf& whatIf = m_shown[static_cast<std::size_t>(row)];
        m_rows->item(row, Change)
            ->setToolTip(style::plainToolTip(
                answer.error.isEmpty() && whatIf.nodes ? whatIf.text : answer.error));
        m_rows->item(row, Change)
            ->setForeground(answer.error.isEmpty() ? theme.text() : theme.error());
    }
    QString text;
    if (isFresh && shown->together) {
        const path::ChangedStep& together = *shown->together;
        text = tr("All ticked: %1 (%2)")
                   .arg(models::toText(text::formatDuration(together.lengthNs)),
                        shareOf(together.lengthNs, shown->found->path.span.duration()));
        text += tr("; new critical path: ") +
                criticalText(together.parts, together.lengthNs, kCriticalNamed);
    }
    m_together->setText(text);
    m_together->setVisible(!text.isEmpty());
    fitChange();
}

// What is changed is short most of the time; the new path gets the room that is left.
void WhatIfList::fitChange() {
    const QAbstractItemView& rows = *m_rows;
    m_rows->setColumnWidth(Change, std::clamp(rows.sizeHintForColumn(Change), kNarrowestChange,
                                              std::max(kNarrowestChange, width() / 3)));
}

void WhatIfList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitChange();
}

void WhatIfList::addWritten() {
    if (const QString text = m_more->text().trimmed(); !text.isEmpty()) {
        auto whatIfs = m_paths.whatIfs();
        whatIfs.push_back({text, true});
        m_paths.setWhatIfs(std::move(whatIfs));
        m_more->clear();
    }
}

void WhatIfList::takeRows() {
    if (m_filling) {
        return;
    }
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        const QTableWidgetItem* item = m_rows->item(row, Change);
        session::WhatIf& whatIf = m_shown[static_cast<std::size_t>(row)];
        whatIf.text = whatIf.nodes ? whatIf.text : item->text().trimmed();
        whatIf.ticked = item->checkState() == Qt::Checked;
    }
    m_paths.setWhatIfs(m_shown);
}

void WhatIfList::removeCurrent() {
    auto whatIfs = m_paths.whatIfs();
    const int row = m_rows->currentRow();
    if (row >= 0 && static_cast<std::size_t>(row) < whatIfs.size()) {
        whatIfs.erase(whatIfs.begin() + row);
        m_paths.setWhatIfs(std::move(whatIfs));
    }
}

}  // namespace kinetoscope::panels
