// SPDX-License-Identifier: Apache-2.0
#include "core/import/rocprof/Session.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/import/event/EventArguments.h"
#include "core/import/rocm/RocmNames.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::rocprof {

namespace {

using scan::JsonText;

constexpr std::int64_t kGpu = 2;  // rocprofiler_agent_type_t

class SessionReader {
public:
    explicit SessionReader(event::JsonCursor& cursor) : m_cursor(cursor) {}

    Session read() {
        if (!m_cursor.enter('{')) {
            m_cursor.skip();
            return std::move(m_session);
        }
        std::string key;
        while (m_cursor.nextMember(key)) {
            member(key);
        }
        numberGpus();
        return std::move(m_session);
    }

private:
    void member(const std::string& key) {
        if (key == "buffer_records") {
            (void)m_cursor.peek();
            m_session.records = m_cursor.at();
            m_cursor.skip();
        } else if (key == "metadata") {
            metadata();
        } else if (key == "agents") {
            elements([&](const JsonText& agent) { addAgent(agent); });
        } else if (key == "kernel_symbols") {
            elements([&](const JsonText& kernel) { addKernel(kernel); });
        } else if (key == "strings") {
            strings();
        } else {
            m_cursor.skip();
        }
    }

    // Of an array, or the values of an object.
    template <class Take>
    void elements(Take&& take) {
        if (m_cursor.enter('[')) {
            while (m_cursor.nextElement()) {
                if (const auto value = m_cursor.value()) {
                    take(*value);
                }
            }
            return;
        }
        if (const auto object = m_cursor.value()) {
            event::visitMembers(*object,
                                [&](std::string_view, const JsonText& value) { take(value); });
        }
    }

    void metadata() {
        if (const auto object = m_cursor.value()) {
            event::visitMembers(*object, [&](std::string_view key, const JsonText& value) {
                if (key == "pid") {
                    m_session.pid =
                        std::clamp<std::int64_t>(event::integerOr(value, 0), 0, INT32_MAX);
                }
            });
        }
    }

    void addAgent(const JsonText& object) {
        Session::Agent agent;
        std::uint64_t handle = 0;
        event::visitMembers(object, [&](std::string_view key, const JsonText& value) {
            if (key == "id") {
                event::visitMembers(value, [&](std::string_view name, const JsonText& number) {
                    handle = name == "handle"
                                 ? static_cast<std::uint64_t>(event::integerOr(number, 0))
                                 : handle;
                });
            } else if (key == "type") {
                agent.isGpu = event::integerOr(value, 0) == kGpu;
            } else if (key == "logical_node_id") {
                agent.gpu = event::integerOr(value, 0);
            } else if (key == "product_name" || (key == "name" && agent.name.empty())) {
                const std::string_view name = event::stringOf(value, m_storage);
                agent.name = name.empty() ? agent.name : std::string(name);
            } else if (key == "cu_count") {
                agent.computeUnits = event::integerOr(value, 0);
            } else if (key == "wave_front_size") {
                agent.waveSize = event::integerOr(value, 0);
            }
        });
        m_session.agents[handle] = std::move(agent);
    }

    // Nodes are counted with the processors among them.
    void numberGpus() {
        std::vector<Session::Agent*> gpus;
        for (auto& [handle, agent] : m_session.agents) {
            if (agent.isGpu) {
                gpus.push_back(&agent);
            }
        }
        std::ranges::stable_sort(gpus, {}, &Session::Agent::gpu);
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            gpus[i]->gpu = static_cast<std::int64_t>(i);
        }
    }

    void addKernel(const JsonText& object) {
        std::int64_t id = -1;
        std::string formatted;
        std::string written;
        std::int64_t registers = 0;
        event::visitMembers(object, [&](std::string_view key, const JsonText& value) {
            if (key == "kernel_id") {
                id = event::integerOr(value, -1);
            } else if (key == "formatted_kernel_name") {
                formatted = event::stringOf(value, m_storage);
            } else if (key == "kernel_name") {
                written = event::stringOf(value, m_storage);
            } else if (key == "arch_vgpr_count" || key == "accum_vgpr_count") {
                registers += std::clamp<std::int64_t>(event::integerOr(value, 0), 0, UINT16_MAX);
            }
        });
        const std::string& name = formatted.empty() ? written : formatted;
        if (id >= 0 && !name.empty()) {
            m_session.kernels[id] = {rocm::kernelName(name), registers};
        }
    }

