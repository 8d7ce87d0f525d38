// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/IdleList.h"
#include "core/text/Units.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// By what idle gaps are put together.
enum class IdleGroup : std::uint8_t { Reason, HostActivity };

/// Idle gaps of one reason, or in which the host did the same.
struct IdleGroupRow {
    std::int64_t key = 0;  ///< see idleKey()
    QString name;
    std::uint64_t count = 0;
    TimeNs timeNs = 0;  ///< of the reason's parts, or of the host's
};

/// The number of a gap's main reason; the name of what the host did, -1 for nothing recorded, -2 if
/// nothing waited for the host.
[[nodiscard]] std::int64_t idleKey(const trace::Trace& trace, const analysis::NamedGap& gap,
                                   IdleGroup group);

/// Where the idle time went, largest first.
class IdleGroupModel final : public FigureTableModel {
    Q_OBJECT

public:
    enum Column { Name, Time, Share, Count };

    explicit IdleGroupModel(QObject* parent = nullptr);
    /// Null: no rows.
    void setList(const std::shared_ptr<const trace::Trace>& trace,
                 const std::shared_ptr<const analysis::IdleList>& list, IdleGroup group);
    [[nodiscard]] const IdleGroupRow& group(int row) const { return m_rows[sourceRow(row)]; }

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override { return column == Name; }
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;

private:
    std::vector<IdleGroupRow> m_rows;
    TimeNs m_whole = 0;
    text::TimeUnit m_unit = text::kMilliseconds;
};

/// The idle gaps, one row each.
class IdleGapModel final : public FigureTableModel {
    Q_OBJECT

public:
    enum Column { Gpu, Start, Length, Reason, Host, Next, Kind };

    explicit IdleGapModel(QObject* parent = nullptr);
    /// Null: no rows.
    void setList(std::shared_ptr<const trace::Trace> trace,
                 std::shared_ptr<const analysis::IdleList> list);
    /// Only gaps of this key; nothing: all.
    void setGroup(IdleGroup group, std::optional<std::int64_t> key);
    [[nodiscard]] const analysis::NamedGap& gap(int row) const { return at(sourceRow(row)); }
    /// The row of a gap of this GPU that shares time with the span; -1: none.
    [[nodiscard]] int rowOf(std::int32_t gpu, TimeSpan span) const;
    [[nodiscard]] bool hasSeveralGpus() const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override { return column >= Reason; }
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] std::string_view textKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    [[nodiscard]] const analysis::NamedGap& at(std::uint32_t row) const {
        return m_list->gaps[row];
    }
    [[nodiscard]] std::string_view nameOf(trace::SliceId slice) const {
        return slice == trace::kNoSlice ? std::string_view() : m_trace->name(slice);
    }

    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<const analysis::IdleList> m_list;
    text::TimeUnit m_unit = text::kMicroseconds;  ///< of lengths
    IdleGroup m_group = IdleGroup::Reason;
    std::optional<std::int64_t> m_key;
};

}  // namespace kinetoscope::models
