// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/MessageBar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

#include "widgets/style/Icons.h"
#include "widgets/style/Oklch.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::style {

namespace {

constexpr int kIcon = 18;
constexpr int kMaxLines = 4;

}  // namespace

MessageBar::MessageBar(Kind kind, QWidget* parent)
    : QWidget(parent),
      m_kind(kind),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_action(new QToolButton(this)),
      m_close(new QToolButton(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 6, 6);
    layout->setSpacing(8);
    layout->addWidget(m_icon, 0, Qt::AlignVCenter);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_close, 0, Qt::AlignVCenter);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_action->setAutoRaise(true);
    m_action->hide();
    m_close->setAutoRaise(true);
    m_close->setIcon(themedIcon(QStringLiteral("close")));
    m_close->setToolTip(tr("Close this message"));
    connect(m_close, &QToolButton::clicked, this, &MessageBar::clear);
    connect(m_action, &QToolButton::clicked, this, &MessageBar::actionTriggered);
    recolour();
    hide();
}

void MessageBar::addMessage(const QString& text) {
    QStringList lines = isHidden() ? QStringList() : m_text->text().split(QLatin1Char('\n'));
    lines.append(shownText(text).replace(QLatin1Char('\n'), QLatin1Char(' ')));
    m_text->setText(
        lines.mid(qMax(qsizetype(0), lines.size() - kMaxLines)).join(QLatin1Char('\n')));
    show();
}

void MessageBar::clear() {
    m_text->clear();
    hide();
}

void MessageBar::setAction(const QString& text) {
    m_action->setText(text);
    m_action->show();
}

QColor MessageBar::color() const {
    const Theme& theme = Theme::current();
    return m_kind == Kind::Error ? theme.error() : theme.warning();
}

void MessageBar::recolour() {
    const QString icon =
        m_kind == Kind::Error ? QStringLiteral("error") : QStringLiteral("warning");
    m_icon->setPixmap(tintedPixmap(icon, color(), kIcon, devicePixelRatioF()));
}

void MessageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), mixColors(Theme::current().window(), color(), 0.16));
    painter.fillRect(QRect(0, 0, 3, height()), color());
    painter.fillRect(QRect(0, height() - 1, width(), 1),
                     mixColors(Theme::current().window(), color(), 0.4));
}

void MessageBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        recolour();
    }
    QWidget::changeEvent(event);
}

}  // namespace kinetoscope::style
