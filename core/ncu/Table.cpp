// SPDX-License-Identifier: Apache-2.0
#include "core/ncu/Table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/Demangle.h"
#include "core/import/source/OpenTextSource.h"
#include "core/import/source/TextBytes.h"
#include "core/text/Format.h"
#include "core/text/KernelLabel.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::ncu {

namespace {

constexpr std::size_t kMaxFileBytes = 256U << 20;

// The metrics that people look at first, as the raw page and as the details call them.
struct ShownMetric {
    const char* title;
    std::string_view unit;
    std::array<std::string_view, 3> names;
};
constexpr std::array<ShownMetric, 8> kShown{{
    {"ncu µs", "ns", {"gpu__time_duration.sum", "Duration", "gpu__time_duration.avg"}},
    {"SM %",
     "%",
     {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "Compute (SM) Throughput", "SM [%]"}},
    {"memory %",
     "%",
     {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "Memory Throughput",
      "Memory [%]"}},
    {"DRAM %",
     "%",
     {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM Throughput",
      "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"}},
    {"L2 hit %", "%", {"lts__t_sector_hit_rate.pct", "L2 Hit Rate", ""}},
    {"L1 hit %", "%", {"l1tex__t_sector_hit_rate.pct", "L1/TEX Hit Rate", ""}},
    {"occupancy %",
     "%",
     {"sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy", ""}},
    {"registers", "register/thread", {"launch__registers_per_thread", "Registers Per Thread", ""}},
}};
constexpr std::size_t kShownOfOthers = 6;

std::string valueText(const Value& value, double factor) {
    return value.count == 0 ? "" : fmt::format("{:.2f}", value.mean * factor);
}

std::string othersLine(const Table& table) {
    constexpr std::size_t kNamed = 3;
    std::string names;
    bool ambiguous = false;
    for (std::size_t i = 0; i < table.others.size(); ++i) {
        ambiguous |= table.others[i].isAmbiguous;
        if (i < kNamed) {
            names += (i == 0 ? "" : ", ") + text::kernelLabel(table.others[i].name);
        }
    }
    const bool isOne = table.others.size() == 1;
    return fmt::format("{} kernel{} of Nsight Compute {} no kernel of the trace{}: {}{}",
                       table.others.size(), isOne ? "" : "s", isOne ? "is" : "are",
                       ambiguous ? ", or one of several with that name" : "", names,
                       table.others.size() > kNamed ? ", …" : "");
}

// "(64, 1, 1)" as the trace has it; nothing for another form.
std::optional<std::array<std::uint32_t, 3>> tripleOf(const std::string& text) {
    std::array<std::uint32_t, 3> triple{};
    std::size_t axis = 0;
    bool inNumber = false;
    for (const char c : text) {
        const bool isDigit = c >= '0' && c <= '9';
        if (isDigit && !inNumber && axis++ == triple.size()) {
            return std::nullopt;
        }
        inNumber = isDigit;
        if (isDigit) {
            triple[axis - 1] = triple[axis - 1] * 10 + static_cast<std::uint32_t>(c - '0');
        }
    }
    return axis == triple.size() ? std::optional(triple) : std::nullopt;
}

// Finds kernels by three forms of their names, the most exact one first.
class KernelFinder {
public:
    KernelFinder(const trace::Trace& trace, const std::vector<analysis::KernelRow>& kernels)
        : m_rows(kernels) {
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            const std::string name(trace.text(kernels[i].name));
            const std::array<std::string, 3> forms{name, text::kernelLabel(name),
                                                   text::shortKernelName(name)};
            for (std::size_t form = 0; form < forms.size(); ++form) {
                m_named[form][forms[form]].push_back(i);
            }
        }
    }

    struct Found {
        const analysis::KernelRow* row = nullptr;
        bool isAmbiguous = false;
    };
    [[nodiscard]] Found find(const Launch& launch) const {
        const std::string label = text::kernelLabel(launch.kernel);
        // A short name stands for one with template arguments, but not the other way round.
        const bool isShort = label.find('<') == std::string::npos;
        const std::array<std::string, 3> forms{launch.kernel, label,
                                               isShort ? text::shortKernelName(launch.kernel) : ""};
        for (std::size_t form = 0; form < forms.size(); ++form) {
            const auto found = m_named[form].find(forms[form]);
            if (found != m_named[form].end()) {
                return choose(found->second, launch);
            }
        }
        return {};
    }

private:
    [[nodiscard]] Found choose(const std::vector<std::size_t>& candidates,
                               const Launch& launch) const {
        const analysis::KernelRow& first = m_rows[candidates.front()];
        // The same kernel on several GPUs is one.
        if (std::ranges::all_of(candidates,
                                [&](std::size_t i) { return m_rows[i].name == first.name; })) {
            return {&first};
        }
        const auto grid = tripleOf(launch.grid);
        const auto block = tripleOf(launch.block);
        const analysis::KernelRow* only = nullptr;
        for (const std::size_t i : candidates) {
            const analysis::KernelRow& row = m_rows[i];
            if (grid && block && std::ranges::equal(row.grid, *grid) &&
                std::ranges::equal(row.block, *block)) {
                if (only != nullptr && only->name != row.name) {
                    return {nullptr, true};
                }
                only = &row;
            }
        }
        return {only, only == nullptr};
    }

