// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/dumps/DumpView.h"

#include <QSignalBlocker>
#include <algorithm>

#include "core/flight/CallWords.h"
#include "core/flight/FlightTables.h"
#include "widgets/job/dumps/FatePainting.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job::dumps {

namespace {

constexpr int kMaxGroups = 2000;  // of a list that is opened

}  // namespace

DumpView::DumpView(DumpState::Dumps dumps, QWidget* parent)
    : JobPage(parent),
      m_state(std::move(dumps)),
      m_matrix(new CallMatrix(m_state)),
      m_words(new WordsPane) {
    auto* legend = new SwatchLegend(fateItems());
    legend->setToolTip(
        tr("Never came: the rank made no such call. In the queue: called, but not started. "
           "Overwritten: the recorder keeps only the latest calls. Differs: operation, type or "
           "size differ from the other ranks’."));
    m_answers = makeAnswers(models::toText(flight::nothingText(m_state.job())),
                            tr("Calls that have not completed, causes first, and calls that do not "
                               "match, as in kscope ranks. Click to go to the call."));
    layOut({.bar = makeBar({makeGroups(), legend}),
            .picture = m_matrix,
            .answers = m_answers,
            .words = m_words,
            .tables = makeTables(),
            .wordsWidth = 400,
            .answersHeight = 160});
    setFocusProxy(m_matrix);
    connect(&m_state, &DumpState::selectionChanged, this, &DumpView::tellSelection);
    connect(&m_state, &DumpState::viewChanged, this, [this] {
        const QSignalBlocker quiet(m_groups);
        m_groups->setCurrentIndex(static_cast<int>(m_state.view()));
    });
    if (m_state.answers() > 0) {
        m_state.goToAnswer(0);
        m_answers->setCurrentRow(0);
    }
    tellSelection();
}

DumpView::~DumpView() = default;

QWidget* DumpView::makeGroups() {
    m_groups = new QComboBox;
    m_groups->setObjectName(QStringLiteral("processGroup"));
    m_groups->setToolTip(
        tr("Process group whose collectives, or point-to-point messages, are shown"));
    m_groups->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_groups->setMinimumContentsLength(22);
    const auto& views = m_state.views();
    for (std::size_t v = 0; v < std::min<std::size_t>(views.size(), kMaxGroups); ++v) {
        const QString title =
            style::shownText(std::string_view(m_state.job().groups[views[v].group].title()), 60);
        m_groups->addItem(
            views[v].kind == flight::CallKind::Messages ? tr("%1: messages").arg(title) : title);
    }
    m_groups->setCurrentIndex(static_cast<int>(m_state.view()));
    connect(m_groups, &QComboBox::currentIndexChanged, &m_state,
            [this](int index) { m_state.setView(static_cast<std::size_t>(std::max(0, index))); });
    return m_groups;
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
        m_words->tell(tr("Rank %1, %2")
                          .arg(grid.ranks()[cell->row])
                          .arg(models::toText(grid.columnTitle(cell->column))),
                      paragraphs(flight::describeCall(job, grid, cell->row, cell->column)));
    } else {
        m_words->tell(tr("Nothing is selected"), tr("Click a cell of the matrix or an answer."));
    }
}

JobPage::Choices DumpView::choices() const {
    return {QString(), 0, m_state.view()};
}

void DumpView::setChoices(const Choices& choices) {
    m_state.setView(choices.groups);
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
        lines.append(tr("Ignored: %1").arg(style::shownText(std::string_view(dump.reason))));
    }
    return lines;
}

}  // namespace kinetoscope::job::dumps
