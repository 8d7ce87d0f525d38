// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/session/Session.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::history {

/// Visited views, selections and files, to go back to and forward again. Panning and zooming
/// without a pause is one step, so is dragging a selection, and so are all changes in one turn of
/// the event loop. GUI thread; `session` outlives it.
class ViewHistory final : public QObject {
    Q_OBJECT

public:
    /// Milliseconds since any time.
    using Clock = std::function<qint64()>;

    /// A change that comes no later continues the one before.
    static constexpr qint64 kPauseMs = 1000;
    static constexpr std::size_t kMaxEntries = 500;

    explicit ViewHistory(session::Session& session, Clock clock = {}, QObject* parent = nullptr);

    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_entries.size(); }
    void goBack();
    void goForward();

signals:
    void changed();  ///< canGoBack() or canGoForward(), perhaps

private:
    enum class Kind { Visible, Range, Other };

    struct Entry {
        QString path;
        session::ViewState::Snapshot view;
        std::weak_ptr<const trace::Trace> trace;  ///< whose rows the snapshot names
        bool complete = true;                     ///< of a growing one the rows stay the same
    };

    void note(Kind kind);
    void commit();
    void grow();
    void dropSelections();
    void dropClosed();
    void rename(const QString& from, const QString& to);
    void dropRepeated();
    void go(std::size_t to);
    [[nodiscard]] Entry present() const;
    [[nodiscard]] bool replaces(const Entry& entry) const;

    session::Session& m_session;
    Clock m_clock;
    std::vector<Entry> m_entries;
    std::size_t m_at = 0;           ///< the entry that is shown
    Kind m_lastKind = Kind::Other;  ///< of the last step
    qint64 m_lastTime = 0;
    std::optional<Kind> m_turnKind;  ///< what has changed in this turn of the event loop
    qint64 m_turnTime = 0;
    bool m_turnGrown = false;
    bool m_going = false;
};

}  // namespace kinetoscope::history
