// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <vector>

#include "widgets/job/JobPage.h"
#include "widgets/panels/memory/BlockMap.h"
#include "widgets/panels/memory/MemoryTables.h"
#include "widgets/snapshot/SegmentMap.h"

namespace kinetoscope::snapshot {

using panels::BlockMap;
using panels::MemoryTables;

/// One snapshot of PyTorch's allocator: its blocks over time, its segments, what is selected in
/// words, and the tables.
class SnapshotView final : public job::JobPage {
    Q_OBJECT

public:
    /// Another open snapshot.
    struct Other {
        QString title;
        Memory memory;
    };

    explicit SnapshotView(Memory memory, QWidget* parent = nullptr);

    [[nodiscard]] const Memory& memory() const { return m_memory; }
    [[nodiscard]] BlockMap& map() { return *m_map; }
    [[nodiscard]] SegmentMap& segments() { return *m_segments; }
    [[nodiscard]] MemoryTables& tables() { return *m_tables; }
    /// What this one can be compared with; what is compared stays as long as it is among them.
    void setOthers(std::vector<Other> others);
    [[nodiscard]] bool busy() const override {
        return m_map->busy() || m_tables->busy() || m_comparing.busy();
    }
    /// Colours ("place", "purpose"), rows by, and the device.
    [[nodiscard]] Choices choices() const override;
    void setChoices(const Choices& choices) override;
    /// "blocks", "segments", "tables".
    [[nodiscard]] QWidget* part(const QString& name) const override;
    [[nodiscard]] const models::ColumnTableModel* tableInFront(QString* title) const override {
        return m_tables->tableInFront(title);
    }
    [[nodiscard]] QStringList summary() const override;
    [[nodiscard]] QStringList lost() const override { return {}; }
    /// The largest block that was alive at the peak with the text in its operator or line.
    bool selectAnswer(const QString& text) override;
    void fit() override;
    void zoom(double factor) override;

private:
    using Comparison = std::shared_ptr<const memory::MemoryComparison>;

    [[nodiscard]] QWidget* makeBar();
    void connectParts();
    void showDevice();
    void setTime(TimeSpan time);
    void showMoment(BlockMap::Moment moment);
    void selectBlock(std::uint32_t block);
    void goTo(std::uint32_t block);
    void compare(int index);
    void takeComparison(Result<Comparison> comparison);
    void tellState();
    [[nodiscard]] std::size_t device() const {
        return static_cast<std::size_t>(std::max(0, m_devices->currentIndex()));
    }
    [[nodiscard]] const memory::view::BlockStacks* stacks() const;

    Memory m_memory;
    std::vector<Other> m_others;
    Memory m_baseline;
    session::LatestTask<Comparison> m_comparing;
    BlockMap* m_map;
    SegmentMap* m_segments;
    MemoryTables* m_tables;
    QTabWidget* m_pictures;
    QPlainTextEdit* m_words;
    QComboBox* m_devices;
    QComboBox* m_colors;
    QComboBox* m_by;
    QComboBox* m_compare;
    QLabel* m_state;
    QLineEdit* m_filter;
};

}  // namespace kinetoscope::snapshot
