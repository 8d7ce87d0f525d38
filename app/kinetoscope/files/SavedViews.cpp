// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/files/SavedViews.h"

#include <algorithm>

#include "widgets/models/Text.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::app {

namespace {

using sidecar::SavedSlice;

SavedSlice savedRow(const trace::Trace& trace, std::uint64_t row, TimeNs time, NameId name) {
    return {row, time, models::toText(trace.text(name)).toStdString()};
}

SavedSlice savedSlice(const trace::Trace& trace, trace::SliceId slice) {
    return savedRow(trace, slice, trace.span(slice).start, trace.nameId(slice));
}

SavedSlice savedInstant(const trace::Trace& trace, std::uint32_t row) {
    const trace::Instant& instant = trace.instants()[row];
    return savedRow(trace, row, instant.time, instant.name);
}

SavedSlice savedSample(const trace::Trace& trace, std::uint32_t row) {
    const trace::CounterSample& sample = trace.counters()[row];
    return savedRow(trace, row, sample.time, sample.series);
}

/// The row, if the file still has it there.
std::optional<std::uint32_t> sameRow(const trace::Trace& trace,
                                     const std::optional<SavedSlice>& saved, std::size_t rows,
                                     SavedSlice (*now)(const trace::Trace&, std::uint32_t)) {
    if (!saved || saved->slice >= rows) {
        return std::nullopt;
    }
    const auto row = static_cast<std::uint32_t>(saved->slice);
    return now(trace, row) == *saved ? std::optional(row) : std::nullopt;
}

std::optional<trace::SliceId> sameSlice(const trace::Trace& trace,
                                        const std::optional<SavedSlice>& saved) {
    return sameRow(trace, saved, trace.sliceCount(), savedSlice);
}

/// Whether the GPU's work ends where it begins, continues where it ends, and pauses in between.
bool isGap(const trace::Trace& trace, const sidecar::SavedGap& gap) {
    bool before = false;
    bool after = false;
    for (const trace::GpuOperation& operation : trace.gpuOperations()) {
        if (operation.gpu != gap.gpu) {
            continue;
        }
        const TimeSpan span = trace.span(operation.slice);
        before = before || span.end == gap.span.start;
        after = after || span.start == gap.span.end;
        if (span.overlaps(gap.span)) {
            return false;
        }
    }
    return before && after;
}

void saveSelection(sidecar::SavedFile& file, const trace::Trace& trace,
                   const session::Selection& selection) {
    if (!session::selectedTime(trace, selection)) {
        return;
    }
    if (const trace::SliceId slice = session::sliceOf(selection); slice != trace::kNoSlice) {
        file.selected = savedSlice(trace, slice);
    } else if (const auto* gap = std::get_if<session::SelectedGap>(&selection)) {
        file.gap = sidecar::SavedGap{gap->gpu, gap->span};
    } else if (const auto* instant = std::get_if<session::SelectedInstant>(&selection)) {
        file.instant = savedInstant(trace, instant->instant);
    } else if (const auto* sample = std::get_if<session::SelectedSample>(&selection)) {
        file.sample = savedSample(trace, sample->sample);
    }
}

session::Selection restoredSelection(const trace::Trace& trace, const sidecar::SavedFile& file) {
    if (const auto slice = sameSlice(trace, file.selected)) {
        return session::selectionOf(*slice);
    }
    if (const auto row = sameRow(trace, file.instant, trace.instants().size(), savedInstant)) {
        return session::SelectedInstant{*row};
    }
    if (const auto row = sameRow(trace, file.sample, trace.counters().size(), savedSample)) {
        return session::SelectedSample{*row};
    }
    if (file.gap && isGap(trace, *file.gap)) {
        return session::SelectedGap{file.gap->gpu, file.gap->span};
    }
    return {};
}

sidecar::SavedRows savedRows(const session::RowChoices& rows) {
    sidecar::SavedRows saved;
    saved.folded.assign(rows.folded.begin(), rows.folded.end());
    saved.hidden.assign(rows.hidden.begin(), rows.hidden.end());
    saved.pinned = rows.pinned;
    saved.order = rows.order;
    saved.filter = rows.filter;
    return saved;
}

session::RowChoices restoredRows(const sidecar::SavedRows& saved) {
    session::RowChoices rows;
    rows.folded.insert(saved.folded.begin(), saved.folded.end());
    rows.order = saved.order;
    rows.filter = saved.filter;
    for (const std::string& key : saved.hidden) {
        rows.hide(key, true);
    }
    for (const std::string& key : saved.pinned) {
        rows.pin(key, true);
    }
    return rows;
}

}  // namespace

sidecar::SavedFile savedFile(const session::Run& run, const session::ViewState::Snapshot* view) {
    sidecar::SavedFile file;
    file.path = session::encodedPath(run.path);
    if (view == nullptr) {
        return file;
    }
    file.visible = view->visible;
    file.tracks.assign(view->tracks.begin(), view->tracks.end());
    file.window = analysis::windowText(view->window);
    saveSelection(file, *run.trace, view->selection);
    if (view->highlight) {
        const auto names = run.trace->nameIds();
        const auto first = std::ranges::find(names, *view->highlight);
        if (first != names.end()) {
            file.highlighted =
                savedSlice(*run.trace, static_cast<trace::SliceId>(first - names.begin()));
        }
    }
    file.rows = savedRows(view->rows);
    return file;
}

session::ViewState::Snapshot restoredView(const trace::Trace& trace,
                                          session::ViewState::Snapshot view,
                                          const sidecar::SavedFile& file) {
    view.visible = file.visible.value_or(view.visible);
    view.selection = restoredSelection(trace, file);
    const auto highlighted = sameSlice(trace, file.highlighted);
    view.highlight = highlighted ? std::optional(trace.nameId(*highlighted)) : std::nullopt;
    view.window = analysis::parseWindow(file.window).value_or(analysis::WindowChoice());
    view.tracks.clear();
    for (const std::uint32_t track : file.tracks) {
        if (track < trace.tracks().size() && view.window.kind == analysis::WindowKind::Range) {
            view.tracks.push_back(track);
        }
    }
    view.rows = restoredRows(file.rows);
    return view;
}

}  // namespace kinetoscope::app
