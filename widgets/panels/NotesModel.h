// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/sidecar/Sidecar.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::panels {

/// The notes of a trace: when, how long, and the text, which can be edited.
class NotesModel final : public models::FigureTableModel {
    Q_OBJECT

public:
    enum Column { Start, Length, Text };

    explicit NotesModel(QObject* parent = nullptr);

    /// Times are shown since `origin`.
    void setNotes(std::vector<sidecar::Note> notes, TimeNs origin);
    [[nodiscard]] const sidecar::Note& note(int row) const { return m_notes[sourceRow(row)]; }
    /// The row of the first such note; -1: it is not shown.
    [[nodiscard]] int rowOf(const sidecar::Note& note) const;

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    /// A text was entered. The row keeps what it has until setNotes().
    void textEntered(const kinetoscope::sidecar::Note& note, const QString& text);

protected:
    [[nodiscard]] bool isText(int column) const override { return column == Text; }
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    std::vector<sidecar::Note> m_notes;
    TimeNs m_origin = 0;
};

}  // namespace kinetoscope::panels
