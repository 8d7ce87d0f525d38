// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/TableEvents.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "core/base/Ascii.h"
#include "core/base/Threads.h"
#include "core/import/database/EventWords.h"
#include "core/import/database/RowNumbers.h"
#include "core/import/event/WordedEvents.h"
#include "core/json/Json.h"

namespace kinetoscope::import::database {

namespace {

bool isOneOf(std::string_view column, const std::vector<std::string_view>& names) {
    return std::ranges::any_of(
        names, [&](std::string_view name) { return equalIgnoringCase(name, column); });
}

std::string valueJson(const Rows& row, std::size_t column, std::string_view name,
                      const ColumnWords* words) {
    switch (row.type(column)) {
        case sqlite::ValueType::Integer: {
            const std::int64_t value = row.integer(column);
            const auto worded = words != nullptr ? words->json(name, value) : std::nullopt;
            return worded.value_or(std::to_string(value));
        }
        case sqlite::ValueType::Real: {
            const double value = row.real(column);
            return std::isfinite(value) ? fmt::format("{}", value) : "null";
        }
        case sqlite::ValueType::Text:
            return json::quotedJson(row.text(column));
        case sqlite::ValueType::Blob:
            return fmt::format("\"{} bytes\"", row.bytes(column));
        case sqlite::ValueType::Null:
            break;
    }
    return "null";
}

// Rows of one table, converted to events one by one.
class TableWording {
public:
    TableWording(const EventTable& table, std::uint64_t origin, const ColumnWords* words)
        : m_table(table), m_origin(origin), m_words(words) {}

    [[nodiscard]] Result<void> connect(const sqlite::Database& database) {
        const Table& table = *m_table.table;
        auto rows = Rows::of(database, table, m_table.columns, {}, m_origin);
        const std::vector<std::string_view> columns(table.columns.begin(), table.columns.end());
        auto all = Rows::of(database, table, columns, {}, m_origin);
        if (!rows || !all) {
            return tl::unexpected(rows ? all.error() : rows.error());
        }
        m_rows.emplace(std::move(*rows));
        m_all.emplace(std::move(*all));
        return {};
    }

    // The number of an event's row; nothing if there is none.
    [[nodiscard]] std::optional<std::int64_t> rowAt(std::uint64_t offset) const {
        const std::uint64_t place = offset - m_origin;
        return m_table.numbers ? m_table.numbers->at(place)
                               : std::optional(static_cast<std::int64_t>(place));
    }
    [[nodiscard]] std::uint64_t offsetOf(std::int64_t row) const {
        return m_origin +
               (m_table.numbers ? m_table.numbers->placeOf(row) : static_cast<std::uint64_t>(row));
    }

    // Nothing if there is no such row, or if it is not an event.
    [[nodiscard]] Result<std::vector<WordedEvent>> events(std::int64_t row) {
        m_rows->restart({row, row});
        const auto found = m_rows->next();
        if (!found || !*found) {
            return found ? Result<std::vector<WordedEvent>>{} : tl::unexpected(found.error());
        }
        Unit unit;
        m_table.read(*m_rows, unit);
        for (const auto& [slice, start] : unit.open) {
            const TimeNs end = m_table.traceEnd ? m_table.traceEnd() : start;
            unit.builder.setDuration(slice, std::max<TimeNs>(end - start, 0));
        }
        std::vector<Argument> arguments;
        if (m_table.describe) {
            m_table.describe(*m_rows, arguments);
        }
        return wordedEvents(*unit.builder.finish(), arguments, columnsOf(row));
    }

private:
    [[nodiscard]] std::vector<Argument> columnsOf(std::int64_t row) {
        std::vector<Argument> columns;
        m_all->restart({row, row});
        const auto found = m_all->next();
        if (!found || !*found) {
            return columns;
        }
        const std::vector<std::string>& names = m_table.table->columns;
        for (std::size_t column = 0; column < names.size(); ++column) {
            if (!m_all->isNull(column) && !isOneOf(names[column], m_table.hidden)) {
                columns.emplace_back(names[column],
                                     valueJson(*m_all, column, names[column], m_words));
            }
        }
        return columns;
    }

    const EventTable& m_table;
    std::uint64_t m_origin;
    const ColumnWords* m_words;
    std::optional<Rows> m_rows;
    std::optional<Rows> m_all;  // of all columns
};

class TableEvents final : public event::WordedEvents {
public:
    TableEvents(std::shared_ptr<const DatabaseFile> file, std::vector<EventTable> tables,
                std::vector<std::string> metadata, std::shared_ptr<const ColumnWords> words,
                std::shared_ptr<const void> owner)
        : m_file(std::move(file)),
          m_tables(std::move(tables)),
          m_metadata(std::move(metadata)),
          m_words(std::move(words)),
          m_owner(std::move(owner)) {}

    [[nodiscard]] Result<void> events(std::span<const std::uint64_t> offsets,
                                      const Take& take) const override {
        return guarded([&] { return readEvents(offsets, take); });
    }

    [[nodiscard]] Result<void> forEach(const TakeEvent& take, const std::stop_token& stop,
                                       Progress* progress) const override {
        return guarded([&] { return listEvents(take, stop, progress); });
    }

