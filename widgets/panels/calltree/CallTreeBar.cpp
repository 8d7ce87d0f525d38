// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/calltree/CallTreeBar.h"

#include <QHBoxLayout>

#include "widgets/panels/parts/TableBar.h"
#include "widgets/style/Icons.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

constexpr int kFilterWidth = 180;
constexpr int kBeforeFilter = 1'000'000;  // as a stretch: its numbers are whole first

}  // namespace

CallTreeBar::CallTreeBar(session::ViewState& view, QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_shown(new QComboBox),
      m_frames(new QComboBox),
      m_time(new QComboBox),
      m_back(new QToolButton),
      m_state(new style::ElidedLabel(QString(), Qt::AlignRight)),
      m_filter(new QLineEdit) {
    fillChoices();
    layOut();
    connect(m_shown, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_back->setVisible(index == Flames);
        emit shownChanged();
    });
    connect(m_frames, &QComboBox::activated, this, &CallTreeBar::framesChosen);
    connect(m_time, &QComboBox::activated, this, &CallTreeBar::weightChosen);
    connect(m_back, &QToolButton::clicked, this, &CallTreeBar::backWanted);
    connect(m_filter, &QLineEdit::textChanged, this, &CallTreeBar::filterChanged);
}

void CallTreeBar::fillChoices() {
    m_shown->setObjectName(QStringLiteral("shown"));
    m_shown->addItems(
        {tr("Flame graph"), tr("Top-down"), tr("Bottom-up"), tr("Callers and callees")});
    m_shown->setToolTip(tr("View of the call tree"));
    m_frames->setObjectName(QStringLiteral("frames"));
    m_frames->addItems({tr("All frames"), tr("Operators"), tr("Python functions"), tr("Modules"),
                        tr("Annotations")});
    m_frames->setToolTip(tr("Which CPU slices count as frames"));
    m_time->setObjectName(QStringLiteral("time"));
    m_time->addItems({tr("GPU time"), tr("CPU time")});
    m_time->setToolTip(
        tr("GPU time: kernels, copies and memsets under their launches; CPU time: durations of CPU "
           "slices"));
    m_back->setObjectName(QStringLiteral("back"));
    m_back->setIcon(style::themedIcon(QStringLiteral("zoom-out")));
    m_back->setText(tr("Back"));
    m_back->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_back->setAutoRaise(true);
    m_back->setEnabled(false);
    m_back->setToolTip(tr("Undo the last zoom of the flame graph (Escape)"));
    m_state->setObjectName(QStringLiteral("state"));
}

void CallTreeBar::layOut() {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 5, 10, 5);
    for (QWidget* part : std::initializer_list<QWidget*>{m_shown, m_frames, m_time, m_back}) {
        layout->addWidget(part);
    }
    layout->addWidget(new timeline::SelectionChip(m_view, this));
    layout->addStretch(1);
    m_state->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    layout->addWidget(m_state, kBeforeFilter);
    addFilter(*layout, *m_filter, tr("Find a name"), kFilterWidth);
}

calltree::Frames CallTreeBar::frames() const {
    return static_cast<calltree::Frames>(m_frames->currentIndex());
}

calltree::Weight CallTreeBar::weight() const {
    return m_time->currentIndex() == 0 ? calltree::Weight::GpuTime : calltree::Weight::CpuTime;
}

void CallTreeBar::setFrames(calltree::Frames frames) {
    m_frames->setCurrentIndex(static_cast<int>(frames));
}

void CallTreeBar::setWeight(calltree::Weight weight) {
    m_time->setCurrentIndex(weight == calltree::Weight::GpuTime ? 0 : 1);
}

}  // namespace kinetoscope::panels
