// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <utility>

#include "widgets/session/GrowthPace.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

/// When a result for the shown trace and its window is computed again: while it is shown, and as
/// either changes. GUI thread.
class WindowRunnerBase : public QObject {
    Q_OBJECT

public:
    /// Whether it is shown. Unneeded work ends.
    void setWanted(bool wanted);
    /// The trace that the result is about; null without a result.
    [[nodiscard]] const std::shared_ptr<const trace::Trace>& traceOf() const { return m_trace; }
    /// Why there is none; empty if there is one.
    [[nodiscard]] const QString& error() const { return m_error; }
    [[nodiscard]] virtual bool busy() const = 0;

signals:
    void changed();
    void busyChanged();

protected:
    explicit WindowRunnerBase(ViewState& view, QObject* parent);

    virtual void start(const std::shared_ptr<const trace::Trace>& trace,
                       const analysis::WindowChoice& window) = 0;
    virtual void cancel() = 0;
    virtual void forgetResult() = 0;

    void restart();
    /// The result of the last start() is there, or an error.
    void finish(const QString& error);

private:
    void forget();

    ViewState& m_view;
    bool m_wanted = false;
    bool m_stale = true;                              ///< the result is not what it would be now
    std::shared_ptr<const trace::Trace> m_requested;  ///< whose result is being made
    std::shared_ptr<const trace::Trace> m_trace;
    QString m_error;
    GrowthPace m_pace;
};

/// Makes a T on a worker.
template <class T>
class WindowRunner final : public WindowRunnerBase {
public:
    using Make = std::function<Result<T>(const trace::Trace&, const analysis::WindowChoice&,
                                         const std::stop_token&)>;

    WindowRunner(ViewState& view, Make make, QObject* parent = nullptr)
        : WindowRunnerBase(view, parent),
          m_make(std::move(make)),
          m_task([this](Result<T> result) { deliver(std::move(result)); }) {}

    /// From now on it is made in another way.
    void setMake(Make make) {
        m_make = std::move(make);
        restart();
    }
    /// Of the trace in traceOf(); null before the first one is ready and when it failed.
    [[nodiscard]] const std::shared_ptr<const T>& result() const { return m_result; }
    [[nodiscard]] bool busy() const override { return m_task.busy(); }

protected:
    void start(const std::shared_ptr<const trace::Trace>& trace,
               const analysis::WindowChoice& window) override {
        m_task.start([make = m_make, trace, window](const std::stop_token& stop) {
            return make(*trace, window, stop);
        });
    }
    void cancel() override { m_task.cancel(); }
    void forgetResult() override { m_result.reset(); }

private:
    void deliver(Result<T> result) {
        m_result.reset();
        if (result) {
            m_result = std::make_shared<const T>(std::move(*result));
        }
        finish(result ? QString() : QString::fromStdString(result.error().message));
    }

    Make m_make;
    std::shared_ptr<const T> m_result;
    LatestTask<T> m_task;
};

}  // namespace kinetoscope::session
