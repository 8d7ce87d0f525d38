// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/bars/SearchBar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>

#include "core/text/Format.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::app {

namespace {

constexpr int kWidth = 280;

QString number(std::size_t value) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(value)));
}

}  // namespace

SearchBar::SearchBar(session::FindState& find, QWidget* parent)
    : QWidget(parent), m_find(find), m_text(new QLineEdit(this)), m_count(new QLabel(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->setSpacing(8);
    layout->addWidget(m_count);
    layout->addWidget(m_text);
    m_count->setObjectName(QStringLiteral("findCount"));
    m_count->setTextFormat(Qt::PlainText);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setPlaceholderText(tr("Find slices by name"));
    m_text->setToolTip(
        tr("Find slices by name (Ctrl+F); /…/ is a regular expression.\nEnter: next, and list all; "
           "Shift+Enter: previous; Escape: leave"));
    m_text->setClearButtonEnabled(true);
    m_text->setFixedWidth(kWidth);
    m_text->addAction(style::themedIcon(QStringLiteral("find")), QLineEdit::LeadingPosition);
    m_text->installEventFilter(this);
    connect(m_text, &QLineEdit::textChanged, &m_find, &session::FindState::setText);
    connect(&m_find, &session::FindState::textChanged, this, [this] {
        if (m_text->text() != m_find.text()) {
            m_text->setText(m_find.text());
        }
    });
    connect(&m_find, &session::FindState::changed, this, &SearchBar::tell);
    connect(&m_find, &session::FindState::chosenChanged, this, &SearchBar::tell);
}

void SearchBar::startTyping() {
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void SearchBar::tell() {
    QString text;
    if (!m_find.error().isEmpty()) {
        text = m_find.isOutOfMeans() ? tr("not searched") : tr("invalid expression");
    } else if (m_find.result() && !m_find.busy()) {
        const auto at = m_find.chosenAt();
        text = m_find.count() == 0 ? tr("nothing found")
               : at                ? tr("%1 of %2").arg(number(*at + 1), number(m_find.count()))
                                   : tr("%1 found").arg(number(m_find.count()));
    }
    m_count->setText(text);
    m_count->setToolTip(style::plainToolTip(m_find.error()));
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            m_find.step(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            if (!m_text->text().isEmpty()) {
                emit listRequested();
            }
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            m_text->clear();
            emit left();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace kinetoscope::app
