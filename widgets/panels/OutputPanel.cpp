// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/OutputPanel.h"

#include <QFontDatabase>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

namespace kinetoscope::panels {

namespace {

constexpr int kMaxLines = 5000;

// Colours and cursor movements of terminals.
const QRegularExpression& escapes() {
    static const QRegularExpression pattern(
        QStringLiteral("\\x1b(\\[[0-9;?]*[ -/]*[@-~]|\\][^\\x07]*\\x07|[@-Z\\\\-_])"));
    return pattern;
}

}  // namespace

OutputPanel::OutputPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent), m_text(new QPlainTextEdit(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    m_text->setObjectName(QStringLiteral("output"));
    m_text->setReadOnly(true);
    m_text->setUndoRedoEnabled(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setMaximumBlockCount(kMaxLines);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setPlaceholderText(tr("The output of a recorded program appears here."));
    followEnd();
    connect(&context.recorder, &session::Recorder::output, this, &OutputPanel::append);
    connect(&context.recorder, &session::Recorder::started, this, [this] {
        m_text->clear();
        m_overwrite = false;
        m_follows = true;
        emit frontWanted();
    });
}

// Lines wrap anew where the panel, or its scroll bar, takes room: then the end is elsewhere.
void OutputPanel::followEnd() {
    QScrollBar* bar = m_text->verticalScrollBar();
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int last) {
        if (m_follows) {
            bar->setValue(last);
        }
    });
    connect(bar, &QScrollBar::actionTriggered, this,
            [this, bar] { m_follows = bar->sliderPosition() == bar->maximum(); });
}

void OutputPanel::append(const QString& text) {
    QScrollBar* bar = m_text->verticalScrollBar();
    QTextCursor cursor(m_text->document());
    cursor.movePosition(QTextCursor::End);
    QString plain = text;
    plain.remove(escapes()).replace(QLatin1String("\r\n"), QLatin1String("\n"));
    // Progress bars return to the line's beginning and write over it.
    qsizetype begin = 0;
    while (begin < plain.size()) {
        const qsizetype back = plain.indexOf(QLatin1Char('\r'), begin);
        const QString part = plain.mid(begin, back < 0 ? -1 : back - begin);
        if (m_overwrite && !part.isEmpty() && !part.startsWith(QLatin1Char('\n'))) {
            cursor.movePosition(QTextCursor::StartOfBlock, QTextCursor::KeepAnchor);
            cursor.removeSelectedText();
        }
        m_overwrite = m_overwrite && part.isEmpty();
        cursor.insertText(part);
        if (back < 0) {
            break;
        }
        m_overwrite = true;
        begin = back + 1;
    }
    if (m_follows) {
        bar->setValue(bar->maximum());
    }
}

}  // namespace kinetoscope::panels
