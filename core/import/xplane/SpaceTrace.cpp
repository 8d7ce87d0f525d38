// SPDX-License-Identifier: Apache-2.0
#include "core/import/xplane/SpaceTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "core/base/Demangle.h"
#include "core/base/Threads.h"
#include "core/import/Turns.h"
#include "core/import/event/EventDecoder.h"
#include "core/import/wire/EventWords.h"
#include "core/import/xplane/SpaceText.h"
#include "core/import/xplane/UnitRows.h"

namespace kinetoscope::import::xplane {

namespace {

// Times beyond it count from 1970, others from the start of the profile.
constexpr std::int64_t kUnixTimes = 100'000'000'000'000'000;
// A process of a container may have the number of a GPU; such ones are distinguished by their
// plane's name.
constexpr std::int64_t kFirstProcess = 64;

template <class T>
T number(const Stat& stat) {
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    return static_cast<T>(std::min(stat.value.isBytes() ? 0 : stat.value.number, most));
}

}  // namespace

Result<void> SpaceTrace::read() {
    const auto text = m_whole.load(m_input.text, m_input.options.stop, m_input.options.progress,
                                   threadsOf(m_input.options));
    if (!text) {
        return fail(fmt::format("'{}': {}", m_input.path, text.error().message));
    }
    m_text = *text;
    m_space = readSpace(m_text, m_input.options.stop, m_issues);
    shareProcess();
    placeInTime();
    addRows();
    addEvents();
    describe();
    return {};
}

// Host planes belong to one process, which not all of them name; merged profiles have several.
void SpaceTrace::shareProcess() {
    std::optional<std::int64_t> known;
    for (Plane& plane : m_space.planes) {
        const bool names =
            plane.kind == PlaneKind::Host && plane.processId && *plane.processId >= kFirstProcess;
        plane.processId = names ? plane.processId : std::nullopt;
        known = known ? known : plane.processId;
    }
    for (Plane& plane : m_space.planes) {
        if (plane.kind == PlaneKind::Host || plane.kind == PlaneKind::Python) {
            plane.processId = plane.processId ? plane.processId : known;
        }
    }
}

void SpaceTrace::placeInTime() {
    TimeNs first = std::numeric_limits<TimeNs>::max();
    for (const Plane& plane : m_space.planes) {
        for (const Line& line : plane.lines) {
            if (line.hasEvents || m_space.events == 0) {
                first = std::min(first, line.timestampNs);
            }
        }
    }
    if (first >= kUnixTimes && first < event::kFarthestTime) {
        m_base = first;
        m_builder.info().baseTimeNs = first;
    } else {
        m_builder.info().baseTimeNs = m_space.profileStart;
    }
}

trace::RowId SpaceTrace::processOf(const Plane& plane) {
    if (plane.kind == PlaneKind::Gpu) {
        return {false, plane.gpu};
    }
    return plane.processId
               ? trace::RowId{false, *plane.processId}
               : trace::RowId{true, static_cast<std::int64_t>(m_builder.name(plane.name))};
}

void SpaceTrace::addRows() {
    for (Plane& plane : m_space.planes) {
        for (EventName& name : plane.events.values()) {
            name.id = m_builder.name(shownName(plane, &name));
        }
        if (plane.lines.empty()) {
            continue;
        }
        const trace::RowId pid = processOf(plane);
        trace::Process& process = m_builder.processRow(m_builder.process(pid));
        // Of the planes that share a process, the first one names it.
        process.name = process.name == kEmptyName ? m_builder.name(plane.name) : process.name;
        if (plane.kind == PlaneKind::Gpu) {
            asGpu(m_builder, process, plane.gpu);
        }
        for (Line& line : plane.lines) {
            const bool counters = line.kind == LineKind::Counters;
            const auto lineName = static_cast<std::int64_t>(m_builder.name(line.name));
            line.track =
                counters ? m_builder.track(pid, {true, lineName}, trace::TrackKind::Counter)
                         : m_builder.track(
                               pid, {false, line.kind == LineKind::Stream ? line.stream : line.id});
            trace::Track& track = m_builder.trackRow(line.track);
            track.name = track.name == kEmptyName ? m_builder.name(line.name) : track.name;
            if (line.kind == LineKind::Other) {
                line.category = m_builder.otherCategory(line.name);
            }
        }
    }
}

void SpaceTrace::addEvents() {
    const std::size_t units = m_space.units.size();
    const auto threads = std::min<std::size_t>(threadsOf(m_input.options), units);
    std::uint64_t skipped = 0;
    std::uint64_t aggregated = 0;
    std::size_t events = 0;
    const auto join = [&](UnitRows& rows, const Unit& unit) {
        const auto all = static_cast<double>(m_space.events);
        m_builder.setFraction(static_cast<double>(events) / all);
        skipped += rows.skipped();
        aggregated += rows.aggregated();
        events += unit.events;
        rows.moveTo(m_builder, m_issues);
        if (m_input.options.progress != nullptr) {
            m_input.options.progress->set(
                static_cast<std::uint64_t>(static_cast<double>(m_input.fileBytes) *
                                           (1.0 + static_cast<double>(events) / all) / 2.0));
        }
    };
    std::atomic<std::size_t> next{0};
    Turns turns;
    const auto work = [&] {
        UnitRows rows;  // one for all: its memory stays
        for (std::size_t i = next++; i < units; i = next++) {
            throwIfStopped(m_input.options.stop);
            rows.read(m_space, m_space.units[i], m_base, m_text);
            if (!turns.take(i, [&] { join(rows, m_space.units[i]); })) {
                return;
            }
        }
    };
    runOnThreads(static_cast<unsigned>(std::max<std::size_t>(threads, 1)),
                 [&] { turns.during(work); });
    m_builder.log().events = m_space.events;
    m_builder.log().skipped = skipped + aggregated;
    if (aggregated > 0) {
        m_builder.log().add("aggregated_event", trace::Severity::DataLoss, 0,
                            "has a count but no times; it is dropped", aggregated);
    }
}

void SpaceTrace::describeGpu(const Plane& plane) {
    trace::DeviceProperties gpu;
    gpu.id = plane.gpu;
    for (const wire::Field& field : plane.own) {
        const Stat stat = readStat(plane, field.bytes);
        const std::string_view key = stat.name == nullptr ? std::string_view{} : stat.name->text;
        if (key == "gpu_device_name") {
            gpu.name = stat.text();
        } else if (key == "memory_size") {
            gpu.totalMemoryBytes = number<std::uint64_t>(stat);
        } else if (key == "core_count") {
            gpu.multiprocessors = number<int>(stat);
        } else if (key == "compute_cap_major") {
            gpu.computeMajor = number<int>(stat);
        } else if (key == "compute_cap_minor") {
            gpu.computeMinor = number<int>(stat);
        }
    }
    gpu.json = fmt::format(
        R"({{"id": {}, "name": {}, "totalGlobalMem": {}, "computeMajor": {}, "computeMinor": {}, )"
        R"("numSms": {}}})",
        gpu.id, wire::quoted(gpu.name), gpu.totalMemoryBytes, gpu.computeMajor, gpu.computeMinor,
        gpu.multiprocessors);
    m_builder.info().devices.push_back(std::move(gpu));
}

void SpaceTrace::describe() {
    trace::RunInfo& info = m_builder.info();
    const source::TextSource& source = m_input.text.source();
    info.path = m_input.path;
    info.fileBytes = m_input.fileBytes;
    info.textBytes = m_text.size();
    info.format =
        source.compression().empty() ? "XPlane" : fmt::format("XPlane, {}", source.compression());
    std::string devices;
    for (const Plane& plane : m_space.planes) {
        if (plane.kind == PlaneKind::Gpu && info.device(plane.gpu) == nullptr) {
            describeGpu(plane);
            devices += (devices.empty() ? "" : ", ") + info.devices.back().json;
        }
    }
    info.fields.push_back({"deviceProperties", "[" + devices + "]"});
    if (info.baseTimeNs) {
        info.fields.push_back({"baseTimeNanoseconds", std::to_string(*info.baseTimeNs)});
    }
    if (source.issue()) {
        m_issues.add(source.issue()->issue, m_text.size(), [&] { return source.issue()->example; });
    }
    if (source.changed()) {
        m_issues.add(trace::Issue::FileChanged, m_text.size(), [&] {
            return fmt::format("'{}': was written to while it was read", m_input.path);
        });
    }
    m_issues.addTo(m_builder.log());
    if (const source::InputFile* file = source.file()) {
        m_builder.setEventText(makeSpaceText(*file, std::move(m_space), m_base));
    }
}

}  // namespace kinetoscope::import::xplane
