// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/FastrnnsArguments.h"

#include <fmt/format.h>

#include "core/text/Printable.h"

namespace kinetoscope::bench::workers {

namespace {

// A value as Python prints it.
std::string pythonText(const std::string& text) {
    std::string quoted;
    for (const char c : text) {
        quoted += c == '\\' || c == '\'' ? std::string{'\\', c} : std::string(1, c);
    }
    return "'" + quoted + "'";
}

std::string pythonText(int value) {
    return std::to_string(value);
}

std::string pythonText(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) {
        list += (list.empty() ? "" : ", ") + pythonText(name);
    }
    return "[" + list + "]";
}

template <class T>
std::string pythonText(const std::optional<T>& value) {
    return value ? pythonText(*value) : "None";
}

}  // namespace

std::string argumentsLine(const ModulesRun& run) {
    const auto given = [](const std::string& text) {
        return text.empty() ? std::string("None") : pythonText(text);
    };
    return fmt::format(
        "Namespace(seqLength={}, numLayers={}, inputSize={}, hiddenSize={}, miniBatch={}, "
        "warmup={}, nloops={}, device={}, variable_lstms={}, sep={}, print_json={}, rnns={}, "
        "cnns={}, group={}, fuser={}, executor={}, cuda_pointwise_loop_level={}, "
        "cuda_pointwise_block_count={}, cuda_pointwise_block_size={})",
        run.seqLength, run.numLayers, run.inputSize, run.hiddenSize, run.miniBatch, run.warmup,
        run.nloops, pythonText(run.device.empty() ? "cuda" : run.device),
        run.variableLstms ? "True" : "False", text::printable(pythonText(run.sep)),
        given(run.printJson), pythonText(run.namedRnns), pythonText(run.namedCnns),
        pythonText(run.groups), pythonText(run.fuser), given(run.executor),
        pythonText(run.loopLevel), pythonText(run.blockCount), pythonText(run.blockSize));
}

}  // namespace kinetoscope::bench::workers
