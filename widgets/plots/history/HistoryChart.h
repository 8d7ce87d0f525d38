// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "widgets/plots/Chart.h"

namespace kinetoscope::plots {

struct HistoryDot {
    QString toolTip;
    double value = 0.0;
    double below = 0.0;   ///< from the value down to the end of its interval
    double above = 0.0;   ///< and up to the other end
    QString change = {};  ///< label of a change point that starts here; empty: none does
    bool slower = false;  ///< of a change point
};

/// One figure over time: a dot an entry, from old to new, with its interval; a line where a change
/// point begins, and the median of what lies between two of them.
class HistoryChart final : public Chart {
    Q_OBJECT

public:
    explicit HistoryChart(QWidget* parent = nullptr);

    /// `title` names the figure and its unit. `hint` is shown while there are no dots.
    void setDots(std::vector<HistoryDot> dots, const QString& title, const QString& hint);
    [[nodiscard]] const std::vector<HistoryDot>& dots() const { return m_dots; }
    [[nodiscard]] const QString& title() const { return m_title; }
    /// Where a dot is, and where the ends of its interval are, in logical pixels of this widget.
    [[nodiscard]] QPointF placeOf(std::size_t dot) const;
    [[nodiscard]] std::pair<double, double> intervalOf(std::size_t dot) const;
    [[nodiscard]] QString toolTipAt(QPointF at) const override;

signals:
    void dotClicked(int dot);

protected:
    void drawContents() override;
    void clicked(QPointF at) override;

private:
    void drawChanges();
    void drawLevels();
    [[nodiscard]] int dotAt(QPointF at) const;  ///< -1: none

    std::vector<HistoryDot> m_dots;
    QString m_title;
    QString m_emptyText;
};

}  // namespace kinetoscope::plots
