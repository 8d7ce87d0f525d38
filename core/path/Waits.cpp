// SPDX-License-Identifier: Apache-2.0
#include "core/path/Waits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/base/Threads.h"
#include "core/query/LaunchIds.h"

namespace kinetoscope::path {

namespace {

using trace::Category;
using trace::GpuOpId;
using trace::SliceId;

// The part of a copy from pageable memory that may be under way when its call returns.
constexpr TimeNs kLastPiece = 8;

/// What a call waits for or records, beside launching.
enum class Use : std::uint8_t { Unknown, Nothing, Device, Stream, Event, StreamWait, Record };

Use useOf(std::string_view name) {
    static constexpr std::array kUses{
        std::pair{std::string_view("DeviceSynchronize"), Use::Device},
        std::pair{std::string_view("CtxSynchronize"), Use::Device},
        std::pair{std::string_view("ThreadSynchronize"), Use::Device},
        std::pair{std::string_view("StreamSynchronize"), Use::Stream},
        std::pair{std::string_view("EventSynchronize"), Use::Event},
        std::pair{std::string_view("StreamWaitEvent"), Use::StreamWait},
        std::pair{std::string_view("EventRecord"), Use::Record}};
    for (const std::string_view prefix : {"cuda", "hip", "cu"}) {
        if (!name.starts_with(prefix)) {
            continue;
        }
        const std::string_view rest = name.substr(prefix.size());
        for (const auto& [word, use] : kUses) {
            if (rest.starts_with(word)) {
                return use;
            }
        }
    }
    return Use::Nothing;
}

std::optional<std::int64_t> integer(std::string_view json) {
    json = trace::unquoted(json);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), number);
    return error == std::errc() && end == json.data() + json.size() ? std::optional(number)
                                                                    : std::nullopt;
}

/// A synchronisation or event record of the GPU's side.
struct Record {
    SliceId slice;
    std::string kind;
    std::optional<std::int64_t> stream, onStream, onRecord, event;
};

class WaitFinder {
public:
    WaitFinder(const Tables& tables, const Launches& launches, const std::stop_token& stop)
        : m_trace(tables.trace), m_tables(tables), m_launches(launches), m_stop(stop) {}

    Result<Waits> find() {
        findCalls();
        if (auto read = readRecords(); !read) {
            return tl::unexpected(read.error());
        }
        for (auto& [event, records] : m_eventRecords) {
            std::ranges::sort(records);
        }
        for (const Record& record : m_records) {
            resolve(record);
        }
        addCalls();
        addCopies();
        std::ranges::sort(m_waits.calls, {}, [](const CallWait& wait) {
            return std::tuple(wait.call, wait.operation, wait.inferred);
        });
        return std::move(m_waits);
    }

private:
    using Id = std::pair<std::uint16_t, std::int64_t>;

    void findCalls() {
        std::vector<Use> uses(m_trace.names().size(), Use::Unknown);
        for (SliceId slice = 0; slice < m_trace.sliceCount(); ++slice) {
            const Category category = m_trace.category(slice);
            if (category == Category::CudaSync || category == Category::CudaEvent) {
                m_records.push_back({slice, {}, {}, {}, {}, {}});
            }
            if (!trace::isApiCall(category)) {
                continue;
            }
            Use& use = uses[m_trace.nameId(slice)];
            use = use == Use::Unknown ? useOf(m_trace.name(slice)) : use;
            if (use != Use::Nothing) {
                m_calls.emplace_back(slice, use);
            }
        }
        throwIfStopped(m_stop);
        for (const auto& [slice, use] : m_calls) {
            if (m_trace.correlation(slice) != trace::kNoId && !m_records.empty()) {
                m_callOf.emplace(Id(query::sourceOf(m_trace, slice), m_trace.correlation(slice)),
                                 slice);
            }
        }
    }

