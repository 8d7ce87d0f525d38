// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/details/GapLines.h"

#include "core/text/Format.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

void addReasons(Lines& lines, const analysis::NamedGap& gap) {
    heading(lines, "Why");
    for (const analysis::IdleReason reason : analysis::kIdleReasons) {
        const TimeNs part = gap.parts.of(reason);
        if (part > 0) {
            const std::string share = text::formatPercent(static_cast<double>(part),
                                                          static_cast<double>(gap.span.duration()));
            lines.push_back({toText(analysis::idleReasonLabel(reason)),
                             QStringLiteral("%1  (%2)")
                                 .arg(QString::fromStdString(text::formatDuration(part)),
                                      QString::fromStdString(share)),
                             0,
                             false,
                             {}});
        }
    }
    add(lines, "What to do", toText(analysis::idleReasonAdvice(gap.parts.mainReason())));
    lines.back().prose = true;
}

void addHost(Lines& lines, const trace::Trace& trace, const analysis::NamedGap& gap) {
    if (gap.host.slice != trace::kNoSlice) {
        add(lines, "Host activity",
            QStringLiteral("%1  (%2, %3 of the gap)")
                .arg(toText(trace.name(gap.host.slice)),
                     toText(analysis::activityKind(trace, gap.host.slice)),
                     QString::fromStdString(text::formatDuration(gap.host.overlapNs))),
            gap.host.slice);
    } else if (gap.parts.hostNs > 0) {
        add(lines, "Host activity", QStringLiteral("nothing recorded"));
    }
    if (gap.launch != trace::kNoSlice) {
        add(lines, "Launch", linkText(trace, gap.launch), gap.launch);
    }
}

}  // namespace

std::vector<DetailLine> gapLines(const trace::Trace& trace, const analysis::NamedGap& gap) {
    Lines lines;
    const TimeNs origin = trace.extent().start;
    heading(lines, "Idle gap");
    add(lines, "GPU", toText(trace::gpuNumber(gap.gpu)));
    add(lines, "Duration", exactTime(gap.span.duration()));
    add(lines, "Start", exactTime(gap.span.start - origin));
    add(lines, "End", exactTime(gap.span.end - origin));
    addReasons(lines, gap);
    heading(lines, "Around it");
    addHost(lines, trace, gap);
    if (gap.previous != trace::kNoSlice) {
        add(lines, "Before", linkText(trace, gap.previous), gap.previous);
    }
    if (gap.next != trace::kNoSlice) {
        add(lines, "Next", linkText(trace, gap.next), gap.next);
    }
    return lines;
}

}  // namespace kinetoscope::models
