// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QString>
#include <QToolButton>
#include <QWidget>

namespace kinetoscope::style {

/// One line across the window that waits until it is read; never takes the focus.
class MessageBar final : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Warning, Error };

    explicit MessageBar(Kind kind, QWidget* parent = nullptr);
    /// Shows the bar. A second message before the first is closed is added below it.
    void addMessage(const QString& text);
    void clear();
    /// A link-like button at the right; emits actionTriggered().
    void setAction(const QString& text);
    [[nodiscard]] QString text() const { return m_text->text(); }

signals:
    void actionTriggered();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QColor color() const;
    void recolour();

    Kind m_kind;
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_action;
    QToolButton* m_close;
};

}  // namespace kinetoscope::style