    const std::vector<analysis::KernelRow>& m_rows;
    std::array<std::unordered_map<std::string, std::vector<std::size_t>>, 3> m_named;
};

void addValues(const std::vector<double>& values, std::vector<Value>& sums) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) {
            continue;
        }
        Value& sum = sums[i];
        sum.min = sum.count == 0 ? values[i] : std::min(sum.min, values[i]);
        sum.max = sum.count == 0 ? values[i] : std::max(sum.max, values[i]);
        ++sum.count;
        sum.mean += (values[i] - sum.mean) / static_cast<double>(sum.count);
    }
}

std::size_t rowsOf(const Table& table, std::size_t top) {
    return top == 0 ? table.kernels.size() : std::min(top, table.kernels.size());
}

std::vector<std::string> cellsOf(const Kernel& kernel, const std::vector<ShownColumn>& columns) {
    std::vector<std::string> cells{
        std::to_string(kernel.launches),
        text::inUnit(static_cast<double>(kernel.totalNs) / static_cast<double>(kernel.launches),
                     text::kMicroseconds),
        std::to_string(kernel.measured)};
    for (const ShownColumn& column : columns) {
        cells.push_back(valueText(kernel.values[column.metric], column.factor));
    }
    return cells;
}

}  // namespace

std::vector<ShownColumn> shownColumns(const Table& table) {
    std::vector<ShownColumn> columns;
    for (const ShownMetric& shown : kShown) {
        const auto found = std::ranges::find_if(table.metrics, [&](const Metric& one) {
            return (one.unit == shown.unit || one.unit.empty()) &&
                   std::ranges::find(shown.names, std::string_view(one.name)) != shown.names.end();
        });
        if (found != table.metrics.end()) {
            columns.push_back({shown.title, static_cast<std::size_t>(found - table.metrics.begin()),
                               shown.unit == "ns" ? 1e-3 : 1.0});
        }
    }
    for (std::size_t i = 0; columns.empty() && i < table.metrics.size(); ++i) {
        if (i == kShownOfOthers) {
            break;
        }
        const Metric& metric = table.metrics[i];
        columns.push_back(
            {metric.unit.empty() ? metric.name : fmt::format("{} {}", metric.name, metric.unit), i,
             1.0});
    }
    return columns;
}

std::string othersText(const Table& table) {
    return table.others.empty() ? std::string() : othersLine(table);
}

bool isProfile(const std::string& path) {
    constexpr std::size_t kLooked = 1U << 20;  // programs print before ncu does
    const auto source = import::source::openTextSource(path);
    return source && namesKernels(import::source::TextBytes(**source).take(kLooked));
}

Result<Profile> readProfile(const std::string& path) {
    const auto source = import::source::openTextSource(path);
    if (!source) {
        return tl::unexpected(source.error());
    }
    const std::string text = import::source::TextBytes(**source).take(kMaxFileBytes + 1);
    if (text.size() > kMaxFileBytes) {
        return fail(fmt::format("'{}': has more than {} MiB; print fewer metrics or launches", path,
                                kMaxFileBytes >> 20));
    }
    auto profile = parseProfile(text);
    if (!profile) {
        return fail(fmt::format("'{}': {}", path, profile.error().message));
    }
    return profile;
}

