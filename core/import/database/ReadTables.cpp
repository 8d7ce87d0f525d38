// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/ReadTables.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>

#include "core/base/Threads.h"
#include "core/import/Turns.h"
#include "core/import/event/EventFields.h"

namespace kinetoscope::import::database {

namespace {

constexpr std::uint64_t kRowsOfStretch = 25'000;  // whose parts stay in a processor's cache
constexpr std::uint64_t kMinRowBytes = 16;        // as far as memory for rows to come is concerned
constexpr std::uint64_t kMaxStretches = 1'000;    // of one table, whatever its numbers of rows are
constexpr std::uint64_t kMinFileBytes = 2'048;    // for each of them; a query costs more

struct Stretch {
    std::size_t table = 0;
    RowRange rows;
};

std::vector<Stretch> stretchesOf(std::span<const EventTable> tables, std::uint64_t fileBytes) {
    const std::uint64_t most = std::min(kMaxStretches, fileBytes / kMinFileBytes + 2);
    std::vector<Stretch> stretches;
    for (std::size_t table = 0; table < tables.size(); ++table) {
        const RowRange rows = tables[table].table->rows;
        if (rows.first > rows.last) {
            continue;
        }
        const auto first = static_cast<std::uint64_t>(rows.first);
        const std::uint64_t more = static_cast<std::uint64_t>(rows.last) - first;
        const std::uint64_t each = std::max(kRowsOfStretch, more / most + 1);
        for (std::uint64_t at = 0;; at += each) {
            const bool isLast = more - at < each;  // row numbers may be anything of 64 bits
            const std::uint64_t last = isLast ? more : at + (each - 1);
            stretches.push_back(
                {table,
                 {static_cast<std::int64_t>(first + at), static_cast<std::int64_t>(first + last)}});
            if (isLast) {
                break;
            }
        }
    }
    return stretches;
}

class TableReader {
public:
    TableReader(const DatabaseFile& file, std::span<const EventTable> tables,
                const LoadOptions& options, trace::TraceBuilder& builder)
        : m_file(file),
          m_tables(tables),
          m_options(options),
          m_builder(builder),
          m_stretches(stretchesOf(tables, file.bytes())),
          m_isSpent(tables.size()) {
        for (std::size_t table = 0; table < tables.size(); ++table) {
            m_budgets.push_back(std::make_shared<sqlite::ReadBudget>(file.readableBytes()));
        }
    }

    [[nodiscard]] Result<void> read() {
        const auto threads = std::min<std::size_t>(threadsOf(m_options),
                                                   std::max<std::size_t>(m_stretches.size(), 1));
        runOnThreads(static_cast<unsigned>(threads),
                     [this] { m_turns.during([this] { work(); }); });
        if (m_options.stop.stop_requested()) {
            return fail("loading was cancelled", ErrorKind::Cancelled);
        }
        if (m_failure) {
            return tl::unexpected(*m_failure);
        }
        for (const auto& [slice, start] : m_open) {
            m_builder.setDuration(slice, std::max<TimeNs>(m_latest - start, 0));
        }
        m_issues.addTo(m_builder.log());
        return {};
    }

private:
    void work() {
        const auto database = m_file.connect(m_options.stop);
        if (!database) {
            return end(database.error());
        }
        Unit unit;  // one for all: fresh memory for each stretch would cost a third of the time
        for (std::size_t next = m_next++; next < m_stretches.size(); next = m_next++) {
            const Stretch& stretch = m_stretches[next];
            std::string damage;
            const auto read = [&](const std::shared_ptr<sqlite::ReadBudget>& budget) {
                unit.clear();
                damage = readStretch(*database, stretch, unit, budget);
            };
            const bool readsAhead = !m_isSpent[stretch.table];
            const auto ahead = std::make_shared<sqlite::ReadBudget>(m_file.readableBytes());
            if (readsAhead) {
                read(ahead);
            }
            const bool joined = !m_options.stop.stop_requested() && m_turns.take(next, [&] {
                sqlite::ReadBudget& left = *m_budgets[stretch.table];
                if (!readsAhead || !left.takeAllOf(*ahead)) {
                    // The same rows for any number of threads: what earlier stretches have left.
                    m_isSpent[stretch.table] = true;
                    read(m_budgets[stretch.table]);
                }
                join(unit, stretch, damage);
                ++m_joined;
            });
            if (!joined) {
                return m_turns.end();
            }
        }
    }

    void end(const Error& failure) {
        m_turns.end();
        const std::scoped_lock lock(m_failureMutex);
        m_failure = m_failure ? m_failure : std::optional(failure);
    }

    // What ended it before its last row; empty for nothing.
    [[nodiscard]] std::string readStretch(const sqlite::Database& database, const Stretch& stretch,
                                          Unit& unit,
                                          std::shared_ptr<sqlite::ReadBudget> budget) const {
        const EventTable& table = m_tables[stretch.table];
        auto rows = Rows::of(database, *table.table, table.columns, stretch.rows,
                             originOf(stretch.table), std::move(budget));
        if (!rows) {
            return rows.error().message;
        }
        for (;;) {
            const auto more = rows->next();
            if (!more || !*more) {
                return more ? std::string() : more.error().message;
            }
            ++unit.rows;
            table.read(*rows, unit);
        }
    }

