// SPDX-License-Identifier: Apache-2.0
#include "core/path/WalkPath.h"

#include <algorithm>

namespace kinetoscope::path {

namespace {

// What a part of a node in a replay was when it was recorded.
TimeSpan recordedPart(const Times& times, NodeId node, TimeSpan part) {
    const Node& recorded = times.graph().nodes[node];
    const TimeNs length = times.end(node) - times.start(node);
    const auto back = [&](TimeNs time) {
        const TimeNs offset = time - times.start(node);
        return length == recorded.duration
                   ? recorded.start + offset
                   : recorded.start + static_cast<TimeNs>(static_cast<double>(offset) /
                                                          static_cast<double>(length) *
                                                          static_cast<double>(recorded.duration));
    };
    return {back(part.start), back(part.end)};
}

}  // namespace

std::vector<PathPiece> walkPath(const Times& times, const Window& window, NodeId last, TimeNs end) {
    std::vector<PathPiece> pieces;
    TimeNs time = end;
    const auto add = [&](TimeNs from, PathPiece piece) {
        from = std::clamp(from, window.span.start, time);
        if (from < time) {
            piece.span = {from, time};
            if (!piece.isGap) {
                piece.recorded = recordedPart(times, piece.node, piece.span);
            }
            pieces.push_back(piece);
            time = from;
        }
    };
    bool inferred = false;
    for (NodeId node = last; time > window.span.start;) {
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
    std::ranges::reverse(pieces);
    return pieces;
}

}  // namespace kinetoscope::path
