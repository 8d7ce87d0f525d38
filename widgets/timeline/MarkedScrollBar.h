// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollBar>
#include <vector>

namespace kinetoscope::timeline {

/// A vertical scroll bar that shows where in the whole height something is marked.
class MarkedScrollBar final : public QScrollBar {
    Q_OBJECT

public:
    static constexpr int kWidth = 12;  ///< logical pixels

    explicit MarkedScrollBar(QWidget* parent = nullptr);

    /// `places`: pixels from the top of what is scrolled, `height` of it; `chosen` one of them, -1:
    /// none.
    void setMarks(std::vector<int> places, int chosen, int height);
    /// Logical pixel of the bar at which a place is marked.
    [[nodiscard]] int markAt(int place) const;
    [[nodiscard]] const std::vector<int>& marks() const { return m_places; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<int> m_places;
    int m_chosen = -1;
    int m_height = 1;
};

}  // namespace kinetoscope::timeline