    void join(const Unit& unit, const Stretch& stretch, const std::string& damage) {
        // These rows came from that part of all rows, and from no more than fit into the file.
        const double mostRows = static_cast<double>(m_file.bytes()) / kMinRowBytes + 1;
        m_builder.setFraction(
            std::max(static_cast<double>(m_joined) / static_cast<double>(m_stretches.size()),
                     static_cast<double>(m_builder.sliceCount()) / mostRows));
        const trace::AppendedPart rows = m_builder.append(unit.builder);
        m_issues.add(unit.issues);
        m_builder.log().events += unit.rows;
        m_builder.log().skipped += unit.skipped;
        for (const auto& [slice, start] : unit.open) {
            m_open.emplace_back(rows.firstSlice + slice, start);
        }
        m_latest = std::max(m_latest, unit.latest);
        if (!damage.empty()) {
            const std::string_view name = m_tables[stretch.table].table->name;
            m_builder.log().add(
                "damaged_table", trace::Severity::DataLoss,
                originOf(stretch.table) + static_cast<std::uint64_t>(stretch.rows.first),
                fmt::format("{}: {}", name, damage));
        }
        if (m_options.progress != nullptr) {
            m_options.progress->set(m_options.progress->total() * (m_joined + 1) /
                                    m_stretches.size());
        }
    }

    const DatabaseFile& m_file;
    std::span<const EventTable> m_tables;
    const LoadOptions& m_options;
    trace::TraceBuilder& m_builder;
    std::vector<Stretch> m_stretches;
    std::atomic<std::size_t> m_next = 0;
    std::vector<std::atomic_bool> m_isSpent;  // by table: its budget

    std::mutex m_failureMutex;
    std::optional<Error> m_failure;

    Turns m_turns;                                               // of what follows, and the builder
    std::vector<std::shared_ptr<sqlite::ReadBudget>> m_budgets;  // by table
    std::size_t m_joined = 0;
    trace::IssueCounter m_issues;
    std::vector<std::pair<trace::SliceId, TimeNs>> m_open;
    TimeNs m_latest = std::numeric_limits<TimeNs>::min();
};

// SQLite takes any other text for 0.
bool startsLikeANumber(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\r"), text.size()));
    text.remove_prefix(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
    return !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.');
}

}  // namespace

void Unit::clear() {
    builder.clear();
    issues.clear();
    rows = 0;
    skipped = 0;
    open.clear();
    latest = std::numeric_limits<TimeNs>::min();
    names.clear();
}

std::optional<TimeNs> Unit::time(const Rows& row, std::size_t start) {
    const auto refuse = [&](trace::Issue issue) {
        issues.add(issue, row.offset(), [&] { return std::string(row.text(start)); });
        ++skipped;
        return std::nullopt;
    };
    if (row.isNull(start)) {
        return refuse(trace::Issue::MissingTime);
    }
    const TimeNs time = row.integer(start);
    if (time == 0 && !startsLikeANumber(row.text(start))) {
        return refuse(trace::Issue::MissingTime);
    }
    return time < -event::kFarthestTime || time > event::kFarthestTime
               ? refuse(trace::Issue::TimeOutOfRange)
               : std::optional(time);
}

std::optional<TimeSpan> Unit::span(const Rows& row, std::size_t start, std::size_t end) {
    const std::optional<TimeNs> begin = time(row, start);
    if (!begin) {
        return std::nullopt;
    }
    const TimeNs behind = row.isNull(end) ? *begin : row.integer(end);
    if (behind < *begin) {
        issues.add(trace::Issue::NegativeDuration, row.offset(), [&] {
            return fmt::format("it starts at {} ns and ends at {} ns", *begin, behind);
        });
    }
    if (behind > event::kFarthestTime) {
        issues.add(trace::Issue::DurationOutOfRange, row.offset(),
                   [&] { return fmt::format("it ends at {} ns", behind); });
    }
    const TimeSpan span{*begin, std::clamp(behind, *begin, event::kFarthestTime)};
    latest = std::max(latest, span.end);
    return span;
}

trace::SliceId Unit::addSlice(TimeSpan span, NameId name, trace::TrackId track,
                              trace::CategoryId category, std::uint64_t offset,
                              std::int64_t correlation) {
    trace::SliceInput slice;
    slice.start = span.start;
    slice.duration = span.duration();
    slice.name = name;
    slice.track = track;
    slice.category = category;
    slice.offset = offset;
    slice.correlation = correlation;
    return builder.addSlice(slice);
}

Result<void> readTables(const DatabaseFile& file, std::span<const EventTable> tables,
                        const LoadOptions& options, trace::TraceBuilder& builder) {
    return TableReader(file, tables, options, builder).read();
}

}  // namespace kinetoscope::import::database
