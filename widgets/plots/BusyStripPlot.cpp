// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/BusyStripPlot.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/plots/StripCanvas.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::plots {

BusyStripPlot::BusyStripPlot(session::ViewState& state, BusyStrip strip, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_strip(std::move(strip)),
      m_canvas(new StripCanvas(*m_strip.busy, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_canvas);
    m_canvas->installEventFilter(this);
    m_canvas->setTitle(m_strip.title);
    m_canvas->setTheme(m_strip.color());
    setAccessibleName(m_strip.title);
    m_canvas->setWhatsThis(style::plainToolTip(m_strip.explanation));
    connect(&state, &session::ViewState::visibleChanged, this, &BusyStripPlot::showView);
    connect(&state, &session::ViewState::rangeChanged, this, &BusyStripPlot::showView);
    showView();
}

BusyStripPlot::~BusyStripPlot() = default;

void BusyStripPlot::setMargins(int left, int right) {
    m_left = left;
    m_right = right;
    m_canvas->setMargins(left, right);
    showView();
}

void BusyStripPlot::setCursorTime(std::optional<TimeNs> time) {
    m_cursor = time;
    showCursor();
}

void BusyStripPlot::showCursor() {
    m_canvas->setCursor(m_cursor && m_state.visible().contains(*m_cursor)
                            ? std::optional(coordinates().x(*m_cursor))
                            : std::nullopt);
}

void BusyStripPlot::setBusy(std::shared_ptr<const query::BusyColumns> busy) {
    m_canvas->setBusy(*busy);
    m_strip.busy = std::move(busy);
    showView();
}

timeline::TimeCoordinates BusyStripPlot::coordinates() const {
    return {m_state.visible(), static_cast<double>(m_left),
            static_cast<double>(width() - m_left - m_right)};
}

const std::vector<float>& BusyStripPlot::columns() const {
    return m_canvas->busy().columns();
}

double BusyStripPlot::axisPixel(TimeNs time) const {
    return m_canvas->xAxis->coordToPixel(static_cast<double>(time - origin()));
}

TimeNs BusyStripPlot::origin() const {
    return m_state.trace() ? m_state.trace()->extent().start : 0;
}

void BusyStripPlot::showView() {
    m_canvas->setView(m_state.visible(), m_state.visibleOfTrace(), origin());
    if (const auto range = m_state.selectedRange()) {
        const timeline::TimeCoordinates at = coordinates();
        m_canvas->setRange(std::pair(at.x(range->start), at.x(range->end)));
    } else {
        m_canvas->setRange(std::nullopt);
    }
    showCursor();
}

void BusyStripPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showView();
}

void BusyStripPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        m_canvas->setTheme(m_strip.color());
    }
    QWidget::changeEvent(event);
}

bool BusyStripPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_canvas && event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const bool inside = m_canvas->area().contains(mouse->position().toPoint());
        emit cursorMoved(inside ? std::optional(coordinates().time(mouse->position().x()))
                                : std::nullopt);
        showToolTip(mouse->position().toPoint(), mouse->globalPosition().toPoint());
    } else if (watched == m_canvas && event->type() == QEvent::Leave) {
        emit cursorMoved(std::nullopt);
    } else if (watched == m_canvas && event->type() == QEvent::Wheel) {
        auto* wheel = static_cast<QWheelEvent*>(event);
        emit wheelTurned(wheel);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

QString BusyStripPlot::figure() const {
    return m_canvas->figure();
}

QString BusyStripPlot::toolTipAt(QPoint at) const {
    if (!m_canvas->area().contains(at)) {
        return m_strip.explanation;
    }
    const double scale = m_canvas->bufferDevicePixelRatio();
    const auto column = static_cast<std::size_t>((at.x() - m_left) * scale);
    if (column >= columns().size()) {
        return m_strip.explanation;
    }
    const TimeNs since = coordinates().time(at.x()) - origin();
    return QStringLiteral("%1: %2 %\nat %3, over %4")
        .arg(m_strip.title)
        .arg(100.0 * static_cast<double>(columns()[column]), 0, 'f', 1)
        .arg(QString::fromStdString(text::formatDuration(since)),
             QString::fromStdString(text::formatDuration(coordinates().length(1.0 / scale))));
}

void BusyStripPlot::showToolTip(QPoint at, QPoint global) {
    QToolTip::showText(global, style::plainToolTip(toolTipAt(at)), m_canvas);
}

}  // namespace kinetoscope::plots
