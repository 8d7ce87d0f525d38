// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a job, and where a row of them leads.
#include <QHBoxLayout>
#include <QLineEdit>
#include <algorithm>

#include "core/ranks/JobTables.h"
#include "widgets/job/JobView.h"

namespace kinetoscope::job {

namespace {

constexpr int kCausesWidest = 900;

}  // namespace

void JobView::addTable(const QString& name, const QString& title,
                       std::unique_ptr<JobTableModel> model) {
    auto* table = new panels::DataTable(*model);
    table->setObjectName(name);
    table->setEmptyText(tr("Nothing matches."));
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
    filter->setToolTip(tr("Show only rows that contain this text"));
    filter->setClearButtonEnabled(true);
    auto* corner = new QWidget;
    auto* room = new QHBoxLayout(corner);
    room->setContentsMargins(0, 2, 10, 2);
    room->addWidget(filter);
    m_tabs->setCornerWidget(corner);
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

}  // namespace kinetoscope::job
