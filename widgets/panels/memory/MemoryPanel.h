// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include "widgets/panels/memory/BlockMap.h"
#include "widgets/panels/memory/MemoryTables.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// The memory of a trace from its [memory] events: its blocks over the timeline's time, and the
/// memory alive at the peak of the selected time or at the clicked moment. A chosen block is
/// selected in the timeline; a double click goes there.
class MemoryPanel final : public Panel {
    Q_OBJECT

public:
    explicit MemoryPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override;
    [[nodiscard]] bool busy() const override {
        return m_task.busy() || m_map->busy() || m_tables->busy();
    }
    void setInFront(bool inFront) override;

private:
    [[nodiscard]] QWidget* makeToolBar();
    void connectView();
    void connectParts();
    void forget();
    void start();
    void take(Result<Memory> memory);
    void showDevice();
    void followView();
    void showPeak();
    void tellState();
    void selectBlock(std::uint32_t block, bool goes);
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] std::size_t device() const {
        return static_cast<std::size_t>(std::max(0, m_devices->currentIndex()));
    }
    /// Of the history, which counts from the trace's first event.
    [[nodiscard]] TimeSpan own(TimeSpan span) const;

    session::ViewState& m_view;
    session::LatestTask<Memory> m_task;
    std::shared_ptr<const trace::Trace> m_trace;  ///< that m_memory is of, or is being made of
    Memory m_memory;
    QString m_error;
    bool m_inFront = false;
    BlockMap* m_map;
    MemoryTables* m_tables;
    QComboBox* m_devices;
    QComboBox* m_by;
    QComboBox* m_colors;
    QLabel* m_state;
    QLineEdit* m_filter;
};

}  // namespace kinetoscope::panels
