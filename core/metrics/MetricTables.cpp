// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/MetricTables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/text/Csv.h"

namespace kinetoscope::metrics {

namespace {

using Columns = std::vector<std::string>;

Columns persistentReductionColumns(MetricFormat format) {
    if (format == MetricFormat::Original) {
        return {"kernel1_name", "kernel2_name",   "kernel1_latency", "kernel2_latency",
                "size_hints",   "reduction_hint", "speedup"};
    }
    return {"kernel0_path",    "kernel1_path",    "kernel2_path",    "kernel3_path",
            "kernel0_latency", "kernel1_latency", "kernel2_latency", "kernel3_latency",
            "size_hints",      "reduction_hint"};
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Result<void> writeText(const std::string& path, std::string_view text, std::ios::openmode mode) {
    std::ofstream file(path, std::ios::binary | mode);
    file << text;
    file.flush();
    if (!file) {
        return fail(fmt::format("'{}': cannot be written: {}", path, std::strerror(errno)),
                    ErrorKind::Output);
    }
    return {};
}

// The value in a line of CSV.
std::string fieldOf(const MetricValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? text::csvText(*text) : metricText(value);
}

// The row's values in the order of the columns. Fails when the two sets of names differ.
Result<std::vector<std::string>> inOrder(const MetricTable& table, const MetricRow& row) {
    if (row.size() != table.columns.size()) {
        return fail(fmt::format("a row of {} has {} fields, but the table has {} columns",
                                table.name, row.size(), table.columns.size()));
    }
    std::vector<std::string> fields;
    for (const std::string& column : table.columns) {
        const auto found = std::find_if(row.begin(), row.end(),
                                        [&](const auto& field) { return field.first == column; });
        if (found == row.end()) {
            return fail(fmt::format("a row of {} has no {}", table.name, column));
        }
        fields.push_back(fieldOf(found->second));
    }
    return fields;
}

std::string header(const MetricTable& table) {
    std::vector<std::string> fields{"model_name"};
    fields.insert(fields.end(), table.columns.begin(), table.columns.end());
    return text::csvLine(fields);
}

// What stands in a table's file before its first row of this run: its header, or nothing yet.
Result<bool> hasHeader(const MetricTable& table, const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    if (!file || !std::getline(file, line)) {
        return false;
    }
    if (line + "\n" != header(table)) {
        return fail(fmt::format("'{}': has other columns; --purge truncates it first", path));
    }
    return true;
}

}  // namespace

std::vector<std::string> tableNames(std::string_view list) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        if (const auto name = trimmed(list.substr(at, comma - at)); !name.empty()) {
            names.emplace_back(name);
        }
        at = comma + 1;
    }
    return names;
}

std::string metricText(const MetricValue& value) {
    struct Visitor {
        std::string operator()(std::monostate) const { return {}; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return fmt::format("{:.6f}", number); }
        std::string operator()(const std::string& text) const { return text; }
    };
    return std::visit(Visitor{}, value);
}

MetricTables::MetricTables(std::string folder, MetricFormat format)
    : m_folder(std::move(folder)), m_format(format) {
    registerTable("slow_fusion",
                  {"kernel1_path", "kernel1_latency", "kernel2_path", "kernel2_latency",
                   "fused_kernel_path", "fused_kernel_latency", "slow_down_ratio"});
    registerTable("graph_stats", {"graph_id", "num_nodes_before_fusion", "num_nodes_after_fusion"});
    registerTable("persistent_red_perf", persistentReductionColumns(format));
    registerTable("fusion_failure_due_to_indexing_mismatch",
                  {"pre_grad_graph_id", "post_grad_graph_id", "node1_name", "node2_name",
                   "node1_debug_str", "node2_debug_str", "common_buffer_names", "failure_reason"});
    registerTable("kernel_metadata",
                  {"kernel_name", "kernel_path", "kernel_category", "size_hints", "reduction_hint",
                   "line_of_code", "num_load", "num_store", "num_for_loop", "num_atomic_add",
                   "num_args", "xnumel", "ynumel", "rnumel", "kernel_args_num_gb"});
}

const MetricTable* MetricTables::table(std::string_view name) const {
    const auto found = std::ranges::find(m_tables, name, &MetricTable::name);
    return found == m_tables.end() ? nullptr : &*found;
}

void MetricTables::registerTable(std::string name, std::vector<std::string> columns) {
    MetricTable table{std::move(name), std::move(columns), false, 0};
    const auto known = std::ranges::find(m_tables, table.name, &MetricTable::name);
    if (known != m_tables.end()) {
        *known = std::move(table);
    } else {
        m_tables.push_back(std::move(table));
    }
}

Result<void> MetricTables::enable(std::string_view list) {
    const auto names = tableNames(list);
    for (const std::string& name : names) {
        if (table(name) == nullptr) {
            return fail(fmt::format("metric table '{}' is not registered", name));
        }
    }
    for (MetricTable& one : m_tables) {
        one.enabled = one.enabled || std::ranges::find(names, one.name) != names.end();
    }
    return {};
}

bool MetricTables::isEnabled(std::string_view name) const {
    const MetricTable* found = table(name);
    return found != nullptr && found->enabled;
}

std::string MetricTables::path(const MetricTable& table) const {
    return (std::filesystem::path(m_folder) / table.fileName()).string();
}

Result<void> MetricTables::addRow(std::string_view name, const std::function<MetricRow()>& row) {
    const auto table = std::ranges::find(m_tables, name, &MetricTable::name);
    if (table == m_tables.end()) {
        return fail(fmt::format("metric table '{}' is not registered", name));
    }
    if (!table->enabled) {
        return {};
    }
    auto fields = inOrder(*table, row());
    if (!fields) {
        return tl::unexpected(fields.error());
    }
    fields->insert(fields->begin(), text::csvText(m_modelName));
    const std::string file = path(*table);
    const auto begun = table->rowsAdded > 0 ? Result<bool>(true) : hasHeader(*table, file);
    if (!begun) {
        return tl::unexpected(begun.error());
    }
    ++table->rowsAdded;
    return writeText(file, (*begun ? std::string() : header(*table)) + text::csvLine(*fields),
                     std::ios::app);
}

Result<void> MetricTables::purge() {
    for (const MetricTable& table : m_tables) {
        if (!table.enabled) {
            continue;
        }
        std::error_code ignored;
        std::filesystem::remove(path(table), ignored);
        if (auto done = writeText(path(table), header(table), std::ios::trunc); !done) {
            return done;
        }
    }
    return {};
}

}  // namespace kinetoscope::metrics
