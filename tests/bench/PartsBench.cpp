// SPDX-License-Identifier: Apache-2.0
// parts_bench: Google Benchmark of the parts, each with n and 4 n elements, so that one sees how it
// grows. The argument is the number of slices; of names and files, see there.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "core/analysis/Breakdown.h"
#include "core/analysis/Categories.h"
#include "core/analysis/Compat.h"
#include "core/analysis/GpuBusy.h"
#include "core/analysis/IdleGaps.h"
#include "core/analysis/KernelNames.h"
#include "core/analysis/KernelTable.h"
#include "core/analysis/LaunchStats.h"
#include "core/analysis/MmConv.h"
#include "core/analysis/Steps.h"
#include "core/analysis/WindowScope.h"
#include "core/base/StringPool.h"
#include "core/import/load/LoadTrace.h"
#include "core/query/BusyColumns.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaneLayout.h"
#include "core/query/LaunchFlow.h"
#include "core/query/LaunchLinks.h"
#include "core/query/SlicesInView.h"
#include "core/query/find/Search.h"
#include "core/report/Report.h"
#include "tests/bench/LargeTrace.h"

namespace kinetoscope {
using namespace import;
using namespace import::source;
using namespace query;
using namespace analysis;
using namespace report;
using namespace trace;
namespace {

constexpr std::int64_t kFew = 250'000;
constexpr std::int64_t kMany = 4 * kFew;
constexpr int kColumns = 1920;

/// Made once for each size.
const std::shared_ptr<const Trace>& traceOf(const benchmark::State& state) {
    static std::map<std::int64_t, std::shared_ptr<const Trace>> traces;
    auto& trace = traces[state.range(0)];
    if (!trace) {
        trace = LargeTrace(static_cast<std::size_t>(state.range(0))).make();
    }
    return trace;
}

/// What the analyses of one trace share.
struct Prepared {
    explicit Prepared(std::shared_ptr<const Trace> of)
        : trace(std::move(of)),
          timeline(*trace),
          links(*trace),
          names(*trace),
          mmConv(classifyMmConv(*trace, names, links)),
          overhead(overheadTime(*trace)),
          scope(*resolveWindow(*trace, {}, {})) {}

