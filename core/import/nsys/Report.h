// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/Ascii.h"
#include "core/import/database/EventTable.h"

namespace kinetoscope::import::nsys {

/// What Nsight Systems packs into one number: hardware, virtual machine, process (24 bits above
/// the thread's 24).
struct GlobalId {
    std::int64_t value = 0;

    [[nodiscard]] std::int64_t process() const { return value & ~std::int64_t{0xffffff}; }
    [[nodiscard]] std::int64_t pid() const { return value >> 24 & 0xffffff; }
    [[nodiscard]] std::int64_t tid() const { return value & 0xffffff; }
};

/// The tables beside the events: texts, codes, processes, GPUs. Read once, then immutable: any
/// thread may use it.
class Report final : public database::ColumnWords {
public:
    /// Fails when stopped. Damage is skipped and counted in `log`.
    [[nodiscard]] Result<void> read(const sqlite::Database& database,
                                    const database::Schema& schema, trace::ImportLog& log);

    [[nodiscard]] std::string_view text(std::int64_t id) const;
    /// The first of the texts that there is; empty for none.
    [[nodiscard]] std::string_view text(std::optional<std::int64_t> id,
                                        std::optional<std::int64_t> otherwise) const;
    /// The meaning of a code by the report's own list for the column ("copyKind"), or empty.
    [[nodiscard]] std::string_view code(std::string_view column, std::int64_t value) const;
    [[nodiscard]] std::optional<std::string> json(std::string_view column,
                                                  std::int64_t value) const override;

    /// The row of a process: its pid, but another number where that is a GPU's.
    [[nodiscard]] std::int64_t rowOf(GlobalId id) const;
    /// Correlations and event numbers are one process's own: what to add for this one.
    [[nodiscard]] std::int64_t idBase(GlobalId id) const;
    /// Devices are numbered as a process sees them: the GPU that this one is.
    [[nodiscard]] std::int32_t gpuOf(GlobalId id, std::int64_t device) const;
    /// Added to the streams of a process on a GPU that others use before it.
    [[nodiscard]] std::int64_t streamBase(GlobalId id, std::int32_t gpu) const;

    [[nodiscard]] std::string_view metric(std::int64_t type, std::int64_t metric) const;
    /// Names of NVTX's domains and, with their number, of a domain's categories; empty if there is
    /// none. They are among the ranges and stored as these are read, from any thread.
    using NvtxKey = std::tuple<std::int64_t, std::int64_t, std::optional<std::int64_t>>;
    [[nodiscard]] std::string nvtxName(GlobalId id, std::int64_t domain,
                                       std::optional<std::int64_t> category = {}) const;
    void keepNvtxName(GlobalId id, std::int64_t domain, std::optional<std::int64_t> category,
                      std::string_view name) const;

    /// Names the rows of processes, threads and GPUs.
    void nameRows(trace::TraceBuilder& builder) const;
    /// Version, clock, GPUs, rank.
    void describe(const sqlite::Database& database, const database::Schema& schema,
                  trace::RunInfo& info) const;

private:
    struct Process {
        std::int64_t row = 0;
        std::string name;
        std::int64_t rank = -1;
    };
    struct LessIgnoringCase {
        using is_transparent = void;
        bool operator()(std::string_view a, std::string_view b) const {
            return std::ranges::lexicographical_compare(a, b, {}, asciiLower, asciiLower);
        }
    };
    using Database = sqlite::Database;

    [[nodiscard]] Result<void> readProcesses(const Database& database,
                                             const database::Schema& schema);
    [[nodiscard]] Result<void> readGpus(const Database& database, const database::Schema& schema);
    [[nodiscard]] Result<void> readUsers(const Database& database, const database::Schema& schema);
    void placeProcesses();
    [[nodiscard]] std::int64_t rowBesideGpus(std::int64_t pid) const;
    void describeGpus(trace::RunInfo& info) const;

    database::Names m_texts;
    std::map<std::string, database::Names, LessIgnoringCase> m_codes;  // by column
    std::unordered_map<std::int64_t, Process> m_processes;             // by GlobalId::process()
    std::vector<std::pair<std::int64_t, std::string>> m_threads;       // global id, name
    std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> m_gpuOf;  // pid, device
    // By GPU: the processes that use it, and how many came before each.
    std::map<std::int32_t, std::unordered_map<std::int64_t, std::int64_t>> m_users;
    std::map<std::int64_t, trace::DeviceProperties> m_gpus;
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> m_metrics;
    mutable std::mutex m_nvtxMutex;
    mutable std::map<NvtxKey, std::string> m_nvtxNames;
    std::optional<std::int64_t> m_first;  // the process whose ids stay as they are
};

/// NVTX_EVENTS.eventType. Files of before 2020 and tools that rewrite them may lack it.
enum NvtxType : std::int64_t {
    NvtxCategory = 33,
    NvtxMark = 34,
    NvtxThread = 39,
    NvtxPushPop = 59,
    NvtxStartEnd = 60,
    NvtxtMark = 65,
    NvtxtPushPop = 70,
    NvtxtStartEnd = 71,
    NvtxDomainCreate = 75,
    NvtxDomainDestroy = 76,
};

}  // namespace kinetoscope::import::nsys
