// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/IdleFinder.h"

#include <algorithm>

namespace kinetoscope::session {

namespace {

// Of each GPU; more rows are useless.
constexpr std::size_t kMaxGaps = 1'000'000;

Result<std::shared_ptr<const TraceGaps>> findGaps(const trace::Trace& trace,
                                                  const std::stop_token& stop) {
    auto list = analysis::listIdleGaps(trace, {}, kMaxGaps, stop);
    if (!list) {
        return tl::unexpected(list.error());
    }
    auto gaps = std::make_shared<TraceGaps>();
    gaps->list = std::move(*list);
    gaps->gpuOfTrack.resize(trace.tracks().size());
    for (const trace::GpuOperation& operation : trace.gpuOperations()) {
        gaps->gpuOfTrack[trace.trackOf(operation.slice)] = operation.gpu;
    }
    return gaps;
}

}  // namespace

const analysis::NamedGap* TraceGaps::at(std::int32_t gpu, TimeNs time) const {
    const auto after = std::ranges::upper_bound(
        list.gaps, std::pair(gpu, time), {},
        [](const analysis::NamedGap& gap) { return std::pair(gap.gpu, gap.span.start); });
    if (after == list.gaps.begin()) {
        return nullptr;
    }
    const analysis::NamedGap& gap = *(after - 1);
    return gap.gpu == gpu && gap.span.contains(time) ? &gap : nullptr;
}

const analysis::NamedGap* TraceGaps::neighbour(const SelectedGap& gap, bool next) const {
    const analysis::NamedGap* found = find(gap);
    if (found == nullptr || found == (next ? &list.gaps.back() : &list.gaps.front())) {
        return nullptr;
    }
    found += next ? 1 : -1;
    return found->gpu == gap.gpu ? found : nullptr;
}

IdleFinder& IdleFinder::of(ViewState& view) {
    auto* known = view.findChild<IdleFinder*>(QString(), Qt::FindDirectChildrenOnly);
    return known != nullptr ? *known : *new IdleFinder(view);
}

IdleFinder::IdleFinder(ViewState& view)
    : WindowRunnerBase(view, &view),
      m_view(view),
      m_windowTask([this](const Result<List>& list) { takeWindow(list); }),
      m_wholeTask([this](const Result<Gaps>& gaps) { deliverWhole(gaps); }) {
    connect(&view, &ViewState::traceChanged, this, [this] {
        m_othersWait = false;
        if (!m_windowWaits) {
            m_wholeTask.cancel();
            m_wholeOf.reset();
        }
    });
}

IdleFinder::~IdleFinder() = default;

bool IdleFinder::busy() const {
    return m_windowTask.busy() || m_windowWaits;
}

const TraceGaps* IdleFinder::gaps() const {
    return m_view.layout() ? m_view.layout()->gaps.get() : nullptr;
}

void IdleFinder::want() {
    const auto& trace = m_view.trace();
    // A trace that grows is looked at again once the last look is over.
    const bool isRequested = m_wholeOf.lock() == trace || m_wholeTask.busy();
    if (!trace || !trace->isComplete() || gaps() != nullptr) {
        return;
    }
    m_othersWait = true;
    if (!isRequested) {
        startWhole(trace);
    }
}

void IdleFinder::startWhole(const std::shared_ptr<const trace::Trace>& trace) {
    m_wholeOf = trace;
    m_wholeTask.start([trace](const std::stop_token& stop) { return findGaps(*trace, stop); });
}

void IdleFinder::deliverWhole(const Result<Gaps>& gaps) {
    m_othersWait = false;
    const bool isShown = gaps && m_view.trace() == m_wholeOf.lock();
    if (isShown) {
        m_view.layout()->gaps = *gaps;
    }
    if (m_windowWaits) {
        takeWindow(gaps.map([](const Gaps& all) { return List(all, &all->list); }));
    }
    if (isShown) {
        emit found();
    }
}

void IdleFinder::start(const std::shared_ptr<const trace::Trace>& trace,
                       const analysis::WindowChoice& window) {
    m_windowTask.cancel();
    m_windowWaits = false;
    if (window.kind != analysis::WindowKind::Gpu) {
        m_windowTask.start([trace, window](const std::stop_token& stop) {
            return analysis::listIdleGaps(*trace, window, kMaxGaps, stop)
                .map([](analysis::IdleList list) {
                    return List(std::make_shared<analysis::IdleList>(std::move(list)));
                });
        });
    } else if (const auto& known = m_view.layout()->gaps) {
        takeWindow(List(known, &known->list));
    } else {
        m_windowWaits = true;
        if (!m_wholeTask.busy() || m_wholeOf.lock() != trace) {
            startWhole(trace);
        }
    }
}

void IdleFinder::cancel() {
    m_windowTask.cancel();
    if (std::exchange(m_windowWaits, false) && !m_othersWait) {
        m_wholeTask.cancel();
        m_wholeOf.reset();
    }
}

void IdleFinder::takeWindow(const Result<List>& list) {
    m_windowWaits = false;
    m_result = list ? *list : nullptr;
    finish(list ? QString() : QString::fromStdString(list.error().message));
}

}  // namespace kinetoscope::session
