// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/ranks/view/ShownJob.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::job {

/// A column: a text, or a number with its text.
struct Field {
    models::TableColumn column;
    std::function<QString(std::uint32_t row)> text;
    std::function<double(std::uint32_t row)> number = nullptr;  ///< null: a column of texts
};

/// Rows that never change, each cell by a function. The filter looks into the texts.
class JobTableModel final : public models::FigureTableModel {
    Q_OBJECT

public:
    JobTableModel(std::vector<Field> fields, std::size_t rows, QObject* parent = nullptr);

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override { return m_count; }
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override;
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    std::vector<Field> m_fields;
    std::uint32_t m_count;
};

using Shown = std::shared_ptr<const ranks::view::ShownJob>;

/// The tables of `kscope ranks`. Rows are those of Job::records, Job::steps, collectiveRows() and
/// again Job::records.
[[nodiscard]] std::unique_ptr<JobTableModel> makeRankModel(const Shown& shown);
[[nodiscard]] std::unique_ptr<JobTableModel> makeStepModel(const Shown& shown);
[[nodiscard]] std::unique_ptr<JobTableModel> makeCollectiveModel(const Shown& shown);
[[nodiscard]] std::unique_ptr<JobTableModel> makeClockModel(const Shown& shown);

}  // namespace kinetoscope::job
