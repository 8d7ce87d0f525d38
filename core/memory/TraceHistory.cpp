// SPDX-License-Identifier: Apache-2.0
#include "core/memory/TraceHistory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "core/base/Threads.h"
#include "core/memory/AddressTable.h"
#include "core/memory/Places.h"

namespace kinetoscope::memory {

namespace {

constexpr std::array<std::string_view, 6> kKeys{"Addr",           "Bytes",       "Total Allocated",
                                                "Total Reserved", "Device Type", "Device Id"};
enum Key : std::size_t { Address, Bytes, Allocated, Reserved, Type, Index };

struct Event {
    std::uint32_t instant = 0;  // of Trace::instants()
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t allocated = -1;  // -1: unknown
    std::int64_t reserved = -1;
    std::int64_t type = 0;
    std::int64_t index = 0;
    bool outOfMemory = false;
    PlaceId place = 0;
};

// A whole number, in quotes or not.
std::optional<std::int64_t> wholeNumber(std::string_view json) {
    json = trace::unquoted(json);
    std::int64_t value = 0;
    const auto [at, error] = std::from_chars(json.data(), json.data() + json.size(), value);
    if (error == std::errc{} && at != json.data()) {
        return value;
    }
    std::uint64_t address = 0;  // beyond 2^63
    const auto [end, wide] = std::from_chars(json.data(), json.data() + json.size(), address);
    return wide == std::errc{} && end != json.data()
               ? std::optional(static_cast<std::int64_t>(address))
               : std::nullopt;
}

std::string deviceName(std::int64_t type, std::int64_t index) {
    constexpr std::int64_t kCpu = 0;
    constexpr std::int64_t kCuda = 1;
    if (type == kCpu) {
        return "CPU";
    }
    return type == kCuda ? fmt::format("GPU {}", index)
                         : fmt::format("device {} of type {}", index, type);
}

std::vector<Event> memoryEvents(const trace::Trace& trace) {
    const auto name = trace.names().find("[memory]");
    const auto lost = trace.names().find("[OutOfMemory]");
    std::vector<Event> events;
    const auto instants = trace.instants();
    for (std::size_t i = 0; i < instants.size(); ++i) {
        const bool isLost = lost && instants[i].name == *lost;
        if (isLost || (name && instants[i].name == *name)) {
            events.push_back({.instant = static_cast<std::uint32_t>(i), .outOfMemory = isLost});
        }
    }
    return events;
}

Result<void> readArguments(const trace::Trace& trace, std::vector<Event>& events) {
    const auto instants = trace.instants();
    std::ranges::sort(events, {},
                      [&](const Event& event) { return instants[event.instant].offset; });
    std::vector<std::uint64_t> offsets;
    offsets.reserve(events.size());
    for (const Event& event : events) {
        offsets.push_back(instants[event.instant].offset);
    }
    auto read = trace.eventText()->arguments(
        offsets, kKeys, [&](std::size_t i, std::span<const std::string_view> json) {
            const auto number = [&](Key key, std::int64_t otherwise) {
                return wholeNumber(json[key]).value_or(otherwise);
            };
            const auto total = [&](Key key) {
                return std::clamp<std::int64_t>(number(key, -1), -1, kMaxBytes);
            };
            Event& event = events[i];
            event.address = static_cast<std::uint64_t>(number(Address, 0));
            event.bytes = std::clamp(number(Bytes, 0), -kMaxBlockBytes, kMaxBlockBytes);
            event.allocated = total(Allocated);
            event.reserved = total(Reserved);
            event.type = number(Type, 0);
            event.index = number(Index, -1);
        });
    std::ranges::stable_sort(events, {},
                             [&](const Event& event) { return instants[event.instant].time; });
    return read;
}

// The slices around each event on its thread, by one walk over the thread's slices.
class Surroundings {
public:
    Surroundings(const trace::Trace& trace, History& history) : m_trace(trace), m_places(history) {}

    void find(std::vector<Event>& events, const std::stop_token& stop) {
        std::map<trace::TrackId, std::vector<Event*>> byTrack;
        for (Event& event : events) {
            byTrack[m_trace.instants()[event.instant].track].push_back(&event);
        }
        std::map<trace::TrackId, std::vector<trace::SliceId>> slices;
        for (std::size_t i = 0; i < m_trace.sliceCount(); ++i) {
            const auto slice = static_cast<trace::SliceId>(i);
            if (isAround(m_trace.category(slice)) && byTrack.contains(m_trace.trackOf(slice))) {
                slices[m_trace.trackOf(slice)].push_back(slice);
            }
        }
        for (auto& [track, ofTrack] : byTrack) {
            throwIfStopped(stop);
            walk(slices[track], ofTrack);
        }
    }

private:
    static bool isAround(trace::Category category) {
        return category == trace::Category::CpuOp || category == trace::Category::UserAnnotation ||
               category == trace::Category::PythonFunction;
    }