    Result<void> readRecords() {
        if (m_records.empty() || m_trace.eventText() == nullptr) {
            m_records.clear();
            return {};
        }
        static constexpr std::array<std::string_view, 6> kKeys{
            "cuda_sync_kind",        "stream",
            "wait_on_stream",        "wait_on_cuda_event_record_corr_id",
            "wait_on_cuda_event_id", "event_id"};
        std::ranges::sort(m_records, {},
                          [&](const Record& record) { return m_trace.offset(record.slice); });
        std::vector<std::uint64_t> offsets;
        offsets.reserve(m_records.size());
        for (const Record& record : m_records) {
            offsets.push_back(m_trace.offset(record.slice));
        }
        return m_trace.eventText()->arguments(
            offsets, kKeys, [&](std::size_t index, std::span<const std::string_view> json) {
                throwIfStopped(m_stop);
                Record& record = m_records[index];
                record.kind = trace::unquoted(json[0]);
                record.stream = integer(json[1]);
                record.onStream = integer(json[2]);
                record.onRecord = integer(json[3]);
                record.event = integer(json[4].empty() ? json[5] : json[4]);
                if (m_trace.category(record.slice) == Category::CudaEvent && record.event) {
                    m_eventRecords[Id(query::sourceOf(m_trace, record.slice), *record.event)]
                        .emplace_back(callTime(record.slice), record.slice);
                }
            });
    }

    [[nodiscard]] SliceId callOf(SliceId record) const {
        const auto found =
            m_callOf.find(Id(query::sourceOf(m_trace, record), m_trace.correlation(record)));
        return found == m_callOf.end() ? trace::kNoSlice : found->second;
    }
    // When the host called it: records of the GPU's side may lie much later.
    [[nodiscard]] TimeNs callTime(SliceId record) const {
        const SliceId call = callOf(record);
        return m_trace.start(call == trace::kNoSlice ? record : call);
    }
    [[nodiscard]] StreamId streamOf(SliceId record, std::optional<std::int64_t> stream) const {
        const auto& track = m_trace.tracks()[m_trace.trackOf(record)];
        const trace::RowId gpu = m_trace.processes()[track.process].pid;
        return !stream || gpu.isText
                   ? kNoStream
                   : m_launches.find(query::sourceOf(m_trace, record), gpu.value, *stream);
    }

    // The operation behind which the event was recorded that a stream or call waits for.
    [[nodiscard]] GpuOpId waitedFor(const Record& record) const {
        const std::uint16_t source = query::sourceOf(m_trace, record.slice);
        StreamId stream = streamOf(record.slice, record.onStream);
        std::optional<TimeNs> recorded;
        if (const auto call = m_callOf.find(Id(source, record.onRecord.value_or(trace::kNoId)));
            record.onRecord && call != m_callOf.end()) {
            recorded = m_trace.start(call->second);
        } else if (const auto events = m_eventRecords.find(Id(source, record.event.value_or(-1)));
                   record.event && events != m_eventRecords.end()) {
            const auto after = std::ranges::upper_bound(events->second, callTime(record.slice), {},
                                                        [](const auto& one) { return one.first; });
            if (after != events->second.begin()) {
                recorded = std::prev(after)->first;
                stream = streamOfEvent(std::prev(after)->second);
            }
        }
        return stream == kNoStream || !recorded ? kNoOperation
                                                : m_launches.lastBefore(stream, *recorded);
    }
    [[nodiscard]] StreamId streamOfEvent(SliceId slice) const {
        const auto found = std::ranges::lower_bound(
            m_records, m_trace.offset(slice), {},
            [&](const Record& record) { return m_trace.offset(record.slice); });
        return found == m_records.end() ? kNoStream : streamOf(slice, found->stream);
    }

