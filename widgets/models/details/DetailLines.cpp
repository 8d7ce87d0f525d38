// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/details/DetailLines.h"

#include <algorithm>
#include <span>

#include "core/query/EventDetails.h"
#include "core/query/LaunchFlow.h"
#include "core/text/Format.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

constexpr std::size_t kMaxLinks = 24;   // a CUDA graph launches thousands
constexpr std::size_t kMaxRows = 5000;  // of what the file says
constexpr int kMaxLevel = 8;            // beyond it there is no room to the right

template <class Extent>
QString dims(const Extent& extent) {
    return QStringLiteral("%1 × %2 × %3").arg(extent[0]).arg(extent[1]).arg(extent[2]);
}

const trace::GpuOperation* operationOf(const trace::Trace& trace, trace::SliceId slice) {
    const auto operations = trace.gpuOperations();
    const auto found = std::lower_bound(operations.begin(), operations.end(), slice,
                                        [](const trace::GpuOperation& operation,
                                           trace::SliceId id) { return operation.slice < id; });
    return found != operations.end() && found->slice == slice ? &*found : nullptr;
}

void addSlice(Lines& lines, const trace::Trace& trace, trace::SliceId slice) {
    heading(lines, "Slice");
    add(lines, "Name", toText(trace.name(slice)));
    add(lines, "Category", toText(trace.categoryText(trace.categoryId(slice))));
    add(lines, "Duration", exactTime(trace.duration(slice)));
    add(lines, "Start", exactTime(trace.start(slice) - trace.extent().start));
    add(lines, "End", exactTime(trace.end(slice) - trace.extent().start));
    add(lines, "Track", trackTitle(trace, trace.trackOf(slice)));
}

void addOperation(Lines& lines, const trace::Trace& trace, const trace::GpuOperation& operation) {
    heading(lines, "GPU operation");
    add(lines, "GPU, stream", QStringLiteral("%1, %2").arg(operation.gpu).arg(operation.stream));
    if (trace.category(operation.slice) == trace::Category::Kernel) {
        add(lines, "Grid", dims(operation.grid));
        add(lines, "Block", dims(operation.block));
        add(lines, "Registers per thread", QString::number(operation.registers));
        add(lines, "Shared memory",
            QString::fromStdString(text::formatBytes(operation.sharedBytes)));
        if (operation.occupancyPercent >= 0) {
            add(lines, "Est. occupancy", QStringLiteral("%1 %").arg(operation.occupancyPercent));
        }
    } else {
        add(lines, "Bytes", QString::fromStdString(text::formatBytes(operation.bytes)));
        const auto ns = static_cast<double>(trace.duration(operation.slice));
        if (ns > 0 && operation.bytes > 0) {
            add(lines, "Rate",
                QStringLiteral("%1 GB/s").arg(static_cast<double>(operation.bytes) / ns, 0, 'f',
                                              2));
        }
    }
    if (operation.graph != 0) {
        add(lines, "CUDA graph", QString::number(operation.graph));
    }
}

void addLaunchedBy(Lines& lines, query::LaneIndex& lanes, trace::SliceId api,
                   trace::SliceId operation) {
    const trace::Trace& trace = lanes.trace();
    add(lines, "Launched by", linkText(trace, api), api);
    const TimeNs delay = trace.start(operation) - trace.end(api);
    add(lines, "Launch delay", QString::fromStdString(text::formatDuration(delay)));
    const trace::SliceId caller = enclosingSlice(lanes, api);
    if (caller != trace::kNoSlice) {
        add(lines, "Operator", linkText(trace, caller), caller);
    }
}

