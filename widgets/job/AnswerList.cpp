// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/AnswerList.h"

#include <algorithm>

#include "widgets/style/Breakable.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

namespace {

constexpr std::size_t kMaxAnswers = 500;  // a list is not a table
constexpr qsizetype kMaxLetters = 320;    // a kernel's name may have thousands
constexpr int kAroundAnswers = 4;

}  // namespace

AnswerList::AnswerList(std::size_t count, const std::function<QString(std::size_t)>& text,
                       const QString& none, QWidget* parent)
    : QListWidget(parent) {
    setObjectName(QStringLiteral("answers"));
    setWordWrap(true);
    setTextElideMode(Qt::ElideNone);
    setResizeMode(QListView::Adjust);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Sentences are measured for the width that they are drawn in, bar or not.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setFrameShape(QFrame::NoFrame);
    setSpacing(kAroundAnswers);
    for (std::size_t i = 0; i < std::min(count, kMaxAnswers); ++i) {
        const QString sentence = text(i);
        auto* item =
            new QListWidgetItem(style::breakable(style::shownText(sentence, kMaxLetters)), this);
        item->setToolTip(style::plainToolTip(sentence));
    }
    if (count == 0) {
        addItem(none);
        item(0)->setFlags(Qt::ItemIsEnabled);
    }
    const auto go = [this, count](QListWidgetItem* item) {
        const auto row = static_cast<std::size_t>(item == nullptr ? -1 : this->row(item));
        if (row < count) {
            emit chosen(row);
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
