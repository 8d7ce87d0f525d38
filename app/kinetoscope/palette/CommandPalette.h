// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>

#include "app/kinetoscope/palette/PaletteModel.h"

namespace kinetoscope::app {

/// A field over the window in which everything that can be done is found by its name. Up, Down and
/// Enter or a click choose; Escape, a click elsewhere or another focus close it. Closed, it gives
/// the focus back and deletes itself.
class CommandPalette final : public QFrame {
    Q_OBJECT

public:
    CommandPalette(QWidget& window, std::vector<PaletteEntry> entries, const QStringList& lastUsed);

    void open();
    void close();

signals:
    /// Before it is done.
    void chosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void search(const QString& typed);
    void place();
    [[nodiscard]] bool moveBy(int key);
    void choose(const QModelIndex& index);
    [[nodiscard]] bool isOwn(const QObject* object) const;

    PaletteModel m_model;
    QLineEdit* m_text;
    QListView* m_list;
    QLabel* m_none;
    QPointer<QWidget> m_before;  ///< had the focus
    bool m_closed = false;
};

}  // namespace kinetoscope::app
