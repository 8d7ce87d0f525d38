// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTableView>

#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::panels {

/// The one way tables look and behave: fixed rows, click on a header sorts, the context menu
/// copies, an empty table says why.
class DataTable final : public QTableView {
    Q_OBJECT

public:
    /// `model` must outlive the table.
    explicit DataTable(models::ColumnTableModel& model, QWidget* parent = nullptr);

    /// Shown in the middle while there are no rows.
    void setEmptyText(const QString& text);
    [[nodiscard]] const QString& emptyText() const { return m_emptyText; }
    /// Widest a column grows by itself.
    void setWidest(int column, int pixels);

    /// This column gives way where the room is less than all need, down to `least` pixels.
    void setYielding(int column, int least);

    /// The last column takes the room that is left and elides, however long its texts are.
    void setLastColumnElides() { m_lastElides = true; }

    void copyCell();
    void copyCsv() const;
    void copyMarkdown() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    void fitYielding();

    models::ColumnTableModel& m_model;
    QString m_emptyText;
    QHash<int, int> m_widest;
    int m_yielding = -1;
    int m_leastYielding = 0;
    int m_wantedYielding = 0;  ///< width that its texts need
    bool m_userSized = false;
    bool m_lastElides = false;
};

}  // namespace kinetoscope::panels
