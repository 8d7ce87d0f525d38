// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/import/database/EventTable.h"

namespace kinetoscope::import::rocm {

/// One set of rocpd's tables beside its events. Its numbers are its own.
class Recording {
public:
    /// `suffix` stands behind the names of its tables; `number` counts the sets.
    Recording(std::string suffix, std::int64_t number)
        : m_suffix(std::move(suffix)), m_number(number) {}

    /// Fails when stopped. Damage is skipped and counted in `log`.
    [[nodiscard]] Result<void> read(const sqlite::Database& database,
                                    const database::Schema& schema, trace::ImportLog& log);

    [[nodiscard]] const database::Table* table(const database::Schema& schema,
                                               std::string_view name) const;

    struct Kernel {
        std::string name;
        std::int64_t registers = 0;
    };
    struct Agent {
        bool isGpu = false;
        std::int32_t gpu = 0;
        std::string name;
    };

    [[nodiscard]] std::string_view text(std::int64_t id) const;
    [[nodiscard]] std::string_view category(std::int64_t event) const;
    /// The id that calls share with the work they launched; kNoId if unknown.
    [[nodiscard]] std::int64_t correlation(std::int64_t event) const;
    /// The contents of a marker.
    [[nodiscard]] std::string_view message(std::int64_t event) const;
    /// Null for a number that no row has.
    [[nodiscard]] const Kernel* kernel(std::int64_t id) const;
    [[nodiscard]] const Agent* agent(std::int64_t id) const;
    /// The row of a thread by the numbers that the tables have for it and its process.
    [[nodiscard]] trace::TrackId track(trace::TraceBuilder& builder, std::int64_t process,
                                       std::int64_t thread) const;
    [[nodiscard]] std::int64_t stream(std::int64_t id) const;

    void nameRows(trace::TraceBuilder& builder) const;
    /// `described`: GPUs that `info` has already.
    void describe(trace::RunInfo& info, std::unordered_set<std::int64_t>& described) const;

private:
    struct Event {
        std::int64_t id = 0;
        std::int64_t stack = 0;
        std::int64_t category = 0;
    };
    struct Row {
        std::int64_t number = 0;  ///< of the system
        std::string name;
    };

    template <class Take>
    [[nodiscard]] Result<void> forEach(const sqlite::Database& database,
                                       const database::Schema& schema, std::string_view name,
                                       std::initializer_list<std::string_view> columns,
                                       const Take& take);
    [[nodiscard]] Result<void> readEvents(const sqlite::Database& database,
                                          const database::Schema& schema);
    [[nodiscard]] Result<void> readRows(const sqlite::Database& database,
                                        const database::Schema& schema);
    [[nodiscard]] const Event* event(std::int64_t id) const;
    [[nodiscard]] std::int64_t rowOf(std::int64_t process) const;

    std::string m_suffix;
    std::int64_t m_number;
    bool m_whole = true;
    database::Names m_texts;
    std::vector<Event> m_events;  // by id
    std::unordered_map<std::int64_t, std::string> m_messages;
    std::unordered_map<std::int64_t, Kernel> m_kernels;
    std::map<std::int64_t, Agent> m_agents;
    std::unordered_set<std::int64_t> m_gpus;  // of the agents
    std::map<std::int64_t, Row> m_processes;
    std::map<std::int64_t, Row> m_threads;
    std::map<std::int64_t, std::int64_t> m_processOfThread;
    std::string m_host;
};

/// The text of the member "message" of a JSON object; empty if there is none.
[[nodiscard]] std::string messageIn(std::string_view json);

}  // namespace kinetoscope::import::rocm
