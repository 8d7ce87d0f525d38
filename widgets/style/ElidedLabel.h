// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace kinetoscope::style {

/// One line of plain text that gives way in the middle instead of widening its surroundings; the
/// tool tip shows what does not fit unless another one is set.
class ElidedLabel final : public QWidget {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text, Qt::Alignment alignment = Qt::AlignLeft,
                         QWidget* parent = nullptr);
    [[nodiscard]] const QString& text() const { return m_text; }
    void setText(const QString& text);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString m_text;
    Qt::Alignment m_alignment;
};

}  // namespace kinetoscope::style
