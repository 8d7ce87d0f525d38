// SPDX-License-Identifier: Apache-2.0
#include "core/import/xplane/XlaJsonImporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/import/event/EventArguments.h"
#include "core/import/scan/StringDecoder.h"
#include "core/import/xplane/Space.h"
#include "core/import/xplane/UnitRows.h"

namespace kinetoscope::import::xplane {

namespace {

// XLA shortens a name that has a colon, and keeps all of it beside.
constexpr std::string_view kLongName = "long_name";
constexpr std::array<std::string_view, 10> kKeys{
    kLongName,        "correlation_id",   "kernel_details",  "memcpy_details",
    "memset_details", "memalloc_details", "memfree_details", "memory_residency_details",
    "step_num",       "cuda_graph_id"};

// A process and a thread as the plane and the line that they were.
struct Row {
    Plane plane;
    Line line;
};

std::vector<Row> rowsOf(trace::TraceBuilder& builder) {
    std::vector<Row> rows;
    for (const trace::Track& track : builder.tracks()) {
        Row& row = rows.emplace_back();
        row.plane.name = builder.text(builder.processes()[track.process].name);
        row.plane.kind = planeKind(row.plane.name, row.plane.gpu);
        row.line.name = builder.text(track.name);
        row.line.stream = streamOf(row.line.name);
        row.line.kind = lineKind(row.plane.kind, row.line);
    }
    return rows;
}

void describeGpus(trace::TraceBuilder& builder) {
    for (std::uint32_t i = 0; i < builder.processes().size(); ++i) {
        trace::Process& process = builder.processRow(i);
        std::int64_t gpu = 0;
        if (planeKind(builder.text(process.name), gpu) == PlaneKind::Gpu) {
            process.pid = {false, gpu};  // XLA numbers planes
            asGpu(builder, process, gpu);
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

void tell(trace::TraceBuilder& builder, trace::SliceId slice, const Row& row, const Words& words) {
    const NameId old = builder.slices().names()[slice];
    const std::string name =
        words.longName.empty() ? std::string(builder.text(old)) : words.longName;
    const trace::CategoryId category = categoryOf(row.plane, row.line, words.event, name);
    const bool isStep = words.event.step && row.line.kind == LineKind::Host;
    builder.describe(slice, builder.name(isStep ? stepName(name, *words.event.step) : name),
                     category, words.event.correlation);
    if (trace::isGpuOperation(trace::categoryKind(category))) {
        trace::GpuOperation operation = operationOf(row.plane, row.line, words.event);
        operation.slice = slice;
        builder.addGpuOperation(operation);
    }
}

// Other planes, such as "/device:TPU:0", stay plain rows, and whoever gives an event a category
// means it: cuts of an XSpace do.
std::vector<trace::SliceId> slicesToTell(trace::TraceBuilder& builder,
                                         const std::vector<Row>& rows) {
    const trace::SliceColumns& slices = builder.slices();
    std::vector<trace::SliceId> found;
    for (trace::SliceId slice = 0; slice < slices.size(); ++slice) {
        if (rows[slices.tracks()[slice]].plane.kind != PlaneKind::Other &&
            trace::categoryKind(slices.categories()[slice]) == trace::Category::None) {
            found.push_back(slice);
        }
    }
    return found;
}

}  // namespace

bool XlaJsonImporter::recognises(std::string_view head) const {
    constexpr std::array<std::string_view, 2> kPlanes{R"("/device:GPU:)", R"("/host:CPU")"};
    return ChromeTraceImporter::recognises(head) &&
           std::ranges::any_of(kPlanes, [head](std::string_view plane) {
               return head.find(plane) != std::string_view::npos;
           });
}

void XlaJsonImporter::complete(trace::TraceBuilder& builder, trace::IssueCounter& issues,
                               const trace::EventText* text) const {
    if (text == nullptr) {
        return;
    }
    const std::vector<Row> rows = rowsOf(builder);
    const std::vector<trace::SliceId> slices = slicesToTell(builder, rows);
    if (slices.empty()) {
        return;
    }
    std::vector<std::uint64_t> offsets(slices.size());
    std::ranges::transform(slices, offsets.begin(),
                           [&](trace::SliceId slice) { return builder.slices().offset(slice); });
    const auto done = text->arguments(
        offsets, kKeys, [&](std::size_t index, std::span<const std::string_view> values) {
            const trace::SliceId slice = slices[index];
            tell(builder, slice, rows[builder.slices().tracks()[slice]], wordsOf(values));
        });
    if (!done) {
        issues.add(trace::Issue::FileChanged, 0, [&] { return done.error().message; });
    }
    describeGpus(builder);
    std::string& format = builder.info().format;  // "Chrome JSON, gzip"
    format.replace(0, std::min(format.find(' '), format.size()), "XLA");
}

}  // namespace kinetoscope::import::xplane
