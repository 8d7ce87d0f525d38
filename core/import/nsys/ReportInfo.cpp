// SPDX-License-Identifier: Apache-2.0
// A report's facts about the run: rows' names, clock, GPUs, rank.
#include <fmt/format.h>

#include "core/import/event/EventFields.h"
#include "core/import/nsys/Report.h"
#include "core/json/Json.h"

namespace kinetoscope::import::nsys {

namespace {

using database::Rows;
using database::Schema;

constexpr std::int64_t kGpuSortIndex = 5'000'000;  // as Kineto has it: GPUs below the processes
constexpr std::int64_t kBehindGpus = std::int64_t{1} << 31;

// The values of a table of names and values, as far as it can be read.
std::map<std::string, std::string> valuesOf(const sqlite::Database& database, const Schema& schema,
                                            std::string_view name) {
    std::map<std::string, std::string> values;
    if (const database::Table* table = schema.find(name)) {
        auto rows = Rows::all(database, *table, {"name", "value"});
        for (auto more = rows ? rows->next() : Result<bool>(false); more && *more;
             more = rows->next()) {
            values.emplace(rows->text(0), rows->text(1));
        }
    }
    return values;
}

std::string deviceJson(const trace::DeviceProperties& gpu) {
    return fmt::format(
        R"({{"id": {}, "name": {}, "totalGlobalMem": {}, "computeMajor": {}, "computeMinor": {}, )"
        R"("warpSize": {}, "maxThreadsPerMultiprocessor": {}, "numSms": {}}})",
        gpu.id, json::quotedJson(gpu.name), gpu.totalMemoryBytes, gpu.computeMajor,
        gpu.computeMinor, gpu.warpSize, gpu.maxThreadsPerMultiprocessor, gpu.multiprocessors);
}

}  // namespace

void Report::nameRows(trace::TraceBuilder& builder) const {
    for (const auto& [id, process] : m_processes) {
        const std::uint32_t row = builder.process({false, process.row});
        std::string name = process.name;
        if (process.row != GlobalId{id}.pid()) {
            name = fmt::format("{} (pid {})", name.empty() ? "process" : name, GlobalId{id}.pid());
        }
        if (process.rank >= 0) {
            name = name.empty() ? fmt::format("rank {}", process.rank)
                                : fmt::format("{} (rank {})", name, process.rank);
        }
        builder.setProcess(row, trace::RowField::Name, builder.name(name));
        builder.setProcess(row, trace::RowField::Labels, builder.name("CPU"));
        builder.setProcess(row, trace::RowField::SortIndex, process.row);
    }
    for (const auto& [id, name] : m_threads) {
        const trace::TrackId track =
            builder.track({false, rowOf({id})}, {false, GlobalId{id}.tid()});
        builder.setTrack(track, trace::RowField::Name, builder.name(name));
    }
    for (const auto& [gpu, users] : m_users) {
        const std::uint32_t row = builder.process({false, gpu});
        const bool isKnown = gpu >= 0;
        const NameId name = builder.name(trace::gpuName(gpu));
        builder.setProcess(row, trace::RowField::Name, name);
        builder.setProcess(row, trace::RowField::Labels, isKnown ? name : kEmptyName);
        builder.setProcess(row, trace::RowField::SortIndex,
                           kGpuSortIndex + (isKnown ? gpu : kBehindGpus));
        builder.compatFacts().gpuPids.push_back({false, gpu});
    }
}

void Report::describeGpus(trace::RunInfo& info) const {
    std::string devices;
    for (const auto& [id, gpu] : m_gpus) {
        info.devices.push_back(gpu);
        info.devices.back().json = deviceJson(gpu);
        devices += (devices.empty() ? "" : ", ") + info.devices.back().json;
    }
    if (!devices.empty()) {
        info.fields.push_back({"deviceProperties", "[" + devices + "]"});
    }
}

void Report::describe(const sqlite::Database& database, const Schema& schema,
                      trace::RunInfo& info) const {
    auto exported = valuesOf(database, schema, "META_DATA_EXPORT");
    exported.merge(valuesOf(database, schema, "EXPORT_META_DATA"));  // as it was called first
    const auto value = [&](const char* name) {
        const auto found = exported.find(name);
        return found == exported.end() ? std::string() : found->second;
    };
    const std::string version = value("EXPORT_PRODUCT_VERSION");
    info.format = "Nsight Systems" + (version.empty() ? "" : " " + version) + ", SQLite";
    describeGpus(info);
    if (const database::Table* table = schema.find("TARGET_INFO_SESSION_START_TIME")) {
        auto rows = Rows::all(database, *table, {"utcEpochNs"});
        const auto found = rows ? rows->next() : Result<bool>(false);
        // Exports may be asked to count from 1970 themselves.
        const bool absolute = value("EXPORT_PARAM_TIME_NORMALIZE") == "true";
        const TimeNs start = found && *found ? rows->integer(0) : 0;
        if (start > 0 && start <= event::kFarthestTime) {
            info.baseTimeNs = absolute ? 0 : start;
            info.fields.push_back({"baseTimeNanoseconds", std::to_string(*info.baseTimeNs)});
        }
    }
    const auto system = valuesOf(database, schema, "TARGET_INFO_SYSTEM_ENV");
    for (const auto& [name, key] : {std::pair{"Hostname", "hostname"},
                                    {"NvDriverVersion", "driver_version"},
                                    {"OsDescription", "os"}}) {
        if (const auto found = system.find(name); found != system.end()) {
            info.fields.push_back({key, json::quotedJson(found->second)});
        }
    }
    if (!version.empty()) {
        info.fields.push_back({"nsight_systems_version", json::quotedJson(version)});
        info.fields.push_back(
            {"export_schema_version", json::quotedJson(value("EXPORT_SCHEMA_VERSION"))});
    }
    std::vector<std::int64_t> ranks;
    for (const auto& [id, process] : m_processes) {
        if (process.rank >= 0) {
            ranks.push_back(process.rank);
        }
    }
    if (ranks.size() == 1) {
        info.distributed = trace::DistributedInfo{"", ranks.front(), -1};
    }
}

}  // namespace kinetoscope::import::nsys
