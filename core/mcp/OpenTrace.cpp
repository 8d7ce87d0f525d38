// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "core/advise/Advise.h"
#include "core/base/Threads.h"
#include "core/mcp/Workspace.h"
#include "core/model/LaunchedCalls.h"
#include "core/path/MakeGraph.h"

namespace kinetoscope::mcp {

namespace {

constexpr std::size_t kMaxGaps = 10'000;

}  // namespace

OpenTrace::OpenTrace(std::string id, std::shared_ptr<const trace::Trace> trace)
    : m_id(std::move(id)), m_trace(std::move(trace)) {}

const query::LaunchLinks& OpenTrace::links() {
    if (!m_links) {
        m_links = std::make_unique<query::LaunchLinks>(*m_trace);
    }
    return *m_links;
}

query::LaneIndex& OpenTrace::lanes() {
    if (!m_lanes) {
        m_lanes = std::make_unique<query::LaneIndex>(m_trace);
    }
    return *m_lanes;
}

const query::RowNames& OpenTrace::rows() {
    if (!m_rows) {
        m_rows = std::make_unique<query::RowNames>(lanes());
    }
    return *m_rows;
}

Result<const report::Report*> OpenTrace::report(const analysis::WindowChoice& window,
                                                const std::stop_token& stop) {
    return m_kept.of<report::Report>("report " + analysis::windowText(window), [&] {
        report::ReportOptions options;
        options.window = window;
        options.links = &links();
        options.stop = stop;
        return report::makeReport(*m_trace, options);
    });
}

Result<const analysis::OperatorTable*> OpenTrace::operators(const analysis::WindowChoice& window,
                                                            bool byShape,
                                                            const std::stop_token& stop) {
    return m_kept.of<analysis::OperatorTable>(
        fmt::format("operators {} {}", byShape, analysis::windowText(window)), [&] {
            return analysis::makeOperatorTable(
                *m_trace, {.byShape = byShape, .window = window, .stop = stop});
        });
}

Result<const analysis::IdleList*> OpenTrace::idle(const analysis::WindowChoice& window,
                                                  const std::stop_token& stop) {
    return m_kept.of<analysis::IdleList>("idle " + analysis::windowText(window), [&] {
        auto list = analysis::listIdleGaps(*m_trace, window, kMaxGaps, stop);
        if (list) {
            std::ranges::stable_sort(
                list->gaps, std::greater<>(),
                [](const analysis::NamedGap& gap) { return gap.span.duration(); });
        }
        return list;
    });
}

Result<const model::LaunchedCalls*> OpenTrace::calls(const std::stop_token& stop) {
    return m_kept.of<model::LaunchedCalls>("calls", [&] {
        model::CallOptions options;
        options.links = &links();
        options.stop = stop;
        return model::findLaunchedCalls(*m_trace, options);
    });
}

Result<const model::Roofline*> OpenTrace::roofline(const analysis::WindowChoice& window,
                                                   model::RooflineBy by,
                                                   const std::stop_token& stop) {
    return m_kept.of<model::Roofline>(
        fmt::format("roofline {} {}", static_cast<int>(by), analysis::windowText(window)),
        [&]() -> Result<model::Roofline> {
            const auto all = calls(stop);
            if (!all) {
                return tl::unexpected(all.error());
            }
            if (window.kind == analysis::WindowKind::Gpu) {
                return model::makeRoofline(*m_trace, **all, by);
            }
            return model::callsInWindow(*m_trace, **all, window)
                .map([&](const model::LaunchedCalls& some) {
                    return model::makeRoofline(*m_trace, some, by);
                });
        });
}

Result<const compare::ComparedRun*> OpenTrace::compared(const std::stop_token& stop) {
    return m_kept.of<compare::ComparedRun>("compared",
                                           [&] { return compare::makeComparedRun(m_trace, stop); });
}

Result<const path::Graph*> OpenTrace::graph(const std::stop_token& stop) {
    if (!m_graph) {
        auto made = path::makeGraph(*m_trace, stop);
        if (!made) {
            return tl::unexpected(made.error());
        }
        m_graph = std::make_unique<const path::Graph>(std::move(*made));
    }
    return m_graph.get();
}

Result<const path::Paths*> OpenTrace::paths(std::size_t step, const std::stop_token& stop) {
    const auto made = graph(stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    return m_kept.of<path::Paths>(fmt::format("paths {}", step),
                                  [&] { return path::Paths::of(**made, {step}, stop); });
}

Result<const path::StepPath*> OpenTrace::path(std::size_t step, const std::stop_token& stop) {
    return m_kept.of<path::StepPath>(fmt::format("path {}", step), [&]() -> Result<path::StepPath> {
        const auto ready = paths(step, stop);
        if (!ready) {
            return tl::unexpected(ready.error());
        }
        return guarded([&]() -> Result<path::StepPath> { return (*ready)->recorded(step); });
    });
}

Result<const std::vector<path::ChangedStep>*> OpenTrace::whatIf(
    std::size_t step, const std::vector<path::Change>& changes, const std::stop_token& stop) {
    using Changed = std::vector<path::ChangedStep>;
    std::string question = fmt::format("what if {}", step);
    for (const path::Change& change : changes) {
        question += "\n" + change.text;
    }
    return m_kept.of<Changed>(question, [&]() -> Result<Changed> {
        const auto ready = paths(step, stop);
        if (!ready) {
            return tl::unexpected(ready.error());
        }
        const auto scalers = (*ready)->prepare(changes, stop);
        if (!scalers) {
            return tl::unexpected(scalers.error());
        }
        return guarded(
            [&]() -> Result<Changed> { return (*ready)->afterEach(step, *scalers, stop); });
    });
}

Result<const advise::Advice*> OpenTrace::advice(const std::stop_token& stop) {
    return m_kept.of<advise::Advice>("advice", [&]() -> Result<advise::Advice> {
        const auto made = graph(stop);
        if (!made) {
            return tl::unexpected(made.error());
        }
        return advise::findAdvice(*m_trace, {.graph = *made, .stop = stop});
    });
}

Result<query::sql::QueryDatabase*> OpenTrace::database(const std::stop_token& stop) {
    if (!m_database) {
        auto made = query::sql::QueryDatabase::open({&m_trace, 1}, {}, stop);
        if (!made) {
            return tl::unexpected(made.error());
        }
        m_database = std::move(*made);
    }
    return m_database.get();
}

void OpenTrace::prepare(const std::stop_token& stop) {
    const query::LaunchLinks& known = links();
    auto made = std::async(kBeside, [&] { return path::makeGraph(*m_trace, stop); });
    auto called = std::async(kBeside, [&] {
        model::CallOptions options;
        options.links = &known;
        options.stop = stop;
        return model::findLaunchedCalls(*m_trace, options);
    });
    const analysis::WindowChoice usual;
    (void)report(usual, stop);
    (void)operators(usual, false, stop);
    (void)idle(usual, stop);
    (void)m_kept.of<model::LaunchedCalls>("calls", [&] { return called.get(); });
    (void)roofline(usual, model::RooflineBy::Operator, stop);
    if (auto dependencies = made.get()) {
        m_graph = std::make_unique<const path::Graph>(std::move(*dependencies));
    }
    (void)advice(stop);
    if (m_graph && !m_graph->steps.empty()) {
        (void)path(m_graph->longestStep(), stop);
    }
}

}  // namespace kinetoscope::mcp
