// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/WindowChooser.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/SelectionChip.h"

namespace kinetoscope::panels {

namespace {

constexpr int kMinLetters = 14;

enum FixedItem { GpuItem, TraceItem, RangeItem, FirstStepItem };

}  // namespace

WindowChooser::WindowChooser(session::Session& session, session::ViewState& view, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_view(view),
      m_choice(new QComboBox(this)),
      m_length(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* layout = new QHBoxLayout;
    column->addLayout(layout);
    column->addWidget(new timeline::SelectionChip(view, this), 0, Qt::AlignLeft);
    auto* title = new QLabel(tr("Window"), this);
    title->setBuddy(m_choice);
    layout->addWidget(title);
    layout->addWidget(m_choice, 1);
    layout->addWidget(m_length);
    m_length->setForegroundRole(QPalette::PlaceholderText);
    m_choice->setObjectName(QStringLiteral("windowChoice"));
    m_choice->setMaxVisibleItems(20);
    // Steps have any names; a long one does not widen the panel.
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(kMinLetters);
    m_length->setObjectName(QStringLiteral("windowLength"));
    m_length->setTextFormat(Qt::PlainText);
    m_choice->setToolTip(models::figureTip("window_ns"));
    title->setToolTip(models::figureTip("window_ns"));
    connect(m_choice, &QComboBox::activated, this, &WindowChooser::choose);
    connect(&view, &session::ViewState::windowChanged, this, &WindowChooser::showCurrent);
    connect(&view, &session::ViewState::traceChanged, this, &WindowChooser::rebuild);
    connect(&session.reports(), &session::ReportRunner::reportChanged, this,
            &WindowChooser::rebuild);
    connect(&session.reports(), &session::ReportRunner::busyChanged, this,
            &WindowChooser::tellLength);
    rebuild();
}

void WindowChooser::rebuild() {
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    m_choice->addItem(tr("GPU work"));
    m_choice->addItem(tr("Whole trace"));
    m_choice->addItem(QString());
    m_choice->setItemData(RangeItem, tr("Drag on the time axis to select time"), Qt::ToolTipRole);
    m_steps.clear();
    if (const auto& report = m_session.reports().report()) {
        for (const analysis::Step& step : report->steps) {
            m_choice->addItem(style::shownText(step.name),
                              QVariant::fromValue<qlonglong>(step.number));
            m_steps.push_back(step.span);
        }
    }
    m_choice->setEnabled(m_view.trace() != nullptr);
    showCurrent();
    tellLength();
}

void WindowChooser::showCurrent() {
    const QSignalBlocker quiet(m_choice);
    const analysis::WindowChoice& window = m_view.window();
    // There is something to choose here only where it is chosen already.
    const bool hasRange = window.kind == analysis::WindowKind::Range;
    m_choice->setItemText(RangeItem, hasRange ? tr("Selected time") : tr("Selected time (none)"));
    auto* items = qobject_cast<QStandardItemModel*>(m_choice->model());
    items->item(RangeItem)->setEnabled(hasRange);
    int item = static_cast<int>(GpuItem);
    switch (window.kind) {
        case analysis::WindowKind::Gpu:
            break;
        case analysis::WindowKind::Trace:
            item = TraceItem;
            break;
        case analysis::WindowKind::Range:
            item = RangeItem;
            break;
        case analysis::WindowKind::Step:
            item = m_choice->findData(QVariant::fromValue<qlonglong>(window.step));
            break;
    }
    m_choice->setCurrentIndex(std::max(item, 0));
}

void WindowChooser::choose(int index) {
    if (index >= FirstStepItem) {
        m_view.selectStep(m_choice->itemData(index).toLongLong(),
                          m_steps[static_cast<std::size_t>(index - FirstStepItem)]);
    } else if (index != RangeItem) {
        m_view.setWindow(
            {.kind = index == GpuItem ? analysis::WindowKind::Gpu : analysis::WindowKind::Trace,
             .step = 0,
             .range = {}});
    }
}

// Or that the figures of another window come.
void WindowChooser::tellLength() {
    if (m_session.reports().busy()) {
        m_length->setText(tr("calculating…"));
        return;
    }
    const auto& report = m_session.reports().report();
    TimeNs longest = 0;
    if (report) {
        for (const report::GpuReport& gpu : report->gpus) {
            longest = std::max(longest, gpu.window.duration());
        }
    }
    m_length->setText(longest > 0 ? QString::fromStdString(text::formatDuration(longest))
                                  : QString());
}

}  // namespace kinetoscope::panels
