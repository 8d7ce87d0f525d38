// SPDX-License-Identifier: Apache-2.0
// The table of what benches measured.
#include <algorithm>

#include "core/bench/results/BenchResult.h"
#include "core/bench/results/ResultStore.h"
#include "core/compare/MeasuredResult.h"
#include "core/query/sql/Material.h"
#include "core/query/sql/RowList.h"

namespace kinetoscope::query::sql {

namespace {

using bench::results::ResultStore;

void addItems(const compare::MeasuredResult& result, std::string_view source, RowList& rows) {
    const Cell id = rows.keep(source);
    const Cell kind = rows.keep(bench::results::kindName(result.kind));
    const Cell gpu = rows.keepIfAny(result.gpu);
    for (const compare::MeasuredItem& item : result.items) {
        const bool isMeasured = item.isMeasured() && !item.samplesNs.empty();
        const auto [shortest, longest] = std::ranges::minmax_element(item.samplesNs);
        rows.add(
            {id, kind, gpu, rows.keep(item.name), rows.keepIfAny(item.key), rows.keepIfAny(item.op),
             item.isMeasured() ? Cell::of(item.timeNs) : Cell(),
             isMeasured ? Cell::of(*shortest) : Cell(), isMeasured ? Cell::of(*longest) : Cell(),
             Cell::of(static_cast<std::int64_t>(item.runs)),
             item.clockMhz > 0.0 ? Cell::of(item.clockMhz) : Cell(), rows.keepIfAny(item.reason)});
    }
}

// Unreadable results are left out: kscope results reports them.
std::unique_ptr<Rows> benchResults(Material& material, std::size_t /*file*/) {
    auto rows = std::make_unique<RowList>(findTable("bench_results")->columns.size());
    for (const std::string& path : material.results) {
        const auto text = bench::results::readResultFile(path);
        const auto result = orOutOfMemory(text ? compare::parseMeasuredResult(*text)
                                               : tl::unexpected(text.error()));
        if (result) {
            addItems(*result, path, *rows);
        }
    }
    if (material.results.empty()) {
        const ResultStore store(ResultStore::defaultFolder());
        for (const bench::results::StoredResult& stored : store.list()) {
            const auto kept = store.loadText(stored.id);
            const auto result = orOutOfMemory(kept ? compare::parseMeasuredResult(kept->text)
                                                   : tl::unexpected(kept.error()));
            if (result) {
                addItems(*result, stored.id, *rows);
            }
        }
    }
    return rows;
}

}  // namespace

std::vector<TableInfo> resultTables() {
    using enum ColumnType;
    TableInfo results{
        .name = "bench_results",
        .about = "Bench results: those given as files, otherwise the saved ones",
        .columns = {{"result", Text, "", "file, or id of a saved result"},
                    {"kind", Text, "", "kernels, operators or modules"},
                    {"gpu", Text, "", "name of the GPU"},
                    {"name", Text, "", "kernel, call of an operator, runner of a module"},
                    {"key", Text, "", "distinguishes rows of the same name"},
                    {"operator", Text, "", "of calls of operators"},
                    {"time", Real, "ns", "the figure that summarises the samples"},
                    {"min", Real, "ns", "shortest sample"},
                    {"max", Real, "ns", "longest sample"},
                    {"samples", Integer, "", "how many were timed"},
                    {"clock", Real, "MHz", "SM clock, if known"},
                    {"reason", Text, "", "why it was not measured"}},
        .ofJob = true,
        .usualRows = 500,
        .make = benchResults};
    return {std::move(results)};
}

}  // namespace kinetoscope::query::sql
