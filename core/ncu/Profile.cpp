// SPDX-License-Identifier: Apache-2.0
#include "core/ncu/Profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/metrics/Csv.h"
#include "core/ncu/Numbers.h"

namespace kinetoscope::ncu {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kKernelColumn = "Kernel Name";
constexpr std::size_t kMaxValues = std::size_t{1} << 27;

bool isHeader(std::string_view line) {
    return line.find(kKernelColumn) != std::string_view::npos &&
           line.find(',') != std::string_view::npos;
}

// The table without what ncu and the program print before it, in between and behind it.
std::string tableOf(std::string_view text) {
    std::string table;
    bool begun = false;
    bool quoted = false;  // fields are in quotes, as ncu prints them
    bool open = false;    // in a text of several lines
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end);
        if (!begun && isHeader(line)) {
            begun = true;
            quoted = line.starts_with('"');
        }
        const bool isRow =
            open ||
            (line.starts_with('"') ||
             (!quoted && line.find(',') != std::string_view::npos && !line.starts_with("==")));
        if (begun && isRow) {
            table += line;
            open = open != (std::ranges::count(line, '"') % 2 != 0);
        }
    }
    return table;
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

class ProfileReader {
public:
    explicit ProfileReader(const metrics::CsvTable& table) : m_table(table) {}

    Result<Profile> read() {
        m_kernel = column(kKernelColumn);
        if (!m_kernel) {
            return fail("has no column \"Kernel Name\"");
        }
        noteForms();
        if (column("Metric Name") ? !readLong() : !readWide()) {
            return fail("has too many values");
        }
        if (m_profile.metrics.empty() || m_profile.launches.empty()) {
            return fail("has no metrics; ncu --csv --page raw prints them");
        }
        for (Launch& launch : m_profile.launches) {
            launch.values.resize(m_profile.metrics.size(), kNone);
        }
        return std::move(m_profile);
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

    void noteForms() {
        const auto only = column("Metric Name") ? column("Metric Value") : std::nullopt;
        for (std::size_t i = 0; i < m_table.columns.size(); ++i) {
            if (only ? i != *only : tellsWhichLaunch(m_table.columns[i])) {
                continue;
            }
            for (const Row& row : m_table.rows) {
                m_form.note(row[i]);
            }
        }
    }

    // A row for each metric of each launch.
    bool readLong() {
        const auto name = *column("Metric Name");
        std::map<std::array<std::string, 3>, std::size_t> launches;
        std::map<std::pair<std::string, std::string>, std::size_t> known;
        for (const Row& row : m_table.rows) {
            const double value = m_form.number(field(row, "Metric Value"));
            if (row[name].empty() || std::isnan(value)) {
                continue;
            }
            const auto [unit, factor] = baseUnit(field(row, "Metric Unit"));
            const auto metric = known.try_emplace({row[name], unit}, known.size());
            if (metric.second) {
                m_profile.metrics.push_back({row[name], unit});
            }
            const auto launch = launches.try_emplace(
                {field(row, "Process ID"), field(row, "ID"), row[*m_kernel]}, launches.size());
            if (launch.second) {
                m_profile.launches.push_back(launchOf(row));
            }
            if (launches.size() * known.size() > kMaxValues) {
                return false;
            }
            auto& values = m_profile.launches[launch.first->second].values;
            values.resize(std::max(values.size(), metric.first->second + 1), kNone);
            values[metric.first->second] = value * factor;
        }
        return true;
    }

    // A column for each metric, whose units are the first row.
    bool readWide() {
        const bool hasUnits = !m_table.rows.empty() && m_table.rows.front()[*m_kernel].empty();
        std::vector<std::size_t> columns;
        std::vector<double> factors;
        for (std::size_t i = 0; i < m_table.columns.size(); ++i) {
            const bool measured = !tellsWhichLaunch(m_table.columns[i]) &&
                                  std::ranges::any_of(m_table.rows, [&](const Row& row) {
                                      return !std::isnan(m_form.number(row[i]));
                                  });
            if (measured) {
                const auto [unit, factor] =
                    baseUnit(hasUnits ? m_table.rows.front()[i] : std::string());
                m_profile.metrics.push_back({m_table.columns[i], unit});
                columns.push_back(i);
                factors.push_back(factor);
            }
        }
        if (columns.size() * m_table.rows.size() > kMaxValues) {
            return false;
        }
        for (std::size_t at = hasUnits ? 1 : 0; at < m_table.rows.size(); ++at) {
            const Row& row = m_table.rows[at];
            Launch& launch = m_profile.launches.emplace_back(launchOf(row));
            for (std::size_t i = 0; i < columns.size(); ++i) {
                launch.values.push_back(m_form.number(row[columns[i]]) * factors[i]);
            }
        }
        return true;
    }

    const metrics::CsvTable& m_table;
    std::optional<std::size_t> m_kernel;
    NumberForm m_form;
    Profile m_profile;
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
    const std::string table = tableOf(metrics::withoutMark(text));
    if (table.empty()) {
        return fail(
            "is not a table of Nsight Compute: no line names the column \"Kernel Name\"; ncu --csv "
            "--page raw prints one");
    }
    const auto parsed = metrics::parseCsv(table);
    if (!parsed) {
        return fail("is not a whole table of Nsight Compute: " + parsed.error().message);
    }
    return ProfileReader(*parsed).read();
}

}  // namespace kinetoscope::ncu
