// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/memory/MemoryTables.h"

#include <QSignalBlocker>
#include <algorithm>

#include "core/base/Threads.h"

namespace kinetoscope::panels {

using memory::GroupBy;
using memory::PlaceSum;

namespace {

constexpr int kMemoryTableNameWidth = 320;

MemoryRows noRows() {
    return {{models::textField("none", {}, {}, [](std::uint32_t) { return QString(); })}, 0};
}

}  // namespace

MemoryTables::MemoryTables(QWidget* parent)
    : QTabWidget(parent), m_task([this](Result<PlaceSums> sums) {
          m_sums = sums ? *sums : nullptr;
          showAlive();
      }) {
    setDocumentMode(true);
    const std::array<std::pair<const char*, QString>, TableCount> names{{
        {"alive", tr("At the peak")},
        {"neverFreed", tr("Never freed")},
        {"older", tr("Older")},
        {"segments", tr("Segments")},
        {"outOfMemory", tr("Out of memory")},
        {"changes", tr("Changes")},
    }};
    for (std::size_t i = 0; i < TableCount; ++i) {
        Tab& tab = m_tabs[i];
        tab.name = QString::fromLatin1(names[i].first);
        tab.title = names[i].second;
        tab.model = std::make_unique<models::FieldModel>(noRows().fields, 0);
        tab.table = new DataTable(*tab.model, this);
        tab.table->setObjectName(tab.name);
        tab.table->setEmptyText(tr("No row matches the filter."));
        tab.table->hide();
        connectTable(static_cast<Table>(i));
    }
    showAlive();
    showTabs();
}

void MemoryTables::setRows(Table which, MemoryRows rows) {
    Tab& tab = m_tabs[which];
    tab.model->setFields(std::move(rows.fields), rows.rows);
    for (int column = 0; column < tab.model->columnCount(); ++column) {
        if (tab.model->columns()[static_cast<std::size_t>(column)].alignment == Qt::AlignLeft) {
            tab.table->setWidest(column, kMemoryTableNameWidth);
        }
    }
}

void MemoryTables::setMemory(const Memory& memory, std::size_t device) {
    m_task.cancel();
    m_memory = memory;
    m_device = device;
    m_sums.reset();
    m_rows.clear();
    for (const Table which : {Alive, NeverFreed, Older, Segments, OutOfMemory}) {
        setRows(which, noRows());
    }
    if (m_memory) {
        const memory::DeviceReport& report = m_memory->report->devices[device];
        setRows(NeverFreed, blockRows(memory, device, report.neverFreed, true));
        setRows(Older, blockRows(memory, device, report.older, false));
        setRows(Segments, segmentRows(memory, device));
        setRows(OutOfMemory, outOfMemoryRows(memory, device));
        m_tabs[Alive].title = tr("At the peak");
        m_sums = std::make_shared<const std::vector<PlaceSum>>(report.atPeak);
    }
    showAlive();
    showTabs();
}

// Tabs stand in the order of the table; the one in front stays there as long as it has rows.
void MemoryTables::showTabs() {
    QWidget* const front = currentWidget();
    const QSignalBlocker quiet(this);
    while (count() > 0) {
        removeTab(0);
    }
    for (std::size_t i = 0; i < TableCount; ++i) {
        const Tab& tab = m_tabs[i];
        if (i == Alive || tab.model->allRowCount() > 0) {
            addTab(tab.table, tab.title);
        }
    }
    setCurrentIndex(std::max(0, indexOf(front)));
}

void MemoryTables::setMoment(std::uint32_t event, const QString& title) {
    if (!m_memory) {
        return;
    }
    m_tabs[Alive].title = title;
    setTabText(indexOf(m_tabs[Alive].table), title);
    m_task.start([memory = m_memory, device = m_device, event](const std::stop_token&) {
        return guarded([&]() -> Result<PlaceSums> {
            return std::make_shared<const std::vector<PlaceSum>>(
                memory::aliveAfter(memory->history(), memory->device(device), event));
        });
    });
}

void MemoryTables::setGroupBy(GroupBy by) {
    m_by = by;
    showAlive();
}

// Without memory the picture says why there is none.
void MemoryTables::showAlive() {
    m_tabs[Alive].table->setEmptyText(m_memory ? tr("Nothing is allocated.") : QString());
    if (!m_memory || !m_sums) {
        setRows(Alive, noRows());
        return;
    }
    m_rows = memory::grouped(m_memory->history(), *m_sums, m_by);
    setRows(Alive, aliveRows(m_memory, m_sums, m_by));
}

void MemoryTables::setComparison(const std::shared_ptr<const memory::MemoryComparison>& comparison,
                                 const QString& title) {
    m_tabs[Changes].title = title;
    setRows(Changes, comparison ? changeRows(comparison) : noRows());
    showTabs();
    if (comparison && indexOf(m_tabs[Changes].table) >= 0) {
        setCurrentWidget(m_tabs[Changes].table);
    }
}

void MemoryTables::setFilter(const QString& text) {
    for (const Tab& tab : m_tabs) {
        tab.model->setFilter(text);
    }
}

DataTable* MemoryTables::table(const QString& name) const {
    const auto found = std::ranges::find(m_tabs, name, &Tab::name);
    return found == m_tabs.end() ? nullptr : found->table;
}

const models::ColumnTableModel* MemoryTables::tableInFront(QString* title) const {
    for (const Tab& tab : m_tabs) {
        if (tab.table == currentWidget()) {
            *title = tab.title;
            return tab.model.get();
        }
    }
    return nullptr;
}

void MemoryTables::connectTable(Table which) {
    DataTable* const table = m_tabs[which].table;
    const models::FieldModel& model = *m_tabs[which].model;
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, which, &model](const QModelIndex& index) {
                if (index.isValid()) {
                    choose(which, model.sourceRow(index.row()));
                }
            });
    connect(table, &QTableView::doubleClicked, this,
            [this, which, &model](const QModelIndex& index) {
                const std::uint32_t block = blockOf(which, model.sourceRow(index.row()));
                if (block != memory::kNoBlock) {
                    emit blockActivated(block);
                }
            });
}

// The one that a row is about: of several the largest.
std::uint32_t MemoryTables::blockOf(Table which, std::uint32_t row) const {
    const memory::DeviceReport* report = m_memory ? &m_memory->report->devices[m_device] : nullptr;
    if (report != nullptr && which == NeverFreed) {
        return static_cast<std::uint32_t>(report->neverFreed[row]);
    }
    if (report != nullptr && which == Older) {
        return static_cast<std::uint32_t>(report->older[row]);
    }
    return which == Alive && row < m_rows.size() ? m_rows[row].largest : memory::kNoBlock;
}

void MemoryTables::choose(Table which, std::uint32_t row) {
    if (which == Alive && m_memory && row < m_rows.size()) {
        const memory::History& history = m_memory->history();
        const memory::GroupKey chosen = memory::groupKey(history, m_rows[row].place, m_by);
        std::vector<bool> places(history.places.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            places[i] = memory::groupKey(history, static_cast<memory::PlaceId>(i), m_by) == chosen;
        }
        emit placesChosen(places, m_rows[row].largest);
    } else if (which == OutOfMemory) {
        emit outOfMemoryChosen(row);
    } else if (const std::uint32_t block = blockOf(which, row); block != memory::kNoBlock) {
        emit blockChosen(block);
    }
}

}  // namespace kinetoscope::panels
