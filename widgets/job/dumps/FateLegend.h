// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QWidget>

#include "core/flight/CallGrid.h"

namespace kinetoscope::job::dumps {

/// A cell of the matrix of calls. What ended well is quiet, what waits and who never came stand
/// out, by form as well as by colour.
void paintFate(QPainter& painter, const QRect& box, flight::Fate fate);
/// The corner of a cell whose call does not fit those of the other ranks.
void paintDifference(QPainter& painter, const QRect& box);

/// What the cells mean.
class FateLegend final : public QWidget {
    Q_OBJECT

public:
    explicit FateLegend(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Of each fate and of a difference, by where it ends.
    [[nodiscard]] static QString text(std::size_t item);
    [[nodiscard]] int widthOf(std::size_t item) const;
};

}  // namespace kinetoscope::job::dumps