Table joinProfile(const trace::Trace& trace, const std::vector<analysis::KernelRow>& kernels,
                  const Profile& profile, std::string file) {
    Table table{std::move(file), profile.metrics, {}, {}};
    const KernelFinder finder(trace, kernels);
    std::unordered_map<NameId, std::size_t> known;
    std::map<std::string, std::size_t> others;
    for (const Launch& launch : profile.launches) {
        const auto [row, isAmbiguous] = finder.find(launch);
        if (row == nullptr) {
            const auto [other, isNew] = others.try_emplace(launch.kernel, table.others.size());
            if (isNew) {
                table.others.push_back({launch.kernel, 0, isAmbiguous});
            }
            ++table.others[other->second].measured;
            continue;
        }
        const auto [kernel, isNew] = known.try_emplace(row->name, table.kernels.size());
        if (isNew) {
            table.kernels.push_back({row->name, 0, 0, 0, {}});
            table.kernels.back().values.resize(profile.metrics.size());
        }
        ++table.kernels[kernel->second].measured;
        addValues(launch.values, table.kernels[kernel->second].values);
    }
    for (const analysis::KernelRow& row : kernels) {
        if (const auto kernel = known.find(row.name); kernel != known.end()) {
            table.kernels[kernel->second].launches += row.count;
            table.kernels[kernel->second].totalNs += row.totalNs;
        }
    }
    std::ranges::stable_sort(table.kernels, std::greater{}, &Kernel::totalNs);
    return table;
}

std::string tableText(const trace::Trace& trace, const Table& table, std::size_t top,
                      const text::TextStyle& style) {
    const auto shown = shownColumns(table);
    std::vector<text::TextTable::Column> columns{{.title = "kernel",
                                                  .rightAligned = false,
                                                  .shrinkTo = 20,
                                                  .overflows = style.fullNames,
                                                  .shorten = text::fitKernelLabel},
                                                 {.title = "calls"},
                                                 {.title = "mean µs"},
                                                 {.title = "measured"}};
    int droppable = 0;
    for (const ShownColumn& column : shown) {
        columns.push_back({.title = text::printable(column.title), .droppable = droppable++});
    }
    text::TextTable rows(std::move(columns));
    for (std::size_t i = 0; i < rowsOf(table, top); ++i) {
        const Kernel& kernel = table.kernels[i];
        const std::string name(trace.text(kernel.name));
        auto cells = cellsOf(kernel, shown);
        cells.insert(cells.begin(), text::printable(style.fullNames ? demangledSignature(name)
                                                                    : text::kernelLabel(name)));
        rows.addRow(std::move(cells));
    }
    std::string out =
        style.heading(fmt::format("Nsight Compute ({} of {} kernels, {})", rowsOf(table, top),
                                  table.kernels.size(), text::printable(table.file))) +
        "\n";
    out += rows.empty() ? "" : rows.text(style);
    if (!table.others.empty()) {
        out += text::paragraph(text::printable(othersLine(table)), style.width, 2);
    }
    return out;
}

std::string tableMarkdown(const trace::Trace& trace, const Table& table, std::size_t top) {
    const auto shown = shownColumns(table);
    std::string out = fmt::format("\n### Nsight Compute ({} of {} kernels)\n\n", rowsOf(table, top),
                                  table.kernels.size());
    std::vector<std::string> titles{"kernel", "calls", "mean µs", "measured"};
    std::string rule = "| --- | ---: | ---: | ---: |";
    for (const ShownColumn& column : shown) {
        titles.push_back(text::markdownText(column.title));
        rule += " ---: |";
    }
    out += text::markdownRow(titles) + rule + "\n";
    for (std::size_t i = 0; i < rowsOf(table, top); ++i) {
        auto cells = cellsOf(table.kernels[i], shown);
        cells.insert(cells.begin(),
                     text::markdownCode(text::kernelLabel(trace.text(table.kernels[i].name))));
        out += text::markdownRow(cells);
    }
    if (!table.others.empty()) {
        out += "\n" + text::markdownText(othersLine(table)) + "\n";
    }
    return out;
}

nlohmann::ordered_json tableJson(const trace::Trace& trace, const Table& table) {
    using Json = nlohmann::ordered_json;
    Json kernels = Json::array();
    for (const Kernel& kernel : table.kernels) {
        Json values = Json::array();
        for (std::size_t i = 0; i < table.metrics.size(); ++i) {
            const Value& value = kernel.values[i];
            if (value.count > 0) {
                values.push_back({{"name", table.metrics[i].name},
                                  {"unit", table.metrics[i].unit},
                                  {"launches", value.count},
                                  {"mean", value.mean},
                                  {"min", value.min},
                                  {"max", value.max}});
            }
        }
        kernels.push_back({{"name", trace.text(kernel.name)},
                           {"launches", kernel.launches},
                           {"total_ns", kernel.totalNs},
                           {"measured", kernel.measured},
                           {"metrics", std::move(values)}});
    }
    Json others = Json::array();
    for (const Other& other : table.others) {
        others.push_back(
            {{"name", other.name}, {"measured", other.measured}, {"ambiguous", other.isAmbiguous}});
    }
    return {{"file", table.file}, {"kernels", std::move(kernels)}, {"others", std::move(others)}};
}

}  // namespace kinetoscope::ncu
