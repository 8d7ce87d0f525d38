// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/bench/FromTrace.h"

#include "app/kscope/CommandWatch.h"
#include "app/kscope/Warnings.h"
#include "core/replay/CostliestCalls.h"

namespace kinetoscope::app {

namespace {

// "aten::mm" of "aten.mm"; "" of "all". An overload is ignored: traces have none.
std::string profiledName(std::string name) {
    if (name == "all") {
        return {};
    }
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
        name.resize(std::min(name.find('.', dot + 1), name.size()));
        name.replace(dot, 1, "::");
    }
    return name;
}

}  // namespace

Result<void> takeFromTrace(const TraceChoice& choice, bench::workers::OperatorsRun& run) {
    CommandWatch watch;
    const auto trace = loadWatched(watch, choice.path);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    warnOfSkipped(**trace);
    watch.show("finding the most expensive operators");
    replay::CostliestOptions options;
    options.top = choice.top;
    options.name = profiledName(run.document.options.operatorName);
    options.shapes = choice.shapes;
    options.event = choice.event;
    options.stop = watch.token();
    auto found = replay::costliestCalls(**trace, options);
    if (!found) {
        const Error& error = found.error();
        return error.kind == ErrorKind::Cancelled
                   ? Result<void>(tl::unexpected(error))
                   : fail("'" + choice.path + "': " + error.message, error.kind);
    }
    run.document.options.inputFile = choice.path;
    run.document.options.suite.clear();
    run.document.options.dtype = "recorded";
    run.document.trace = std::move(found->origin);
    run.traced = std::move(found->operators);
    return {};
}

}  // namespace kinetoscope::app
