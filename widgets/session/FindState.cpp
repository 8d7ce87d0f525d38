// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/FindState.h"

#include <algorithm>
#include <utility>

#include "core/analysis/WindowScope.h"
#include "core/query/find/Search.h"

namespace kinetoscope::session {

namespace {

constexpr int kTypingPauseMs = 120;

/// All that a worker needs to know.
struct Wish {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<TraceLayout> layout;
    QString text;
    FindResult::Slices matches;  ///< of the text, where they are known
    FindFilter filter;
    analysis::WindowChoice window;
    TimeSpan visible;
};

Result<FindResult::Slices> matchesOf(const Wish& wish, const std::stop_token& stop) {
    if (wish.matches) {
        return wish.matches;
    }
    auto found = query::findSlices(*wish.trace, wish.text.toStdString(), stop);
    if (!found) {
        return tl::unexpected(found.error());
    }
    return std::make_shared<const std::vector<trace::SliceId>>(std::move(*found));
}

Result<query::SliceFilter> timeOf(const Wish& wish) {
    query::SliceFilter time;
    if (wish.filter.time == FindTime::Visible) {
        time.overlaps = wish.visible;
    } else if (wish.filter.time == FindTime::Window) {
        const auto span = analysis::windowSpan(*wish.trace, wish.window);
        if (span) {
            time.begins = *span;
        } else if (wish.window.kind != analysis::WindowKind::Gpu) {
            return tl::unexpected(span.error());
        }  // else there is no GPU, and nothing else was chosen
    }
    return time;
}

FindResult::Slices filtered(const Wish& wish, const FindResult::Slices& slices,
                            const query::SliceFilter& filter, bool filters,
                            const std::stop_token& stop) {
    return filters ? std::make_shared<const std::vector<trace::SliceId>>(
                         query::filterSlices(*wish.trace, *slices, filter, stop))
                   : slices;
}

Result<FindResult> find(const Wish& wish, const std::stop_token& stop) {
    const auto matches = matchesOf(wish, stop);
    if (!matches) {
        return tl::unexpected(matches.error());
    }
    const auto time = timeOf(wish);
    if (!time) {
        return tl::unexpected(time.error());
    }
    const FindFilter& filter = wish.filter;
    FindResult result;
    result.trace = wish.trace;
    result.text = wish.text;
    result.matches = *matches;
    const auto inTime = filtered(wish, result.matches, *time, filter.time != FindTime::Whole, stop);
    result.counts = query::countSlices(wish.layout->lanes, *inTime);
    result.ofAllDurations = filtered(wish, inTime,
                                     {.category = filter.category,
                                      .process = filter.process,
                                      .track = filter.track,
                                      .rows = &wish.layout->lanes},
                                     filter.category || filter.process || filter.track, stop);
    result.hits = filtered(wish, result.ofAllDurations, {.lasts = filter.lasts},
                           filter.lasts.has_value(), stop);
    std::vector<TimeNs> durations;
    durations.reserve(result.hits->size());
    for (const trace::SliceId slice : *result.hits) {
        durations.push_back(wish.trace->duration(slice));
    }
    result.durations = stats::summarizeDurations(std::move(durations));
    result.marks = std::make_shared<const SliceMarks>(wish.layout->lanes, result.hits, stop);
    return result;
}

}  // namespace

FindState::FindState(ViewState& view, QObject* parent)
    : QObject(parent),
      m_view(view),
      m_task([this](Result<FindResult> result) { deliver(std::move(result)); }) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kTypingPauseMs);
    connect(&m_delay, &QTimer::timeout, this, &FindState::search);
    connect(&view, &ViewState::traceChanged, this, &FindState::newTrace);
    connect(&view, &ViewState::traceGrown, &m_pace, &GrowthPace::grow);
    connect(&m_pace, &GrowthPace::due, this, &FindState::search);
    connect(&view, &ViewState::windowChanged, this, [this] {
        if (m_filter.time == FindTime::Window) {
            search();
        }
    });
    connect(&view, &ViewState::visibleChanged, this, [this] {
        if (m_filter.time == FindTime::Visible) {
            searchLater();
        }
    });
    connect(&view, &ViewState::selectionChanged, this, &FindState::followSelection);
}

