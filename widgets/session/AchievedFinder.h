// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "core/model/Achieved.h"
#include "widgets/session/WindowRunner.h"

namespace kinetoscope::session {

/// The calls of the shown trace with their work. The file's text is read for them only once,
/// whatever the window. Any thread.
class SharedCalls {
public:
    using Calls = std::shared_ptr<const model::LaunchedCalls>;

    /// Those in the window; waits where another thread reads them already.
    [[nodiscard]] Result<Calls> of(const trace::Trace& trace, const analysis::WindowChoice& window,
                                   const std::stop_token& stop);
    /// The trace is another one.
    void forget();

private:
    [[nodiscard]] Result<Calls> whole(const trace::Trace& trace, const std::stop_token& stop);

    std::mutex m_reading;  ///< one reads, the others wait
    std::mutex m_mutex;    ///< of what follows
    const trace::Trace* m_trace = nullptr;
    Calls m_whole;
    std::uint64_t m_generation = 0;
};

/// Which roof GPUs are held against.
enum class RoofKind : std::uint8_t {
    Maker,    ///< of its maker
    Measured  ///< on this machine by the bench, for devices of which one is kept; else its maker's
};

/// To be handed to core/model; for RoofKind::Measured it reads the kept ones. Any thread.
[[nodiscard]] std::vector<model::GpuRoof> roofsOf(RoofKind kind);

/// Rates of the kernels and operators of the shown window, found on a worker while they are shown.
/// GUI thread.
class AchievedFinder final : public QObject {
    Q_OBJECT

public:
    /// The one of this view, which owns it.
    [[nodiscard]] static AchievedFinder& of(ViewState& view);

    /// Of all that is shown of this view.
    void setRoof(RoofKind roof);
    [[nodiscard]] RoofKind roof() const { return m_roof; }
    /// Whether `who` shows them.
    void setWanted(const QObject* who, bool wanted);
    /// Of the trace in traceOf(); null before it is found and when that failed.
    [[nodiscard]] const std::shared_ptr<const model::AchievedTable>& table() const {
        return m_runner.result();
    }
    [[nodiscard]] const std::shared_ptr<const trace::Trace>& traceOf() const {
        return m_runner.traceOf();
    }
    [[nodiscard]] const QString& error() const { return m_runner.error(); }
    [[nodiscard]] bool busy() const { return m_runner.busy(); }
    [[nodiscard]] const std::shared_ptr<SharedCalls>& calls() const { return m_calls; }

signals:
    /// Table, or error.
    void changed();
    void busyChanged();
    void roofChanged();

private:
    explicit AchievedFinder(ViewState& view);

    std::shared_ptr<SharedCalls> m_calls;
    RoofKind m_roof = RoofKind::Maker;
    WindowRunner<model::AchievedTable> m_runner;
    std::set<const QObject*> m_wanting;
};

}  // namespace kinetoscope::session
