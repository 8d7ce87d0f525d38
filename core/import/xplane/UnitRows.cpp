// SPDX-License-Identifier: Apache-2.0
#include "core/import/xplane/UnitRows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/import/event/EventDecoder.h"

namespace kinetoscope::import::xplane {

namespace {

constexpr std::int64_t kPsPerNs = 1000;

std::string_view nameOf(const Plane& plane, const Event& event) {
    const EventName* name = plane.events.find(event.metadata);
    return name == nullptr ? std::string_view{} : std::string_view(name->text);
}

bool isDriverCall(std::string_view name) {
    return name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';
}

bool isRuntimeCall(std::string_view name) {
    return name.starts_with("cuda") || name.starts_with("hip") || name.starts_with("hsa_");
}

trace::Category hostCategory(const Plane& plane, const Event& event, std::string_view name) {
    if (event.step) {
        return trace::Category::UserAnnotation;
    }
    if (isRuntimeCall(name)) {
        return trace::Category::Runtime;
    }
    // The call that launches a kernel is named like the kernel.
    if (isDriverCall(name) || event.correlation != trace::kNoId) {
        return trace::Category::Driver;
    }
    return plane.kind == PlaneKind::Python || name.starts_with('$')
               ? trace::Category::PythonFunction
               : trace::Category::CpuOp;
}

trace::Category streamCategory(const Event& event, std::string_view name) {
    switch (event.details) {
        case StatKind::CopyDetails:
            return trace::Category::GpuMemcpy;
        case StatKind::MemsetDetails:
            return trace::Category::GpuMemset;
        case StatKind::MemoryDetails:
            return trace::Category::None;
        default:
            return name.starts_with("Memcpy")   ? trace::Category::GpuMemcpy
                   : name.starts_with("Memset") ? trace::Category::GpuMemset
                                                : trace::Category::Kernel;
    }
}

void readEventStat(const Plane& plane, std::string_view message, Event& event) {
    const Stat stat = readStat(plane, message);
    if (stat.name == nullptr) {
        return;
    }
    switch (stat.name->kind) {
        case StatKind::Other:
            return;
        case StatKind::Correlation:
            event.correlation = stat.value.integer();
            return;
        case StatKind::StepNumber:
            event.step = stat.value.integer();
            return;
        case StatKind::Graph:
            event.graph = stat.value.integer();
            return;
        case StatKind::CounterValue:
            event.counter = stat.value.type == protozero::pbf_wire_type::fixed64
                                ? stat.value.real()
                                : static_cast<double>(stat.value.integer());
            return;
        case StatKind::KernelDetails:
        case StatKind::CopyDetails:
        case StatKind::MemsetDetails:
        case StatKind::MemoryDetails:
            event.details = stat.name->kind;
            event.launch = stat.reference != nullptr && stat.reference->details
                               ? *stat.reference->details
                               : readDetails(stat.text());
    }
}

template <class T>
T atMost(std::uint64_t value) {
    return static_cast<T>(std::min<std::uint64_t>(value, std::numeric_limits<T>::max()));
}

// Rounds down, below zero too.
TimeNs nanoseconds(std::int64_t ps) {
    return ps / kPsPerNs - (ps % kPsPerNs < 0 ? 1 : 0);
}

}  // namespace

void asGpu(trace::TraceBuilder& builder, trace::Process& process, std::int64_t gpu) {
    // Kineto puts the rows of GPUs behind those of the host.
    constexpr std::int64_t kGpuOrder = 5'000'000;
    process.labels = builder.name(fmt::format("GPU {}", gpu));
    process.sortIndex = kGpuOrder + gpu;
    builder.compatFacts().gpuPids.push_back(process.pid);
}

bool readEvent(const Plane& plane, std::string_view message, Event& event) {
    return wire::forEachField(message, [&](const wire::Field& field) {
        switch (field.tag) {
            case 1:
                event.metadata = field.number;
                break;
            case 2:
                event.offsetPs = field.integer();
                break;
            case 3:
                event.durationPs = field.integer();
                break;
            case 4:
                readEventStat(plane, field.bytes, event);
                break;
            case 5:
                event.aggregated = true;
                break;
            default:
                break;
        }
    });
}

std::string stepName(std::string_view name, std::int64_t number) {
    return fmt::format("{}#{}", name, number);
}

trace::CategoryId categoryOf(const Plane& plane, const Line& line, const Event& event,
                             std::string_view name) {
    switch (line.kind) {
        case LineKind::Host:
            return static_cast<trace::CategoryId>(hostCategory(plane, event, name));
        case LineKind::Stream:
            return static_cast<trace::CategoryId>(streamCategory(event, name));
        case LineKind::GpuAnnotation:
            return static_cast<trace::CategoryId>(trace::Category::GpuUserAnnotation);
        default:
            return line.category;
    }
}

MemoryChange memoryChange(const Line& line, const EventName* name) {
    return name != nullptr && line.kind == LineKind::Host ? name->memory : MemoryChange::None;
}

std::optional<TimeSpan> spanOf(const Line& line, TimeNs base, const Event& event) {
    const TimeNs origin = lineStart(line, base);
    const TimeNs start = nanoseconds(event.offsetPs);
    // Each of them is far below what 64 bits hold.
    if (origin + start > event::kFarthestTime || origin + start < -event::kFarthestTime) {
        return std::nullopt;
    }
    const std::int64_t length = std::max<std::int64_t>(event.durationPs, 0);
    const TimeNs end = event.offsetPs > std::numeric_limits<std::int64_t>::max() - length
                           ? std::numeric_limits<std::int64_t>::max() / kPsPerNs
                           : nanoseconds(event.offsetPs + length);
    return TimeSpan{origin + start, std::min(origin + end, event::kFarthestTime)};
}

trace::GpuOperation operationOf(const Plane& plane, const Line& line, const Event& event) {
    trace::GpuOperation operation;
    operation.gpu = atMost<std::int32_t>(static_cast<std::uint64_t>(plane.gpu));
    operation.stream = line.stream;
    if (event.details == StatKind::KernelDetails) {
        operation.grid = event.launch.grid;
        std::ranges::transform(event.launch.block, operation.block.begin(), atMost<std::uint16_t>);
        operation.registers = atMost<std::uint16_t>(event.launch.registers);
        operation.sharedBytes = event.launch.sharedBytes;
    }
    operation.bytes = event.launch.bytes;
    if (event.graph && *event.graph > 0) {
        operation.graph = atMost<std::uint32_t>(static_cast<std::uint64_t>(*event.graph));
    }
    return operation;
}

void UnitRows::skip(trace::Issue issue, std::uint64_t offset, const Plane& plane,
                    const Event& event) {
    ++m_skipped;
    m_issues.add(issue, offset, [&] {
        return fmt::format("an event '{}' of {}", nameOf(plane, event), plane.name);
    });
}

void UnitRows::read(const Space& space, const Unit& unit, TimeNs base, std::string_view text) {
    const Plane& plane = space.planes[unit.plane];
    const Line& line = plane.lines[unit.line];
    m_base = base;
    m_slices.reserve(unit.events);
    m_operations.reserve(line.kind == LineKind::Stream ? unit.events : 0);
    wire::forEachField(unit.fields, [&](const wire::Field& field) {
        if (field.tag != kLineEvent) {
            return;
        }
        const auto offset = static_cast<std::uint64_t>(field.at - text.data());
        Event event;
        if (!field.isBytes() || field.cut || !readEvent(plane, field.bytes, event)) {
            skip(trace::Issue::MalformedEvent, offset, plane, event);
        } else if (event.aggregated) {
            ++m_aggregated;
        } else {
            add(plane, line, event, offset);
        }
    });
}

void UnitRows::add(const Plane& plane, const Line& line, const Event& event, std::uint64_t offset) {
    const auto span = spanOf(line, m_base, event);
    if (!span) {
        return skip(trace::Issue::TimeOutOfRange, offset, plane, event);
    }
    const EventName* name = plane.events.find(event.metadata);
    const NameId nameId = name == nullptr ? kEmptyName : name->id;
    if (line.kind == LineKind::Counters) {
        if (!event.counter || !std::isfinite(*event.counter)) {
            return skip(trace::Issue::CounterWithoutValue, offset, plane, event);
        }
        m_samples.push_back({span->start, line.track, nameId, *event.counter, offset});
        return;
    }
    if (memoryChange(line, name) != MemoryChange::None) {
        m_instants.push_back({span->start, nameId, line.track,
                              static_cast<trace::CategoryId>(trace::Category::CpuInstantEvent), 't',
                              offset});
        return;
    }
    if (event.durationPs < 0) {
        m_issues.add(trace::Issue::NegativeDuration, offset, [&] {
            return fmt::format("'{}' lasts {} ps", nameOf(plane, event), event.durationPs);
        });
    }
    const trace::CategoryId category =
        categoryOf(plane, line, event, name == nullptr ? std::string_view{} : name->text);
    if (event.step && category == static_cast<trace::CategoryId>(trace::Category::UserAnnotation)) {
        m_steps.emplace_back(static_cast<std::uint32_t>(m_slices.size()), *event.step);
    }
    if (trace::isGpuOperation(trace::categoryKind(category))) {
        m_operations.push_back(operationOf(plane, line, event));
        m_operations.back().slice = static_cast<trace::SliceId>(m_slices.size());
    }
    m_slices.push_back({.start = span->start,
                        .duration = span->duration(),
                        .correlation = event.correlation,
                        .offset = offset,
                        .name = nameId,
                        .track = line.track,
                        .category = category});
}

// Keeps the memory: fresh pages cost as much as reading what comes into them.
void UnitRows::clear() {
    m_slices.clear();
    m_operations.clear();
    m_samples.clear();
    m_instants.clear();
    m_steps.clear();
    m_issues.clear();
    m_skipped = 0;
    m_aggregated = 0;
}

void UnitRows::moveTo(trace::TraceBuilder& builder, trace::IssueCounter& issues) {
    for (const auto& [slice, number] : m_steps) {
        NameId& name = m_slices[slice].name;
        name = builder.name(stepName(builder.text(name), number));
    }
    const auto first = static_cast<trace::SliceId>(builder.sliceCount());
    for (const trace::SliceInput& slice : m_slices) {
        builder.addSlice(slice);
    }
    for (trace::GpuOperation& operation : m_operations) {
        operation.slice += first;
        builder.addGpuOperation(operation);
    }
    for (const trace::Instant& instant : m_instants) {
        builder.addInstant(instant);
    }
    for (const trace::CounterSample& sample : m_samples) {
        builder.addCounter(sample);
    }
    issues.add(m_issues);
    clear();
}

}  // namespace kinetoscope::import::xplane