    [[nodiscard]] bool startsAnywhere() const override { return true; }

private:
    [[nodiscard]] Result<void> readEvents(std::span<const std::uint64_t> offsets,
                                          const Take& take) const {
        const auto database = m_file->connect();
        if (!database) {
            return tl::unexpected(database.error());
        }
        std::optional<TableWording> wording;
        std::size_t of = m_tables.size();
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            const std::size_t table = static_cast<std::size_t>(offsets[i] >> kRowBits) - 1;
            if (table >= m_tables.size()) {
                return fail("this event is in no table of the database");
            }
            if (table != of) {
                of = table;
                wording.emplace(m_tables[table], originOf(table), m_words.get());
                if (auto connected = wording->connect(*database); !connected) {
                    return connected;
                }
            }
            const auto row = wording->rowAt(offsets[i]);
            const auto worded = row ? wording->events(*row) : Result<std::vector<WordedEvent>>{};
            if (!worded) {
                return tl::unexpected(worded.error());
            }
            if (worded->empty()) {
                return fail(fmt::format("{} has no such row any more; open the file again",
                                        m_tables[table].table->name));
            }
            take(i, worded->front().json);
        }
        return {};
    }

    [[nodiscard]] Result<void> listEvents(const TakeEvent& take, const std::stop_token& stop,
                                          Progress* progress) const {
        for (const std::string& metadata : m_metadata) {
            trace::ListedEvent listed;
            listed.json = metadata;
            listed.phase = 'M';
            if (auto taken = take(listed); !taken) {
                return taken;
            }
        }
        const auto database = m_file->connect(stop);
        if (!database) {
            return tl::unexpected(database.error());
        }
        for (std::size_t table = 0; table < m_tables.size(); ++table) {
            if (auto listed = listTable(*database, table, take, stop); !listed) {
                return listed;
            }
            if (progress != nullptr) {
                progress->set(progress->total() * (table + 1) / m_tables.size());
            }
        }
        return {};
    }

    [[nodiscard]] Result<void> listTable(const sqlite::Database& database, std::size_t number,
                                         const TakeEvent& take, const std::stop_token& stop) const {
        const EventTable& table = m_tables[number];
        TableWording wording(table, originOf(number), m_words.get());
        auto rows = Rows::of(database, *table.table, {}, table.table->rows);
        auto connected = rows ? wording.connect(database) : tl::unexpected(rows.error());
        if (!connected) {
            return connected;
        }
        for (;;) {
            throwIfStopped(stop);
            // Damage was counted when the file was opened.
            const auto more = rows->next();
            if (!more || !*more) {
                return {};
            }
            const auto row = static_cast<std::int64_t>(rows->offset());
            const auto worded = wording.events(row);
            for (std::size_t i = 0; worded && i < worded->size(); ++i) {
                const WordedEvent& event = (*worded)[i];
                trace::ListedEvent listed;
                listed.offset = wording.offsetOf(row);
                listed.json = event.json;
                listed.phase = event.phase;
                listed.time = event.time;
                if (auto taken = take(listed); !taken) {
                    return taken;
                }
            }
        }
    }

    std::shared_ptr<const DatabaseFile> m_file;
    std::vector<EventTable> m_tables;
    std::vector<std::string> m_metadata;
    std::shared_ptr<const ColumnWords> m_words;
    std::shared_ptr<const void> m_owner;
};

}  // namespace

std::shared_ptr<const trace::EventText> tableEvents(std::shared_ptr<const DatabaseFile> file,
                                                    std::vector<EventTable> tables,
                                                    std::vector<std::string> metadata,
                                                    std::shared_ptr<const ColumnWords> words,
                                                    std::shared_ptr<const void> owner) {
    return std::make_shared<TableEvents>(std::move(file), std::move(tables), std::move(metadata),
                                         std::move(words), std::move(owner));
}

std::vector<std::string> metadataOf(const trace::Trace& trace) {
    std::vector<std::string> events;
    const auto add = [&](std::string_view name, const std::string& ids, std::string_view key,
                         const std::string& json) {
        events.push_back(fmt::format(R"({{"ph": "M", "name": "{}", {}, "ts": 0.000, )"
                                     R"("args": {{"{}": {}}}}})",
                                     name, ids, key, json));
    };
    const auto text = [&](NameId id) { return json::quotedJson(trace.text(id)); };
    for (const trace::Process& process : trace.processes()) {
        const std::string ids = "\"pid\": " + rowIdJson(trace, process.pid) + ", \"tid\": 0";
        add("process_name", ids, "name", text(process.name));
        add("process_labels", ids, "labels", text(process.labels));
        add("process_sort_index", ids, "sort_index", std::to_string(process.sortIndex));
    }
    for (const trace::Track& track : trace.tracks()) {
        if (track.kind == trace::TrackKind::Thread && track.name != kEmptyName) {
            add("thread_name",
                "\"pid\": " + rowIdJson(trace, trace.processes()[track.process].pid) +
                    ", \"tid\": " + rowIdJson(trace, track.tid),
                "name", text(track.name));
        }
    }
    return events;
}

}  // namespace kinetoscope::import::database
