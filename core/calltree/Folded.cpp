// SPDX-License-Identifier: Apache-2.0
#include "core/calltree/Folded.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "core/base/Threads.h"
#include "core/text/Printable.h"

namespace kinetoscope::calltree {

namespace {

std::string frameText(std::string_view name) {
    std::string text = text::printable(name);
    std::ranges::replace(text, ';', ':');
    const bool isBlank = text.find_first_not_of(' ') == std::string::npos;
    return isBlank ? "(no name)" : text;
}

struct Line {
    std::string stack;
    TimeNs time = 0;
};

/// Lines with the same text become one.
std::vector<Line> joined(std::vector<Line> lines) {
    std::ranges::sort(lines, {}, &Line::stack);
    std::vector<Line> result;
    for (Line& line : lines) {
        if (!result.empty() && result.back().stack == line.stack) {
            result.back().time = addTime(result.back().time, line.time);
        } else {
            result.push_back(std::move(line));
        }
    }
    return result;
}

}  // namespace

Result<std::string> foldedStacks(const trace::Trace& trace, const CallTree& tree,
                                 const std::stop_token& stop) {
    return guarded([&]() -> Result<std::string> {
        std::unordered_map<NameId, std::string> texts;
        std::vector<std::uint32_t> depth(tree.nodes().size());  // frames of the stack
        std::vector<NodeId> last(tree.nodes().size());          // innermost of them that is written
        std::vector<Line> lines;
        std::vector<NodeId> path;
        for (NodeId id = 1; id < tree.nodes().size(); ++id) {
            const CallNode& node = tree.node(id);
            depth[id] = depth[node.parent] + 1;
            last[id] = depth[id] <= kMaxFoldedFrames ? id : last[node.parent];
            if (node.self <= 0) {
                continue;
            }
            throwIfStopped(stop);
            path.clear();
            for (NodeId at = last[id]; at != kRoot; at = tree.node(at).parent) {
                path.push_back(at);
            }
            Line line{{}, node.self};
            for (const NodeId at : std::views::reverse(path)) {
                const NameId name = tree.node(at).name;
                auto [text, isNew] = texts.try_emplace(name);
                if (isNew) {
                    text->second = frameText(tree.text(trace, name));
                }
                line.stack += (line.stack.empty() ? "" : ";") + text->second;
            }
            lines.push_back(std::move(line));
        }
        std::string text;
        for (const Line& line : joined(std::move(lines))) {
            fmt::format_to(std::back_inserter(text), "{} {}\n", line.stack, line.time);
        }
        return text;
    });
}

}  // namespace kinetoscope::calltree