    std::shared_ptr<const Trace> trace;
    GpuTimeline timeline;
    LaunchLinks links;
    KernelNames names;
    std::vector<MmConvKind> mmConv;
    CoveredTime overhead;
    WindowScope scope;
};

const Prepared& preparedOf(const benchmark::State& state) {
    static std::map<std::int64_t, std::unique_ptr<Prepared>> all;
    auto& prepared = all[state.range(0)];
    if (!prepared) {
        prepared = std::make_unique<Prepared>(traceOf(state));
    }
    return *prepared;
}

/// Measures what `work` makes of a Prepared; slices a second is the rate.
template <class Work>
void measure(benchmark::State& state, Work work) {
    const Prepared& prepared = preparedOf(state);
    for (auto _ : state) {
        benchmark::DoNotOptimize(work(prepared));
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void gpuTimeline(benchmark::State& state) {
    measure(state, [](const Prepared& of) { return GpuTimeline(*of.trace).gpus().size(); });
}

void launchLinks(benchmark::State& state) {
    measure(state, [](const Prepared& of) { return std::make_unique<LaunchLinks>(*of.trace); });
}

void kernelNames(benchmark::State& state) {
    measure(state, [](const Prepared& of) { return std::make_unique<KernelNames>(*of.trace); });
}

void mmConvKinds(benchmark::State& state) {
    measure(state,
            [](const Prepared& of) { return classifyMmConv(*of.trace, of.names, of.links); });
}

void steps(benchmark::State& state) {
    measure(state, [](const Prepared& of) { return findSteps(*of.trace, of.timeline, of.links); });
}

void gpuTime(benchmark::State& state) {
    measure(state, [](const Prepared& of) {
        GpuTime last;
        for (const GpuRow& row : of.timeline.gpus()) {
            last = measureGpuTime(*of.trace, row, of.scope, of.names, of.mmConv);
        }
        return last;
    });
}

void idleGaps(benchmark::State& state) {
    measure(state, [](const Prepared& of) {
        std::size_t streams = 0;
        for (const GpuRow& row : of.timeline.gpus()) {
            streams += measureStreams(*of.trace, row, of.scope, of.links, of.overhead).size();
        }
        return streams;
    });
}

void launchStats(benchmark::State& state) {
    measure(state, [](const Prepared& of) {
        return measureLaunches(*of.trace, of.timeline.gpus().front(), of.scope, of.links);
    });
}

void categoryTable(benchmark::State& state) {
    measure(state, [](const Prepared& of) {
        return groupOperations(*of.trace, of.timeline, of.scope, of.names, of.links,
                               GroupBy::Inductor);
    });
}

void operatorTable(benchmark::State& state) {
    measure(state, [](const Prepared& of) {
        return groupOperations(*of.trace, of.timeline, of.scope, of.names, of.links,
                               GroupBy::Operator);
    });
}

void kernelRows(benchmark::State& state) {
    measure(state, [](const Prepared& of) {
        return kernelTable(*of.trace, of.timeline, of.scope, of.names, of.mmConv);
    });
}

void wholeReport(benchmark::State& state) {
    measure(state, [](const Prepared& of) { return makeReport(*of.trace, {}); });
}

void compatReport(benchmark::State& state) {
    measure(state, [](const Prepared& of) { return makeCompatReport(*of.trace); });
}

void busyStripSpans(benchmark::State& state) {
    measure(state, [](const Prepared& of) { return busyStrips(*of.trace); });
}

void laneLayout(benchmark::State& state) {
    measure(state, [](const Prepared& of) {
        auto index = std::make_unique<LaneIndex>(of.trace);
        index->layOutAll(1);
        return index;
    });
}

void search(benchmark::State& state) {
    measure(state, [](const Prepared& of) { return findSlices(*of.trace, "kernel_7"); });
}

/// Queries of a picture: they may grow with the logarithm only, so the work is one element.
template <class Work>
void query(benchmark::State& state, Work work) {
    LaneIndex index(traceOf(state));
    index.layOutAll(1);
    const TimeSpan all = index.trace().extent();
    std::int64_t turn = 0;
    for (auto _ : state) {
        const TimeNs length = all.duration() >> (turn % 12);
        const TimeNs start = all.start + (all.duration() - length) / 7 * (turn % 7);
        benchmark::DoNotOptimize(work(index, TimeSpan{start, start + length}));
        ++turn;
    }
}

void pictureOfALane(benchmark::State& state) {
    query(state, [](LaneIndex& index, TimeSpan view) {
        return slicesInView(index.trace(), index.lane(0, 0), view, kColumns);
    });
}

void innermostSlice(benchmark::State& state) {
    query(state,
          [](LaneIndex& index, TimeSpan view) { return innermostAt(index, 8, view.start + 1); });
}

void pictureOfAStrip(benchmark::State& state) {
    const BusyColumns busy(busyStrips(*traceOf(state)).front().all);
    query(state, [&busy](LaneIndex&, TimeSpan view) { return busy.fractions(view, kColumns); });
}

/// The argument is the number of texts, a hundred different ones among them.
void internNames(benchmark::State& state) {
    std::vector<std::string> texts;
    for (int i = 0; i < 100; ++i) {
        texts.push_back(fmt::format("void at::native::vectorized_elementwise_kernel<{}>", i));
    }
    for (auto _ : state) {
        StringPool pool;
        for (std::int64_t i = 0; i < state.range(0); ++i) {
            benchmark::DoNotOptimize(pool.intern(texts[static_cast<std::size_t>(i * 7 % 100)]));
        }
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void internFreshNames(benchmark::State& state) {
    for (auto _ : state) {
        StringPool pool;
        for (std::int64_t i = 0; i < state.range(0); ++i) {
            benchmark::DoNotOptimize(pool.intern(fmt::format("fresh name {}", i)));
        }
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

enum class Text { Kineto, OneLine };

std::string eventText(std::int64_t i, Text layout) {
    if (layout == Text::OneLine) {
        return fmt::format(R"({{"args":{{"correlation":{}}},"cat":"cpu_op","dur":1.5,)"
                           R"("name":"aten::op_{}","ph":"X","pid":1,"tid":2,"ts":{}.25}})",
                           i, i % 100, i * 3);
    }
    return fmt::format(
        "\n  {{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op_{}\", "
        "\"pid\": 1, \"tid\": 2,\n    \"ts\": {}.250, \"dur\": 1.500,\n    "
        "\"args\": {{\n      \"External id\": {},\"Record function id\": 0, "
        "\"Input Dims\": [[8, 1024], [4096]], \"Ev Idx\": {}\n    }}\n  }}",
        i % 100, i * 3, i, i);
}

/// The argument is the number of events of the file.
void readFile(benchmark::State& state, Text layout) {
    const std::string path = fmt::format("/tmp/parts_bench.{}.json", ::getpid());
    std::uint64_t bytes = 0;
    {
        std::ofstream file(path);
        file << R"({"traceEvents": [)";
        for (std::int64_t i = 0; i < state.range(0); ++i) {
            file << (i > 0 ? "," : "") << eventText(i, layout);
        }
        file << "]}";
        bytes = static_cast<std::uint64_t>(file.tellp());
    }
    for (auto _ : state) {
        const auto trace = loadTrace(path);
        if (!trace || (*trace)->sliceCount() != static_cast<std::size_t>(state.range(0))) {
            state.SkipWithError("the trace was not read");
            break;
        }
    }
    std::remove(path.c_str());
    state.SetItemsProcessed(state.iterations() * state.range(0));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void readKinetoLayout(benchmark::State& state) {
    readFile(state, Text::Kineto);
}

void readOtherLayout(benchmark::State& state) {
    readFile(state, Text::OneLine);
}

}  // namespace
}  // namespace kinetoscope

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): the library registers by macro
#define KINETOSCOPE_PART(name)    \
    BENCHMARK(kinetoscope::name)  \
        ->Name(#name)             \
        ->Arg(kinetoscope::kFew)  \
        ->Arg(kinetoscope::kMany) \
        ->Unit(benchmark::kMillisecond)

KINETOSCOPE_PART(readKinetoLayout);
KINETOSCOPE_PART(readOtherLayout);
KINETOSCOPE_PART(internNames);
KINETOSCOPE_PART(internFreshNames);
KINETOSCOPE_PART(gpuTimeline);
KINETOSCOPE_PART(launchLinks);
KINETOSCOPE_PART(kernelNames);
KINETOSCOPE_PART(mmConvKinds);
KINETOSCOPE_PART(steps);
KINETOSCOPE_PART(gpuTime);
KINETOSCOPE_PART(idleGaps);
KINETOSCOPE_PART(launchStats);
KINETOSCOPE_PART(categoryTable);
KINETOSCOPE_PART(operatorTable);
KINETOSCOPE_PART(kernelRows);
KINETOSCOPE_PART(wholeReport);
KINETOSCOPE_PART(compatReport);
KINETOSCOPE_PART(busyStripSpans);
KINETOSCOPE_PART(laneLayout);
KINETOSCOPE_PART(search);
KINETOSCOPE_PART(pictureOfALane);
KINETOSCOPE_PART(innermostSlice);
KINETOSCOPE_PART(pictureOfAStrip);

BENCHMARK_MAIN();
