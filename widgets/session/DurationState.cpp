// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/DurationState.h"

#include <utility>

#include "core/analysis/WindowScope.h"
#include "core/query/find/FilterSlices.h"
#include "core/query/find/Search.h"

namespace kinetoscope::session {

namespace {

/// All that a worker needs to know.
struct DurationWish {
    std::shared_ptr<const trace::Trace> trace;
    std::optional<NameId> name;
    FindResult::Slices found;  ///< if there is no name
    analysis::WindowChoice window;
    stats::BinScale scale;
};

Result<DurationResult> measure(const DurationWish& wish, const std::stop_token& stop) {
    const trace::Trace& trace = *wish.trace;
    std::vector<trace::SliceId> slices =
        wish.name ? query::slicesNamed(trace, *wish.name) : *wish.found;
    // The other windows were not chosen by the user: the whole trace counts.
    if (wish.window.kind == analysis::WindowKind::Step ||
        wish.window.kind == analysis::WindowKind::Range) {
        const auto window = analysis::windowSpan(trace, wish.window);
        if (!window) {
            return tl::unexpected(window.error());
        }
        slices = query::filterSlices(trace, slices, {.begins = *window}, stop);
    }
    std::vector<TimeNs> durations;
    durations.reserve(slices.size());
    for (const trace::SliceId slice : slices) {
        durations.push_back(trace.duration(slice));
    }
    DurationResult result;
    result.trace = wish.trace;
    result.slices = std::make_shared<const std::vector<trace::SliceId>>(std::move(slices));
    result.all = stats::summarizeDurations(durations);
    result.bins = stats::durationHistogram(durations, wish.scale, stop);
    result.quantiles = stats::durationQuantiles(durations, kDurationQuantiles);
    return result;
}

}  // namespace

DurationState::DurationState(ViewState& view, FindState& find, QObject* parent)
    : QObject(parent),
      m_view(view),
      m_find(find),
      m_task([this](Result<DurationResult> result) { deliver(std::move(result)); }),
      m_brushTask([this](Result<std::shared_ptr<const SliceMarks>> marks) {
          if (marks && m_brush) {
              m_view.setEmphasis(*marks);
          }
          emit changed();
      }) {
    connect(&view, &ViewState::traceChanged, this, [this] {
        m_result.reset();
        m_source = Source::None;
        m_seenSearch.clear();
        setBrush(std::nullopt);
        choose(Source::Selected);
    });
    connect(&view, &ViewState::highlightChanged, this,
            [this] { choose(m_view.highlightedName() ? Source::Name : Source::Found); });
    connect(&view, &ViewState::selectionChanged, this, [this] {
        if (m_source == Source::None || m_source == Source::Selected) {
            choose(Source::Selected);
        } else {
            emit changed();  // its place among them
        }
    });
    connect(&view, &ViewState::windowChanged, this, &DurationState::restart);
    connect(&view, &ViewState::traceGrown, &m_pace, &GrowthPace::grow);
    connect(&m_pace, &GrowthPace::due, this, &DurationState::restart);
    connect(&view, &ViewState::emphasisChanged, this, [this] {
        if (m_brush && !m_view.emphasis() && !m_brushTask.busy()) {
            setBrush(std::nullopt);
        }
    });
    connect(&find, &FindState::changed, this, [this] {
        if (m_find.busy()) {
            return;
        }
        const bool isNew = m_find.result() && m_find.text() != m_seenSearch;
        m_seenSearch = m_find.result() ? m_find.text() : QString();
        choose(isNew ? Source::Found : m_source);
    });
    connect(&find, &FindState::filterChanged, this, [this] { setBrush(m_find.filter().lasts); });
}

std::optional<NameId> DurationState::nameOf(Source source) const {
    if (source == Source::Name) {
        return m_view.highlightedName();
    }
    const trace::SliceId slice = m_view.selected();
    return source == Source::Selected && m_view.trace() && slice < m_view.trace()->sliceCount()
               ? std::optional(m_view.trace()->nameId(slice))
               : std::nullopt;
}

// What is wanted, or what there is else.
void DurationState::choose(Source wanted) {
    const auto has = [this](Source source) {
        return source == Source::Found ? m_find.result() != nullptr
                                       : m_view.trace() && nameOf(source).has_value();
    };
    Source source = Source::None;
    for (const Source one : {wanted, Source::Name, Source::Found, Source::Selected}) {
        if (has(one)) {
            source = one;
            break;
        }
    }
    QString text;
    if (const auto name = nameOf(source)) {
        const std::string_view bytes = m_view.trace()->text(*name);
        text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    } else if (source == Source::Found) {
        text = m_find.text();
    }
    const bool same = source == m_source && text == m_sourceText;
    if (same && source != Source::Found) {
        emit changed();  // another slice of the same name may be selected
        return;
    }
    m_source = source;
    m_sourceText = text;
    if (!same) {
        setBrush(std::nullopt);
    }
    restart();
}

void DurationState::setWanted(bool wanted) {
    m_wanted = wanted;
    if (wanted && m_stale) {
        restart();
    }
}

void DurationState::setScale(stats::BinScale scale) {
    if (scale != m_scale) {
        m_scale = scale;
        restart();
    }
}

void DurationState::restart() {
    m_task.cancel();
    m_stale = true;
    if (m_source == Source::None || !m_view.trace()) {
        m_result.reset();
        m_error.clear();
        m_stale = false;
        m_pace.rest();
    } else if (!m_wanted) {
        m_pace.rest();
    } else {
        m_pace.begin();
        DurationWish wish{m_view.trace(), nameOf(m_source),
                          m_find.result() ? m_find.result()->ofAllDurations : nullptr,
                          m_view.window(), m_scale};
        m_stale = false;
        m_task.start(
            [wish = std::move(wish)](const std::stop_token& stop) { return measure(wish, stop); });
    }
    emit changed();
}

void DurationState::deliver(Result<DurationResult> result) {
    m_pace.end();
    m_result.reset();
    m_error.clear();
    if (result) {
        m_result = std::make_shared<const DurationResult>(std::move(*result));
    } else {
        m_error = QString::fromStdString(result.error().message);
    }
    emit changed();
    if (m_brush) {
        emphasise();
    }
}

void DurationState::setBrush(std::optional<TimeSpan> durations) {
    if (durations == m_brush) {
        return;
    }
    m_brush = durations;
    emphasise();
    FindFilter filter = m_find.filter();
    filter.lasts = durations;
    m_find.setFilter(filter);
    emit brushChanged();
}

void DurationState::emphasise() {
    m_brushTask.cancel();
    if (!m_brush || !m_result || m_result->trace != m_view.trace()) {
        m_view.setEmphasis(nullptr);
        return;
    }
    m_brushTask.start(
        [result = m_result, layout = m_view.layout(), brush = *m_brush](
            const std::stop_token& stop) -> Result<std::shared_ptr<const SliceMarks>> {
            auto slices = std::make_shared<const std::vector<trace::SliceId>>(
                query::filterSlices(*result->trace, *result->slices, {.lasts = brush}, stop));
            return std::make_shared<const SliceMarks>(layout->lanes, std::move(slices), stop);
        });
}

std::optional<TimeNs> DurationState::selectedDuration() const {
    const trace::SliceId slice = m_view.selected();
    return m_result && query::placeOfSlice(*m_result->trace, *m_result->slices, slice)
               ? std::optional(m_result->trace->duration(slice))
               : std::nullopt;
}

}  // namespace kinetoscope::session
