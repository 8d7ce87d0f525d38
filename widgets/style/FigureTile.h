// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

namespace kinetoscope::style {

/// One share as a large number with its name and a thin meter.
class FigureTile final : public QWidget {
    Q_OBJECT

public:
    FigureTile(const QString& caption, const QColor& color, QWidget* parent = nullptr);
    /// `share` 0 to 1 fills the meter.
    void setFigure(const QString& text, double share);
    [[nodiscard]] const QString& text() const { return m_text; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QFont largeFont() const;
    /// Not larger than the text needs to stay whole.
    [[nodiscard]] QFont fittingFont(int width) const;

    QString m_caption;
    QString m_text;
    QColor m_color;
    double m_share = 0.0;
};

}  // namespace kinetoscope::style
