// SPDX-License-Identifier: Apache-2.0
#include "core/import/rocprof/Records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/Threads.h"
#include "core/import/database/RangeText.h"
#include "core/import/event/EventDecoder.h"
#include "core/import/rocm/RocmNames.h"
#include "core/import/scan/StringDecoder.h"
#include "core/trace/ProcessIds.h"

namespace kinetoscope::import::rocprof {

namespace {

using scan::JsonText;

// A name may stand once in the document and be that of many records.
constexpr std::size_t kMinWords = std::size_t{256} << 20;
constexpr std::size_t kMaxWords = std::size_t{4} << 30;  // offsets in a text
constexpr std::size_t kMaxExpansion = 8;

// {"handle": 3}, or the number itself.
std::int64_t handleOf(const JsonText& value) {
    std::int64_t handle = event::integerOr(value, 0);
    event::visitMembers(value, [&](std::string_view key, const JsonText& number) {
        handle = key == "handle" ? event::integerOr(number, 0) : handle;
    });
    return handle;
}

void readTriple(const JsonText& value, std::array<std::int64_t, 3>& triple) {
    event::visitMembers(value, [&](std::string_view key, const JsonText& number) {
        if (key.size() == 1 && key[0] >= 'x' && key[0] <= 'z') {
            triple[static_cast<std::size_t>(key[0] - 'x')] = event::integerOr(number, 0);
        }
    });
}

}  // namespace

struct Records::Record {
    std::int64_t kind = -1;
    std::int64_t operation = -1;
    std::int64_t thread = 0;
    std::int64_t correlation = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t stream = -1;
    std::int64_t queue = 0;
    std::int64_t agent = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t bytes = 0;
    std::int64_t kernel = -1;
    std::int64_t dispatch = 0;
    std::int64_t sharedBytes = 0;
    std::array<std::int64_t, 3> grid{};
    std::array<std::int64_t, 3> group{};

    // False if it is damaged, or has no time.
    bool read(const JsonText& object) {
        bool hasStart = false;
        bool hasEnd = false;
        const bool whole =
            event::visitMembers(object, [&](std::string_view key, const JsonText& value) {
                hasStart |= key == "start_timestamp";
                hasEnd |= key == "end_timestamp";
                if (key == "dispatch_info") {
                    event::visitMembers(value, [&](std::string_view inner, const JsonText& part) {
                        member(inner, part);
                    });
                } else {
                    member(key, value);
                }
            });
        return whole && hasStart && hasEnd;
    }

private:
    void member(std::string_view key, const JsonText& value) {
        if (key == "correlation_id") {
            event::visitMembers(value, [&](std::string_view name, const JsonText& number) {
                correlation = name == "internal" ? event::integerOr(number, 0) : correlation;
            });
        } else if (key == "grid_size") {
            readTriple(value, grid);
        } else if (key == "workgroup_size") {
            readTriple(value, group);
        } else if (std::int64_t* const number = numberOf(key)) {
            *number = handleOf(value);
        }
    }