void addArrow(Lines& lines, query::LaneIndex& lanes, trace::SliceId slice,
              const query::FlowArrow& arrow) {
    const bool outgoing = arrow.from == slice;
    const trace::SliceId other = outgoing ? arrow.to : arrow.from;
    switch (arrow.kind) {
        case query::FlowKind::Launch:
            if (outgoing) {
                add(lines, "Launches", linkText(lanes.trace(), other), other);
            } else {
                addLaunchedBy(lines, lanes, other, slice);
            }
            break;
        case query::FlowKind::Backward:
            add(lines, outgoing ? "Backward" : "Forward", linkText(lanes.trace(), other), other);
            break;
        case query::FlowKind::Other:
            add(lines, outgoing ? "Flow to" : "Flow from", linkText(lanes.trace(), other), other);
            break;
    }
}

void addLinks(Lines& lines, query::LaneIndex& lanes, trace::SliceId slice) {
    Lines links;
    const trace::SliceId parent = enclosingSlice(lanes, slice);
    if (parent != trace::kNoSlice) {
        add(links, "Inside", linkText(lanes.trace(), parent), parent);
    }
    const auto arrows = query::arrowsOf(lanes, slice);
    for (std::size_t i = 0; i < std::min(arrows.size(), kMaxLinks); ++i) {
        addArrow(links, lanes, slice, arrows[i]);
    }
    if (arrows.size() > kMaxLinks) {
        add(links, "", QStringLiteral("and %1 more").arg(arrows.size() - kMaxLinks));
    }
    if (!links.empty()) {
        heading(lines, "Links");
        lines.insert(lines.end(), links.begin(), links.end());
    }
}

void addFileRows(Lines& lines, const trace::Trace& trace, trace::SliceId slice) {
    const auto rows = query::eventDetails(trace, slice);
    if (!rows) {
        heading(lines, "Arguments");
        add(lines, "Not available", toText(rows.error().message));
        return;
    }
    Lines arguments;
    Lines fields;
    bool inArguments = false;
    for (const query::DetailRow& row : std::span(*rows).first(std::min(rows->size(), kMaxRows))) {
        if (row.level == 0) {
            inArguments = row.key == "args" && row.value.empty();
            if (inArguments) {
                continue;
            }
        }
        (inArguments ? arguments : fields)
            .push_back({toText(row.key),
                        toText(row.value),
                        std::min(row.level - (inArguments ? 1 : 0), kMaxLevel),
                        false,
                        {}});
    }
    if (!arguments.empty()) {
        heading(lines, "Arguments");
        lines.insert(lines.end(), arguments.begin(), arguments.end());
    }
    heading(lines, "As written in the file");
    lines.insert(lines.end(), fields.begin(), fields.end());
    if (rows->size() > kMaxRows) {
        add(lines, "", QStringLiteral("and %1 more").arg(rows->size() - kMaxRows));
    }
    add(lines, "Byte offset",
        QString::fromStdString(text::formatCount(static_cast<std::int64_t>(trace.offset(slice)))));
}

}  // namespace

trace::SliceId enclosingSlice(query::LaneIndex& lanes, trace::SliceId slice) {
    const trace::Trace& trace = lanes.trace();
    const query::LanePlace place = lanes.placeOf(slice);
    for (std::uint32_t above = place.lane; above-- > 0;) {
        const auto slices = lanes.lane(place.track, above).slices;
        const auto after = std::upper_bound(
            slices.begin(), slices.end(), trace.start(slice),
            [&](TimeNs time, trace::SliceId id) { return time < trace.start(id); });
        if (after != slices.begin() && trace.end(*(after - 1)) >= trace.end(slice)) {
            return *(after - 1);
        }
    }
    return trace::kNoSlice;
}

std::vector<DetailLine> detailLines(query::LaneIndex& lanes, trace::SliceId slice) {
    const trace::Trace& trace = lanes.trace();
    Lines lines;
    addSlice(lines, trace, slice);
    if (const trace::GpuOperation* operation = operationOf(trace, slice)) {
        addOperation(lines, trace, *operation);
    }
    addLinks(lines, lanes, slice);
    addFileRows(lines, trace, slice);
    return lines;
}

}  // namespace kinetoscope::models
