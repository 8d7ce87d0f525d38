// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/models/fields/FieldModel.h"
#include "widgets/panels/memory/MemoryFields.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::panels {

/// The tables about one device's memory: what is alive at a moment, what never was freed, what is
/// older than the first event; of snapshots segments and what ran out of memory, and how two of
/// them differ. A table without rows has no tab.
class MemoryTables final : public QTabWidget {
    Q_OBJECT

public:
    explicit MemoryTables(QWidget* parent = nullptr);

    /// Null: none. Live memory is that at the peak.
    void setMemory(const Memory& memory, std::size_t device);
    /// After that event; kBefore: before the first one. `title` is the tab's.
    void setMoment(std::uint32_t event, const QString& title);
    void setGroupBy(memory::GroupBy by);
    /// Null: no comparison.
    void setComparison(const std::shared_ptr<const memory::MemoryComparison>& comparison,
                       const QString& title);
    void setFilter(const QString& text);

    /// "alive", "neverFreed", "older", "segments", "outOfMemory", "changes".
    [[nodiscard]] DataTable* table(const QString& name) const;
    [[nodiscard]] const models::ColumnTableModel* tableInFront(QString* title) const;
    /// Live memory is being summed up.
    [[nodiscard]] bool busy() const { return m_task.busy(); }

signals:
    /// Blocks of these places were chosen, this one in particular.
    void placesChosen(const std::vector<bool>& places, quint32 block);
    void blockChosen(quint32 block);
    /// A double click.
    void blockActivated(quint32 block);
    void outOfMemoryChosen(quint32 row);

private:
    enum Table : std::size_t {
        Alive,
        NeverFreed,
        Older,
        Segments,
        OutOfMemory,
        Changes,
        TableCount
    };
    struct Tab {
        QString name;
        QString title;
        std::unique_ptr<models::FieldModel> model;
        DataTable* table = nullptr;
    };

    void setRows(Table which, MemoryRows rows);
    void showTabs();
    void showAlive();
    void connectTable(Table which);
    [[nodiscard]] std::uint32_t blockOf(Table which, std::uint32_t row) const;
    void choose(Table which, std::uint32_t row);

    Memory m_memory;
    std::size_t m_device = 0;
    memory::GroupBy m_by = memory::GroupBy::Place;
    std::array<Tab, TableCount> m_tabs;
    std::shared_ptr<const std::vector<memory::PlaceSum>> m_sums;  ///< what is alive
    std::vector<memory::PlaceSum> m_rows;                         ///< of the table of it
    session::LatestTask<PlaceSums> m_task;
};

}  // namespace kinetoscope::panels
