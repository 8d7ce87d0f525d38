// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace kinetoscope::session {

/// When something of a trace that grows is made anew. What is in the making is finished first, else
/// there would never be any of a trace that grows all the time; then a pause twice as long as it
/// took leaves the processor to others.
class GrowthPace final : public QObject {
    Q_OBJECT

public:
    explicit GrowthPace(QObject* parent = nullptr);

    /// The trace has grown: due() now or, while something is made or a pause lasts, later.
    void grow();
    /// Something is made of all that is there.
    void begin();
    void end();
    /// Nothing is made and nothing is due.
    void rest();

signals:
    void due();

private:
    QElapsedTimer m_clock;  ///< since begin()
    QTimer m_pause;
    bool m_making = false;
    bool m_behind = false;  ///< the trace has grown since begin()
};

}  // namespace kinetoscope::session
