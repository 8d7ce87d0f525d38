// SPDX-License-Identifier: Apache-2.0
#include "core/import/nsys/Report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/json/Json.h"

namespace kinetoscope::import::nsys {

namespace {

using database::Rows;
using database::Schema;
using database::Table;

constexpr int kIdBits = 32;  // of a correlation
constexpr std::int64_t kStreamsOfProcess = 100'000;

// Columns whose codes a table of their own explains.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kCodes{{
    {"copyKind", "ENUM_CUDA_MEMCPY_OPER"},
    {"srcKind", "ENUM_CUDA_MEM_KIND"},
    {"dstKind", "ENUM_CUDA_MEM_KIND"},
    {"memKind", "ENUM_CUDA_MEM_KIND"},
    {"syncType", "ENUM_CUPTI_SYNC_TYPE"},
    {"overheadType", "ENUM_CUPTI_OVERHEAD_TYPE"},
    {"launchType", "ENUM_CUDA_KERNEL_LAUNCH_TYPE"},
    {"cacheConfig", "ENUM_CUDA_FUNC_CACHE_CONFIG"},
    {"migrationCause", "ENUM_CUDA_UNIF_MEM_MIGRATION"},
    {"faultAccessType", "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE"},
    {"memoryOperationType", "ENUM_CUDA_DEV_MEM_EVENT_OPER"},
    {"eventClass", "ENUM_NSYS_EVENT_CLASS"},
    {"eventType", "ENUM_NSYS_EVENT_TYPE"},
    {"tag", "ENUM_GPU_CTX_SWITCH"},
}};

constexpr std::array<std::string_view, 6> kTextColumns{
    "nameId", "demangledName", "shortName", "mangledName", "textId", "jsonTextId"};

// Numbers that no GPU has are those of an unknown one.
std::int32_t gpuNumber(std::int64_t id) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    return id < 0 || id > kMax ? -1 : static_cast<std::int32_t>(id);
}

// The rows of a table that is small, one call each; damage ends it.
template <class Take>
Result<void> forEachRow(const sqlite::Database& database, const Table* table,
                        std::initializer_list<std::string_view> columns, const Take& take) {
    if (table == nullptr) {
        return {};
    }
    auto rows = Rows::all(database, *table, columns);
    while (rows) {
        const auto more = rows->next();
        if (!more && more.error().kind != ErrorKind::BadInput) {
            return tl::unexpected(more.error());
        }
        if (!more || !*more) {
            break;
        }
        take(*rows);
    }
    return {};
}

}  // namespace

Result<void> Report::read(const sqlite::Database& database, const Schema& schema,
                          trace::ImportLog& log) {
    const auto texts = m_texts.read(database, schema.find("StringIds"), "id", "value");
    if (!texts) {
        return tl::unexpected(texts.error());
    }
    if (!*texts || !schema.has("StringIds")) {
        log.add("damaged_table", trace::Severity::DataLoss, 0,
                schema.has("StringIds") ? "StringIds, the texts of names, can only be read in part"
                                        : "there is no table StringIds: names are numbers");
    }
    for (const auto& [column, table] : kCodes) {
        const auto read =
            m_codes[std::string(column)].read(database, schema.find(table), "id", "label");
        if (!read) {
            return tl::unexpected(read.error());
        }
    }
    using Step = Result<void> (Report::*)(const Database&, const Schema&);
    for (const Step step : {&Report::readGpus, &Report::readProcesses, &Report::readUsers}) {
        if (auto done = (this->*step)(database, schema); !done) {
            return done;
        }
    }
    placeProcesses();
    return {};
}

Result<void> Report::readGpus(const Database& database, const Schema& schema) {
    auto read =
        forEachRow(database, schema.find("TARGET_INFO_CUDA_DEVICE"), {"pid", "cudaId", "gpuId"},
                   [&](const Rows& row) {
                       m_gpuOf[{row.integer(0), row.integer(1)}] = gpuNumber(row.integer(2));
                   });
    const auto addGpu = [&](const Rows& row) {
        trace::DeviceProperties gpu;
        gpu.id = row.integer(0);
        gpu.name = row.text(1);
        gpu.totalMemoryBytes =
            static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(2), 0));
        const auto small = [&](std::size_t column) {
            return static_cast<int>(std::clamp<std::int64_t>(row.integer(column), 0, 1 << 20));
        };
        gpu.computeMajor = small(3);
        gpu.computeMinor = small(4);
        gpu.multiprocessors = small(5);
        gpu.warpSize = small(6);
        gpu.maxThreadsPerMultiprocessor =
            static_cast<int>(std::min<std::int64_t>(std::int64_t{small(6)} * small(7), 1 << 20));
        const std::int64_t id = gpu.id;
        m_gpus.try_emplace(id, std::move(gpu));
    };
    if (read) {
        read = forEachRow(database, schema.find("TARGET_INFO_GPU"),
                          {"id", "name", "totalMemory", "computeMajor", "computeMinor", "smCount",
                           "threadsPerWarp", "maxWarpsPerSm"},
                          addGpu);
    }
    if (read) {  // until the spring of 2021
        read = forEachRow(database, schema.find("TARGET_INFO_CUDA_GPU"),
                          {"deviceId", "name", "globalMemorySize", "computeCapabilityMajor",
                           "computeCapabilityMinor", "numMultiprocessors", "numThreadsPerWarp",
                           "maxWarpsPerMultiprocessor"},
                          addGpu);
    }
    if (read) {
        read = forEachRow(database, schema.find("TARGET_INFO_GPU_METRICS"),
                          {"typeId", "metricId", "metricName"}, [&](const Rows& row) {
                              m_metrics[{row.integer(0), row.integer(1)}] = row.text(2);
                          });
    }
    return read;
}

