// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/JobView.h"

#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "core/ranks/JobTables.h"
#include "core/ranks/JobText.h"
#include "core/ranks/view/JobWords.h"
#include "widgets/job/AnswerList.h"
#include "widgets/job/MatrixLegend.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::job {

using ranks::view::CellFigure;
using ranks::view::RowGroups;
using ranks::view::RowOrder;

namespace {

constexpr int kMatrixHeight = 300;
constexpr int kWordsWidth = 340;
constexpr int kCausesWidest = 900;

QComboBox* makeCombo(const char* name, const QStringList& texts, const QString& toolTip) {
    auto* combo = new QComboBox;
    combo->setObjectName(QString::fromLatin1(name));
    combo->addItems(texts);
    combo->setToolTip(toolTip);
    return combo;
}

}  // namespace

JobView::JobView(JobState::Shown shown, QWidget* parent)
    : JobPage(parent),
      m_state(shown),
      m_shown(std::move(shown)),
      m_matrix(new MatrixView(m_state)),
      m_timeline(new RankTimeline(m_state)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    auto* pictures = new QSplitter(Qt::Vertical);
    pictures->setChildrenCollapsible(false);
    pictures->addWidget(m_matrix);
    pictures->addWidget(m_timeline);
    // Of few ranks the matrix needs little.
    const int wanted =
        static_cast<int>(std::min<std::size_t>(kMatrixHeight, 90 + 33 * m_state.rows().size()));
    pictures->setSizes({wanted, 2 * kMatrixHeight - wanted});
    QSplitter* upper =
        panels::sideBySide({pictures, 1000}, {makeWords(), kWordsWidth}, panels::GrowingPane::Left);
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
    connect(m_timeline, &RankTimeline::failed, this, &JobPage::failed);
    connect(&m_state, &JobState::rankRequested, this, &JobPage::rankRequested);
    connect(&m_state, &JobState::selectionChanged, this, &JobView::tellSelection);
    connect(&m_state, &JobState::figureChanged, this, &JobView::syncChoices);
    connect(&m_state, &JobState::rowsChanged, this, &JobView::syncChoices);
    syncChoices();
    tellSelection();
}

JobView::~JobView() = default;

QWidget* JobView::makeBar() {
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    QStringList figures;
    for (const CellFigure figure : ranks::view::kCellFigures) {
        figures.append(tr(ranks::view::figureTitle(figure)));
    }
    m_figure = makeCombo("figure", figures, tr("What the cells are coloured by"));
    m_order = makeCombo("order", {tr("By rank"), tr("By the figure"), tr("By host")},
                        tr("Order of the rows; by the figure the worst come first"));
    m_groups = makeCombo("groups", {tr("No groups"), tr("Hosts"), tr("Process groups")},
                         tr("Headings between the rows; of several process groups a rank’s "
                            "smallest counts"));
    connect(m_figure, &QComboBox::currentIndexChanged, &m_state, [this](int index) {
        m_state.setFigure(ranks::view::kCellFigures[static_cast<std::size_t>(index)]);
    });
    connect(m_order, &QComboBox::currentIndexChanged, &m_state,
            [this](int index) { m_state.setOrder(static_cast<RowOrder>(index)); });
    connect(m_groups, &QComboBox::currentIndexChanged, &m_state,
            [this](int index) { m_state.setGroups(static_cast<RowGroups>(index)); });
    auto* told = new style::ElidedLabel(summary().join(QLatin1String(" · ")));
    told->setObjectName(QStringLiteral("summary"));
    told->setForegroundRole(QPalette::PlaceholderText);
    told->setToolTip(style::plainToolTip(summary().join(QLatin1Char('\n'))));
    layout->addWidget(m_figure);
    layout->addWidget(new MatrixLegend(m_state, *m_matrix));
    layout->addWidget(m_order);
    layout->addWidget(m_groups);
    layout->addWidget(told, 1);
    return bar;
}

QWidget* JobView::makeWords() {
    auto* told = new QSplitter(Qt::Vertical);
    told->setChildrenCollapsible(false);
    auto* answers = new AnswerList(
        m_state.job().answers.size(),
        [this](std::size_t answer) {
            return models::toText(ranks::answerText(m_state.job(), m_state.job().answers[answer]));
        },
        tr("No rank stands out: none took longer on its own than the median rank by more than "
           "noise."));
    answers->setWhatsThis(
        tr("Ranks that kept the others waiting, and what they took longer for than the median "
           "rank; the sentences of kscope ranks. A click goes to the cell and to the time."));
    connect(answers, &AnswerList::chosen, this,
            [this](std::size_t answer) { m_state.goTo(m_state.job().answers[answer]); });
    m_words = new WordsPane;
    told->addWidget(answers);
    told->addWidget(m_words);
    told->setSizes({240, 360});
    return told;
}

