// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QString>

namespace kinetoscope::style {

/// The current choice in a rounded box with a cross at its end; a click (clicked()) requests to
/// clear it. Hidden while nothing is chosen.
class ClearChip final : public QAbstractButton {
    Q_OBJECT

public:
    /// `ends`: the tool tip, what a click does.
    explicit ClearChip(const QString& ends, QWidget* parent = nullptr);

    /// Plain text; what is too long gives way in the middle. Nothing: the chip is hidden.
    void setWhat(const QString& what);
    [[nodiscard]] const QString& what() const { return m_what; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QFont smallFont() const;

    QString m_ends;
    QString m_what;
};

}  // namespace kinetoscope::style