Result<void> Report::readProcesses(const Database& database, const Schema& schema) {
    auto read =
        forEachRow(database, schema.find("PROCESSES"), {"globalPid", "name"}, [&](const Rows& row) {
            m_processes[GlobalId{row.integer(0)}.process()].name = row.text(1);
        });
    if (read) {
        read = forEachRow(
            database, schema.find("ThreadNames"), {"globalTid", "nameId"},
            [&](const Rows& row) { m_threads.emplace_back(row.integer(0), text(row.integer(1))); });
    }
    if (read) {
        read = forEachRow(database, schema.find("MPI_RANKS"), {"globalTid", "rank"},
                          [&](const Rows& row) {
                              m_processes[GlobalId{row.integer(0)}.process()].rank = row.integer(1);
                          });
    }
    return read;
}

Result<void> Report::readUsers(const Database& database, const Schema& schema) {
    const auto add = [&](GlobalId id, std::int64_t device) {
        m_first = m_first ? m_first : id.process();
        m_processes.try_emplace(id.process());
        auto& users = m_users[gpuOf(id, device)];
        users.try_emplace(id.process(), std::ssize(users));
    };
    auto read =
        forEachRow(database, schema.find("TARGET_INFO_CUDA_CONTEXT_INFO"),
                   {"hwId", "vmId", "processId", "deviceId"}, [&](const Rows& row) {
                       add({row.integer(0) << 56 | row.integer(1) << 48 | row.integer(2) << 24},
                           row.integer(3));
                   });
    if (!read || !m_users.empty()) {
        return read;
    }
    // Without the list of contexts, all of the work has to be looked through.
    for (const std::string_view name :
         {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
          "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET"}) {
        const Table* table = schema.find(name);
        if (table == nullptr || table->rows.first > table->rows.last) {
            continue;
        }
        if (!table->has("deviceId") && !table->has("globalPid")) {
            add({}, 0);  // without them it is one process's work on one GPU
            continue;
        }
        std::optional<std::pair<std::int64_t, std::int64_t>> known;
        read = forEachRow(database, table, {"globalPid", "deviceId"}, [&](const Rows& row) {
            const std::pair user{row.integer(0), row.integer(1)};
            if (user != known) {
                known = user;
                add({user.first}, user.second);
            }
        });
        if (!read) {
            return read;
        }
    }
    return {};
}

void Report::placeProcesses() {
    for (auto& [id, process] : m_processes) {
        process.row = rowBesideGpus(GlobalId{id}.pid());
    }
}

std::int64_t Report::rowBesideGpus(std::int64_t pid) const {
    const bool isGpu = m_users.contains(static_cast<std::int32_t>(pid)) || m_gpus.contains(pid);
    return isGpu ? pid + (std::int64_t{1} << kIdBits) : pid;
}

std::string_view Report::text(std::int64_t id) const {
    return m_texts.find(id).value_or(std::string_view());
}

std::string_view Report::text(std::optional<std::int64_t> id,
                              std::optional<std::int64_t> otherwise) const {
    const std::string_view found = id ? text(*id) : std::string_view();
    return found.empty() && otherwise ? text(*otherwise) : found;
}

std::string_view Report::code(std::string_view column, std::int64_t value) const {
    const auto codes = m_codes.find(column);
    return codes == m_codes.end() ? std::string_view()
                                  : codes->second.find(value).value_or(std::string_view());
}

std::optional<std::string> Report::json(std::string_view column, std::int64_t value) const {
    if (std::ranges::any_of(
            kTextColumns, [&](std::string_view text) { return equalIgnoringCase(text, column); })) {
        const auto found = m_texts.find(value);
        return found ? std::optional(json::quotedJson(*found)) : std::nullopt;
    }
    const std::string_view word = code(column, value);
    return word.empty() ? std::nullopt : std::optional(json::quotedJson(word));
}

std::int64_t Report::rowOf(GlobalId id) const {
    const auto found = m_processes.find(id.process());
    return found == m_processes.end() ? rowBesideGpus(id.pid()) : found->second.row;
}

std::int64_t Report::idBase(GlobalId id) const {
    return !m_first || id.process() == *m_first ? 0 : (id.pid() + 1) << kIdBits;
}

std::int32_t Report::gpuOf(GlobalId id, std::int64_t device) const {
    auto found = m_gpuOf.find({id.pid(), device});
    found = found == m_gpuOf.end() ? m_gpuOf.find({0, device}) : found;
    return found == m_gpuOf.end() ? gpuNumber(device) : found->second;
}

std::int64_t Report::streamBase(GlobalId id, std::int32_t gpu) const {
    const auto users = m_users.find(gpu);
    if (users == m_users.end()) {
        return 0;
    }
    const auto place = users->second.find(id.process());
    return (place == users->second.end() ? std::ssize(users->second) : place->second) *
           kStreamsOfProcess;
}

std::string_view Report::metric(std::int64_t type, std::int64_t metric) const {
    const auto found = m_metrics.find({type, metric});
    return found == m_metrics.end() ? std::string_view() : std::string_view(found->second);
}

std::string Report::nvtxName(GlobalId id, std::int64_t domain,
                             std::optional<std::int64_t> category) const {
    const std::scoped_lock lock(m_nvtxMutex);
    const auto found = m_nvtxNames.find({id.process(), domain, category});
    return found == m_nvtxNames.end() ? std::string() : found->second;
}

void Report::keepNvtxName(GlobalId id, std::int64_t domain, std::optional<std::int64_t> category,
                          std::string_view name) const {
    const std::scoped_lock lock(m_nvtxMutex);
    m_nvtxNames[{id.process(), domain, category}] = name;
}

}  // namespace kinetoscope::import::nsys
