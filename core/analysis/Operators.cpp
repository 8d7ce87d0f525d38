// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Operators.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "core/base/Threads.h"
#include "core/json/Json.h"

namespace kinetoscope::analysis {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;
constexpr std::string_view kNoShapes = "[]";

/// An event of the table; they stand in order of start, the longer first.
struct Node {
    trace::SliceId slice = trace::kNoSlice;
    bool onGpu = false;
    bool merged = false;  ///< into its parent, which has the same name and nothing else inside
    std::uint32_t parent = kNone;
    std::uint32_t children = 0;
    trace::TrackId thread = 0;
    double us = 0.0;  ///< its own duration
    double childCpuUs = 0.0;
    double kernelUs = 0.0;
    double gpuUs = 0.0;
};

// Where the profiler began, as far as the trace tells.
TimeNs profilerStart(const trace::Trace& trace) {
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::TraceSpan) {
            return trace.start(slice);
        }
    }
    return trace.extent().start;
}

bool isOperator(trace::Category category) {
    return category == trace::Category::CpuOp || category == trace::Category::UserAnnotation;
}

bool isCpuEvent(trace::Category category) {
    return isOperator(category) || trace::isApiCall(category) ||
           category == trace::Category::Overhead;
}

bool isGpuEvent(trace::Category category) {
    return trace::isGpuOperation(category) || category == trace::Category::GpuUserAnnotation ||
           category == trace::Category::CudaSync;
}

std::vector<Node> collect(const trace::Trace& trace) {
    constexpr double kNsPerUs = 1000.0;
    const TimeNs origin = profilerStart(trace);
    std::vector<Node> nodes;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        const trace::Category category = trace.category(slice);
        if (isCpuEvent(category) || isGpuEvent(category)) {
            Node& node = nodes.emplace_back();
            node.slice = slice;
            node.onGpu = isGpuEvent(category);
            node.thread = trace.trackOf(slice);
            node.us = static_cast<double>(trace.end(slice) - origin) / kNsPerUs -
                      static_cast<double>(trace.start(slice) - origin) / kNsPerUs;
        }
    }
    std::ranges::stable_sort(nodes, {}, [&](const Node& node) {
        return std::pair(trace.start(node.slice), -trace.end(node.slice));
    });
    return nodes;
}

// The External id of an event, else that of the call that launched it.
class ExternalIds {
public:
    explicit ExternalIds(const trace::Trace& trace) : m_trace(trace) {
        for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
            if (trace::isApiCall(trace.category(slice)) &&
                trace.correlation(slice) != trace::kNoId &&
                trace.externalId(slice) != trace::kNoId) {
                m_ofLaunch.emplace(trace.correlation(slice), trace.externalId(slice));
            }
        }
    }
    [[nodiscard]] std::int64_t of(trace::SliceId slice) const {
        if (m_trace.externalId(slice) != trace::kNoId ||
            !trace::isGpuOperation(m_trace.category(slice))) {
            return m_trace.externalId(slice);
        }
        const auto launch = m_ofLaunch.find(m_trace.correlation(slice));
        return launch == m_ofLaunch.end() ? trace::kNoId : launch->second;
    }

private:
    const trace::Trace& m_trace;
    std::unordered_map<std::int64_t, std::int64_t> m_ofLaunch;
};

// GPU work goes to the operator with its id; calls go to that operator's thread.
void linkByExternalId(const trace::Trace& trace, std::vector<Node>& nodes) {
    const ExternalIds ids(trace);
    std::unordered_map<std::int64_t, std::uint32_t> operators;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const trace::SliceId slice = nodes[i].slice;
        if (isOperator(trace.category(slice)) && trace.externalId(slice) != trace::kNoId) {
            operators[trace.externalId(slice)] = i;
        }
    }
    for (Node& node : nodes) {
        const trace::Category category = trace.category(node.slice);
        const auto found = operators.find(ids.of(node.slice));
        if (isOperator(category) || found == operators.end()) {
            continue;
        }
        if (!node.onGpu) {
            node.thread = nodes[found->second].thread;
        } else if (category != trace::Category::GpuUserAnnotation) {
            nodes[found->second].kernelUs += node.us;
        }
    }
}

// One event is inside another of its thread when its span is; spans that only overlap are not.
void nest(const trace::Trace& trace, std::vector<Node>& nodes) {
    std::unordered_map<trace::TrackId, std::vector<std::uint32_t>> open;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].onGpu) {
            continue;
        }
        const TimeSpan span = trace.span(nodes[i].slice);
        std::vector<std::uint32_t>& stack = open[nodes[i].thread];
        while (!stack.empty()) {
            const TimeNs end = trace.end(nodes[stack.back()].slice);
            if (span.start < end && span.end <= end) {
                nodes[i].parent = stack.back();
                ++nodes[stack.back()].children;
                break;
            }
            stack.pop_back();
        }
        stack.push_back(i);
    }
}

// An event whose only child has its name is one with it: the child's GPU work and children count.
void mergeWrappers(const trace::Trace& trace, std::vector<Node>& nodes) {
    for (Node& node : nodes) {
        while (node.parent != kNone && nodes[node.parent].merged) {
            node.parent = nodes[node.parent].parent;
        }
        if (node.parent == kNone) {
            continue;
        }
        Node& parent = nodes[node.parent];
        if (parent.children == 1 && trace.nameId(parent.slice) == trace.nameId(node.slice)) {
            parent.children = node.children;
            parent.kernelUs = node.kernelUs;
            node.merged = true;
        }
    }
}

