// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/WordsPane.h"

#include <QTextDocument>
#include <QVBoxLayout>

#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

WordsPane::WordsPane(QWidget* parent)
    : QWidget(parent), m_heading(new QLabel), m_text(new QPlainTextEdit) {
    setObjectName(QStringLiteral("words"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 4, 4);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_heading->setFont(bold);
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setWordWrap(true);
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->viewport()->setAutoFillBackground(false);
    m_text->document()->setDocumentMargin(0);
    column->addWidget(m_heading);
    column->addWidget(m_text, 1);
}

void WordsPane::tell(const QString& heading, const QString& text) {
    m_heading->setText(heading);
    m_text->setPlainText(text);
}

QString paragraphs(const std::vector<std::string>& sentences) {
    constexpr qsizetype kMaxLetters = 4000;
    QStringList texts;
    for (const std::string& sentence : sentences) {
        texts.append(style::shownText(std::string_view(sentence), kMaxLetters));
    }
    return texts.join(QLatin1String("\n\n"));
}

QString capitalised(const std::string& title) {
    const QString shown = style::shownText(std::string_view(title));
    return shown.isEmpty() ? shown : shown.left(1).toUpper() + shown.mid(1);
}

}  // namespace kinetoscope::job
