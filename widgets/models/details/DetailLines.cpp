// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/details/DetailLines.h"

#include <algorithm>

#include "core/query/CallContext.h"
#include "core/query/LaunchFlow.h"
#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/models/details/MarkLines.h"

namespace kinetoscope::models {

namespace {

constexpr std::size_t kMaxLinks = 24;  // a CUDA graph launches thousands
constexpr std::size_t kMaxListed = 8;  // of the GPU work inside of a slice

template <class Extent>
QString dimsText(const Extent& extent) {
    return QStringLiteral("%1 × %2 × %3").arg(extent[0]).arg(extent[1]).arg(extent[2]);
}

const trace::GpuOperation* operationOf(const trace::Trace& trace, trace::SliceId slice) {
    const auto operations = trace.gpuOperations();
    const auto found = std::lower_bound(operations.begin(), operations.end(), slice,
                                        [](const trace::GpuOperation& operation,
                                           trace::SliceId id) { return operation.slice < id; });
    return found != operations.end() && found->slice == slice ? &*found : nullptr;
}

void addSlice(Lines& lines, const query::LaneIndex& lanes, trace::SliceId slice) {
    const trace::Trace& trace = lanes.trace();
    heading(lines, "Slice");
    add(lines, "Name", toText(trace.name(slice)));
    lines.back().prose = true;
    add(lines, "Category", toText(trace.categoryText(trace.categoryId(slice))));
    add(lines, "Duration", exactTime(trace.duration(slice)));
    add(lines, "Start", exactTime(trace.start(slice) - trace.extent().start));
    add(lines, "End", exactTime(trace.end(slice) - trace.extent().start));
    add(lines, "Track", trackTitle(lanes, trace.trackOf(slice)));
}

void addOperation(Lines& lines, const trace::Trace& trace, const trace::GpuOperation& operation) {
    heading(lines, "GPU operation");
    add(lines, "GPU, stream",
        QStringLiteral("%1, %2")
            .arg(toText(trace::gpuNumber(operation.gpu)))
            .arg(operation.stream));
    if (trace.category(operation.slice) == trace::Category::Kernel) {
        add(lines, "Grid", dimsText(operation.grid));
        add(lines, "Block", dimsText(operation.block));
        add(lines, "Registers per thread", QString::number(operation.registers));
        add(lines, "Shared memory",
            QString::fromStdString(text::formatBytes(operation.sharedBytes)));
        if (operation.occupancyPercent >= 0) {
            // What ran was resident: torch.profiler's estimate knows no opted-in shared memory.
            add(lines, "Est. occupancy",
                operation.occupancyPercent == 0
                    ? QStringLiteral("0 % (as recorded; more, since it ran)")
                    : QStringLiteral("%1 %").arg(operation.occupancyPercent));
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

const char* kindOf(const trace::Trace& trace, trace::SliceId slice) {
    switch (trace.category(slice)) {
        case trace::Category::CpuOp:
            return "Operator";
        case trace::Category::UserAnnotation:
            return "Annotation";
        case trace::Category::PythonFunction:
            return trace.name(slice).starts_with("nn.Module: ") ? "Module" : "Python";
        default:
            return trace::isApiCall(trace.category(slice)) ? "API call" : "Slice";
    }
}

void addLink(Lines& lines, const trace::Trace& trace, const char* label, trace::SliceId slice) {
    if (slice != trace::kNoSlice) {
        add(lines, label, linkText(trace, slice), slice);
    }
}

// What launched GPU work, and where in the program that is.
void addLaunch(Lines& lines, const trace::Trace& trace, trace::SliceId operation,
               const query::CallContext& context) {
    Lines found;
    addLink(found, trace, "Launched by", context.call);
    addLink(found, trace, "Operator", context.launcher);
    addLink(found, trace, "Forward operator", context.forward);
    addLink(found, trace, "Module", context.module);
    addLink(found, trace, "Python line", context.python);
    if (context.call != trace::kNoSlice) {
        const TimeNs delay = trace.start(operation) - trace.end(context.call);
        add(found, "Launch delay", QString::fromStdString(text::formatDuration(delay)));
    }
    if (!found.empty()) {
        heading(lines, "Launch");
        lines.insert(lines.end(), found.begin(), found.end());
    }
}

void addCallers(Lines& lines, const trace::Trace& trace, const query::CallContext& context) {
    if (!context.parents.empty()) {
        heading(lines, "Called from, innermost first");
        for (const trace::SliceId parent : context.parents) {
            addLink(lines, trace, kindOf(trace, parent), parent);
        }
    }
}

// Operations launched inside an operator, a Python function or an annotation.
void addGpuWork(Lines& lines, query::LaneIndex& lanes, trace::SliceId slice) {
    const trace::Trace& trace = lanes.trace();
    const query::GpuWork work = query::gpuWorkInside(lanes, slice, kMaxListed);
    if (work.count == 0 && !work.isTooMuch) {
        return;
    }
    heading(lines, "GPU work launched inside");
    if (work.isTooMuch) {
        add(lines, "", QStringLiteral("too many calls to list here; see the call tree"));
        return;
    }
    add(lines, "Operations",
        QString::fromStdString(text::formatCount(static_cast<std::int64_t>(work.count))));
    add(lines, "Time, summed up", exactTime(work.total));
    for (std::size_t at = 0; at < work.longest.size(); ++at) {
        // The time first: names of kernels are longer than the room for them.
        const trace::SliceId one = work.longest[at];
        const QString time = shortTime(static_cast<double>(trace.duration(one)));
        add(lines, at == 0 ? "Longest" : "",
            time + QLatin1String("  ") + toText(text::shortKernelName(trace.name(one))), one);
    }
    if (work.count > work.longest.size()) {
        const auto more = static_cast<std::int64_t>(work.count - work.longest.size());
        add(lines, "",
            QStringLiteral("and %1 more").arg(QString::fromStdString(text::formatCount(more))));
    }
}

bool canLaunch(trace::Category category) {
    return category == trace::Category::CpuOp || category == trace::Category::UserAnnotation ||
           category == trace::Category::PythonFunction;
}

void addArrow(Lines& lines, query::LaneIndex& lanes, trace::SliceId slice,
              const query::FlowArrow& arrow) {
    const bool outgoing = arrow.from == slice;
    const trace::SliceId other = outgoing ? arrow.to : arrow.from;
    switch (arrow.kind) {
        case query::FlowKind::Launch:
            if (outgoing) {
                add(lines, "Launches", linkText(lanes.trace(), other), other);
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

void addLinks(Lines& lines, query::LaneIndex& lanes, trace::SliceId slice,
              std::span<const query::FlowArrow> arrows) {
    Lines links;
    const trace::SliceId parent = enclosingSlice(lanes, slice);
    if (parent != trace::kNoSlice) {
        add(links, "Inside", linkText(lanes.trace(), parent), parent);
    }
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

}  // namespace

trace::SliceId enclosingSlice(query::LaneIndex& lanes, trace::SliceId slice) {
    const auto found = query::enclosingSlices(lanes, slice, 1);
    return found.empty() ? trace::kNoSlice : found.front();
}

std::vector<DetailLine> detailLines(query::LaneIndex& lanes, const query::TrackMarks& marks,
                                    trace::SliceId slice) {
    const trace::Trace& trace = lanes.trace();
    const std::vector<query::FlowArrow> arrows = query::arrowsOf(lanes, slice);
    Lines lines;
    addSlice(lines, lanes, slice);
    if (const trace::GpuOperation* operation = operationOf(trace, slice)) {
        const query::CallContext context = query::callContext(lanes, slice, arrows);
        addLaunch(lines, trace, slice, context);
        addOperation(lines, trace, *operation);
        addCounterMeans(lines, trace, marks, *operation);
        addCallers(lines, trace, context);
    } else if (canLaunch(trace.category(slice))) {
        addGpuWork(lines, lanes, slice);
    }
    addLinks(lines, lanes, slice, arrows);
    addFileRows(lines, trace, trace.offset(slice));
    return lines;
}

}  // namespace kinetoscope::models
