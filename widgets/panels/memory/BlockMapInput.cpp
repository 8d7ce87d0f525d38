// SPDX-License-Identifier: GPL-3.0-or-later
// Pointer and keyboard in the map of blocks.
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/memory/MemoryTables.h"
#include "widgets/models/Text.h"
#include "widgets/panels/memory/BlockMap.h"
#include "widgets/panels/memory/BlockMapSizes.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

constexpr double kWheelZoom = 0.8;  // of what is visible, a notch
constexpr double kKeyZoom = 0.75;
constexpr double kKeyPan = 0.1;
constexpr double kNotch = 120.0;  // QWheelEvent's eighths of a degree
constexpr std::size_t kTipCalls = 12;

}  // namespace

QString BlockMap::toolTipAt(QPoint at) const {
    if (!m_memory || !plot().contains(at)) {
        return {};
    }
    const memory::Device& device = m_memory->device(m_device);
    const timeline::TimeCoordinates x = coordinates();
    constexpr double kReach = 5.0;
    for (const memory::OutOfMemory& event : device.outOfMemory) {
        if (std::abs(x.x(event.time) - at.x()) <= kReach && at.y() < kRuler + 2 * kReach) {
            return style::plainToolTip(
                tr("requested %1 %2\n%3")
                    .arg(bytesText(event.requested),
                         models::toText(memory::momentWords(event.time)),
                         stackText(m_memory->history(), event.place, kTipCalls)),
                tr("Out of memory"));
        }
    }
    if (const std::uint32_t block = blockAt(at); block != memory::kNoBlock) {
        return style::plainToolTip(blockText(*m_memory, m_device, block, kTipCalls));
    }
    const Moment moment = stacks()->momentAt(x.time(at.x()));
    return style::plainToolTip(tr("allocated %1 at %2")
                                   .arg(bytesText(stacks()->allocatedAt(moment)),
                                        models::toText(memory::momentWords(x.time(at.x())))));
}

bool BlockMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

void BlockMap::zoomTime(double factor, TimeNs anchor) {
    const auto part = [&](TimeNs time) {
        return anchor + static_cast<TimeNs>(static_cast<double>(time - anchor) * factor);
    };
    const TimeSpan wanted{part(m_time.start), part(m_time.end)};
    if (!wanted.empty()) {
        emit timeWanted(wanted.start, wanted.end);
    }
}

void BlockMap::zoomHeight(double factor, double anchor) {
    const double bottom = anchor + (static_cast<double>(m_bottom) - anchor) * factor;
    const double top = anchor + (static_cast<double>(m_top) - anchor) * factor;
    constexpr double kMax = 9e18;
    setHeight(static_cast<std::int64_t>(std::clamp(bottom, 0.0, kMax)),
              static_cast<std::int64_t>(std::clamp(top, 0.0, kMax)));
}

void BlockMap::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (!m_memory) {
        return;
    }
    const QPoint turn = event->angleDelta();
    const timeline::TimeCoordinates x = coordinates();
    const QPointF at = event->position();
    const int amount = turn.y() != 0 ? turn.y() : turn.x();
    const double zoom = std::pow(kWheelZoom, amount / kNotch);
    if (event->modifiers().testFlag(Qt::ControlModifier) || at.x() < kScale) {
        const double height = static_cast<double>(m_top - m_bottom) / plot().height();
        zoomHeight(zoom, static_cast<double>(m_bottom) + (plot().bottom() + 1 - at.y()) * height);
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) ||
               std::abs(turn.x()) > std::abs(turn.y())) {
        const TimeNs by = -x.length(amount / 2.0);
        emit timeWanted(m_time.start + by, m_time.end + by);
    } else if (amount != 0) {
        zoomTime(zoom, x.time(at.x()));
    }
}

void BlockMap::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_memory) {
        m_drag = Drag::Pending;
        m_pressAt = event->position().toPoint();
        m_pressTime = m_time;
        m_pressBottom = m_bottom;
        m_pressTop = m_top;
    } else {
        QWidget::mousePressEvent(event);
    }
}

void BlockMap::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (m_drag == Drag::Pending &&
        (at - m_pressAt).manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::Pan) {
        const TimeNs by = coordinates().length(m_pressAt.x() - at.x());
        const double height = static_cast<double>(m_pressTop - m_pressBottom) / plot().height();
        const auto up = static_cast<std::int64_t>((at.y() - m_pressAt.y()) * height);
        setHeight(m_pressBottom + up, m_pressTop + up);
        emit timeWanted(m_pressTime.start + by, m_pressTime.end + by);
    }
}

void BlockMap::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = m_drag == Drag::Pending;
    m_drag = Drag::None;
    unsetCursor();
    if (clicked && event->button() == Qt::LeftButton) {
        click(event->position().toPoint());
    }
}

// A moment at which the block exists, whatever the column stands for.
void BlockMap::click(QPoint at) {
    if (!m_memory || !plot().contains(at)) {
        return;
    }
    const std::uint32_t block = blockAt(at);
    const TimeNs time = coordinates().time(at.x() + 0.5);
    Moment moment = stacks()->momentAt(time);
    if (block != memory::kNoBlock) {
        const timeline::TimeCoordinates drawn(m_picture.area.time, 0.0, m_picture.area.columns);
        moment = m_picture.moments[static_cast<std::size_t>(std::floor(drawn.x(time)))];
    }
    emit this->clicked(moment, block);
}

void BlockMap::mouseDoubleClickEvent(QMouseEvent* /*event*/) {
    m_drag = Drag::None;
    fitHeight();
    emit fitWanted();
}

void BlockMap::keyPressEvent(QKeyEvent* event) {
    const auto panBy = [&](double share) {
        const auto by = static_cast<TimeNs>(share * static_cast<double>(m_time.duration()));
        emit timeWanted(m_time.start + by, m_time.end + by);
    };
    const TimeNs middle = m_time.start + m_time.duration() / 2;
    if (!m_memory || event->modifiers() != Qt::NoModifier) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
        case Qt::Key_A:
        case Qt::Key_Left:
            panBy(-kKeyPan);
            return;
        case Qt::Key_D:
        case Qt::Key_Right:
            panBy(kKeyPan);
            return;
        case Qt::Key_W:
        case Qt::Key_Plus:
            zoomTime(kKeyZoom, middle);
            return;
        case Qt::Key_S:
        case Qt::Key_Minus:
            zoomTime(1.0 / kKeyZoom, middle);
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace kinetoscope::panels
