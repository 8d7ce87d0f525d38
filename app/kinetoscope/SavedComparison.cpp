// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/SavedComparison.h"

#include <algorithm>
#include <array>

#include "app/kinetoscope/files/SavedViews.h"
#include "core/compare/KernelMatches.h"
#include "widgets/models/Text.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/paths/FilePath.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kPerRun = "run";
constexpr const char* kPerStep = "step";
using Mode = session::TimelineLock::Mode;
constexpr std::array<std::pair<Mode, const char*>, 4> kLocks{{{Mode::FirstStep, "first step"},
                                                              {Mode::Annotation, "annotation"},
                                                              {Mode::Start, "start"},
                                                              {Mode::Free, "free"}}};

std::string savedName(const std::string& name) {
    return models::toText(name).toStdString();  // JSON is UTF-8, names are any bytes
}

/// Both sides, or nothing if one is no longer open.
std::vector<sidecar::SavedFile> savedSides(const session::Session& session,
                                           plots::CompareTimelines& timelines) {
    std::vector<sidecar::SavedFile> sides;
    for (const auto& [view, shown] :
         {std::pair(&timelines.base(), &timelines.baseView()),
          std::pair(&timelines.candidate(), &timelines.candidateView())}) {
        const auto run = std::ranges::find(session.runs(), view->trace(), &session::Run::trace);
        if (!view->trace() || run == session.runs().end()) {
            return {};
        }
        const session::ViewState::Snapshot snapshot = view->snapshot();
        sides.push_back(savedFile(*run, &snapshot));
        const timeline::TopRow top = shown->timeline().topRow();
        sides.back().top = sidecar::SavedTop{top.key, top.above};
    }
    return sides;
}

void restoreLock(session::TimelineLock& lock, const sidecar::SavedComparison& saved) {
    const auto known = std::ranges::find(kLocks, saved.lock,
                                         [](const auto& one) { return std::string(one.second); });
    if (known == kLocks.end()) {
        return;
    }
    if (known->first == Mode::Free) {
        lock.align(0, saved.offsetNs);
    } else if (known->first == Mode::Annotation) {
        lock.setAnnotation(QString::fromStdString(saved.annotation));
    } else {
        lock.setMode(known->first);
    }
}

}  // namespace

std::optional<sidecar::SavedComparison> savedComparison(session::Session& session,
                                                        plots::CompareTimelines& timelines,
                                                        bool inFront) {
    const session::CompareState& state = session.compare();
    sidecar::SavedComparison saved;
    for (const session::Comparable& item : state.items()) {
        const session::CompareRole role = state.role(item.id);
        if (role == session::CompareRole::Baseline) {
            saved.baseline = session::encodedPath(item.id);
        } else if (role == session::CompareRole::Candidate) {
            saved.candidates.push_back(session::encodedPath(item.id));
        }
    }
    saved.shown = static_cast<std::uint64_t>(std::max(0, state.shownIndex()));
    saved.timelines = inFront;
    saved.compared = state.shown() != nullptr;
    const auto per = state.options().per;
    saved.per = !per ? "" : *per == compare::Normalisation::Step ? kPerStep : kPerRun;
    saved.match = compare::matchName(state.options().match);
    if (saved.compared) {
        saved.sides = savedSides(session, timelines);
        const session::TimelineLock& lock = timelines.lock();
        saved.lock = std::ranges::find(kLocks, lock.mode(), [](const auto& one) {
                         return one.first;
                     })->second;
        saved.annotation = lock.annotation().toStdString();
        saved.offsetNs = lock.offset();
        const auto row = static_cast<std::size_t>(std::max(0, state.selectedKernel()));
        saved.kernel = state.selectedKernel() < 0
                           ? std::string()
                           : savedName(state.shown()->comparison.kernels[row].name);
    }
    return saved.baseline.empty() ? std::nullopt : std::optional(std::move(saved));
}

void setSavedOptions(session::CompareState& state, const sidecar::SavedComparison& saved) {
    std::optional<compare::Normalisation> per;
    if (saved.per == kPerStep) {
        per = compare::Normalisation::Step;
    } else if (saved.per == kPerRun) {
        per = compare::Normalisation::Run;
    }
    compare::MatchKind match = compare::CompareOptions().match;
    for (const auto kind : {compare::MatchKind::Exact, compare::MatchKind::Normalised,
                            compare::MatchKind::Operator}) {
        match = saved.match == compare::matchName(kind) ? kind : match;
    }
    state.setOptions(per, match);
}

void restoreSides(session::CompareState& state, plots::CompareTimelines& timelines,
                  const sidecar::SavedComparison& saved) {
    restoreLock(timelines.lock(), saved);
    const std::array views{&timelines.base(), &timelines.candidate()};
    const std::array shown{&timelines.baseView(), &timelines.candidateView()};
    for (std::size_t side = 0; side < saved.sides.size() && side < views.size(); ++side) {
        session::ViewState& view = *views[side];
        if (view.trace()) {
            view.restore(restoredView(*view.trace(), view.snapshot(), saved.sides[side]));
            if (const auto& top = saved.sides[side].top) {
                shown[side]->timeline().scrollTo({top->row, top->pixels});
            }
        }
    }
    const auto& kernels = state.shown()->comparison.kernels;
    const auto row = std::ranges::find(kernels, saved.kernel,
                                       [](const auto& kernel) { return savedName(kernel.name); });
    state.selectKernel(row == kernels.end() ? -1 : static_cast<int>(row - kernels.begin()));
}

}  // namespace kinetoscope::app
