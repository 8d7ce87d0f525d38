// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

class QCustomPlot;
class QCPBars;
class QCPErrorBars;

namespace kinetoscope::plots {

/// One bar. A value that is not there leaves its place empty.
struct Bar {
    QString label;  ///< at the axis, when all bars have room for theirs
    QString toolTip;
    std::optional<double> value;
    bool marked = false;  ///< drawn in the colour of what is good
    double below = 0.0;   ///< from the value down to the end of its interval
    double above = 0.0;   ///< and up to the other end
};

/// Bars of one figure: lying, with a label each, or standing, one a row of a table.
class BarPlot final : public QWidget {
    Q_OBJECT

public:
    enum class Form { Lying, Standing };

    explicit BarPlot(Form form, QWidget* parent = nullptr);

    /// `title` names the figure and its unit.
    void setBars(std::vector<Bar> bars, const QString& title);
    /// Shown while there are no bars.
    void setEmptyText(const QString& text);

    [[nodiscard]] const std::vector<Bar>& bars() const { return m_bars; }
    [[nodiscard]] const QString& title() const { return m_title; }
    /// The rectangle of a bar, in logical pixels of this widget; empty without a value.
    [[nodiscard]] QRectF barRect(std::size_t index) const;
    /// Where the whisker of a bar ends, below and above its value, along the axis of values.
    [[nodiscard]] std::pair<double, double> whiskerEnds(std::size_t index) const;

signals:
    void barClicked(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void recolour();
    [[nodiscard]] int barAt(QPointF at) const;

    Form m_form;
    QCustomPlot* m_plot;
    QCPBars* m_plain;
    QCPBars* m_good;
    QCPErrorBars* m_errors;
    std::vector<Bar> m_bars;
    QString m_title;
    QString m_emptyText;
};

}  // namespace kinetoscope::plots