    void strings() {
        if (!m_cursor.enter('{')) {
            return m_cursor.skip();
        }
        std::string key;
        while (m_cursor.nextMember(key)) {
            if (key == "buffer_records") {
                elements([&](const JsonText& kind) { addKind(kind); });
            } else if (key == "marker_api") {
                elements([&](const JsonText& marker) { addMarker(marker); });
            } else {
                m_cursor.skip();
            }
        }
    }

    void addKind(const JsonText& object) {
        Session::Kind& kind = m_session.kinds.emplace_back();
        event::visitMembers(object, [&](std::string_view key, const JsonText& value) {
            if (key == "kind") {
                kind.name = event::stringOf(value, m_storage);
            } else if (key == "operations" && value.kind == scan::JsonKind::Array) {
                readOperations(value, kind);
            }
        });
    }

    void readOperations(const JsonText& array, Session::Kind& kind) {
        const char* const end = array.data + array.size;
        const char* at = scan::skipSpace(array.data + 1);
        while (at != nullptr && at + 1 < end && *at != ']') {
            JsonText name;
            at = event::valueEnd(at, end, name);
            if (at != nullptr) {
                kind.operations.emplace_back(event::stringOf(name, m_storage));
                at = scan::skipSpace(at);
                at = *at == ',' ? scan::skipSpace(at + 1) : at;
            }
        }
    }

    void addMarker(const JsonText& object) {
        std::int64_t correlation = -1;
        std::string text;
        event::visitMembers(object, [&](std::string_view key, const JsonText& value) {
            if (key == "key") {
                correlation = event::integerOr(value, -1);
            } else if (key == "value") {
                text = event::stringOf(value, m_storage);
            }
        });
        m_session.markers[correlation] = std::move(text);
    }

    event::JsonCursor& m_cursor;
    Session m_session;
    std::string m_storage;
};

}  // namespace

const Session::Agent* Session::agent(std::int64_t handle) const {
    const auto found = agents.find(static_cast<std::uint64_t>(handle));
    return found == agents.end() ? nullptr : &found->second;
}

std::string_view Session::kind(std::int64_t kind) const {
    return kind < 0 || kind >= std::ssize(kinds)
               ? std::string_view()
               : std::string_view(kinds[static_cast<std::size_t>(kind)].name);
}

std::string_view Session::operation(std::int64_t kind, std::int64_t operation) const {
    if (kind < 0 || kind >= std::ssize(kinds)) {
        return {};
    }
    const auto& operations = kinds[static_cast<std::size_t>(kind)].operations;
    return operation < 0 || operation >= std::ssize(operations)
               ? std::string_view()
               : std::string_view(operations[static_cast<std::size_t>(operation)]);
}

bool isDocument(std::string_view head) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t brace = head.find_first_not_of(kSpace);
    if (brace == std::string_view::npos || head[brace] != '{') {
        return false;
    }
    head.remove_prefix(brace + 1);
    head.remove_prefix(std::min(head.find_first_not_of(kSpace), head.size()));
    if (!head.starts_with('"')) {
        return false;
    }
    // A key at the end of the beginning may go on, and have escapes as any text may.
    head.remove_prefix(1);
    head = head.substr(0, head.find('"'));
    std::string storage;
    const JsonText key{.data = head.data(),
                       .size = static_cast<std::uint32_t>(head.size()),
                       .kind = scan::JsonKind::String,
                       .escaped = true};
    return scan::decodeString(key, storage).text.starts_with("rocprofiler-sdk-");
}

Session readSession(event::JsonCursor& cursor) {
    return SessionReader(cursor).read();
}

}  // namespace kinetoscope::import::rocprof
