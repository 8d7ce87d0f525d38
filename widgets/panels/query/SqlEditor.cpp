// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/query/SqlEditor.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStringListModel>

#include "widgets/panels/query/SqlHighlighter.h"

namespace kinetoscope::panels {

SqlEditor::SqlEditor(QWidget* parent) : QPlainTextEdit(parent), m_completer(new QCompleter(this)) {
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabChangesFocus(true);
    setLineWrapMode(QPlainTextEdit::WidgetWidth);
    new SqlHighlighter(*document());
    QStringList words = SqlHighlighter::names() + SqlHighlighter::keywords();
    words.sort(Qt::CaseInsensitive);
    m_completer->setModel(new QStringListModel(words, m_completer));
    m_completer->setModelSorting(QCompleter::CaseInsensitivelySortedModel);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setWidget(this);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
            &SqlEditor::complete);
}

QString SqlEditor::wordBefore() const {
    const QString before = textCursor().block().text().left(textCursor().positionInBlock());
    qsizetype begin = before.size();
    while (begin > 0 && (before[begin - 1].isLetterOrNumber() || before[begin - 1] == QChar('_'))) {
        --begin;
    }
    return before.mid(begin);
}

void SqlEditor::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && event->modifiers().testFlag(Qt::ControlModifier)) {
        m_completer->popup()->hide();
        emit runWanted();
        return;
    }
    if (m_completer->popup()->isVisible() &&
        (isEnter || event->key() == Qt::Key_Escape || event->key() == Qt::Key_Tab)) {
        event->ignore();  // the list takes them
        return;
    }
    const bool atOnce =
        event->key() == Qt::Key_Space && event->modifiers().testFlag(Qt::ControlModifier);
    if (!atOnce) {
        QPlainTextEdit::keyPressEvent(event);
    }
    if (atOnce || !event->text().isEmpty()) {
        offer(atOnce);
    }
}

void SqlEditor::offer(bool atOnce) {
    constexpr qsizetype kMinTypedLetters = 2;
    const QString word = wordBefore();
    m_completer->setCompletionPrefix(word);
    const bool isWhole = m_completer->completionCount() == 1 &&
                         m_completer->currentCompletion().compare(word, Qt::CaseInsensitive) == 0;
    if ((word.size() < kMinTypedLetters && !atOnce) || m_completer->completionCount() == 0 ||
        isWhole) {
        m_completer->popup()->hide();
        return;
    }
    QRect place = cursorRect();
    place.setWidth(m_completer->popup()->sizeHintForColumn(0) +
                   m_completer->popup()->verticalScrollBar()->sizeHint().width());
    m_completer->complete(place);
}

void SqlEditor::complete(const QString& word) {
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor,
                        static_cast<int>(wordBefore().size()));
    cursor.insertText(word);
    setTextCursor(cursor);
}

}  // namespace kinetoscope::panels