// Children stand behind their parents, so one pass from the end sums up everything.
void sumUp(std::vector<Node>& nodes) {
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
        if (node->merged) {
            continue;
        }
        node->gpuUs += node->kernelUs;
        if (node->parent != kNone) {
            Node& parent = nodes[node->parent];
            parent.childCpuUs += node->us;
            parent.gpuUs += node->gpuUs;
        }
    }
}

// Of each node, in their order.
Result<std::vector<std::string>> readShapes(const trace::Trace& trace,
                                            const std::vector<Node>& nodes,
                                            const std::stop_token& stop) {
    std::vector<std::string> shapes(nodes.size(), std::string(kNoShapes));
    std::vector<std::pair<std::uint64_t, std::size_t>> places;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!nodes[i].merged && isOperator(trace.category(nodes[i].slice))) {
            places.emplace_back(trace.offset(nodes[i].slice), i);
        }
    }
    if (trace.eventText() == nullptr) {
        return shapes;
    }
    std::ranges::sort(places);
    std::vector<std::uint64_t> offsets;
    offsets.reserve(places.size());
    for (const auto& [offset, node] : places) {
        offsets.push_back(offset);
    }
    return trace.eventText()
        ->events(offsets,
                 [&](std::size_t i, const std::string& text) {
                     throwIfStopped(stop);
                     shapes[places[i].second] = inputShapes(text);
                 })
        .map([&] { return shapes; });
}

std::string rowName(const trace::Trace& trace, trace::SliceId slice) {
    const std::string_view name = trace.name(slice);
    return name.starts_with("ProfilerStep#") ? "ProfilerStep*" : std::string(name);
}

void addTo(OperatorRow& row, const Node& node) {
    ++row.count;
    if (node.onGpu) {
        row.selfGpuUs += node.us;
        row.gpuUs += node.us;
        return;
    }
    row.cpuUs += node.us;
    row.selfCpuUs += node.us - node.childCpuUs;
    row.selfGpuUs += node.kernelUs;
    row.gpuUs += node.gpuUs;
}

Result<OperatorTable> sumOperators(const trace::Trace& trace, const std::stop_token& stop) {
    std::vector<Node> nodes = collect(trace);
    throwIfStopped(stop);
    linkByExternalId(trace, nodes);
    nest(trace, nodes);
    throwIfStopped(stop);
    mergeWrappers(trace, nodes);
    sumUp(nodes);
    auto shapes = readShapes(trace, nodes, stop);
    if (!shapes) {
        return tl::unexpected(shapes.error());
    }
    OperatorTable table;
    std::map<std::tuple<std::string, bool, bool, std::string>, std::size_t> known;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        if (node.merged) {
            continue;
        }
        const trace::Category category = trace.category(node.slice);
        OperatorRow row;
        row.name = rowName(trace, node.slice);
        row.shapes = std::move((*shapes)[i]);
        row.onGpu = node.onGpu;
        row.annotation = category == trace::Category::UserAnnotation ||
                         category == trace::Category::GpuUserAnnotation;
        const auto [at, isNew] = known.try_emplace(
            std::tuple(row.name, row.onGpu, row.annotation, row.shapes), table.rows.size());
        if (isNew) {
            table.rows.push_back(std::move(row));
        }
        addTo(table.rows[at->second], node);
    }
    for (const OperatorRow& row : table.rows) {
        table.selfCpuUs += row.selfCpuUs;
        table.selfGpuUs += row.onGpu && !row.annotation ? row.selfGpuUs : 0.0;
    }
    std::ranges::stable_sort(table.rows, std::ranges::greater(), &OperatorRow::selfGpuUs);
    return table;
}

}  // namespace

std::string inputShapes(const std::string& eventJson) {
    using Json = nlohmann::json;
    if (eventJson.find("\"Input Dims\"") == std::string::npos) {
        return std::string(kNoShapes);
    }
    const auto event = json::parseJson(eventJson);
    if (!event || !event->is_object()) {
        return std::string(kNoShapes);
    }
    const auto args = event->find("args");
    if (args == event->end() || !args->is_object()) {
        return std::string(kNoShapes);
    }
    const auto dims = args->find("Input Dims");
    if (dims == args->end() || !dims->is_array()) {
        return std::string(kNoShapes);
    }
    std::string text = "[";
    for (const Json& shape : *dims) {
        text += text.size() > 1 ? ", [" : "[";
        const std::size_t begin = text.size();
        const bool tensor = shape.is_array() && std::ranges::all_of(shape, [](const Json& size) {
                                return size.is_number_integer();
                            });
        for (const Json& size : tensor ? shape : Json::array()) {
            text += text.size() > begin ? ", " : "";
            text += json::jsonText(size);
        }
        text += ']';
    }
    return text + "]";
}

Result<OperatorTable> makeOperatorTable(const trace::Trace& trace, const std::stop_token& stop) {
    return guarded([&] { return sumOperators(trace, stop); });
}

}  // namespace kinetoscope::analysis
