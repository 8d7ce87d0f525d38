// SPDX-License-Identifier: Apache-2.0
#include "core/import/rocm/RpdFormat.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <unordered_map>

#include "core/import/database/RangeText.h"
#include "core/import/database/RowNumbers.h"
#include "core/import/rocm/RocmNames.h"
#include "core/json/Json.h"

namespace kinetoscope::import::rocm {

namespace {

using database::Argument;
using database::EventTable;
using database::Rows;
using database::Schema;
using database::Table;
using database::Unit;

struct KernelLaunch {
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint16_t, 3> block{};
    std::uint32_t sharedBytes = 0;
    std::int64_t name = 0;
};

// The tables beside calls and operations.
class Tracing {
public:
    [[nodiscard]] Result<void> read(const sqlite::Database& database, const Schema& schema,
                                    trace::ImportLog& log) {
        bool whole = true;
        for (auto [names, table] :
             {std::pair{&m_strings, "rocpd_string"}, std::pair{&m_arguments, "rocpd_ustring"}}) {
            const auto read = names->read(database, schema.find(table), "id", "string");
            if (!read) {
                return tl::unexpected(read.error());
            }
            whole = whole && *read;
        }
        m_hasArgumentTable = schema.has("rocpd_ustring");
        auto done = forEach(database, schema, "rocpd_api_ops", {"op_id", "api_id"}, whole,
                            [&](const Rows& row) { m_callOf[row.integer(0)] = row.integer(1); });
        if (done) {
            done = readLaunches(database, schema, whole);
        }
        if (done) {
            done = forEach(database, schema, "rocpd_copyapi",
                           {"api_ptr_id", "api_id", "size", "kind"}, whole, [&](const Rows& row) {
                               m_copies[row.isNull(0) ? row.integer(1) : row.integer(0)] = {
                                   row.integer(2), row.integer(3)};
                           });
        }
        if (done) {
            done = readGpus(database, schema);
        }
        if (!whole) {
            log.add("damaged_table", trace::Severity::DataLoss, 0,
                    "names and launches can only be read in part");
        }
        return done;
    }

