// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <string>

#include "core/trace/Trace.h"

namespace kinetoscope::test {

[[nodiscard]] inline std::string logText(const trace::ImportLog& log) {
    std::string text;
    for (const trace::ImportIssue& issue : log.sorted()) {
        text += issue.name + " " + std::string(trace::severityName(issue.severity)) + " " +
                std::to_string(issue.count) + " at " + std::to_string(issue.firstOffset) + ": " +
                issue.example + "\n";
    }
    return text;
}

/// The first thing in which two traces differ, bit for bit; empty when there is none.
[[nodiscard]] inline std::string difference(const trace::Trace& a, const trace::Trace& b) {
    const auto same = [](const auto& x, const auto& y, auto&& equal) {
        return std::ranges::equal(x, y, equal);
    };
    const auto equalTrack = [](const trace::Track& x, const trace::Track& y) {
        return x.process == y.process && x.tid == y.tid && x.kind == y.kind && x.name == y.name &&
               x.sortIndex == y.sortIndex && x.hasEvents == y.hasEvents;
    };
    const auto equalProcess = [](const trace::Process& x, const trace::Process& y) {
        return x.source == y.source && x.pid == y.pid && x.name == y.name && x.labels == y.labels &&
               x.sortIndex == y.sortIndex && x.hasEvents == y.hasEvents;
    };
    const auto equalOperation = [](const trace::GpuOperation& x, const trace::GpuOperation& y) {
        return x.slice == y.slice && x.gpu == y.gpu && x.stream == y.stream && x.grid == y.grid &&
               x.block == y.block && x.registers == y.registers && x.sharedBytes == y.sharedBytes &&
               x.graph == y.graph && x.occupancyPercent == y.occupancyPercent &&
               x.collective == y.collective && x.bytes == y.bytes;
    };
    if (a.names().size() != b.names().size()) {
        return "number of names";
    }
    for (NameId id = 0; id < a.names().size(); ++id) {
        if (a.text(id) != b.text(id)) {
            return "name " + std::to_string(id);
        }
    }
    if (a.sliceCount() != b.sliceCount()) {
        return "number of slices: " + std::to_string(a.sliceCount()) + " and " +
               std::to_string(b.sliceCount());
    }
    for (trace::SliceId slice = 0; slice < a.sliceCount(); ++slice) {
        if (a.start(slice) != b.start(slice) || a.duration(slice) != b.duration(slice) ||
            a.nameId(slice) != b.nameId(slice) || a.categoryId(slice) != b.categoryId(slice) ||
            a.trackOf(slice) != b.trackOf(slice) || a.correlation(slice) != b.correlation(slice) ||
            a.externalId(slice) != b.externalId(slice) || a.offset(slice) != b.offset(slice)) {
            return "slice " + std::to_string(slice);
        }
    }
    for (trace::CategoryId id = trace::kKnownCategories; id < 255; ++id) {
        const bool used = std::ranges::count(a.categoryIds(), id) > 0;
        if (used && a.categoryText(id) != b.categoryText(id)) {
            return "category " + std::to_string(id);
        }
    }
    const auto equalInstant = [](const trace::Instant& x, const trace::Instant& y) {
        return x.time == y.time && x.name == y.name && x.track == y.track &&
               x.category == y.category && x.scope == y.scope && x.offset == y.offset;
    };
    const auto equalSample = [](const trace::CounterSample& x, const trace::CounterSample& y) {
        return x.time == y.time && x.track == y.track && x.series == y.series &&
               std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value) &&
               x.offset == y.offset;
    };
    const auto equalFlow = [](const trace::FlowPoint& x, const trace::FlowPoint& y) {
        return x.id == y.id && x.time == y.time && x.track == y.track && x.name == y.name &&
               x.category == y.category && x.phase == y.phase;
    };
    const auto equalOdd = [](const trace::InvalidDuration& x, const trace::InvalidDuration& y) {
        return x.slice == y.slice && x.missing == y.missing && x.duration == y.duration;
    };
    const trace::CompatFacts& factsA = a.compatFacts();
    const trace::CompatFacts& factsB = b.compatFacts();
    std::string found;
    const auto expect = [&found](bool good, const char* what) {
        found += !good && found.empty() ? what : "";
    };
    expect(same(a.tracks(), b.tracks(), equalTrack), "tracks");
    expect(same(a.processes(), b.processes(), equalProcess), "processes");
    expect(same(a.gpuOperations(), b.gpuOperations(), equalOperation), "GPU operations");
    expect(same(a.instants(), b.instants(), equalInstant), "instants");
    expect(same(a.counters(), b.counters(), equalSample), "counters");
    expect(same(a.flows(), b.flows(), equalFlow), "flows");
    expect(same(a.invalidDurations(), b.invalidDurations(), equalOdd), "odd durations");
    const std::string logs = logText(a.log()) + "\n" + logText(b.log());
    expect(logText(a.log()) == logText(b.log()), logs.c_str());
    expect(a.log().events == b.log().events, "number of events");
    expect(a.log().skipped == b.log().skipped, "number of skipped events");
    expect(factsA.slicesWithoutTime == factsB.slicesWithoutTime, "slices without time");
    expect(factsA.notComplete == factsB.notComplete, "slices that are not complete");
    expect(factsA.gpuPids == factsB.gpuPids, "pids of GPUs");
    expect(factsA.labelsMissing == factsB.labelsMissing, "missing labels");
    expect(a.counts().launchFlows == b.counts().launchFlows, "launch flows");
    expect(a.counts().metadata == b.counts().metadata, "metadata");
    expect(a.extent() == b.extent(), "extent");
    expect(a.info().textBytes == b.info().textBytes, "bytes of text");
    expect(a.info().fields.size() == b.info().fields.size(), "fields");
    return found;
}

}  // namespace kinetoscope::test