void JobView::tellSelection() {
    const ranks::Job& job = m_state.job();
    const auto cell = m_state.cell();
    const auto collective = m_state.collective();
    if (!cell && !collective) {
        m_words->tell(
            tr("Nothing is selected"),
            tr("Click a cell of the matrix, a collective of the timeline or one of the answers."));
        return;
    }
    QString heading;
    QString text;
    if (cell) {
        heading = tr("Rank %1, %2")
                      .arg(job.records[cell->record].rank)
                      .arg(models::toText(ranks::view::stepTitle(job.steps[cell->step].number)));
        text = paragraphs(ranks::view::describeCell(job, m_shown->grid, cell->record, cell->step));
    }
    if (collective) {
        const QString title = capitalised(ranks::view::collectiveTitle(job, *collective));
        const QString told = paragraphs(ranks::view::describeCollective(job, *collective));
        heading = cell ? heading : title;
        text = cell ? text + tr("\n\nMost of it at: %1\n\n%2").arg(title, told) : told;
    }
    m_words->tell(heading, text);
}

void JobView::addTable(const QString& name, const QString& title,
                       std::unique_ptr<JobTableModel> model) {
    auto* table = new panels::DataTable(*model);
    table->setObjectName(name);
    table->setEmptyText(tr("Nothing has this in it."));
    m_tabs->addTab(table, title);
    m_tables.push_back({name, title, std::move(model), table});
}

QWidget* JobView::makeTables() {
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    addTable(QStringLiteral("ranks"), tr("Ranks"), makeRankModel(m_shown));
    addTable(QStringLiteral("steps"), tr("Steps"), makeStepModel(m_shown));
    addTable(QStringLiteral("collectives"), tr("Collectives"), makeCollectiveModel(m_shown));
    addTable(QStringLiteral("clocks"), tr("Clocks"), makeClockModel(m_shown));
    m_tables[1].table->setWidest(5, kCausesWidest);
    auto* filter = new QLineEdit;
    filter->setObjectName(QStringLiteral("filter"));
    filter->setPlaceholderText(tr("Filter"));
    filter->setToolTip(tr("Keep the rows with this text in them"));
    filter->setClearButtonEnabled(true);
    m_tabs->setCornerWidget(filter);
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        for (const Tab& tab : m_tables) {
            tab.model->setFilter(text);
        }
    });
    connectTables();
    return m_tabs;
}

void JobView::connectTables() {
    const auto connectRow = [this](const char* name, auto go) {
        panels::DataTable* shown = table(QString::fromLatin1(name));
        const auto* model = static_cast<const JobTableModel*>(shown->model());
        connect(shown, &QTableView::clicked, this,
                [model, go](const QModelIndex& index) { go(model->sourceRow(index.row())); });
        connect(shown, &QTableView::activated, this,
                [model, go](const QModelIndex& index) { go(model->sourceRow(index.row())); });
    };
    connectRow("ranks", [this](std::uint32_t row) { goToRank(row); });
    connectRow("clocks", [this](std::uint32_t row) { goToRank(row); });
    connectRow("steps", [this](std::uint32_t row) {
        const auto& causes = m_state.job().steps[row].causes;
        m_state.goTo(CellPlace{causes.empty() ? 0 : causes.front().record, row});
    });
    connectRow("collectives", [this](std::uint32_t row) { goToCollectiveRow(row); });
    for (const char* name : {"ranks", "clocks"}) {
        panels::DataTable* shown = table(QString::fromLatin1(name));
        const auto* model = static_cast<const JobTableModel*>(shown->model());
        connect(shown, &QTableView::doubleClicked, this, [this, model](const QModelIndex& index) {
            m_state.askForRank(model->sourceRow(index.row()));
        });
    }
}

