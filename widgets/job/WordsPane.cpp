// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/WordsPane.h"

#include <QTextDocument>
#include <QVBoxLayout>

#include "core/ranks/view/JobWords.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

namespace {

QString joined(const std::vector<std::string>& lines) {
    QStringList texts;
    for (const std::string& line : lines) {
        texts.append(style::shownText(models::toText(line)));
    }
    return texts.join(QLatin1String("\n\n"));
}

QString capitalised(const std::string& text) {
    QString shown = style::shownText(models::toText(text));
    return shown.isEmpty() ? shown : shown.left(1).toUpper() + shown.mid(1);
}

}  // namespace

WordsPane::WordsPane(JobState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_heading(new QLabel), m_text(new QPlainTextEdit) {
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
    m_text->viewport()->setAutoFillBackground(false);
    m_text->document()->setDocumentMargin(0);
    column->addWidget(m_heading);
    column->addWidget(m_text, 1);
    connect(&state, &JobState::selectionChanged, this, &WordsPane::refresh);
    refresh();
}

void WordsPane::refresh() {
    const ranks::Job& job = m_state.job();
    QString text;
    if (const auto cell = m_state.cell()) {
        m_heading->setText(
            tr("Rank %1, %2")
                .arg(job.records[cell->record].rank)
                .arg(models::toText(ranks::view::stepTitle(job.steps[cell->step].number))));
        text =
            joined(ranks::view::describeCell(job, m_state.shown().grid, cell->record, cell->step));
    } else if (!m_state.collective()) {
        m_heading->setText(tr("Nothing is selected"));
        text =
            tr("Click a cell of the matrix, a collective of the timeline or one of the answers.");
    }
    if (const auto collective = m_state.collective()) {
        const QString title = capitalised(ranks::view::collectiveTitle(job, *collective));
        const QString lines = joined(ranks::view::describeCollective(job, *collective));
        if (m_state.cell()) {
            text += tr("\n\nMost of it at: %1\n\n%2").arg(title, lines);
        } else {
            m_heading->setText(title);
            text = lines;
        }
    }
    m_text->setPlainText(text);
}

}  // namespace kinetoscope::job
