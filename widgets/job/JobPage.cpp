// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/JobPage.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include "widgets/job/AnswerList.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/style/Breakable.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

namespace {

constexpr int kUpperHeight = 600;
constexpr int kTablesHeight = 170;
constexpr qsizetype kSummaryLetters = 500;  // of a summary; of a damaged job it may be long

QSplitter* above(QWidget* upper, int upperHeight, QWidget* lower, int lowerHeight) {
    auto* both = new QSplitter(Qt::Vertical);
    both->setChildrenCollapsible(false);
    both->addWidget(upper);
    both->addWidget(lower);
    both->setSizes({upperHeight, lowerHeight});
    return both;
}

}  // namespace

void JobPage::layOut(const Parts& parts) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(parts.bar);
    QSplitter* told =
        above(parts.answers, parts.answersHeight, parts.words, kUpperHeight - parts.answersHeight);
    QSplitter* upper = panels::sideBySide({parts.picture, 1000}, {told, parts.wordsWidth},
                                          panels::GrowingPane::Left);
    QSplitter* all = above(upper, kUpperHeight, parts.tables, kTablesHeight);
    all->setStretchFactor(0, 4);
    all->setStretchFactor(1, 1);
    column->addWidget(all, 1);
}

// The summary has a line of its own, or two.
QWidget* JobPage::makeBar(const QList<QWidget*>& widgets) const {
    auto* bar = new QWidget;
    auto* column = new QVBoxLayout(bar);
    column->setContentsMargins(10, 5, 10, 5);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    for (QWidget* widget : widgets) {
        row->addWidget(widget);
    }
    row->addStretch(1);
    column->addLayout(row);
    const QStringList lines = summary();
    const QString told = lines.join(QStringLiteral(" · "));
    auto* label = new QLabel(style::breakable(
        told.size() > kSummaryLetters ? told.left(kSummaryLetters) + QChar(0x2026) : told));
    label->setObjectName(QStringLiteral("summary"));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    QSizePolicy policy = label->sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Ignored);  // a name of a file must not widen the window
    label->setSizePolicy(policy);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setToolTip(style::plainToolTip(lines.join(QLatin1Char('\n'))));
    column->addWidget(label);
    return bar;
}

AnswerList* JobPage::makeAnswers(const QString& none, const QString& whatsThis) {
    auto* list = new AnswerList(
        answers(), [this](std::size_t answer) { return answerText(answer); }, none);
    list->setWhatsThis(whatsThis);
    connect(list, &AnswerList::chosen, this, [this](std::size_t answer) { goToAnswer(answer); });
    return list;
}

bool JobPage::selectAnswer(const QString& text) {
    for (std::size_t answer = 0; answer < answers(); ++answer) {
        if (answerText(answer).contains(text, Qt::CaseInsensitive)) {
            goToAnswer(answer);
            return true;
        }
    }
    return false;
}

}  // namespace kinetoscope::job
