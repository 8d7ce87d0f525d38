// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/CompareState.h"

#include <algorithm>

#include "core/bench/results/ResultStore.h"
#include "core/text/Format.h"

namespace kinetoscope::session {

namespace {

/// The worker's copy of an item.
struct Source {
    QString id;
    QString title;
    std::shared_ptr<const trace::Trace> trace;  ///< null: a result, to be read
    std::shared_ptr<TraceLayout> layout;
};

struct Loaded {
    std::shared_ptr<const compare::CompareInput> input;
    QString error;
};

Loaded load(const Source& source) {
    if (source.trace) {
        auto run = compare::makeComparedRun(source.trace);
        if (!run) {
            return {nullptr, QString::fromStdString(run.error().message)};
        }
        return {std::make_shared<const compare::CompareInput>(std::move(*run)), {}};
    }
    auto result = compare::loadMeasuredResult(
        bench::results::ResultStore(bench::results::ResultStore::defaultFolder()),
        source.id.toStdString());
    if (!result) {
        return {nullptr, QString::fromStdString(result.error().message)};
    }
    return {std::make_shared<const compare::CompareInput>(std::move(*result)), {}};
}

std::shared_ptr<const compare::ComparedRun> runOf(
    const std::shared_ptr<const compare::CompareInput>& input) {
    const auto* run = std::get_if<compare::ComparedRun>(input.get());
    return run == nullptr ? nullptr : std::shared_ptr<const compare::ComparedRun>(input, run);
}

Comparable itemOf(const Run& run) {
    const trace::Trace& trace = *run.trace;
    Comparable item{run.path, run.title, Comparable::Kind::Trace, {}, {}, run.trace, run.layout};
    if (trace.info().format.find("capture") != std::string::npos) {
        item.kind = Comparable::Kind::Recording;
    }
    if (!trace.info().devices.empty()) {
        item.gpu = QString::fromStdString(trace.info().devices.front().name);
    }
    item.details = CompareState::tr("%1 GPU operations")
                       .arg(QString::fromStdString(text::formatCount(
                           static_cast<std::int64_t>(trace.gpuOperations().size()))));
    return item;
}

/// Nothing when it cannot be read, or not by this version.
std::optional<Comparable> itemOf(const bench::results::StoredResult& result) {
    using Kind = Comparable::Kind;
    static const std::map<std::string, Kind, std::less<>> kKinds{
        {"kernels", Kind::Kernels}, {"operators", Kind::Operators}, {"modules", Kind::Modules}};
    const auto kind = kKinds.find(result.kind);
    if (!result.problem.empty() || kind == kKinds.end()) {
        return std::nullopt;
    }
    const QString id = QString::fromStdString(result.id);
    const QString count = QString::number(result.kernels);
    const QString holds =
        kind->second == Kind::Operators ? CompareState::tr("%1 operators").arg(count)
        : kind->second == Kind::Modules
            ? CompareState::tr("%1 groups of runners").arg(count)
            : CompareState::tr("%1 kernels, %2").arg(count, QString::fromStdString(result.method));
    return Comparable{id,    id,      kind->second, QString::fromStdString(result.gpu),
                      holds, nullptr, nullptr};
}

}  // namespace

bool Comparable::differsFrom(const Comparable& other) const {
    const auto isTrace = [](const Comparable& item) {
        return item.kind == Kind::Trace || item.kind == Kind::Recording;
    };
    return kind != other.kind && !(isTrace(*this) && isTrace(other));
}

CompareState::CompareState(const std::vector<Run>& runs)
    : m_runs(runs), m_task([this](Result<Outcome> outcome) { deliver(std::move(outcome)); }) {}

void CompareState::refreshItems() {
    m_items.clear();
    for (const Run& run : m_runs) {
        // Runs that are still being read cannot be compared yet.
        if (run.trace->isComplete()) {
            m_items.push_back(itemOf(run));
        }
    }
    auto kept = bench::results::ResultStore(bench::results::ResultStore::defaultFolder()).list();
    std::ranges::reverse(kept);
    for (const bench::results::StoredResult& result : kept) {
        if (auto item = itemOf(result)) {
            m_items.push_back(std::move(*item));
        }
    }
    dropRolesOfMissing();
    dropPairsOfClosed();
    emit itemsChanged();
}

bool CompareState::has(const QString& id) const {
    return std::ranges::any_of(m_items, [&](const Comparable& item) { return item.id == id; });
}

void CompareState::dropRolesOfMissing() {
    std::erase_if(m_roles, [&](const auto& entry) { return !has(entry.first); });
}

bool CompareState::isOfClosed(const ComparedPair& pair) const {
    const auto isOpen = [&](const QString& id, const compare::ComparedRun& run) {
        // Read again it is another trace, moved it has another path.
        return std::ranges::any_of(
            m_runs, [&](const Run& open) { return open.path == id || open.trace == run.trace; });
    };
    return pair.run.base && !(isOpen(pair.id.base, *pair.run.base) &&
                              isOpen(pair.id.candidate, *pair.run.candidate));
}

void CompareState::dropPairsOfClosed() {
    const auto before = m_pairs;  // until nobody shows them
    const auto shownBefore = m_shown < 0 ? nullptr : m_pairs[static_cast<std::size_t>(m_shown)];
    std::erase_if(m_pairs, [&](const auto& pair) { return isOfClosed(*pair); });
    if (m_pairs.size() == before.size()) {
        return;
    }
    const auto kept = std::ranges::find(m_pairs, shownBefore);
    if (kept == m_pairs.end()) {
        m_kernel = -1;
    }
    m_shown = m_pairs.empty()         ? -1
              : kept == m_pairs.end() ? 0
                                      : static_cast<int>(kept - m_pairs.begin());
    emit shownChanged();
    emit kernelSelected();
}

CompareRole CompareState::role(const QString& id) const {
    const auto found = m_roles.find(id);
    return found == m_roles.end() ? CompareRole::None : found->second;
}

void CompareState::suggestRoles() {
    std::vector<QString> traces;
    for (const Comparable& item : m_items) {
        if (item.trace) {
            traces.push_back(item.id);
        }
    }
    if (m_roles.empty() && traces.size() == 2) {
        setRole(traces[0], CompareRole::Baseline);
        setRole(traces[1], CompareRole::Candidate);
    }
}

void CompareState::setRole(const QString& id, CompareRole role) {
    if (role == CompareRole::Baseline) {
        std::erase_if(m_roles,
                      [](const auto& entry) { return entry.second == CompareRole::Baseline; });
    }
    if (role == CompareRole::None) {
        m_roles.erase(id);
    } else {
        m_roles[id] = role;
    }
    emit itemsChanged();
}

QString CompareState::obstacle() const {
    const Comparable* base = nullptr;
    int candidates = 0;
    bool mixed = false;
    for (const Comparable& item : m_items) {
        base = role(item.id) == CompareRole::Baseline ? &item : base;
    }
    for (const Comparable& item : m_items) {
        if (role(item.id) == CompareRole::Candidate) {
            ++candidates;
            mixed = mixed || (base != nullptr && item.differsFrom(*base));
        }
    }
    return base == nullptr   ? tr("Choose one run as the baseline.")
           : candidates == 0 ? tr("Choose at least one run as a candidate.")
           : mixed ? tr("Traces and results of different benches cannot be compared; choose two of "
                        "the same kind.")
                   : QString();
}

void CompareState::setOptions(std::optional<compare::Normalisation> per, compare::MatchKind match) {
    m_options.per = per;
    m_options.match = match;
}

void CompareState::compare() {
    if (!obstacle().isEmpty()) {
        return;
    }
    Source base;
    std::vector<Source> candidates;
    for (const Comparable& item : m_items) {
        const Source source{item.id, item.title, item.trace, item.layout};
        switch (role(item.id)) {
            case CompareRole::Baseline:
                base = source;
                break;
            case CompareRole::Candidate:
                candidates.push_back(source);
                break;
            case CompareRole::None:
                break;
        }
    }
    m_task.start([base, candidates,
                  options = m_options](const std::stop_token& stop) mutable -> Result<Outcome> {
        Outcome outcome;
        options.stop = stop;
        const Loaded one = load(base);
        outcome.error = one.error;
        for (const Source& source : candidates) {
            const Loaded other = outcome.error.isEmpty() ? load(source) : Loaded{};
            if (!other.input) {
                outcome.error = outcome.error.isEmpty() ? other.error : outcome.error;
                break;
            }
            auto comparison = compare::compareInputs(
                compare::Baseline<const compare::CompareInput*>(one.input.get()),
                compare::Candidate<const compare::CompareInput*>(other.input.get()), options);
            if (!comparison) {
                outcome.error = QString::fromStdString(comparison.error().message);
                break;
            }
            auto pair = std::make_shared<ComparedPair>();
            pair->id = {base.id, source.id};
            pair->title = {base.title, source.title};
            pair->run = {runOf(one.input), runOf(other.input)};
            pair->layout = {base.layout, source.layout};
            pair->comparison = std::move(*comparison);
            if (pair->run.base) {
                pair->partners = std::make_shared<const compare::Partners>(
                    *pair->run.base, *pair->run.candidate, pair->comparison.matches);
            }
            outcome.pairs.push_back(std::move(pair));
        }
        return outcome;
    });
    emit busyChanged();
}

void CompareState::deliver(Result<Outcome> outcome) {
    m_error = outcome ? outcome->error : QString::fromStdString(outcome.error().message);
    m_pairs = outcome ? std::move(outcome->pairs) : decltype(m_pairs)();
    std::erase_if(m_pairs, [&](const auto& pair) { return isOfClosed(*pair); });
    m_kernel = -1;
    m_shown = m_pairs.empty() ? -1 : 0;
    emit busyChanged();
    emit shownChanged();
    emit kernelSelected();
    emit compared();
    if (!outcome) {
        emit failed(tr("The runs cannot be compared: %1").arg(m_error));
    }
}

const ComparedPair* CompareState::shown() const {
    return m_shown < 0 ? nullptr : m_pairs[static_cast<std::size_t>(m_shown)].get();
}

void CompareState::show(int index) {
    if (index == m_shown || index < 0 || index >= static_cast<int>(m_pairs.size())) {
        return;
    }
    m_shown = index;
    m_kernel = -1;
    emit shownChanged();
    emit kernelSelected();
}

void CompareState::useView(ViewState& view) {
    if (&view != m_usedView) {
        m_usedView = &view;
        emit usedViewChanged();
    }
}

void CompareState::selectKernel(int row) {
    if (row != m_kernel) {
        m_kernel = row;
        emit kernelSelected();
    }
}

void CompareState::selectMatch(std::uint32_t row) {
    if (const ComparedPair* pair = shown(); pair != nullptr && row != compare::kNoRow) {
        const auto& kernels = pair->comparison.kernels;
        const auto found = std::ranges::find(kernels, row, &compare::KernelChange::row);
        selectKernel(found == kernels.end() ? -1 : static_cast<int>(found - kernels.begin()));
    }
}

}  // namespace kinetoscope::session