    void walk(std::vector<trace::SliceId>& slices, const std::vector<Event*>& events) {
        std::ranges::stable_sort(slices, [&](trace::SliceId a, trace::SliceId b) {
            const TimeSpan first = m_trace.span(a);
            const TimeSpan second = m_trace.span(b);
            return first.start != second.start ? first.start < second.start
                                               : first.end > second.end;
        });
        std::vector<trace::SliceId> open;
        auto next = slices.begin();
        for (Event* const event : events) {
            const TimeNs time = m_trace.instants()[event->instant].time;
            for (; next != slices.end() && m_trace.start(*next) <= time; ++next) {
                while (!open.empty() && m_trace.end(open.back()) <= m_trace.start(*next)) {
                    open.pop_back();
                }
                open.push_back(*next);
            }
            while (!open.empty() && m_trace.end(open.back()) < time) {
                open.pop_back();
            }
            event->place = placeOf(open, time);
        }
    }

    PlaceId placeOf(const std::vector<trace::SliceId>& open, TimeNs time) {
        constexpr std::size_t kMax = 256;
        std::string_view operation;
        std::vector<std::string_view> names;
        for (auto at = open.rbegin(); at != open.rend() && names.size() < kMax; ++at) {
            if (m_trace.end(*at) < time) {
                continue;  // slices that cross
            }
            names.push_back(m_trace.name(*at));
            if (operation.empty() && m_trace.category(*at) == trace::Category::CpuOp) {
                operation = names.back();
            }
        }
        return names.empty() ? 0 : m_places.ofSlices(operation, names);
    }

    const trace::Trace& m_trace;
    Places m_places;
};

// One device's events into its blocks and curves.
class TraceDevice {
public:
    explicit TraceDevice(std::string name) { m_device.name = std::move(name); }

    void take(const Event& event, TimeNs time) {
        if (event.outOfMemory) {
            m_device.outOfMemory.push_back({time, event.bytes, -1, event.place});
            return;
        }
        const auto at = static_cast<std::uint32_t>(m_device.allocated.size());
        if (at == 0) {
            // The totals are those after the event.
            m_device.allocatedBefore =
                std::max<std::int64_t>(addBytes(event.allocated, -event.bytes), 0);
            m_device.reservedBefore = std::max<std::int64_t>(event.reserved, 0);
            m_net = m_device.allocatedBefore;
        }
        m_net = addBytes(m_net, event.bytes);
        if (event.bytes >= 0) {
            m_alive.put(event.address, static_cast<std::uint32_t>(m_device.blocks.size()));
            m_device.blocks.push_back({event.address, event.bytes, at, kNever, event.place});
        } else {
            release(event, at);
        }
        m_told = m_told || event.allocated > 0;
        m_device.instants.push_back(event.instant);
        m_device.allocated.push_back(
            {time, m_told && event.allocated >= 0 ? event.allocated : m_net});
        if (event.reserved >= 0 && event.reserved != m_device.reservedAtEnd()) {
            m_device.reserved.push_back({time, event.reserved});
        }
    }

    Device finish() {
        m_device.blocks.insert(m_device.blocks.begin(), m_before.begin(), m_before.end());
        return std::move(m_device);
    }

private:
    void release(const Event& event, std::uint32_t at) {
        const std::uint32_t row = m_alive.take(event.address);
        if (row == AddressTable::kMissing) {
            m_before.push_back({event.address, -event.bytes, kBefore, at, 0});
        } else {
            m_device.blocks[row].to = at;
        }
    }

    Device m_device;
    AddressTable m_alive;
    std::vector<Block> m_before;
    std::int64_t m_net = 0;
    bool m_told = false;  // whether the events have totals
};

Result<History> make(const trace::Trace& trace, const std::stop_token& stop) {
    History history;
    history.source = Source::Trace;
    history.file = trace.info().path;
    history.startNs = trace.extent().start;
    std::vector<Event> events = memoryEvents(trace);
    if (events.empty() || trace.eventText() == nullptr) {
        return fail(fmt::format("'{}': has no [memory] events; record it with profile_memory=True",
                                trace.info().path));
    }
    if (const auto read = readArguments(trace, events); !read) {
        return tl::unexpected(read.error());
    }
    Surroundings(trace, history).find(events, stop);
    std::map<std::pair<std::int64_t, std::int64_t>, TraceDevice> devices;
    for (const Event& event : events) {
        // GPUs first.
        const auto key = std::pair(
            event.type == 0 ? std::numeric_limits<std::int64_t>::max() : event.type, event.index);
        devices.try_emplace(key, deviceName(event.type, event.index))
            .first->second.take(event, trace.instants()[event.instant].time - history.startNs);
    }
    for (auto& [key, device] : devices) {
        history.devices.push_back(device.finish());
    }
    return history;
}

}  // namespace

Result<History> historyOf(const trace::Trace& trace, const std::stop_token& stop) {
    return guarded([&] { return make(trace, stop); }, trace.info().path);
}

}  // namespace kinetoscope::memory
