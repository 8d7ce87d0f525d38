// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QWidget>

#include "widgets/session/FindState.h"

namespace kinetoscope::app {

/// The field of the search: finds slices by name while typing; Enter goes to the next one,
/// Shift+Enter to the one before, Escape ends the search.
class SearchBar final : public QWidget {
    Q_OBJECT

public:
    explicit SearchBar(session::FindState& find, QWidget* parent = nullptr);

    void startTyping();

signals:
    void left();
    /// The hits are wanted as a list.
    void listRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tell();

    session::FindState& m_find;
    QLineEdit* m_text;
    QLabel* m_count;
};

}  // namespace kinetoscope::app
