// SPDX-License-Identifier: Apache-2.0
#include "core/ncu/Profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/metrics/Csv.h"
#include "core/ncu/Numbers.h"

namespace kinetoscope::ncu {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kKernelColumn = "Kernel Name";
constexpr std::size_t kMaxValues = std::size_t{1} << 27;
constexpr const char* kTooMany = "has too many values";

bool isHeader(std::string_view line) {
    return line.find(kKernelColumn) != std::string_view::npos &&
           line.find(',') != std::string_view::npos;
}

// A later header: files were joined, or a second run was appended to the first.
bool isHeaderAgain(std::string_view line) {
    if (!isHeader(line)) {
        return false;
    }
    const auto row = metrics::parseCsv(line);
    return row && std::ranges::find(row->columns, kKernelColumn) != row->columns.end();
}

// The tables, each from its header on, without what ncu and the program print before them, in
// between and behind them.
std::vector<std::string> tablesOf(std::string_view text) {
    std::vector<std::string> tables;
    bool quoted = false;  // fields are in quotes, as ncu prints them
    bool open = false;    // in a text of several lines
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end);
        if (tables.empty() ? isHeader(line) : !open && isHeaderAgain(line)) {
            tables.emplace_back();
            quoted = line.starts_with('"');
        }
        const bool isRow =
            open ||
            (line.starts_with('"') ||
             (!quoted && line.find(',') != std::string_view::npos && !line.starts_with("==")));
        if (!tables.empty() && isRow) {
            tables.back() += line;
            open = open != (std::ranges::count(line, '"') % 2 != 0);
        }
    }
    return tables;
}

// One unit for all launches: ncu chooses one by the size of each value.
std::pair<std::string, double> baseUnit(const std::string& unit) {
    struct Scaled {
        std::string_view unit;
        std::string_view base;
        double factor;
    };
    static constexpr std::array<Scaled, 27> kUnits{{
        {"ns", "ns", 1},
        {"nsecond", "ns", 1},
        {"us", "ns", 1e3},
        {"usecond", "ns", 1e3},
        {"ms", "ns", 1e6},
        {"msecond", "ns", 1e6},
        {"s", "ns", 1e9},
        {"second", "ns", 1e9},
        {"Kbyte", "byte", 1e3},
        {"Mbyte", "byte", 1e6},
        {"Gbyte", "byte", 1e9},
        {"Tbyte", "byte", 1e12},
        {"byte/second", "byte/s", 1},
        {"Kbyte/second", "byte/s", 1e3},
        {"Kbyte/s", "byte/s", 1e3},
        {"Mbyte/second", "byte/s", 1e6},
        {"Mbyte/s", "byte/s", 1e6},
        {"Gbyte/second", "byte/s", 1e9},
        {"Gbyte/s", "byte/s", 1e9},
        {"Tbyte/second", "byte/s", 1e12},
        {"Tbyte/s", "byte/s", 1e12},
        {"cycle/second", "hz", 1},
        {"cycle/nsecond", "hz", 1e9},
        {"cycle/usecond", "hz", 1e6},
        {"Khz", "hz", 1e3},
        {"Mhz", "hz", 1e6},
        {"Ghz", "hz", 1e9},
    }};
    const auto* const found = std::ranges::find(kUnits, std::string_view(unit), &Scaled::unit);
    return found == kUnits.end() ? std::pair(unit, 1.0)
                                 : std::pair(std::string(found->base), found->factor);
}

// Columns that are not metrics.
bool tellsWhichLaunch(std::string_view column) {
    static constexpr std::array<std::string_view, 14> kColumns{
        "ID",          "Process ID", "Process Name", "Host Name",  kKernelColumn,
        "Kernel Time", "Context",    "Stream",       "Block Size", "Grid Size",
        "Device",      "CC",         "Section Name", "Invocations"};
    return std::ranges::find(kColumns, column) != kColumns.end() ||
           column.find("Range:") != std::string_view::npos;
}

// What the tables of a file say together.
class Joined {
public:
    /// The n-th metric of that name and unit, counted from 0, of any table.
    [[nodiscard]] std::size_t metric(const std::string& name, const std::string& unit,
                                     std::size_t n = 0) {
        const auto [at, isNew] = m_known.try_emplace({name, unit, n}, m_profile.metrics.size());
        if (isNew) {
            m_profile.metrics.push_back({name, unit});
        }
        return at->second;
    }
    /// Its number.
    [[nodiscard]] std::size_t add(Launch launch) {
        m_profile.launches.push_back(std::move(launch));
        return m_profile.launches.size() - 1;
    }
    void set(std::size_t launch, std::size_t metric, double value) {
        auto& values = m_profile.launches[launch].values;
        values.resize(std::max(values.size(), metric + 1), kNone);
        values[metric] = value;
    }
    [[nodiscard]] bool hasRoomFor(std::size_t launches) const {
        return (m_profile.launches.size() + launches) * m_profile.metrics.size() <= kMaxValues;
    }

    [[nodiscard]] Result<Profile> take() {
        if (m_profile.metrics.empty() || m_profile.launches.empty()) {
            return fail("has no metrics; ncu --csv --page raw prints them");
        }
        if (!hasRoomFor(0)) {
            return fail(kTooMany);
        }
        for (Launch& launch : m_profile.launches) {
            launch.values.resize(m_profile.metrics.size(), kNone);
        }
        return std::move(m_profile);
    }

private:
    Profile m_profile;
    std::map<std::tuple<std::string, std::string, std::size_t>, std::size_t> m_known;
};

