// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/JobView.h"

#include <QSignalBlocker>
#include <QSplitter>
#include <algorithm>

#include "core/ranks/JobTables.h"
#include "core/ranks/JobText.h"
#include "core/ranks/view/JobWords.h"
#include "widgets/job/AnswerList.h"
#include "widgets/job/MatrixLegend.h"
#include "widgets/job/SwatchLegend.h"
#include "widgets/models/Text.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::job {

using ranks::view::CellFigure;
using ranks::view::RowGroups;
using ranks::view::RowOrder;

namespace {

constexpr int kMatrixHeight = 300;

QComboBox* makeCombo(const char* name, const QStringList& texts, const QString& toolTip) {
    auto* combo = new QComboBox;
    combo->setObjectName(QString::fromLatin1(name));
    combo->addItems(texts);
    combo->setToolTip(toolTip);
    return combo;
}

/// The canvas of the timeline of ranks.
std::vector<SwatchLegend::Item> stripItems() {
    const auto filled = [](QColor (style::Theme::*color)() const) {
        return [color](QPainter& painter, const QRect& box) {
            painter.fillRect(box, (style::Theme::current().*color)());
        };
    };
    const auto thin = [](QPainter& painter, const QRect& box) {
        painter.fillRect(box.adjusted(0, box.height() / 3, 0, -box.height() / 3),
                         style::Theme::current().warning());
    };
    return {{QObject::tr("computing"), filled(&style::Theme::compute)},
            {QObject::tr("communicating"), filled(&style::Theme::communication)},
            {QObject::tr("copying"), filled(&style::Theme::copies)},
            {QObject::tr("waiting"), thin}};
}

}  // namespace

JobView::JobView(JobState::Shown shown, QWidget* parent)
    : JobPage(parent),
      m_state(shown),
      m_shown(std::move(shown)),
      m_matrix(new MatrixView(m_state)),
      m_timeline(new RankTimeline(m_state)),
      m_words(new WordsPane) {
    makeChoices();
    auto* strips = new SwatchLegend(stripItems());
    strips->setObjectName(QStringLiteral("stripLegend"));
    strips->setToolTip(
        tr("In the timeline, a strip's height is the share of the time in which the GPU computed, "
           "only communicated or only copied. Collectives are below it, thin while the rank waits "
           "for the others to arrive."));
    layOut({.bar = makeBar({m_figure, new MatrixLegend(m_state, *m_matrix), m_order, m_groups,
                            strips, makeFindingsButton()}),
            .picture = makePictures(),
            .answers = makeAnswers(
                models::toText(ranks::noAnswerText(m_state.job())),
                tr("Ranks that kept the others waiting, and what they spent more time on than the "
                   "median rank, as in kscope ranks. Click to go to the cell and the time.")),
            .words = m_words,
            .tables = makeTables(),
            .wordsWidth = 340,
            .answersHeight = 240});
    setFocusProxy(m_matrix);
    connect(m_timeline, &RankTimeline::failed, this, &JobPage::failed);
    connect(&m_state, &JobState::rankRequested, this, &JobPage::rankRequested);
    connect(&m_state, &JobState::selectionChanged, this, &JobView::tellSelection);
    connect(&m_state, &JobState::figureChanged, this, &JobView::syncChoices);
    connect(&m_state, &JobState::rowsChanged, this, &JobView::syncChoices);
    syncChoices();
    tellSelection();
}

// Of few ranks the matrix needs little.
QWidget* JobView::makePictures() {
    auto* pictures = new QSplitter(Qt::Vertical);
    pictures->setChildrenCollapsible(false);
    pictures->addWidget(m_matrix);
    pictures->addWidget(m_timeline);
    const int wanted =
        static_cast<int>(std::min<std::size_t>(kMatrixHeight, 90 + 33 * m_state.rows().size()));
    pictures->setSizes({wanted, 2 * kMatrixHeight - wanted});
    return pictures;
}

JobView::~JobView() = default;

// They are of one trace: that of the rank that the others waited for most.
QToolButton* JobView::makeFindingsButton() {
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("jobFindings"));
    button->setIcon(style::themedIcon(QStringLiteral("findings")));
    button->setText(tr("Findings"));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(
        tr("What to change first: opens the trace of the rank that the others waited for most, "
           "with its findings and those of the job"));
    connect(button, &QToolButton::clicked, this, [this] {
        const std::vector<TimeNs> caused = m_state.job().caused();
        emit panelRequested(QStringLiteral("findings"));
        m_state.askForRank(
            static_cast<std::size_t>(std::ranges::max_element(caused) - caused.begin()));
    });
    return button;
}

void JobView::makeChoices() {
    QStringList figures;
    for (const CellFigure figure : ranks::view::kCellFigures) {
        figures.append(tr(ranks::view::figureTitle(figure)));
    }
    m_figure = makeCombo("figure", figures, tr("What colours the cells"));
    m_order = makeCombo("order", {tr("By rank"), tr("By figure"), tr("By host")},
                        tr("Row order; by figure puts the worst first"));
    m_groups =
        makeCombo("groups", {tr("No groups"), tr("Hosts"), tr("Process groups")},
                  tr("Group the rows; a rank in several process groups is listed in the smallest"));
    connect(m_figure, &QComboBox::currentIndexChanged, &m_state, [this](int index) {
        m_state.setFigure(ranks::view::kCellFigures[static_cast<std::size_t>(index)]);
    });
    connect(m_order, &QComboBox::currentIndexChanged, &m_state,
            [this](int index) { m_state.setOrder(static_cast<RowOrder>(index)); });
    connect(m_groups, &QComboBox::currentIndexChanged, &m_state,
            [this](int index) { m_state.setGroups(static_cast<RowGroups>(index)); });
}

QString JobView::answerText(std::size_t answer) const {
    return models::toText(ranks::answerText(m_state.job(), m_state.job().answers[answer]));
}

void JobView::tellSelection() {
    const ranks::Job& job = m_state.job();
    const auto cell = m_state.cell();
    const auto collective = m_state.collective();
    if (!cell && !collective) {
        m_words->tell(
            tr("Nothing is selected"),
            tr("Click a cell of the matrix, a collective in the timeline or one of the answers."));
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

QStringList JobView::lost() const {
    QStringList lines;
    for (const ranks::LostFile& file : m_state.job().lost) {
        lines.append(style::shownText(tr("Not used: %1").arg(models::toText(messageOf(file)))));
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

}  // namespace kinetoscope::job
