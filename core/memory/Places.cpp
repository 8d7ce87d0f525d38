// SPDX-License-Identifier: Apache-2.0
#include "core/memory/Places.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinetoscope::memory {

namespace {

constexpr std::size_t kMaxFrames = 512;  // of one stack
constexpr std::size_t kMaxName = 4096;

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool isPython(std::string_view file) {
    return file.ends_with(".py");
}

bool isPyTorchs(std::string_view file) {
    return has(file, "-packages/torch/") || has(file, "/torch/nn/") || has(file, "/torch/optim/");
}

Purpose purposeOf(std::string_view function, std::string_view file) {
    if (has(file, "/torch/optim/") || function.starts_with("Optimizer.step")) {
        return Purpose::OptimizerState;
    }
    if (has(function, "torch::autograd::Engine") || has(function, "autograd::engine::") ||
        has(file, "/torch/autograd/")) {
        return Purpose::Gradients;
    }
    if (has(file, "/nn/modules/module.py") &&
        (function == "_apply" || function == "to" || function == "cuda" || function == "convert")) {
        return Purpose::Parameters;
    }
    if (has(file, "/torch/nn/modules/") && function == "__init__") {
        return Purpose::Parameters;
    }
    if (has(file, "/torch/nn/") || function.starts_with("nn.Module: ")) {
        return Purpose::Activations;
    }
    return Purpose::Other;
}

// By the first conclusive call from the inside; a module is also one that is converted or moved,
// further outside.
Purpose joined(Purpose inside, Purpose outside) {
    const bool converted = inside == Purpose::Activations && outside == Purpose::Parameters;
    return inside == Purpose::Other || converted ? outside : inside;
}

// "train.py(58): step" as the profiler writes Python functions: function and file apart.
FrameText pythonFrame(std::string_view name) {
    const std::size_t open = name.find(".py(");
    const std::size_t close = name.find("): ");
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
        return {name, "", 0};
    }
    return {name.substr(close + 3), name.substr(0, open + 3), 0};
}

// "at::_ops::mm::call(at::Tensor const&, …)" gives "aten::mm".
std::string_view operatorIn(std::string_view function) {
    constexpr std::string_view kOps = "at::_ops::";
    if (!function.starts_with(kOps)) {
        return {};
    }
    function.remove_prefix(kOps.size());
    return function.substr(0, function.find("::"));
}

}  // namespace

std::string_view purposeName(Purpose purpose) {
    switch (purpose) {
        case Purpose::Parameters:
            return "parameters";
        case Purpose::Activations:
            return "activations";
        case Purpose::Gradients:
            return "gradients";
        case Purpose::OptimizerState:
            return "optimizer state";
        case Purpose::Other:
            return "other";
        case Purpose::Untold:
            break;
    }
    return "unknown";
}

PlaceId Places::add(std::vector<NameId> stack, std::string_view operation, std::string_view line,
                    Purpose purpose) {
    std::uint64_t hash = stack.size();
    for (const NameId name : stack) {
        hash = (hash ^ name) * 0x9e3779b97f4a7c15ULL;
    }
    Place place{m_history.names.intern(operation.substr(0, kMaxName)),
                m_history.names.intern(line.substr(0, kMaxName)), purpose, std::move(stack)};
    std::vector<PlaceId>& same = m_known[hash];
    for (const PlaceId id : same) {
        if (m_history.places[id].stack == place.stack &&
            m_history.places[id].operation == place.operation) {
            return id;
        }
    }
    m_history.places.push_back(std::move(place));
    same.push_back(static_cast<PlaceId>(m_history.places.size() - 1));
    return same.back();
}

PlaceId Places::ofStack(const std::vector<FrameText>& frames) {
    std::vector<NameId> stack;
    std::string_view operation;
    std::string line;
    std::string_view python;
    Purpose purpose = Purpose::Other;
    bool ownLine = false;
    for (const FrameText& frame : frames) {
        const std::string text =
            frame.line > 0 ? fmt::format("{}:{} {}", frame.file, frame.line, frame.function)
                           : std::string(frame.function);
        stack.push_back(m_history.names.intern(std::string_view(text).substr(0, kMaxName)));
        // The outermost operator is the one that the program called.
        if (const std::string_view found = operatorIn(frame.function); !found.empty()) {
            operation = found;
        }
        if (isPython(frame.file)) {
            python = python.empty() ? frame.function : python;
            const bool own = !isPyTorchs(frame.file);
            if (line.empty() || (own && !ownLine)) {
                line = fmt::format("{}:{} {}", frame.file.substr(frame.file.find_last_of('/') + 1),
                                   frame.line, frame.function);
                ownLine = own;
            }
        }
        purpose = joined(purpose, purposeOf(frame.function, frame.file));
    }
    std::string named = operation.empty() ? std::string(python) : "aten::" + std::string(operation);
    if (named.empty() && !frames.empty()) {
        named = frames.front().function;
    }
    return add(std::move(stack), named, line, purpose);
}

PlaceId Places::ofSlices(std::string_view operation, const std::vector<std::string_view>& names) {
    std::vector<NameId> stack;
    std::string line;
    bool ownLine = false;
    Purpose purpose = Purpose::Other;
    for (const std::string_view name : names) {
        stack.push_back(m_history.names.intern(name.substr(0, kMaxName)));
        const FrameText frame = pythonFrame(name);
        if (isPython(frame.file)) {
            const bool own = !has(frame.file, "torch/");
            if (line.empty() || (own && !ownLine)) {
                line = name.substr(name.substr(0, name.find('(')).find_last_of('/') + 1);
                ownLine = own;
            }
        }
        purpose = joined(
            purpose,
            purposeOf(frame.function, frame.file.empty() ? "" : "/" + std::string(frame.file)));
    }
    return add(std::move(stack), operation, line, purpose);
}

SnapshotPlaces::SnapshotPlaces(History& history, const pickle::Document& document)
    : m_document(document),
      m_places(history),
      m_function(document.key("name")),
      m_file(document.key("filename")),
      m_line(document.key("line")) {}

PlaceId SnapshotPlaces::read(std::span<const pickle::Value> calls) {
    std::vector<FrameText> frames;
    for (const pickle::Value call : calls.first(std::min(calls.size(), kMaxFrames))) {
        frames.push_back({m_document.text(m_document.find(call, m_function)),
                          m_document.text(m_document.find(call, m_file)),
                          m_document.integer(m_document.find(call, m_line)).value_or(0)});
    }
    return m_places.ofStack(frames);
}

}  // namespace kinetoscope::memory
