// SPDX-License-Identifier: Apache-2.0
#include "core/import/xplane/XlaJson.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/import/event/EventArguments.h"
#include "core/import/scan/StringDecoder.h"
#include "core/import/xplane/Space.h"
#include "core/import/xplane/UnitRows.h"
#include "core/trace/ImportIssues.h"

namespace kinetoscope::import::xplane {

namespace {

// XLA shortens a name that has a colon, and keeps all of it beside.
constexpr std::string_view kLongName = "long_name";
constexpr std::array<std::string_view, 10> kKeys{
    kLongName,        "correlation_id",   "kernel_details",  "memcpy_details",
    "memset_details", "memalloc_details", "memfree_details", "memory_residency_details",
    "step_num",       "cuda_graph_id"};
constexpr std::size_t kSlicesAtOnce = 100'000;

// Processes and threads as the planes and lines that they were, without their names.
class Rows {
public:
    explicit Rows(trace::TraceBuilder& builder) {
        for (const trace::Process& process : builder.processes()) {
            Plane& plane = m_planes.emplace_back();
            plane.kind = planeKind(builder.text(process.name), plane.gpu);
        }
        for (const trace::Track& track : builder.tracks()) {
            m_planeOf.push_back(track.process);
            Line& line = m_lines.emplace_back();
            line.name = builder.text(track.name);
            line.stream = streamOf(line.name);
            line.kind = lineKind(m_planes[track.process].kind, line);
            line.name.clear();
        }
    }
    [[nodiscard]] const Plane& plane(trace::TrackId track) const {
        return m_planes[m_planeOf[track]];
    }
    [[nodiscard]] const Line& line(trace::TrackId track) const { return m_lines[track]; }
    [[nodiscard]] std::span<const Plane> planes() const { return m_planes; }

private:
    std::vector<Plane> m_planes;  // by process
    std::vector<std::uint32_t> m_planeOf;
    std::vector<Line> m_lines;
};

bool hasPlanes(const trace::TraceBuilder& builder) {
    return std::ranges::any_of(builder.processes(), [&](const trace::Process& process) {
        const std::string_view name = builder.text(process.name);
        std::int64_t gpu = 0;
        return name == "/host:CPU" || planeKind(name, gpu) == PlaneKind::Gpu;
    });
}

void describeGpus(trace::TraceBuilder& builder, std::span<const Plane> planes) {
    for (std::uint32_t i = 0; i < planes.size(); ++i) {
        if (planes[i].kind == PlaneKind::Gpu) {
            trace::Process& process = builder.processRow(i);
            process.pid = {false, planes[i].gpu};  // XLA numbers planes
            asGpu(builder, process, planes[i].gpu);
        }
    }
}

// A value of "args", as it is written there.
class Value {
public:
    explicit Value(std::string_view json) {
        if (event::valueEnd(json.data(), json.data() + json.size(), m_json) == nullptr) {
            m_json = {};
        }
    }
    [[nodiscard]] std::string_view text() { return scan::decodeString(m_json, m_storage).text; }
    [[nodiscard]] std::optional<std::int64_t> integer() const { return event::integerOf(m_json); }

private:
    scan::JsonText m_json;
    std::string m_storage;
};

struct Words {
    Event event;
    std::string longName;
};

Words wordsOf(std::span<const std::string_view> values) {
    Words words;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].empty()) {
            continue;
        }
        Value value(values[i]);
        if (kKeys[i] == kLongName) {
            words.longName = value.text();
            continue;
        }
        switch (const StatKind kind = statKind(kKeys[i])) {
            case StatKind::Correlation:
                words.event.correlation = value.integer().value_or(trace::kNoId);
                break;
            case StatKind::StepNumber:
                words.event.step = value.integer();
                break;
            case StatKind::Graph:
                words.event.graph = value.integer();
                break;
            default:
                words.event.details = kind;
                words.event.launch = readDetails(value.text());
        }
    }
    return words;
}

void tell(trace::TraceBuilder& builder, trace::SliceId slice, const Rows& rows,
          const Words& words) {
    const trace::TrackId track = builder.slices().tracks()[slice];
    const Plane& plane = rows.plane(track);
    const Line& line = rows.line(track);
    const std::string name = words.longName.empty()
                                 ? std::string(builder.text(builder.slices().names()[slice]))
                                 : words.longName;
    const trace::CategoryId category = categoryOf(plane, line, words.event, name);
    const bool isStep = words.event.step && line.kind == LineKind::Host;
    builder.describe(slice, builder.name(isStep ? stepName(name, *words.event.step) : name),
                     category, words.event.correlation);
    if (trace::isGpuOperation(trace::categoryKind(category))) {
        trace::GpuOperation operation = operationOf(plane, line, words.event);
        operation.slice = slice;
        builder.addGpuOperation(operation);
    }
}

// Other planes, such as "/device:TPU:0", stay plain rows, and whoever gives an event a category
// means it: cuts of an XSpace do.
std::vector<trace::SliceId> slicesToTell(trace::TraceBuilder& builder, const Rows& rows) {
    const trace::SliceColumns& slices = builder.slices();
    std::vector<trace::SliceId> found;
    for (trace::SliceId slice = 0; slice < slices.size(); ++slice) {
        if (rows.plane(slices.tracks()[slice]).kind != PlaneKind::Other &&
            trace::categoryKind(slices.categories()[slice]) == trace::Category::None) {
            found.push_back(slice);
        }
    }
    return found;
}

// One piece of them: reading can be stopped between two.
Result<void> tellAll(trace::TraceBuilder& builder, std::span<const trace::SliceId> slices,
                     const Rows& rows, const trace::EventText& text) {
    std::vector<std::uint64_t> offsets(slices.size());
    std::ranges::transform(slices, offsets.begin(),
                           [&](trace::SliceId slice) { return builder.slices().offset(slice); });
    return text.arguments(offsets, kKeys,
                          [&](std::size_t index, std::span<const std::string_view> values) {
                              tell(builder, slices[index], rows, wordsOf(values));
                          });
}

}  // namespace

Result<void> describeXlaJson(const ImportInput& input, trace::TraceBuilder& builder,
                             const trace::EventText& text) {
    if (!hasPlanes(builder)) {
        return {};
    }
    const Rows rows(builder);
    const std::vector<trace::SliceId> slices = slicesToTell(builder, rows);
    if (slices.empty()) {
        return {};
    }
    for (std::size_t at = 0; at < slices.size(); at += kSlicesAtOnce) {
        if (input.options.stop.stop_requested()) {
            return fail(fmt::format("'{}': loading was cancelled", input.path),
                        ErrorKind::Cancelled);
        }
        const std::size_t count = std::min(kSlicesAtOnce, slices.size() - at);
        const auto told = tellAll(builder, std::span(slices).subspan(at, count), rows, text);
        if (!told) {
            const trace::IssueKind& kind = trace::issueKind(trace::Issue::FileChanged);
            builder.log().add(kind.name, kind.severity, 0, told.error().message);
            break;
        }
    }
    describeGpus(builder, rows.planes());
    std::string& format = builder.info().format;  // "Chrome JSON, gzip"
    format.replace(0, std::min(format.find(' '), format.size()), "XLA");
    return {};
}

}  // namespace kinetoscope::import::xplane