// One table, with the units of its own.
class TableReader {
public:
    explicit TableReader(const metrics::CsvTable& table)
        : m_table(table), m_kernel(column(kKernelColumn)) {}

    void noteForms(NumberForm& form) const {
        const auto only = column("Metric Name") ? column("Metric Value") : std::nullopt;
        for (std::size_t i = 0; i < m_table.columns.size(); ++i) {
            if (only ? i != *only : tellsWhichLaunch(m_table.columns[i])) {
                continue;
            }
            for (const Row& row : m_table.rows) {
                form.note(row[i]);
            }
        }
    }

    Result<void> read(const NumberForm& form, Joined& joined) const {
        if (m_table.rows.empty()) {
            return {};
        }
        if (!m_kernel) {
            return fail("has no column \"Kernel Name\"");
        }
        if (column("Metric Name") ? !readLong(form, joined) : !readWide(form, joined)) {
            return fail(kTooMany);
        }
        return {};
    }

private:
    using Row = std::vector<std::string>;

    [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const {
        const auto found = std::ranges::find(m_table.columns, name);
        return found == m_table.columns.end()
                   ? std::nullopt
                   : std::optional(static_cast<std::size_t>(found - m_table.columns.begin()));
    }
    [[nodiscard]] std::string field(const Row& row, std::string_view name) const {
        const auto at = column(name);
        return at ? row[*at] : std::string();
    }

    [[nodiscard]] Launch launchOf(const Row& row) const {
        return {row[*m_kernel], field(row, "Grid Size"), field(row, "Block Size"), {}};
    }

    // A row for each metric of each launch.
    [[nodiscard]] bool readLong(const NumberForm& form, Joined& joined) const {
        const auto name = *column("Metric Name");
        std::map<std::array<std::string, 3>, std::size_t> launches;
        for (const Row& row : m_table.rows) {
            const double value = form.number(field(row, "Metric Value"));
            if (row[name].empty() || std::isnan(value)) {
                continue;
            }
            const auto [unit, factor] = baseUnit(field(row, "Metric Unit"));
            const std::size_t metric = joined.metric(row[name], unit);
            const auto [launch, isNew] = launches.try_emplace(
                {field(row, "Process ID"), field(row, "ID"), row[*m_kernel]}, 0);
            if (isNew) {
                launch->second = joined.add(launchOf(row));
            }
            if (!joined.hasRoomFor(0)) {
                return false;
            }
            joined.set(launch->second, metric, value * factor);
        }
        return true;
    }

    // A column for each metric, whose units are the first row.
    [[nodiscard]] bool readWide(const NumberForm& form, Joined& joined) const {
        struct Column {
            std::size_t at;
            std::size_t metric;
            double factor;
        };
        const bool hasUnits = !m_table.rows.empty() && m_table.rows.front()[*m_kernel].empty();
        const std::size_t first = hasUnits ? 1 : 0;
        std::vector<Column> columns;
        std::map<std::pair<std::string, std::string>, std::size_t> seen;
        for (std::size_t i = 0; i < m_table.columns.size(); ++i) {
            const std::string& name = m_table.columns[i];
            const bool measured =
                !tellsWhichLaunch(name) && std::ranges::any_of(m_table.rows, [&](const Row& row) {
                    return !std::isnan(form.number(row[i]));
                });
            if (measured) {
                const auto [unit, factor] =
                    baseUnit(hasUnits ? m_table.rows.front()[i] : std::string());
                columns.push_back({i, joined.metric(name, unit, seen[{name, unit}]++), factor});
            }
        }
        if (!joined.hasRoomFor(m_table.rows.size() - first)) {
            return false;
        }
        for (std::size_t at = first; at < m_table.rows.size(); ++at) {
            const Row& row = m_table.rows[at];
            const std::size_t launch = joined.add(launchOf(row));
            for (const Column& column : columns) {
                joined.set(launch, column.metric, form.number(row[column.at]) * column.factor);
            }
        }
        return true;
    }

    const metrics::CsvTable& m_table;
    std::optional<std::size_t> m_kernel;
};

}  // namespace

bool namesKernels(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (isHeader(line)) {
            return true;
        }
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return false;
}

Result<Profile> parseProfile(std::string_view text) {
    std::vector<metrics::CsvTable> tables;
    for (const std::string& table : tablesOf(metrics::withoutMark(text))) {
        auto parsed = metrics::parseCsv(table);
        if (!parsed) {
            return fail(
                fmt::format("is not a whole table of Nsight Compute: {}{}",
                            tables.empty() ? "" : fmt::format("in table {}, ", tables.size() + 1),
                            parsed.error().message));
        }
        tables.push_back(std::move(*parsed));
    }
    if (tables.empty()) {
        return fail(
            "is not a table of Nsight Compute: no line names the column \"Kernel Name\"; ncu --csv "
            "--page raw prints one");
    }
    // Numbers are written alike in all of them.
    NumberForm form;
    for (const metrics::CsvTable& table : tables) {
        TableReader(table).noteForms(form);
    }
    Joined joined;
    for (const metrics::CsvTable& table : tables) {
        if (const auto read = TableReader(table).read(form, joined); !read) {
            return tl::unexpected(read.error());
        }
    }
    return joined.take();
}

}  // namespace kinetoscope::ncu
