// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/CompileTables.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/metrics/KernelMetadata.h"

namespace kinetoscope::metrics {

namespace {

constexpr std::string_view kReductions = "persistent_red_perf";

const MetricValue& valueIn(const MetricRow& row, std::string_view column) {
    static const MetricValue kNone;
    const auto found =
        std::ranges::find_if(row, [&](const auto& field) { return field.first == column; });
    return found == row.end() ? kNone : found->second;
}

double numberOf(const MetricValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* number = std::get_if<double>(&value);
    return number != nullptr ? *number : 0.0;
}

// The columns for two kernels, from those for up to four.
MetricRow originalRow(const MetricRow& row) {
    const double first = numberOf(valueIn(row, "kernel0_latency"));
    const double second = numberOf(valueIn(row, "kernel1_latency"));
    return {{"kernel1_name", valueIn(row, "kernel0_path")},
            {"kernel2_name", valueIn(row, "kernel1_path")},
            {"kernel1_latency", valueIn(row, "kernel0_latency")},
            {"kernel2_latency", valueIn(row, "kernel1_latency")},
            {"size_hints", valueIn(row, "size_hints")},
            {"reduction_hint", valueIn(row, "reduction_hint")},
            {"speedup", first > 0.0 ? MetricValue(second / first) : MetricValue()}};
}

// The increase from one reading to the next; empty if there was no number.
MetricValue difference(const MetricValue& before, const MetricValue& after) {
    const auto* from = std::get_if<std::int64_t>(&before);
    const auto* to = std::get_if<std::int64_t>(&after);
    if (from != nullptr && to != nullptr) {
        std::int64_t delta = 0;
        return __builtin_sub_overflow(*to, *from, &delta) ? MetricValue() : MetricValue(delta);
    }
    const bool both = before.index() != 0 && after.index() != 0;
    return both ? MetricValue(numberOf(after) - numberOf(before)) : MetricValue();
}

class Filler {
public:
    Filler(const CompileLog& log, MetricTables& tables) : m_log(log), m_tables(tables) {}

    // Before the first row: each table as this PyTorch has it.
    Result<void> takeColumns() {
        std::vector<std::string_view> seen;
        for (const CompileEvent& event : m_log.events) {
            const auto* row = std::get_if<TableRow>(&event.what);
            if (row == nullptr || std::ranges::find(seen, row->table) != seen.end()) {
                continue;
            }
            seen.push_back(row->table);
            std::vector<std::string> columns;
            for (const auto& [name, value] : translated(*row)) {
                columns.push_back(name);
            }
            const MetricTable* known = m_tables.table(row->table);
            if (known == nullptr || known->columns != columns) {
                m_tables.registerTable(row->table, std::move(columns));
                if (auto done = m_tables.enable(row->table); !done) {
                    return done;
                }
            }
        }
        return {};
    }

    Result<void> add(const std::string& name) {
        Result<void> done;
        for (const CompileEvent& event : m_log.events) {
            m_event = &event;
            m_tables.setModelName(name.empty() ? event.model : name);
            done = std::visit([this](const auto& what) { return addOne(what); }, event.what);
            if (!done) {
                break;
            }
        }
        m_tables.setModelName(name);
        return done;
    }

    std::vector<std::string> takeProblems() { return std::move(m_problems); }

private:
    [[nodiscard]] MetricRow translated(const TableRow& row) const {
        const bool current = valueIn(row.row, "kernel0_path").index() != 0;
        const bool translate =
            current && m_tables.format() == MetricFormat::Original && row.table == kReductions;
        return translate ? originalRow(row.row) : row.row;
    }

    Result<void> addOne(const TableRow& row) {
        return m_tables.addRow(row.table, [&] { return translated(row); });
    }

    Result<void> addOne(const GeneratedKernel& kernel) {
        const auto source = parseKernelSource(kernel.text, kernel.path);
        if (!source) {
            m_problems.push_back(fmt::format("{}: {}", kernel.name, source.error().message));
            return {};
        }
        return m_tables.addRow("kernel_metadata", [&] {
            MetricRow row = kernelMetadataRow(*source, kernel.path, m_tables.format());
            row.front().second = kernel.name;  // the text has a placeholder
            return row;
        });
    }

    Result<void> addOne(const CompiledRegion& region) {
        ++m_region;
        Result<void> done;
        for (const CompiledRegion::Counter& counter : region.counters) {
            done = done.and_then([&] {
                return m_tables.addRow(kCountersTable, [&] {
                    return rowOf(region, {{"counter", counter.name},
                                          {"before", counter.before},
                                          {"after", counter.after},
                                          {"delta", difference(counter.before, counter.after)},
                                          {"entries", counter.entries}});
                });
            });
        }
        for (const CompiledRegion::Node& node : region.nodes) {
            done = done.and_then([&] {
                return m_tables.addRow(kNodesTable, [&] {
                    return rowOf(region, {{"node", node.name},
                                          {"num_elem", node.elements},
                                          {"runtime_ms", node.runtimeMs}});
                });
            });
        }
        return done;
    }

    [[nodiscard]] MetricRow rowOf(const CompiledRegion& region, MetricRow figures) const {
        MetricRow row{{"process", m_event->process},
                      {"rank", m_event->rank},
                      {"region", m_region},
                      {"kind", region.kind},
                      {"compile_id", region.compileId},
                      {"graph_id", region.graphId}};
        std::ranges::move(figures, std::back_inserter(row));
        return row;
    }

    const CompileLog& m_log;
    MetricTables& m_tables;
    const CompileEvent* m_event = nullptr;
    std::int64_t m_region = 0;  ///< of all processes, from 1
    std::vector<std::string> m_problems;
};

}  // namespace

void registerCompileTables(MetricTables& tables) {
    tables.registerTable(std::string(kCountersTable),
                         {"process", "rank", "region", "kind", "compile_id", "graph_id", "counter",
                          "before", "after", "delta", "entries"});
    tables.registerTable(std::string(kNodesTable),
                         {"process", "rank", "region", "kind", "compile_id", "graph_id", "node",
                          "num_elem", "runtime_ms"});
}

Result<std::vector<std::string>> addToTables(const CompileLog& log, MetricTables& tables,
                                             const AddOptions& options) {
    Filler filler(log, tables);
    return filler.takeColumns()
        .and_then([&] { return options.purge ? tables.purge() : Result<void>(); })
        .and_then([&] { return filler.add(options.name); })
        .map([&] { return filler.takeProblems(); });
}

}  // namespace kinetoscope::metrics
