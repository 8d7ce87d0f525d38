// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/rows/RowFilterField.h"

#include <QKeyEvent>

#include "core/query/find/NameFilter.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::timeline {

RowFilterField::RowFilterField(session::ViewState& state, QWidget* parent)
    : QLineEdit(parent), m_state(state) {
    setObjectName(QStringLiteral("rowFilter"));
    setPlaceholderText(tr("Rows named…"));
    setClearButtonEnabled(true);
    setMaxLength(1000);
    hide();
    connect(this, &QLineEdit::textEdited, this, &RowFilterField::take);
    connect(this, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty()) {  // by the button that clears
            take(text);
        }
    });
    connect(&state, &session::ViewState::rowChoicesChanged, this, &RowFilterField::refresh);
    connect(&state, &session::ViewState::traceChanged, this, &RowFilterField::refresh);
    refresh();
}

void RowFilterField::start() {
    show();
    raise();
    setFocus(Qt::ShortcutFocusReason);
    selectAll();
}

void RowFilterField::take(const QString& text) {
    session::RowChoices rows = m_state.rowChoices();
    rows.filter = text.toStdString();
    m_state.setRowChoices(std::move(rows));
}

void RowFilterField::refresh() {
    const std::string& filter = m_state.rowChoices().filter;
    if (text().toStdString() != filter) {
        setText(QString::fromStdString(filter));
    }
    const auto made = query::NameFilter::make(filter);
    QPalette colors = palette();
    colors.setColor(QPalette::Text,
                    made ? style::Theme::current().text() : style::Theme::current().error());
    setPalette(colors);
    setToolTip(style::plainToolTip(
        made ? tr("Show only rows whose name or group contains this; /…/ is a regular "
                  "expression.\nEnter: back to the rows, Escape: show all again")
             : QString::fromStdString(made.error().message)));
    setVisible(!filter.empty() || hasFocus());
}

void RowFilterField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        clear();
        emit left();
        hide();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        emit left();
    } else {
        QLineEdit::keyPressEvent(event);
    }
}

void RowFilterField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    setVisible(!m_state.rowChoices().filter.empty());
}

}  // namespace kinetoscope::timeline
