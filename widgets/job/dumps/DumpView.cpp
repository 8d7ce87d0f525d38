// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/dumps/DumpView.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "core/flight/CallWords.h"
#include "widgets/job/dumps/FatePainting.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job::dumps {

namespace {

constexpr int kWordsWidth = 400;
constexpr int kMostGroups = 2000;  // of a list that is opened

}  // namespace

DumpView::DumpView(DumpState::Dumps dumps, QWidget* parent)
    : JobPage(parent), m_state(std::move(dumps)), m_matrix(new CallMatrix(m_state)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    QSplitter* upper =
        panels::sideBySide({m_matrix, 1000}, {makeWords(), kWordsWidth}, panels::GrowingPane::Left);
    upper->setStretchFactor(0, 1);
    upper->setStretchFactor(1, 0);
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(upper);
    parts->addWidget(makeTables());
    parts->setSizes({600, 170});
    parts->setStretchFactor(0, 4);
    parts->setStretchFactor(1, 1);
    column->addWidget(parts, 1);
    setFocusProxy(m_matrix);
    connect(&m_state, &DumpState::selectionChanged, this, &DumpView::tellSelection);
    connect(&m_state, &DumpState::groupChanged, this, [this] {
        const QSignalBlocker quiet(m_groups);
        m_groups->setCurrentIndex(static_cast<int>(m_state.group()));
    });
    if (m_state.answers() > 0) {
        m_state.goToAnswer(0);
        m_answers->setCurrentRow(0);
    }
    tellSelection();
}

DumpView::~DumpView() = default;

QWidget* DumpView::makeBar() {
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    m_groups = new QComboBox;
    m_groups->setObjectName(QStringLiteral("processGroup"));
    m_groups->setToolTip(tr("The process group whose calls are shown"));
    m_groups->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_groups->setMinimumContentsLength(22);
    const auto& groups = m_state.job().groups;
    for (std::size_t g = 0; g < std::min<std::size_t>(groups.size(), kMostGroups); ++g) {
        m_groups->addItem(style::shownText(std::string_view(groups[g].title()), 60));
    }
    m_groups->setCurrentIndex(static_cast<int>(m_state.group()));
    connect(m_groups, &QComboBox::currentIndexChanged, &m_state,
            [this](int index) { m_state.setGroup(static_cast<std::size_t>(std::max(0, index))); });
    auto* told = new style::ElidedLabel(summary().join(QLatin1String(" · ")));
    told->setObjectName(QStringLiteral("summary"));
    told->setForegroundRole(QPalette::PlaceholderText);
    told->setToolTip(style::plainToolTip(summary().join(QLatin1Char('\n'))));
    layout->addWidget(m_groups);
    auto* legend = new SwatchLegend(fateItems());
    legend->setToolTip(
        tr("Never came: the rank made no call of this number. In the queue: called, and not seen "
           "to begin. Overwritten: the recorder keeps the latest calls only. Differs: operation, "
           "type or size are not those of the other ranks."));
    layout->addWidget(legend);
    layout->addWidget(told, 1);
    return bar;
}

QWidget* DumpView::makeWords() {
    m_answers = new AnswerList(
        m_state.answers(), [this](std::size_t answer) { return answerText(answer); },
        tr("Nothing is stuck: every call that the dumps hold has completed."));
    m_answers->setWhatsThis(
        tr("Calls that have not completed, causes before what waits for them, and calls that do "
           "not fit each other; the sentences of kscope ranks. A click goes to the call."));
    connect(m_answers, &AnswerList::chosen, &m_state, &DumpState::goToAnswer);
    m_words = new WordsPane;
    auto* told = new QSplitter(Qt::Vertical);
    told->setChildrenCollapsible(false);
    told->addWidget(m_answers);
    told->addWidget(m_words);
    told->setSizes({160, 440});
    return told;
}

panels::DataTable* DumpView::addTable(const char* name, const text::PrintedTable& printed) {
    m_models.push_back(makePrintedModel(printed));
    auto* table = new panels::DataTable(*m_models.back());
    table->setObjectName(QString::fromLatin1(name));
    m_tabs->addTab(table, models::toText(printed.title));
    return table;
}

QWidget* DumpView::makeTables() {
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    panels::DataTable* groups = addTable("groups", flight::groupTable(m_state.job()));
    addTable("lastCalls", flight::lastCallTable(m_state.job()));
    connect(groups, &QTableView::clicked, this, [this](const QModelIndex& index) {
        m_state.setGroup(m_models.front()->sourceRow(index.row()));
    });
    return m_tabs;
}

QString DumpView::answerText(std::size_t answer) const {
    const flight::FlightJob& job = m_state.job();
    const std::size_t stuck = job.stuck.size();
    return models::toText(answer < stuck
                              ? flight::stuckText(job, job.stuck[answer])
                              : flight::mismatchText(job, job.mismatches[answer - stuck]));
}

void DumpView::tellSelection() {
    const flight::FlightJob& job = m_state.job();
    const auto answer = m_state.answer();
    const auto cell = m_state.cell();
    if (answer && *answer < job.stuck.size()) {
        m_words->tell(tr("What is stuck"),
                      paragraphs(flight::describeStuck(job, job.stuck[*answer])));
    } else if (cell) {
        const flight::CallGrid& grid = m_state.grid();
        m_words->tell(
            tr("Rank %1, number %2").arg(grid.ranks()[cell->row]).arg(grid.numbers()[cell->column]),
            paragraphs(flight::describeCall(job, grid, cell->row, cell->column)));
    } else {
        m_words->tell(tr("Nothing is selected"), tr("Click a cell of the matrix or an answer."));
    }
}

JobPage::Choices DumpView::choices() const {
    return {QString(), 0, m_state.group()};
}

void DumpView::setChoices(const Choices& choices) {
    m_state.setGroup(choices.groups);
}

QWidget* DumpView::part(const QString& name) const {
    return name == QLatin1String("matrix")   ? m_matrix
           : name == QLatin1String("tables") ? static_cast<QWidget*>(m_tabs)
                                             : nullptr;
}

const models::ColumnTableModel* DumpView::tableInFront(QString* title) const {
    *title = m_tabs->tabText(m_tabs->currentIndex());
    return m_models[static_cast<std::size_t>(m_tabs->currentIndex())].get();
}

QStringList DumpView::summary() const {
    QStringList lines;
    for (const std::string& line : flight::flightSummary(m_state.job())) {
        lines.append(style::shownText(std::string_view(line)));
    }
    return lines;
}

QStringList DumpView::lost() const {
    QStringList lines;
    for (const flight::UnreadDump& dump : m_state.job().unread) {
        lines.append(tr("Not used: %1").arg(style::shownText(std::string_view(dump.reason))));
    }
    return lines;
}

bool DumpView::selectAnswer(const QString& text) {
    for (std::size_t answer = 0; answer < m_state.answers(); ++answer) {
        if (answerText(answer).contains(text, Qt::CaseInsensitive)) {
            m_state.goToAnswer(answer);
            return true;
        }
    }
    return false;
}

}  // namespace kinetoscope::job::dumps
