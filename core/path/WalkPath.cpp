// SPDX-License-Identifier: Apache-2.0
#include "core/path/WalkPath.h"

#include <algorithm>

#include "core/base/SaturatedTime.h"

namespace kinetoscope::path {

namespace {

// The recorded time that corresponds to a part of a node's replayed time. Of a node that was
// running when the window started only the rest was scaled.
TimeSpan recordedPart(const Times& times, const Window& window, NodeId node, TimeSpan part) {
    const Node& recorded = times.graph().nodes[node];
    const bool wasOpen = node < window.begin;
    const TimeNs from = wasOpen ? window.span.start : times.start(node);
    const TimeNs recordedFrom = wasOpen ? window.span.start : recorded.start;
    const TimeNs length = times.end(node) - from;
    const TimeNs duration = recorded.end() - recordedFrom;
    const auto back = [&](TimeNs time) {
        const TimeNs offset = time - from;
        return length == duration ? recordedFrom + offset
                                  : recordedFrom + saturatedTime(static_cast<double>(offset) /
                                                                 static_cast<double>(length) *
                                                                 static_cast<double>(duration));
    };
    return {back(part.start), back(part.end)};
}

}  // namespace

void eachPiece(const Times& times, const Window& window, const StepEnd& end,
               const std::function<void(const PathPiece&)>& take) {
    TimeNs time = end.time;
    const auto add = [&](TimeNs from, PathPiece piece) {
        from = std::clamp(from, window.span.start, time);
        if (from < time) {
            piece.span = {from, time};
            if (!piece.isGap && times.graph().nodes[piece.node].kind == NodeKind::Cpu) {
                piece.recorded = recordedPart(times, window, piece.node, piece.span);
            }
            take(piece);
            time = from;
        }
    };
    bool inferred = false;
    for (NodeId node = end.node; time > window.span.start;) {
        if (node == kNoNode) {
            add(window.span.start, {.isGap = true, .isFirst = true});
            break;
        }
        // What lies behind the end of the node is not known.
        add(times.end(node), {.node = node, .isGap = true, .isFirst = true, .inferred = inferred});
        add(times.start(node), {.node = node, .inferred = inferred});
        const Edge* edge = times.lastInto(node);
        if (edge == nullptr) {
            add(window.span.start,
                {.node = node, .isGap = true, .isFirst = true, .inferred = inferred});
            break;
        }
        inferred = edge->inferred;
        add(times.over(*edge),
            {.node = node, .isGap = true, .edge = edge->kind, .inferred = inferred});
        node = edge->from;
    }
}

std::vector<PathPiece> walkPath(const Times& times, const Window& window, const StepEnd& end) {
    std::vector<PathPiece> pieces;
    eachPiece(times, window, end, [&](const PathPiece& piece) { pieces.push_back(piece); });
    std::ranges::reverse(pieces);
    return pieces;
}

}  // namespace kinetoscope::path
