// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/model/Roofline.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// The rows of a roofline, in the columns that people get of it.
class RooflineModel final : public FigureTableModel {
    Q_OBJECT

public:
    explicit RooflineModel(QObject* parent = nullptr);
    /// Null: no rows.
    void setRoofline(std::shared_ptr<const model::Roofline> roofline);
    [[nodiscard]] const model::RooflineRow& row(int shown) const {
        return m_roofline->rows[sourceRow(shown)];
    }
    /// By its key in exports: "tflop_per_s"; -1 for none.
    [[nodiscard]] int columnOf(std::string_view key) const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override;
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    std::shared_ptr<const model::Roofline> m_roofline;
    text::TimeUnit m_unit = text::kMilliseconds;
};

}  // namespace kinetoscope::models
