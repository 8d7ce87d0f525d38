// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/base/Result.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::app {

/// Finds slices by name while typing; Enter goes to the next one, Shift+Enter to the one before,
/// Escape leaves.
class SearchBar final : public QWidget {
    Q_OBJECT

public:
    explicit SearchBar(session::ViewState& view, QWidget* parent = nullptr);

    void startTyping();
    void next() { go(1); }
    void previous() { go(-1); }
    /// False from the first letter until the matches of what is typed are known.
    [[nodiscard]] bool isReady() const { return !m_delay.isActive() && !m_task.busy(); }
    [[nodiscard]] std::size_t matchCount() const { return m_matches.size(); }

signals:
    void left();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Matches = Result<std::vector<trace::SliceId>>;

    void search();
    void deliver(const Matches& matches);
    void go(int by);
    [[nodiscard]] std::size_t firstInView() const;
    void tell();

    session::ViewState& m_view;
    QLineEdit* m_text;
    QLabel* m_count;
    QTimer m_delay;
    std::vector<trace::SliceId> m_matches;
    std::optional<std::size_t> m_at;
    QString m_error;
    bool m_outOfMeans = false;  ///< the error is a lack of memory or threads, not the expression
    int m_pendingStep = 0;      ///< Enter was pressed before the matches were known
    session::LatestTask<std::vector<trace::SliceId>> m_task;
};

}  // namespace kinetoscope::app
