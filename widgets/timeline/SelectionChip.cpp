// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/SelectionChip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>

#include "core/text/Format.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::timeline {

namespace {

constexpr int kChipHeight = 20;
constexpr double kRadius = 4.0;

QString timeText(TimeNs ns) {
    return QString::fromStdString(text::formatDuration(ns));
}

QString textOf(const session::ViewState& state) {
    const analysis::WindowChoice& window = state.window();
    const bool isStep = window.kind == analysis::WindowKind::Step;
    const auto range = state.selectedRange();
    const QString step = SelectionChip::tr("step %1").arg(window.step);
    if (!range) {
        return isStep ? step : QString();
    }
    const QString time = timeText(range->duration());
    const std::size_t rows = state.selectedTracks().size();
    return isStep      ? SelectionChip::tr("%1, %2 selected").arg(step, time)
           : rows == 0 ? SelectionChip::tr("%1 selected").arg(time)
           : rows == 1 ? SelectionChip::tr("%1 selected in 1 row").arg(time)
                       : SelectionChip::tr("%1 selected in %2 rows").arg(time).arg(rows);
}

QString tipOf(const session::ViewState& state) {
    const auto range = state.selectedRange();
    if (!range) {
        return {};
    }
    const TimeNs first = state.trace()->extent().start;
    QString tip = SelectionChip::tr(
                      "%1 to %2 after the first event.\nFigures and tables cover only this time. "
                      "Click to show it.")
                      .arg(timeText(range->start - first), timeText(range->end - first));
    if (!state.selectedTracks().empty()) {
        tip += SelectionChip::tr(
            "\nThe Selection panel covers the selected rows only, all other panels every row.");
    }
    return tip;
}

}  // namespace

SelectionChip::SelectionChip(session::ViewState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_text(new QLabel(this)), m_clear(new QToolButton(this)) {
    setObjectName(QStringLiteral("selectionChip"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setCursor(Qt::ArrowCursor);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(7, 0, 2, 0);
    layout->setSpacing(3);
    layout->addWidget(m_text);
    layout->addWidget(m_clear);
    QFont small = font();
    small.setPixelSize(11);
    m_text->setFont(small);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setFixedHeight(kChipHeight);
    m_clear->setObjectName(QStringLiteral("endSelection"));
    m_clear->setText(QStringLiteral("×"));
    m_clear->setAutoRaise(true);
    m_clear->setFixedSize(kChipHeight - 4, kChipHeight - 4);
    m_clear->setFocusPolicy(Qt::NoFocus);
    m_clear->setToolTip(tr("Clear the time selection (Escape)"));
    m_clear->setAccessibleName(tr("Clear the selection"));
    connect(m_clear, &QToolButton::clicked, this, [this] { m_state.selectRange(std::nullopt); });
    for (const auto signal : {&session::ViewState::windowChanged, &session::ViewState::rangeChanged,
                              &session::ViewState::traceChanged}) {
        connect(&state, signal, this, &SelectionChip::refresh);
    }
    recolour();
    refresh();
}

void SelectionChip::refresh() {
    const QString text = m_state.trace() ? textOf(m_state) : QString();
    if (text != m_text->text()) {
        m_text->setText(text);
        setAccessibleName(text);
        adjustSize();
    }
    setToolTip(text.isEmpty() ? QString() : style::plainToolTip(tipOf(m_state)));
    setVisible(!text.isEmpty());
    emit changed();
}

void SelectionChip::recolour() {
    const style::Theme& theme = style::Theme::current();
    QPalette colors = palette();
    const QColor ink = theme.textOn(theme.accent());
    for (const auto role : {QPalette::WindowText, QPalette::ButtonText, QPalette::Text}) {
        colors.setColor(role, ink);
    }
    for (QWidget* part : {static_cast<QWidget*>(m_text), static_cast<QWidget*>(m_clear)}) {
        part->setPalette(colors);
    }
    update();
}

void SelectionChip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style::Theme::current().accent());
    painter.drawRoundedRect(QRectF(rect()), kRadius, kRadius);
}

void SelectionChip::changeEvent(QEvent* event) {
    // Its own parts have palettes of their own, so nothing comes back here.
    if (event->type() == QEvent::PaletteChange) {
        recolour();
    }
    QWidget::changeEvent(event);
}

// Not passed on: a press on the time axis would start a new selection.
void SelectionChip::mousePressEvent(QMouseEvent* event) {
    event->setAccepted(event->button() == Qt::LeftButton);
}

void SelectionChip::mouseReleaseEvent(QMouseEvent* event) {
    const auto range = m_state.selectedRange();
    event->setAccepted(event->button() == Qt::LeftButton);
    if (event->isAccepted() && range && rect().contains(event->position().toPoint())) {
        m_state.zoomTo(*range);
    }
}

}  // namespace kinetoscope::timeline
