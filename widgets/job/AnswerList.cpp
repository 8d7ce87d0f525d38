// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/AnswerList.h"

#include <algorithm>

#include "core/ranks/JobText.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

namespace {

constexpr std::size_t kMaxAnswers = 500;  // a list is no table
constexpr qsizetype kMaxLetters = 320;    // a kernel's name may have thousands

/// Names of kernels have no spaces, at which lines would break.
QString breakable(QString text) {
    return text.replace(QLatin1String("::"), QStringLiteral("::\u200b"))
        .replace(QLatin1Char(','), QStringLiteral(",\u200b"))
        .replace(QLatin1Char('_'), QStringLiteral("_\u200b"));
}

}  // namespace

AnswerList::AnswerList(JobState& state, QWidget* parent) : QListWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("answers"));
    setWordWrap(true);
    setTextElideMode(Qt::ElideNone);
    setResizeMode(QListView::Adjust);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setFrameShape(QFrame::NoFrame);
    setSpacing(2);
    setWhatsThis(
        tr("Ranks that kept the others waiting, and what they took longer for than the median "
           "rank; the sentences of kscope ranks. A click goes to the cell and to the time."));
    const auto& answers = state.job().answers;
    for (std::size_t i = 0; i < std::min(answers.size(), kMaxAnswers); ++i) {
        const QString text = models::toText(ranks::answerText(state.job(), answers[i]));
        auto* item = new QListWidgetItem(breakable(style::shownText(text, kMaxLetters)), this);
        item->setToolTip(style::plainToolTip(text));
    }
    if (answers.empty()) {
        addItem(
            tr("No rank stands out: none took longer on its own than the median rank by more "
               "than noise."));
        item(0)->setFlags(Qt::ItemIsEnabled);
    }
    const auto go = [this](QListWidgetItem* chosen) {
        const auto row = static_cast<std::size_t>(chosen == nullptr ? -1 : this->row(chosen));
        if (row < m_state.job().answers.size()) {
            m_state.goTo(m_state.job().answers[row]);
        }
    };
    connect(this, &QListWidget::itemClicked, this, go);
    connect(this, &QListWidget::itemActivated, this, go);
}

// Qt measures wrapped lines once, for the width before.
void AnswerList::resizeEvent(QResizeEvent* event) {
    QListWidget::resizeEvent(event);
    scheduleDelayedItemsLayout();
}

}  // namespace kinetoscope::job