    void resolve(const Record& record) {
        if (m_trace.category(record.slice) != Category::CudaSync) {
            return;
        }
        const SliceId call = callOf(record.slice);
        const std::string_view name = m_trace.name(record.slice);
        const auto isKind = [&](std::string_view kind) {
            return record.kind.find(kind) != std::string::npos || name.find(kind) != name.npos;
        };
        if (isKind("Stream Wait Event")) {
            const StreamId stream = streamOf(record.slice, record.stream);
            const GpuOpId before = waitedFor(record);
            if (stream != kNoStream && before != kNoOperation) {
                m_told.push_back(call);
                const GpuOpId waiting = m_launches.firstFrom(stream, callTime(record.slice));
                if (waiting != kNoOperation) {
                    m_waits.streams.push_back({waiting, before});
                }
            }
        } else if (call != trace::kNoSlice && isKind("Event Sync")) {
            tell(call, waitedFor(record));
        } else if (call != trace::kNoSlice && isKind("Stream Sync")) {
            const StreamId stream = streamOf(record.slice, record.stream);
            tell(call, stream == kNoStream ? kNoOperation
                                           : m_launches.lastBefore(stream, m_trace.start(call)));
        }
    }
    void tell(SliceId call, GpuOpId operation) {
        if (operation != kNoOperation) {
            m_waits.calls.push_back({call, operation, false});
            m_told.push_back(call);
        }
    }

    void addCalls() {
        std::ranges::sort(m_told);
        for (const auto& [call, use] : m_calls) {
            if (std::ranges::binary_search(m_told, call)) {
                continue;
            }
            const std::uint16_t source = query::sourceOf(m_trace, call);
            const TimeSpan span = m_trace.span(call);
            if (use == Use::StreamWait) {
                m_waits.unknown.resize(std::max<std::size_t>(m_waits.unknown.size(), source + 1));
                m_waits.unknown[source].push_back(span.start);
            } else if (use == Use::Device || use == Use::Stream || use == Use::Event) {
                const auto last = m_launches.lastEnded(source, span.start, span.end);
                const bool isKnown = use == Use::Device || m_launches.streams() == 1;
                for (const GpuOpId operation : last) {
                    const bool ended = m_trace.end(m_tables.sliceOf(operation)) > span.start;
                    if (use == Use::Device || ended || (isKnown && use == Use::Stream)) {
                        m_waits.calls.push_back({call, operation, !isKnown});
                    }
                    if (use != Use::Device) {
                        break;
                    }
                }
            }
        }
        for (auto& times : m_waits.unknown) {
            std::ranges::sort(times);
        }
    }

    // Copies that the call itself waited for.
    void addCopies() {
        for (GpuOpId id = 0; id < m_trace.gpuOperations().size(); ++id) {
            const SliceId slice = m_tables.sliceOf(id);
            const SliceId call = m_tables.links.apiCall(id);
            if (m_trace.category(slice) != Category::GpuMemcpy || call == trace::kNoSlice ||
                m_trace.start(slice) < m_trace.start(call)) {
                continue;
            }
            const std::string_view api = m_trace.name(call);
            const std::string_view name = m_trace.name(slice);
            const bool isPageable =
                name.find("Pageable") != name.npos || name.find("Pagable") != name.npos;
            // The call returns once the last piece is in the driver's buffer, a little before it
            // is on the GPU.
            const TimeNs behind = isPageable ? m_trace.duration(slice) / kLastPiece : 0;
            if (m_trace.end(slice) - m_trace.end(call) > behind) {
                continue;
            }
            m_waits.calls.push_back({call, id, api.find("Async") != api.npos && !isPageable});
        }
    }

    const trace::Trace& m_trace;
    const Tables& m_tables;
    const Launches& m_launches;
    const std::stop_token& m_stop;
    std::vector<std::pair<SliceId, Use>> m_calls;
    std::map<Id, SliceId> m_callOf;  ///< by file and correlation
    std::vector<Record> m_records;   ///< by offset
    std::map<Id, std::vector<std::pair<TimeNs, SliceId>>> m_eventRecords;  ///< by file and event
    std::vector<SliceId> m_told;  ///< calls whose reason is known
    Waits m_waits;
};

}  // namespace

Result<Waits> findWaits(const Tables& tables, const Launches& launches,
                        const std::stop_token& stop) {
    return WaitFinder(tables, launches, stop).find();
}

}  // namespace kinetoscope::path
