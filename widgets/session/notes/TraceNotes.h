// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/sidecar/Sidecar.h"

namespace kinetoscope::session {

/// The notes on times of the shown trace, saved in the file next to it. If that cannot be written,
/// they last as long as this lives. GUI thread.
class TraceNotes final : public QObject {
    Q_OBJECT

public:
    /// `path` gives the file or folder of the shown trace; empty: none.
    explicit TraceNotes(std::function<QString()> path, QObject* parent = nullptr);

    /// By time.
    [[nodiscard]] const std::vector<sidecar::Note>& notes() const { return m_notes; }
    /// Why the file was not read or written, in one line; else empty.
    [[nodiscard]] const QString& problem() const { return m_problem; }

    /// Times are the trace's own. A text is made one line and cut to what is kept; without a text
    /// nothing is added.
    void add(TimeSpan span, const QString& text);
    void remove(const sidecar::Note& note);
    /// Without a text it is removed.
    void setText(const sidecar::Note& note, const QString& text);
    [[nodiscard]] bool canUndo() const;
    /// Takes the last change of the shown trace's notes back.
    void undo();

    /// Call when another trace is shown.
    void follow();
    /// Call when another part of the program has written the file.
    void reread();
    /// Somebody wants to see this one.
    void show(const sidecar::Note& note) { emit shown(note); }

signals:
    void changed();
    void shown(const kinetoscope::sidecar::Note& note);
    /// Once for each new problem().
    void failed(const QString& why);

private:
    struct Change {
        std::optional<sidecar::Note> removed;
        std::optional<sidecar::Note> added;
    };
    struct History {
        std::vector<Change> unkept;  ///< what no file could be written of
        std::vector<Change> done;    ///< for undo()
    };

    static void apply(const std::vector<Change>& changes, std::vector<sidecar::Note>& notes);
    void change(const Change& change);
    void take(const Result<sidecar::Sidecar>& kept, const QString& consequence);

    std::function<QString()> m_path;
    QString m_shown;  ///< path of what notes() are of
    std::vector<sidecar::Note> m_kept;
    std::vector<sidecar::Note> m_notes;
    QString m_problem;
    std::map<QString, History> m_histories;
};

}  // namespace kinetoscope::session
