// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/query/AreaSummary.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// Grouping of the rows of an AreaModel.
enum class AreaGroup : std::uint8_t { Name, Category, Row };

/// What lies in the selected time and rows, longest first.
class AreaModel final : public FigureTableModel {
    Q_OBJECT

public:
    enum Column { Name, Count, Time, Share, Mean, Longest };

    explicit AreaModel(QObject* parent = nullptr);

    /// Null: no rows. `tracks`: the label of each track.
    void setSummary(std::shared_ptr<const trace::Trace> trace,
                    std::shared_ptr<const query::AreaSummary> summary, AreaGroup group,
                    QStringList tracks);
    [[nodiscard]] AreaGroup group() const { return m_group; }
    [[nodiscard]] const query::AreaRow& areaRow(int row) const { return at(sourceRow(row)); }
    /// -1 where no row has the key.
    [[nodiscard]] int rowOf(std::uint32_t key) const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override { return column == Name; }
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] std::string_view textKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    [[nodiscard]] const query::AreaRow& at(std::uint32_t row) const { return m_rows[row]; }
    [[nodiscard]] std::string_view nameOf(std::uint32_t key) const;

    std::shared_ptr<const trace::Trace> m_trace;
    std::vector<query::AreaRow> m_rows;
    std::vector<std::string> m_tracks;
    TimeNs m_whole = 0;
    text::TimeUnit m_unit = text::kMicroseconds;  ///< of the sums
    AreaGroup m_group = AreaGroup::Name;
};

}  // namespace kinetoscope::models