void FindState::setText(const QString& text) {
    if (text == m_text) {
        return;
    }
    m_text = text;
    emit textChanged();
    if (text.isEmpty()) {
        search();
    } else {
        searchLater();
    }
}

void FindState::setFilter(const FindFilter& filter) {
    if (filter == m_filter) {
        return;
    }
    m_filter = filter;
    emit filterChanged();
    search();
}

void FindState::searchLater() {
    if (!m_text.isEmpty() && m_view.trace()) {
        m_delay.start();
        emit changed();
    }
}

// Slices of another trace mean nothing in this one.
void FindState::newTrace() {
    m_filter = {.time = m_filter.time};
    forget();
    emit filterChanged();
    search();
}

void FindState::forget() {
    m_result.reset();
    m_error.clear();
    m_outOfMeans = false;
    m_chosen = trace::kNoSlice;
    m_pendingStep = 0;
    m_view.setMarks(nullptr, trace::kNoSlice);
}

void FindState::search() {
    m_delay.stop();
    m_task.cancel();
    if (!m_view.trace() || m_text.isEmpty()) {
        m_pace.rest();
        forget();
        emit changed();
        return;
    }
    const bool known = m_result && m_result->text == m_text && m_result->trace == m_view.trace();
    Wish wish{m_view.trace(), m_view.layout(), m_text,          known ? m_result->matches : nullptr,
              m_filter,       m_view.window(), m_view.visible()};
    m_pace.begin();
    m_task.start(
        [wish = std::move(wish)](const std::stop_token& stop) { return find(wish, stop); });
    emit changed();
}

void FindState::deliver(Result<FindResult> result) {
    m_pace.end();
    const int step = std::exchange(m_pendingStep, 0);
    const trace::SliceId before = m_chosen;
    if (result) {
        m_result = std::make_shared<const FindResult>(std::move(*result));
        m_error.clear();
        m_chosen = placeOf(before) ? before : trace::kNoSlice;
        m_view.setMarks(m_result->marks, m_chosen);
    } else {
        forget();
        m_error = QString::fromStdString(result.error().message);
        m_outOfMeans = result.error().kind == ErrorKind::Output;
    }
    emit changed();
    if (m_chosen != before) {
        emit chosenChanged();
    }
    if (step != 0) {
        this->step(step);
    }
}

std::optional<std::size_t> FindState::placeOf(trace::SliceId slice) const {
    return m_result ? query::placeOfSlice(*m_result->trace, *m_result->hits, slice) : std::nullopt;
}

std::size_t FindState::firstInView() const {
    const trace::Trace& trace = *m_view.trace();
    const auto& hits = *m_result->hits;
    const auto found =
        std::ranges::lower_bound(hits, m_view.visible().start, {},
                                 [&trace](trace::SliceId hit) { return trace.start(hit); });
    return found == hits.end() ? 0 : static_cast<std::size_t>(found - hits.begin());
}

void FindState::step(int by) {
    if (m_delay.isActive()) {
        search();
    }
    if (m_task.busy()) {
        m_pendingStep = by;
        return;
    }
    if (count() == 0) {
        return;
    }
    const auto at = chosenAt();
    const std::size_t next = !at      ? firstInView()
                             : by > 0 ? (*at + 1) % count()
                                      : (*at + count() - 1) % count();
    choose((*m_result->hits)[next]);
}

void FindState::choose(trace::SliceId hit) {
    setChosen(hit);
    m_view.select(hit);
    m_view.reveal(hit);
}

void FindState::setChosen(trace::SliceId hit) {
    if (hit != m_chosen) {
        m_chosen = hit;
        m_view.setMarks(m_result ? m_result->marks : nullptr, hit);
        emit chosenChanged();
    }
}

// A hit that is clicked anywhere is the one from which the next is counted.
void FindState::followSelection() {
    const trace::SliceId slice = m_view.selected();
    if (placeOf(slice)) {
        setChosen(slice);
    }
}

}  // namespace kinetoscope::session
