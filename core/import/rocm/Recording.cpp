// SPDX-License-Identifier: Apache-2.0
#include "core/import/rocm/Recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/Wrapping.h"
#include "core/import/rocm/RocmNames.h"
#include "core/json/Json.h"
#include "core/trace/ProcessIds.h"

namespace kinetoscope::import::rocm {

namespace {

constexpr std::int64_t kStreamsOfSet = 100'000;
constexpr std::int64_t kGpusOfNode = 1'000;

}  // namespace

template <class Take>
Result<void> Recording::forEach(const sqlite::Database& database, const database::Schema& schema,
                                std::string_view name,
                                std::initializer_list<std::string_view> columns, const Take& take) {
    const database::Table* found = table(schema, name);
    if (found == nullptr) {
        return {};
    }
    auto rows = database::Rows::all(database, *found, columns);
    auto more = rows ? rows->next() : tl::unexpected(rows.error());
    for (; more && *more; more = rows->next()) {
        take(*rows);
    }
    if (!more && more.error().kind != ErrorKind::BadInput) {
        return tl::unexpected(more.error());
    }
    m_whole = m_whole && more;
    return {};
}

const database::Table* Recording::table(const database::Schema& schema,
                                        std::string_view name) const {
    return schema.find(std::string(name) + m_suffix);
}

Result<void> Recording::read(const sqlite::Database& database, const database::Schema& schema,
                             trace::ImportLog& log) {
    const auto texts = m_texts.read(database, table(schema, "rocpd_string"), "id", "string");
    if (!texts) {
        return tl::unexpected(texts.error());
    }
    m_whole = *texts;
    auto done = readRows(database, schema);
    if (done) {
        done = readEvents(database, schema);
    }
    if (!m_whole) {
        log.add("damaged_table", trace::Severity::DataLoss, 0,
                "names, processes or launches can only be read in part");
    }
    return done;
}

Result<void> Recording::readRows(const sqlite::Database& database, const database::Schema& schema) {
    std::map<std::int64_t, std::int64_t> nodes;
    auto done = forEach(database, schema, "rocpd_info_node", {"id", "hostname"},
                        [&](const database::Rows& row) {
                            nodes.emplace(row.integer(0), std::ssize(nodes));
                            m_host = m_host.empty() ? std::string(row.text(1)) : m_host;
                        });
    if (done) {
        done = forEach(database, schema, "rocpd_info_process", {"id", "pid", "command"},
                       [&](const database::Rows& row) {
                           const std::string_view command = row.text(2);
                           m_processes[row.integer(0)] = {
                               row.integer(1), std::string(command.substr(0, command.find(' ')))};
                       });
    }
    if (done) {
        done = forEach(database, schema, "rocpd_info_thread", {"id", "tid", "name", "pid"},
                       [&](const database::Rows& row) {
                           m_threads[row.integer(0)] = {row.integer(1), std::string(row.text(2))};
                           m_processOfThread[row.integer(0)] = row.integer(3);
                       });
    }
    if (done) {
        done = forEach(
            database, schema, "rocpd_info_agent",
            {"id", "type", "type_index", "logical_index", "nid", "product_name", "name"},
            [&](const database::Rows& row) {
                Agent agent;
                agent.isGpu = row.text(1) == "GPU";
                const std::int64_t index = row.isNull(2) ? row.integer(3) : row.integer(2);
                const auto node = nodes.find(row.integer(4));
                agent.gpu =
                    bounded<std::int32_t>(bounded<std::int32_t>(index) +
                                          (node == nodes.end() ? 0 : node->second * kGpusOfNode));
                agent.name = row.text(5).empty() ? row.text(6) : row.text(5);
                m_agents[row.integer(0)] = agent;
            });
        for (const auto& [id, agent] : m_agents) {
            if (agent.isGpu) {
                m_gpus.insert(agent.gpu);
            }
        }
    }
    if (done) {
        done = forEach(database, schema, "rocpd_info_kernel_symbol",
                       {"id", "display_name", "kernel_name", "arch_vgpr_count", "accum_vgpr_count"},
                       [&](const database::Rows& row) {
                           m_kernels[row.integer(0)] = {
                               kernelName(row.text(1).empty() ? row.text(2) : row.text(1)),
                               bounded<std::uint16_t>(row.integer(3)) +
                                   std::int64_t{bounded<std::uint16_t>(row.integer(4))}};
                       });
    }
    return done;
}

Result<void> Recording::readEvents(const sqlite::Database& database,
                                   const database::Schema& schema) {
    auto done = forEach(database, schema, "rocpd_event",
                        {"id", "stack_id", "category_id", "correlation_id", "extdata"},
                        [&](const database::Rows& row) {
                            const std::int64_t stack = row.integer(1);
                            m_events.push_back({row.integer(0), stack != 0 ? stack : row.integer(3),
                                                row.integer(2)});
                            const std::string_view more = row.text(4);
                            if (more.find("\"message\"") != std::string_view::npos) {
                                m_messages[row.integer(0)] = messageIn(more);
                            }
                        });
    // Numbers of rows come in order, those of a column of its own may not.
    if (!std::ranges::is_sorted(m_events, {}, &Event::id)) {
        std::ranges::stable_sort(m_events, {}, &Event::id);
    }
    return done;
}

std::string messageIn(std::string_view json) {
    const auto object = json::parseJsonObject(json);
    const auto found = object ? object->find("message") : nlohmann::json::const_iterator();
    return object && found != object->end() && found->is_string() ? found->get<std::string>()
                                                                  : std::string();
}

std::string_view Recording::text(std::int64_t id) const {
    return m_texts.find(id).value_or(std::string_view());
}

const Recording::Event* Recording::event(std::int64_t id) const {
    const auto found = std::ranges::lower_bound(m_events, id, {}, &Event::id);
    return found == m_events.end() || found->id != id ? nullptr : &*found;
}

std::string_view Recording::category(std::int64_t event) const {
    const Event* found = this->event(event);
    return found == nullptr ? std::string_view() : text(found->category);
}

std::int64_t Recording::correlation(std::int64_t event) const {
    const Event* found = this->event(event);
    return found == nullptr || found->stack <= 0 ? trace::kNoId
                                                 : trace::idAmongProcesses(found->stack, m_number);
}

std::string_view Recording::message(std::int64_t event) const {
    const auto found = m_messages.find(event);
    return found == m_messages.end() ? std::string_view() : std::string_view(found->second);
}

const Recording::Kernel* Recording::kernel(std::int64_t id) const {
    const auto found = m_kernels.find(id);
    return found == m_kernels.end() ? nullptr : &found->second;
}

const Recording::Agent* Recording::agent(std::int64_t id) const {
    const auto found = m_agents.find(id);
    return found == m_agents.end() ? nullptr : &found->second;
}

std::int64_t Recording::rowOf(std::int64_t process) const {
    const auto found = m_processes.find(process);
    const std::int64_t pid = found == m_processes.end() ? process : found->second.number;
    return m_gpus.contains(pid) ? pid + kPidBeyondGpus : pid;
}

trace::TrackId Recording::track(trace::TraceBuilder& builder, std::int64_t process,
                                std::int64_t thread) const {
    const auto found = m_threads.find(thread);
    return builder.track({false, rowOf(process)},
                         {false, found == m_threads.end() ? thread : found->second.number});
}

std::int64_t Recording::stream(std::int64_t id) const {
    return wrappingSum(id, m_number * kStreamsOfSet);
}

void Recording::nameRows(trace::TraceBuilder& builder) const {
    for (const auto& [id, process] : m_processes) {
        const std::uint32_t row = builder.process({false, rowOf(id)});
        builder.setProcess(row, trace::RowField::Name, builder.name(process.name));
        builder.setProcess(row, trace::RowField::Labels, builder.name("CPU"));
        builder.setProcess(row, trace::RowField::SortIndex, rowOf(id));
    }
    for (const auto& [id, thread] : m_threads) {
        if (!thread.name.empty()) {
            builder.setTrack(track(builder, m_processOfThread.at(id), id), trace::RowField::Name,
                             builder.name(thread.name));
        }
    }
    for (const auto& [id, agent] : m_agents) {
        if (!agent.isGpu) {
            continue;
        }
        const std::uint32_t row = builder.process({false, agent.gpu});
        const NameId label = builder.name(fmt::format("GPU {}", agent.gpu));
        builder.setProcess(row, trace::RowField::Name, label);
        builder.setProcess(row, trace::RowField::Labels, label);
        builder.setProcess(row, trace::RowField::SortIndex, kGpuSortIndex + agent.gpu);
        builder.compatFacts().gpuPids.push_back({false, agent.gpu});
    }
}

void Recording::describe(trace::RunInfo& info, std::unordered_set<std::int64_t>& described) const {
    for (const auto& [id, agent] : m_agents) {
        if (agent.isGpu && described.insert(agent.gpu).second) {
            trace::DeviceProperties gpu;
            gpu.id = agent.gpu;
            gpu.name = agent.name;
            gpu.json =
                fmt::format(R"({{"id": {}, "name": {}}})", agent.gpu, json::quotedJson(agent.name));
            info.devices.push_back(std::move(gpu));
        }
    }
    const bool isNamed = std::ranges::any_of(
        info.fields, [](const trace::RunField& field) { return field.key == "hostname"; });
    if (!m_host.empty() && !isNamed) {
        info.fields.push_back({"hostname", json::quotedJson(m_host)});
    }
}

}  // namespace kinetoscope::import::rocm
