// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/AchievedFinder.h"

#include <utility>

#include "core/replay/KeptRoofs.h"

namespace kinetoscope::session {

namespace {

WindowRunner<model::AchievedTable>::Make maker(std::shared_ptr<SharedCalls> calls, RoofKind roof) {
    return [calls = std::move(calls), roof](
               const trace::Trace& trace, const analysis::WindowChoice& window,
               const std::stop_token& stop) -> Result<model::AchievedTable> {
        return calls->of(trace, window, stop).map([&](const SharedCalls::Calls& found) {
            return model::AchievedTable(trace, *found, roofsOf(roof));
        });
    };
}

}  // namespace

std::vector<model::GpuRoof> roofsOf(RoofKind kind) {
    return kind == RoofKind::Measured
               ? replay::KeptRoofs(replay::KeptRoofs::defaultFolder()).roofs()
               : std::vector<model::GpuRoof>();
}

Result<SharedCalls::Calls> SharedCalls::of(const trace::Trace& trace,
                                           const analysis::WindowChoice& window,
                                           const std::stop_token& stop) {
    auto all = whole(trace, stop);
    if (!all || window.kind == analysis::WindowKind::Gpu) {
        return all;
    }
    return model::callsInWindow(trace, **all, window).map([](model::LaunchedCalls calls) {
        return std::make_shared<const model::LaunchedCalls>(std::move(calls));
    });
}

Result<SharedCalls::Calls> SharedCalls::whole(const trace::Trace& trace,
                                              const std::stop_token& stop) {
    const std::scoped_lock reading(m_reading);
    std::uint64_t generation = 0;
    {
        const std::scoped_lock lock(m_mutex);
        if (m_trace == &trace) {
            return m_whole;
        }
        generation = m_generation;
    }
    model::CallOptions options;
    options.stop = stop;
    auto calls = model::findLaunchedCalls(trace, options);
    if (!calls) {
        return tl::unexpected(calls.error());
    }
    auto found = std::make_shared<const model::LaunchedCalls>(std::move(*calls));
    const std::scoped_lock lock(m_mutex);
    if (generation == m_generation) {
        m_trace = &trace;
        m_whole = found;
    }
    return found;
}

void SharedCalls::forget() {
    const std::scoped_lock lock(m_mutex);
    m_trace = nullptr;
    m_whole.reset();
    ++m_generation;
}

AchievedFinder& AchievedFinder::of(ViewState& view) {
    auto* known = view.findChild<AchievedFinder*>(QString(), Qt::FindDirectChildrenOnly);
    return known != nullptr ? *known : *new AchievedFinder(view);
}

AchievedFinder::AchievedFinder(ViewState& view)
    : QObject(&view),
      m_calls(std::make_shared<SharedCalls>()),
      m_runner(view, maker(m_calls, m_roof)) {
    const auto forget = [this] { m_calls->forget(); };
    connect(&view, &ViewState::traceChanged, this, forget);
    connect(&view, &ViewState::traceGrown, this, forget);
    connect(&m_runner, &WindowRunnerBase::changed, this, &AchievedFinder::changed);
    connect(&m_runner, &WindowRunnerBase::busyChanged, this, &AchievedFinder::busyChanged);
}

void AchievedFinder::setRoof(RoofKind roof) {
    if (roof != m_roof) {
        m_roof = roof;
        m_runner.setMake(maker(m_calls, roof));
        emit roofChanged();
    }
}

void AchievedFinder::setWanted(const QObject* who, bool wanted) {
    if (wanted) {
        m_wanting.insert(who);
    } else {
        m_wanting.erase(who);
    }
    m_runner.setWanted(!m_wanting.empty());
}

}  // namespace kinetoscope::session