    std::int64_t* numberOf(std::string_view key) {
        struct Named {
            std::string_view key;
            std::int64_t Record::*member;
        };
        static constexpr std::array<Named, 14> kNumbers{
            {{"kind", &Record::kind},
             {"operation", &Record::operation},
             {"thread_id", &Record::thread},
             {"start_timestamp", &Record::start},
             {"end_timestamp", &Record::end},
             {"stream_id", &Record::stream},
             {"queue_id", &Record::queue},
             {"agent_id", &Record::agent},
             {"src_agent_id", &Record::from},
             {"dst_agent_id", &Record::to},
             {"bytes", &Record::bytes},
             {"kernel_id", &Record::kernel},
             {"dispatch_id", &Record::dispatch},
             {"group_segment_size", &Record::sharedBytes}}};
        const auto* const found = std::ranges::find(kNumbers, key, &Named::key);
        return found == kNumbers.end() ? nullptr : &(this->*found->member);
    }
};

std::int64_t processRow(const Session& session) {
    const bool isGpu = std::ranges::any_of(session.agents, [&](const auto& entry) {
        return entry.second.isGpu && entry.second.gpu == session.pid;
    });
    return isGpu ? session.pid + rocm::kPidBeyondGpus : session.pid;
}

Records::Records(std::size_t documentBytes, const std::stop_token& stop)
    : m_stop(stop),
      m_maxWords(std::min(std::max(kMinWords, kMaxExpansion * documentBytes), kMaxWords)) {}

void Records::add(event::JsonCursor& cursor, const Session& session) {
    m_process = processRow(session);
    cursor.goTo(session.records);
    if (!cursor.enter('{')) {
        return;
    }
    std::string key;
    while (cursor.nextMember(key)) {
        if (key == "kernel_dispatch" || key == "kernel_dispatches") {
            list(cursor, session, &Records::dispatch);
        } else if (key == "memory_copy" || key == "memory_copies") {
            list(cursor, session, &Records::copy);
        } else if (key.ends_with("_api") || key.ends_with("_api_traces")) {
            list(cursor, session, &Records::call);
        } else if (const auto value = cursor.value()) {
            // "[]" has nothing to miss.
            if (value->kind == scan::JsonKind::Array && *scan::skipSpace(value->data + 1) != ']') {
                m_others.insert(scan::excerpt(key));
            }
        }
    }
    ++m_sessions;
}

void Records::list(event::JsonCursor& cursor, const Session& session, Word word) {
    if (!cursor.enter('[')) {
        return cursor.skip();
    }
    for (;;) {
        while (cursor.nextElement()) {
            throwIfStopped(m_stop);
            const std::uint64_t offset = cursor.offset();
            const auto object = cursor.value();
            Record record;
            ++m_records;
            if (isFull()) {
                ++m_skipped;
            } else if (object && record.read(*object)) {
                (this->*word)(record, session);
            } else {
                ++m_skipped;
                m_issues.add(trace::Issue::MalformedEvent, offset,
                             [] { return std::string("a record without its times, or damaged"); });
            }
        }
        if (!cursor.damaged() || !cursor.recover()) {
            return;
        }
    }
}

void Records::open(const Record& record, std::string_view category, std::string_view name,
                   std::int64_t pid, std::int64_t tid) {
    m_words.open('X', category, name, std::to_string(pid), std::to_string(tid));
    const TimeNs start = std::clamp(record.start, -event::kFarthestTime, event::kFarthestTime);
    const TimeNs end = std::clamp(record.end, -event::kFarthestTime, event::kFarthestTime);
    m_words.time(start);
    m_words.duration(end - start);
}

void Records::finish(const Record& record) {
    if (record.correlation > 0) {
        m_words.number("correlation", trace::idAmongProcesses(record.correlation, m_sessions));
    }
    m_json += m_words.close();
    m_json += ",\n";
}

void Records::dispatch(const Record& record, const Session& session) {
    const Session::Agent* const agent = session.agent(record.agent);
    const auto kernel = session.kernels.find(record.kernel);
    const std::int64_t gpu = agent == nullptr ? 0 : agent->gpu;
    const std::int64_t stream = record.stream >= 0 ? record.stream : record.queue;
    open(record, "kernel",
         kernel == session.kernels.end() ? fmt::format("kernel {}", record.kernel)
                                         : kernel->second.name,
         gpu, stream);
    m_words.number("device", gpu);
    m_words.number("stream", stream);
    std::array<std::uint32_t, 3> blocks{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        blocks[axis] = rocm::blocksOf(record.grid[axis], record.group[axis]);
    }
    m_words.triple("grid", blocks);
    m_words.triple("block", record.group);
    if (kernel != session.kernels.end() && kernel->second.registers > 0) {
        m_words.number("registers per thread", kernel->second.registers);
    }
    m_words.number("shared memory", record.sharedBytes);
    m_words.number("queue", record.queue);
    m_words.number("dispatch", record.dispatch);
    finish(record);
}

void Records::copy(const Record& record, const Session& session) {
    const Session::Agent* const to = session.agent(record.to);
    const Session::Agent* const from = session.agent(record.from);
    // That of the GPU which takes part, of two the one that the bytes come to.
    const std::int64_t gpu = to != nullptr && to->isGpu       ? to->gpu
                             : from != nullptr && from->isGpu ? from->gpu
                                                              : 0;
    const std::int64_t stream = std::max<std::int64_t>(record.stream, 0);
    open(record, "gpu_memcpy", rocm::copyName(session.operation(record.kind, record.operation)),
         gpu, stream);
    m_words.number("device", gpu);
    m_words.number("stream", stream);
    m_words.number("bytes", record.bytes);
    finish(record);
}

void Records::call(const Record& record, const Session& session) {
    const std::string_view kind = session.kind(record.kind);
    const std::string_view name = session.operation(record.kind, record.operation);
    if (kind.find("MARKER") == std::string_view::npos) {
        const bool isHsa = kind.starts_with("HSA");
        const bool isHip = kind.starts_with("HIP") || kind.empty();
        open(record,
             isHip   ? "hip_runtime"
             : isHsa ? "cuda_driver"
                     : kind,
             name, m_process, record.thread);
        return finish(record);
    }
    // The program's name for its range is beside the name of the call.
    const auto said = session.markers.find(record.correlation);
    const auto range = database::rangeText(said == session.markers.end() ? name : said->second);
    open(record, range.isOperator ? "cpu_op" : "user_annotation", range.name, m_process,
         record.thread);
    if (!range.shapes.empty()) {
        m_words.json("Input Dims", range.shapes);
    }
    m_words.text("call", name);
    m_json += m_words.close();
    m_json += ",\n";
}

}  // namespace kinetoscope::import::rocprof