    [[nodiscard]] std::string_view text(std::int64_t id) const {
        return m_strings.find(id).value_or(std::string_view());
    }
    [[nodiscard]] std::string_view arguments(std::int64_t id) const {
        return (m_hasArgumentTable ? m_arguments : m_strings).find(id).value_or(std::string_view());
    }
    [[nodiscard]] std::int64_t callOf(std::int64_t operation) const {
        const auto found = m_callOf.find(operation);
        return found == m_callOf.end() ? trace::kNoId : found->second;
    }
    [[nodiscard]] const KernelLaunch* launch(std::int64_t call) const {
        const auto found = m_launches.find(call);
        return found == m_launches.end() ? nullptr : &found->second;
    }
    // Bytes and hipMemcpyKind.
    [[nodiscard]] const std::pair<std::int64_t, std::int64_t>* copy(std::int64_t call) const {
        const auto found = m_copies.find(call);
        return found == m_copies.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::int64_t rowOf(std::int64_t pid) const {
        return m_gpus.contains(pid) ? pid + kPidBeyondGpus : pid;
    }
    void nameRows(trace::TraceBuilder& builder) const {
        for (const std::int64_t gpu : m_gpus) {
            const std::uint32_t row = builder.process({false, gpu});
            const NameId label = builder.name(fmt::format("GPU {}", gpu));
            builder.setProcess(row, trace::RowField::Name, label);
            builder.setProcess(row, trace::RowField::Labels, label);
            builder.setProcess(row, trace::RowField::SortIndex, kGpuSortIndex + gpu);
            builder.compatFacts().gpuPids.push_back({false, gpu});
        }
    }

private:
    template <class Take>
    static Result<void> forEach(const sqlite::Database& database, const Schema& schema,
                                std::string_view name,
                                std::initializer_list<std::string_view> columns, bool& whole,
                                const Take& take) {
        const Table* table = schema.find(name);
        if (table == nullptr) {
            return {};
        }
        auto rows = Rows::all(database, *table, columns);
        auto more = rows ? rows->next() : tl::unexpected(rows.error());
        for (; more && *more; more = rows->next()) {
            take(*rows);
        }
        if (!more && more.error().kind != ErrorKind::BadInput) {
            return tl::unexpected(more.error());
        }
        whole = whole && more;
        return {};
    }

    [[nodiscard]] Result<void> readLaunches(const sqlite::Database& database, const Schema& schema,
                                            bool& whole) {
        return forEach(database, schema, "rocpd_kernelapi",
                       {"api_ptr_id", "api_id", "gridX", "gridY", "gridZ", "workgroupX",
                        "workgroupY", "workgroupZ", "groupSegmentSize", "kernelName_id"},
                       whole, [&](const Rows& row) {
                           KernelLaunch launch;
                           for (std::size_t axis = 0; axis < 3; ++axis) {
                               launch.grid[axis] = bounded<std::uint32_t>(row.integer(2 + axis));
                               launch.block[axis] = bounded<std::uint16_t>(row.integer(5 + axis));
                           }
                           launch.sharedBytes = bounded<std::uint32_t>(row.integer(8));
                           launch.name = row.integer(9);
                           m_launches[row.isNull(0) ? row.integer(1) : row.integer(0)] = launch;
                       });
    }

    [[nodiscard]] Result<void> readGpus(const sqlite::Database& database, const Schema& schema) {
        bool whole = true;  // damage is counted when the operations themselves are read
        return forEach(database, schema, "rocpd_op", {"gpuId"}, whole, [&](const Rows& row) {
            if (row.integer(0) >= 0) {
                m_gpus.insert(bounded<std::int32_t>(row.integer(0)));
            }
        });
    }

    database::Names m_strings;
    database::Names m_arguments;
    bool m_hasArgumentTable = false;
    std::unordered_map<std::int64_t, std::int64_t> m_callOf;    // by operation
    std::unordered_map<std::int64_t, KernelLaunch> m_launches;  // by call
    std::unordered_map<std::int64_t, std::pair<std::int64_t, std::int64_t>> m_copies;
    std::set<std::int64_t> m_gpus;
};

constexpr std::array<std::string_view, 4> kCopyKinds{"HostToHost", "HostToDevice", "DeviceToHost",
                                                     "DeviceToDevice"};

trace::Category categoryOf(std::string_view type) {
    if (type.find("Copy") != std::string_view::npos) {
        return trace::Category::GpuMemcpy;
    }
    if (type.find("Fill") != std::string_view::npos ||
        type.find("Memset") != std::string_view::npos) {
        return trace::Category::GpuMemset;
    }
    return type.find("Kernel") != std::string_view::npos ? trace::Category::Kernel
                                                         : trace::Category::Other;
}

std::string operationName(const Tracing& tracing, trace::Category category, std::string_view type,
                          std::string_view text, std::int64_t call) {
    if (category == trace::Category::GpuMemcpy) {
        std::string name = copyName(type);
        const auto* copy = tracing.copy(call);
        if (name == "Memcpy" && copy != nullptr && copy->second >= 0 &&
            copy->second < static_cast<std::int64_t>(kCopyKinds.size())) {
            name = copyName(kCopyKinds[static_cast<std::size_t>(copy->second)]);
        }
        return name;
    }
    const KernelLaunch* launch = tracing.launch(call);
    if (category == trace::Category::Kernel && text.empty() && launch != nullptr) {
        text = tracing.text(launch->name);
    }
    return text.empty() ? std::string(type) : kernelName(text);
}

EventTable operations(const Table& table, const Tracing& tracing) {
    enum : std::size_t { Start, End, Id, Gpu, Queue, Text, Type };
    EventTable events;
    events.table = &table;
    events.columns = {"start", "end", "id", "gpuId", "queueId", "description_id", "opType_id"};
    events.hidden = {"start", "end", "gpuId", "queueId", "description_id", "opType_id"};
    events.read = [&tracing](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const std::int64_t call = tracing.callOf(row.integer(Id));
        const std::string_view type = tracing.text(row.integer(Type));
        trace::Category category = categoryOf(type);
        const NameId name = unit.builder.name(
            operationName(tracing, category, type, tracing.text(row.integer(Text)), call));
        if (row.integer(Gpu) < 0 || category == trace::Category::Other) {
            const auto at = [&](std::string_view text) {
                return trace::RowId{true, static_cast<std::int64_t>(unit.builder.name(text))};
            };
            unit.addSlice(*span, name,
                          row.integer(Gpu) < 0
                              ? unit.builder.track(at("operations of no GPU"), {false, 0})
                              : unit.builder.track({false, row.integer(Gpu)}, at("barriers")),
                          unit.builder.otherCategory(type.empty() ? "operation" : type),
                          unit.offset(row));
            return;
        }
        trace::GpuOperation operation;
        operation.gpu = bounded<std::int32_t>(row.integer(Gpu));
        operation.stream = row.integer(Queue);
        if (const KernelLaunch* launch = tracing.launch(call)) {
            operation.grid = launch->grid;
            operation.block = launch->block;
            operation.sharedBytes = launch->sharedBytes;
        }
        if (const auto* copy = tracing.copy(call)) {
            operation.bytes = bounded<std::uint64_t>(copy->first);
        }
        operation.slice = unit.addSlice(
            *span, name, unit.builder.track({false, operation.gpu}, {false, operation.stream}),
            idOf(category), unit.offset(row), call);
        unit.builder.addGpuOperation(operation);
    };
    events.describe = [&tracing](const Rows& row, std::vector<Argument>& arguments) {
        arguments.emplace_back("opType", json::quotedJson(tracing.text(row.integer(Type))));
    };
    return events;
}

EventTable calls(const Table& table, const Tracing& tracing) {
    enum : std::size_t { Start, End, Id, Pid, Tid, Name, Arguments };
    EventTable events;
    events.table = &table;
    events.columns = {"start", "end", "id", "pid", "tid", "apiName_id", "args_id"};
    events.hidden = {"start", "end", "id", "pid", "tid", "apiName_id", "args_id"};
    events.read = [&tracing](const Rows& row, Unit& unit) {
        const auto span = unit.span(row, Start, End);
        if (!span) {
            return;
        }
        const trace::TrackId track =
            unit.builder.track({false, tracing.rowOf(row.integer(Pid))}, {false, row.integer(Tid)});
        const std::string_view text = tracing.text(row.integer(Name));
        if (text == "UserMarker") {
            const auto range = database::rangeText(tracing.arguments(row.integer(Arguments)));
            unit.addSlice(
                *span, unit.builder.name(range.name), track,
                idOf(range.isOperator ? trace::Category::CpuOp : trace::Category::UserAnnotation),
                unit.offset(row));
            return;
        }
        unit.addSlice(*span, unit.builder.name(text), track, idOf(trace::Category::Runtime),
                      unit.offset(row), row.integer(Id));
    };
    events.describe = [&tracing](const Rows& row, std::vector<Argument>& arguments) {
        const std::string_view text = tracing.arguments(row.integer(Arguments));
        if (const auto range = database::rangeText(text); !range.shapes.empty()) {
            arguments.emplace_back("Input Dims", range.shapes);
        }
        if (!text.empty()) {
            arguments.emplace_back("arguments", json::quotedJson(text));
        }
    };
    return events;
}

EventTable monitors(const Table& table) {
    enum : std::size_t { Time, Device, Type, Value };
    EventTable events;
    events.table = &table;
    events.columns = {"start", "deviceId", "monitorType", "value"};
    events.read = [](const Rows& row, Unit& unit) {
        const auto time = unit.time(row, Time);
        if (!time) {
            return;
        }
        const std::string_view text = row.text(Value);
        double value = 0.0;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
        if (parsed.ec != std::errc() || !std::isfinite(value)) {
            unit.issues.add(trace::Issue::CounterWithoutValue, unit.offset(row),
                            [&] { return std::string(row.text(Type)); });
            ++unit.skipped;
            return;
        }
        const NameId name = unit.builder.name(row.text(Type));
        const trace::TrackId track =
            unit.builder.track({false, row.integer(Device)},
                               {true, static_cast<std::int64_t>(name)}, trace::TrackKind::Counter);
        unit.builder.addCounter({*time, track, kEmptyName, value, unit.offset(row)});
    };
    return events;
}

}  // namespace

bool RpdFormat::recognises(const Schema& schema) const {
    return schema.has("rocpd_op") && schema.has("rocpd_string");
}

Result<database::DatabaseFormat::Plan> RpdFormat::plan(const sqlite::Database& database,
                                                       const Schema& schema, trace::RunInfo& info,
                                                       trace::ImportLog& log) const {
    const auto tracing = std::make_shared<Tracing>();
    if (auto read = tracing->read(database, schema, log); !read) {
        return tl::unexpected(read.error());
    }
    info.format = "rocmProfileData, SQLite";
    Plan plan;
    plan.tables.push_back(operations(*schema.find("rocpd_op"), *tracing));
    if (const Table* table = schema.find("rocpd_api")) {
        plan.tables.push_back(calls(*table, *tracing));
    }
    if (const Table* table = schema.find("rocpd_monitor")) {
        plan.tables.push_back(monitors(*table));
    }
    if (auto numbered = database::numberRows(database, plan.tables); !numbered) {
        return tl::unexpected(numbered.error());
    }
    plan.nameRows = [tracing](trace::TraceBuilder& builder) { tracing->nameRows(builder); };
    plan.owner = tracing;
    return plan;
}

}  // namespace kinetoscope::import::rocm
