// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/snapshot/SegmentMap.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/memory/MemoryTables.h"
#include "core/text/Printable.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/SliceColors.h"

namespace kinetoscope::snapshot {

using memory::BlockState;
using memory::Segment;
using memory::SegmentBlock;
using panels::bytesText;
using panels::stackText;

namespace {

constexpr int kRow = 20;
constexpr int kBar = 15;
constexpr int kLabels = 150;
constexpr int kMargin = 6;
constexpr int kMinBar = 36;  // however small the segment is
constexpr std::size_t kTipCalls = 12;

const std::vector<Segment> kNone;

}  // namespace

SegmentMap::SegmentMap(QWidget* parent) : QAbstractScrollArea(parent) {
    setObjectName(QStringLiteral("segmentMap"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Segments of the allocator"));
    setWhatsThis(
        tr("Memory the allocator had reserved when the snapshot was written: one row per segment, "
           "its length is its size. Coloured: allocated; hatched: freed, but another stream may "
           "still use it; empty: free. Free memory between blocks cannot be returned to the "
           "device. Click to select a block."));
}

const std::vector<Segment>& SegmentMap::segments() const {
    return m_memory ? m_memory->device(m_device).segmentList : kNone;
}

void SegmentMap::setMemory(const Memory& memory, std::size_t device) {
    m_memory = memory;
    m_device = device;
    m_largest = 1;
    for (const Segment& segment : segments()) {
        m_largest = std::max(m_largest, segment.bytes);
    }
    layOut();
}

void SegmentMap::layOut() {
    const auto rows = static_cast<int>(std::min<std::size_t>(segments().size(), 10'000'000));
    verticalScrollBar()->setRange(0, std::max(0, rows * kRow + kMargin - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(kRow);
    viewport()->update();
}

void SegmentMap::resizeEvent(QResizeEvent* /*event*/) {
    layOut();
}

QRect SegmentMap::segmentRect(std::size_t segment) const {
    const double share =
        static_cast<double>(segments()[segment].bytes) / static_cast<double>(m_largest);
    const int room = std::max(kMinBar, viewport()->width() - kLabels - kMargin);
    return {kLabels, kMargin + static_cast<int>(segment) * kRow - verticalScrollBar()->value(),
            std::max(kMinBar, static_cast<int>(std::lround(share * room))), kBar};
}

std::optional<SegmentMap::Place> SegmentMap::placeAt(QPoint at) const {
    const int row = (at.y() + verticalScrollBar()->value() - kMargin) / kRow;
    if (row < 0 || static_cast<std::size_t>(row) >= segments().size()) {
        return std::nullopt;
    }
    const auto index = static_cast<std::size_t>(row);
    const QRect bar = segmentRect(index);
    const Segment& segment = segments()[index];
    if (!bar.contains(at)) {
        return std::nullopt;
    }
    const double inside = (at.x() + 0.5 - bar.left()) / bar.width();
    const auto address =
        segment.address + static_cast<std::uint64_t>(inside * static_cast<double>(segment.bytes));
    for (std::size_t i = 0; i < segment.blocks.size(); ++i) {
        const SegmentBlock& block = segment.blocks[i];
        if (address - block.address < static_cast<std::uint64_t>(block.bytes)) {
            return Place{index, i};
        }
    }
    return std::nullopt;
}

QString SegmentMap::toolTipAt(QPoint at) const {
    const auto place = placeAt(at);
    if (!place) {
        return {};
    }
    const SegmentBlock& block = segments()[place->segment].blocks[place->block];
    if (block.state == BlockState::Free) {
        return style::plainToolTip(tr("free, %1").arg(bytesText(block.bytes)));
    }
    const QString state = block.state == BlockState::Allocated
                              ? tr("allocated")
                              : tr("freed, but another stream may still use it");
    return style::plainToolTip(
        tr("%1, requested %2: %3\n%4\n\n%5")
            .arg(bytesText(block.bytes), bytesText(block.requested), state,
                 models::toText(memory::operationWords(m_memory->history(), block.place)),
                 stackText(m_memory->history(), block.place, kTipCalls)));
}

bool SegmentMap::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void SegmentMap::mouseReleaseEvent(QMouseEvent* event) {
    const auto place = placeAt(event->position().toPoint());
    if (place && event->button() == Qt::LeftButton) {
        const SegmentBlock& block = segments()[place->segment].blocks[place->block];
        if (block.state == BlockState::Allocated) {
            emit blockClicked(block.address);
        }
    }
}

void SegmentMap::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    QPainter painter(viewport());
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    painter.fillRect(viewport()->rect(), theme.base());
    if (segments().empty()) {
        painter.setPen(theme.mutedText());
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("The file lists no segments."));
        return;
    }
    const int first = std::max(0, verticalScrollBar()->value() - kMargin) / kRow;
    for (auto i = static_cast<std::size_t>(first); i < segments().size(); ++i) {
        if (segmentRect(i).top() > viewport()->height()) {
            break;
        }
        paintSegment(painter, i);
    }
}

// One block a pixel: the one in its middle.
void SegmentMap::paintSegment(QPainter& painter, std::size_t index) const {
    const style::Theme& theme = style::Theme::current();
    const Segment& segment = segments()[index];
    const QRect bar = segmentRect(index);
    const std::string& kind = m_memory->device(m_device).segments[segment.kind].kind;
    painter.setPen(theme.mutedText());
    painter.drawText(QRect(kMargin, bar.top(), kLabels - 2 * kMargin, kBar),
                     Qt::AlignLeft | Qt::AlignVCenter, models::toText(text::printable(kind)));
    painter.drawText(QRect(kMargin, bar.top(), kLabels - 2 * kMargin, kBar),
                     Qt::AlignRight | Qt::AlignVCenter, bytesText(segment.bytes));
    painter.fillRect(bar, theme.window());
    const double scale = bar.width() / std::max(1.0, static_cast<double>(segment.bytes));
    int drawn = -1;  // the last pixel
    for (const SegmentBlock& block : segment.blocks) {
        const auto from = static_cast<double>(block.address - segment.address);
        const int left = std::max(drawn + 1, static_cast<int>(std::ceil(from * scale - 0.5)));
        const int right = std::min(
            bar.width() - 1,
            static_cast<int>(std::ceil((from + static_cast<double>(block.bytes)) * scale - 0.5)) -
                1);
        if (right < left || from * scale > bar.width()) {
            continue;
        }
        drawn = right;
        const QRect box(bar.left() + left, bar.top(), right - left + 1, kBar);
        if (block.state == BlockState::Free) {
            continue;
        }
        const QColor color =
            block.place == 0 ? theme.idle()
                             : theme.nameColor(panels::colorName(m_memory->history(), block.place));
        painter.fillRect(box, block.state == BlockState::Allocated
                                  ? QBrush(color)
                                  : QBrush(theme.warning(), Qt::BDiagPattern));
        if (box.width() >= 3) {
            painter.fillRect(
                QRect(box.right(), box.top(), 1, kBar),
                QColor::fromRgb(timeline::mixRgb(color.rgb(), theme.base().rgb(), 0.5)));
        }
    }
    painter.setPen(theme.border());
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
}

}  // namespace kinetoscope::snapshot
