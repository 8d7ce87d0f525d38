// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <optional>

#include "widgets/panels/memory/ShownMemory.h"

namespace kinetoscope::snapshot {

using panels::Memory;

/// The segments of a snapshot, a row each in the order of their addresses, with the blocks in
/// them: what is allocated in the colour of its place, what waits for a stream, what is free. Rows
/// are as long as segments are large.
class SegmentMap final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit SegmentMap(QWidget* parent = nullptr);

    /// Null: none.
    void setMemory(const Memory& memory, std::size_t device);

    /// A block of a segment.
    struct Place {
        std::size_t segment = 0;
        std::size_t block = 0;
    };
    /// Pixels of the viewport.
    [[nodiscard]] std::optional<Place> placeAt(QPoint at) const;
    [[nodiscard]] QRect segmentRect(std::size_t segment) const;
    [[nodiscard]] QString toolTipAt(QPoint at) const;

signals:
    /// The allocated block at this address was clicked.
    void blockClicked(quint64 address);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] const std::vector<memory::Segment>& segments() const;
    void layOut();
    void paintSegment(QPainter& painter, std::size_t segment) const;

    Memory m_memory;
    std::size_t m_device = 0;
    std::int64_t m_largest = 1;  ///< bytes of a segment
};

}  // namespace kinetoscope::snapshot
