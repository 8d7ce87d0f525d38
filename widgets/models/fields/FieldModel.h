// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// A column: a text, or a number with its text.
struct Field {
    TableColumn column;
    std::function<QString(std::uint32_t row)> text;
    std::function<double(std::uint32_t row)> number = nullptr;  ///< null: a column of texts
    /// Of other roles; null: nothing special.
    std::function<QVariant(std::uint32_t row, int role)> extra = nullptr;
};

/// Each cell by a function. The filter looks into the texts.
class FieldModel final : public FigureTableModel {
    Q_OBJECT

public:
    FieldModel(std::vector<Field> fields, std::size_t rows, QObject* parent = nullptr);
    /// Other columns and rows.
    void setFields(std::vector<Field> fields, std::size_t rows);
    /// The cells of a row are others now; its place stays.
    void tellChanged(std::uint32_t row) { rowChanged(row); }

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override { return m_count; }
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override;
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    std::vector<Field> m_fields;
    std::uint32_t m_count = 0;
};

/// Texts at the left and in ascending order first, numbers at the right and the largest first.
[[nodiscard]] TableColumn fieldColumn(const char* key, const QString& title, const QString& toolTip,
                                      bool isText);
[[nodiscard]] Field textField(const char* key, const QString& title, const QString& toolTip,
                              std::function<QString(std::uint32_t row)> text);
/// Whole numbers; not-a-number is an empty cell.
[[nodiscard]] Field countField(const char* key, const QString& title, const QString& toolTip,
                               std::function<double(std::uint32_t row)> count);

}  // namespace kinetoscope::models