// To the step in which it cost most, else to its row alone.
void JobView::goToRank(std::size_t record) {
    const ranks::view::JobGrid& grid = m_shown->grid;
    if (grid.steps() == 0) {
        m_timeline->revealRank(record);
        return;
    }
    std::size_t most = 0;
    for (std::size_t step = 1; step < grid.steps(); ++step) {
        const auto worth = [&](std::size_t at) {
            return std::pair(grid.at(record, at).causedNs, grid.at(record, at).waitedNs);
        };
        most = worth(step) > worth(most) ? step : most;
    }
    m_state.goTo(CellPlace{record, most});
}

// To the one of them for which the first rank waited longest.
void JobView::goToCollectiveRow(std::uint32_t row) {
    const ranks::Job& job = m_state.job();
    const ranks::CollectiveRow wanted = ranks::collectiveRows(job)[row];
    std::optional<std::size_t> best;
    TimeNs most = -1;
    for (std::size_t i = 0; i < job.waits.size(); ++i) {
        const ranks::Collective& one = job.matching.collectives[i];
        const bool isOfRow = one.group == wanted.group && one.kind == wanted.kind &&
                             one.bytes == wanted.bytes && one.members.size() == wanted.members;
        const TimeNs waited = isOfRow ? std::ranges::max(job.waits[i].waitedNs) : -1;
        if (waited > most) {
            most = waited;
            best = i;
        }
    }
    if (best) {
        m_state.goToCollective(*best);
    }
}

void JobView::syncChoices() {
    const auto show = [](QComboBox* combo, int index) {
        const QSignalBlocker quiet(combo);
        combo->setCurrentIndex(index);
    };
    show(m_figure, static_cast<int>(m_state.figure()));
    show(m_order, static_cast<int>(m_state.order()));
    show(m_groups, static_cast<int>(m_state.groups()));
}

panels::DataTable* JobView::table(const QString& name) const {
    const auto found = std::ranges::find(m_tables, name, &Tab::name);
    return found == m_tables.end() ? nullptr : found->table;
}

const models::ColumnTableModel* JobView::tableInFront(QString* title) const {
    const Tab& tab = m_tables[static_cast<std::size_t>(m_tabs->currentIndex())];
    *title = tab.title;
    return tab.model.get();
}

QWidget* JobView::part(const QString& name) const {
    return name == QLatin1String("matrix")     ? m_matrix
           : name == QLatin1String("timeline") ? m_timeline
           : name == QLatin1String("tables")   ? static_cast<QWidget*>(m_tabs)
                                               : nullptr;
}

QStringList JobView::summary() const {
    QStringList lines;
    for (const std::string& line : ranks::jobSummary(m_state.job())) {
        lines.append(style::shownText(models::toText(line)));
    }
    return lines;
}

// Most reasons name the file.
QStringList JobView::lost() const {
    QStringList lines;
    for (const ranks::LostFile& file : m_state.job().lost) {
        const QString path = QFile::decodeName(file.file.c_str());
        const QString why = models::toText(file.reason);
        lines.append(style::shownText(why.contains(path)
                                          ? tr("Not used: %1").arg(why)
                                          : tr("'%1' is not used: %2").arg(path, why)));
    }
    return lines;
}

void JobView::zoom(double factor) {
    const TimeSpan visible = m_state.visible();
    m_state.zoom(factor, visible.start + visible.duration() / 2);
}

JobPage::Choices JobView::choices() const {
    return {QString::fromLatin1(ranks::view::figureKey(m_state.figure())),
            static_cast<std::uint64_t>(m_state.order()),
            static_cast<std::uint64_t>(m_state.groups())};
}

// Of another version of the window they may be unknown.
void JobView::setChoices(const Choices& choices) {
    for (const CellFigure figure : ranks::view::kCellFigures) {
        if (choices.figure == QLatin1String(ranks::view::figureKey(figure))) {
            m_state.setFigure(figure);
        }
    }
    m_state.setOrder(
        static_cast<RowOrder>(std::min(choices.order, static_cast<std::uint64_t>(RowOrder::Host))));
    m_state.setGroups(static_cast<RowGroups>(
        std::min(choices.groups, static_cast<std::uint64_t>(RowGroups::ProcessGroup))));
}

bool JobView::selectAnswer(const QString& text) {
    for (const ranks::Cause& cause : m_state.job().answers) {
        if (models::toText(ranks::answerText(m_state.job(), cause))
                .contains(text, Qt::CaseInsensitive)) {
            m_state.goTo(cause);
            return true;
        }
    }
    return false;
}

}  // namespace kinetoscope::job
