// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/History.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/Threads.h"
#include "core/baseline/Comparable.h"
#include "core/baseline/SharedRows.h"
#include "core/stats/Verdict.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::baseline {

namespace {

bool holds(const std::string& text, const std::string& part) {
    return text::lowered(text).find(text::lowered(part)) != std::string::npos;
}

/// The entries of the requested kind; the number of others goes into `leftOut`.
Result<std::vector<Entry>> wantedEntries(std::vector<Entry> all, const HistoryOptions& options,
                                         std::size_t& leftOut) {
    const std::size_t before = all.size();
    const auto latest = std::find_if(all.rbegin(), all.rend(), [&options](const Entry& entry) {
        return options.gpu.empty() || holds(entry.fact("gpu"), options.gpu);
    });
    if (latest == all.rend()) {
        return fail(
            fmt::format("no entry of {} is of a GPU called '{}'; kscope baseline show {} "
                        "lists them",
                        all.front().name, text::printable(options.gpu), all.front().name));
    }
    const Entry like = *latest;
    std::erase_if(all,
                  [&like](const Entry& entry) { return !comparability(entry, like).comparable(); });
    if (options.last > 0 && all.size() > options.last) {
        all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(options.last));
    }
    leftOut = before - all.size();
    return all;
}

/// Series in the order of the latest entry, then what only older ones have.
class SeriesTable {
public:
    void add(std::size_t entry, const Measure& measure) {
        const auto [found, isNew] = m_rows.try_emplace(measure.name, m_series.size());
        if (isNew) {
            m_series.push_back({measure.name, {}, {}});
            m_times.emplace_back();
        }
        m_series[found->second].points.push_back({entry, measure.value, measure.low, measure.high});
        m_times[found->second].push_back(timesOf(measure));
    }

    /// With their change points. Entries were added from new to old.
    [[nodiscard]] std::vector<HistorySeries> finish(const stats::VerdictRule& rule,
                                                    const std::stop_token& stop) && {
        for (std::size_t i = 0; i < m_series.size(); ++i) {
            std::ranges::reverse(m_series[i].points);
            std::ranges::reverse(m_times[i]);
        }
        auto changes = stats::changePoints(m_times, rule, stop);
        for (std::size_t i = 0; i < m_series.size(); ++i) {
            m_series[i].changes = std::move(changes[i]);
        }
        return std::move(m_series);
    }

private:
    // Times of 0 have no ratio.
    static std::vector<double> timesOf(const Measure& measure) {
        std::vector<double> times = measure.runs;
        std::erase_if(times, [](double time) { return !(time > 0.0); });
        return times;
    }

    std::map<std::string, std::size_t> m_rows;
    std::vector<HistorySeries> m_series;
    std::vector<stats::TimeSeries> m_times;
};

Result<History> makeHistory(const BaselineStore& store, const std::string& name,
                            const HistoryOptions& options) {
    auto all = store.entries(name);
    if (!all) {
        return tl::unexpected(all.error());
    }
    History history;
    history.name = name;
    history.problems = std::move(all->problems);
    auto wanted = wantedEntries(std::move(all->entries), options, history.leftOut);
    if (!wanted) {
        return tl::unexpected(wanted.error());
    }
    history.entries = std::move(*wanted);
    history.ofAll = sumSharedRows(history.entries);
    history.tolerance =
        history.entries.back().isTrace() ? stats::kTraceTolerance : stats::kBenchTolerance;
    SeriesTable series;
    const Entry& latest = history.entries.back();
    const auto wholes = std::ranges::count_if(
        std::span(latest.measures).first(latest.wholes()),
        [&](const Measure& measure) { return holds(measure.name, options.series); });
    history.wholes = std::max<std::size_t>(1, static_cast<std::size_t>(wholes));
    for (std::size_t i = history.entries.size(); i-- > 0;) {
        throwIfStopped(options.stop);
        for (const Measure& measure : history.entries[i].measures) {
            if (holds(measure.name, options.series)) {
                series.add(i, measure);
            }
        }
        history.entries[i].measures.clear();
    }
    for (const Entry& entry : history.entries) {
        history.files.push_back(store.places(entry));
    }
    history.series = std::move(series).finish({.tolerance = history.tolerance}, options.stop);
    if (history.series.empty()) {
        return fail(
            fmt::format("{} has no row called '{}'; kscope history {} --csv lists all of them",
                        name, text::printable(options.series), name));
    }
    return history;
}

}  // namespace

const stats::ChangePoint* HistorySeries::changeAt(std::size_t point) const {
    const auto found = std::ranges::find(changes, point, &stats::ChangePoint::entry);
    return found == changes.end() ? nullptr : &*found;
}

Result<History> loadHistory(const BaselineStore& store, const std::string& name,
                            const HistoryOptions& options) {
    return guarded([&] { return makeHistory(store, name, options); });
}

}  // namespace kinetoscope::baseline
