// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/OperatorText.h"

#include <fmt/format.h>

#include "core/bench/operators/OperatorInputs.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

std::string operatorPlanText(const ResultDocument& document, const text::TextStyle& style) {
    text::TextTable table({{"Operator", false, 0, 24}, {"Samples", true, 0}, {"Calls", true, 0}});
    for (const BenchItem& result : document.items) {
        table.addRow({text::printable(result.name), std::to_string(result.parts.size()),
                      text::formatCount(result.calls())});
    }
    std::string text = table.text(style);
    for (const operators::InputProblem& problem : document.problems) {
        text += fmt::format("line {}, column {}: {}; left out\n", problem.line, problem.column,
                            text::printable(problem.message));
    }
    return text;
}

std::optional<std::string> compatSkipLine(std::string_view operatorName) {
    for (const std::string_view part : {"aten.gather.default", "nll_loss", "aten.index",
                                        "aten.scatter_", "masked_fill_.Scalar"}) {
        if (operatorName.find(part) != std::string_view::npos) {
            return fmt::format("Skipping {}, input generator nyi\n", operatorName);
        }
    }
    if (operatorName == "aten._unsafe_view.default") {
        return fmt::format("Skipping {}, non compute operator\n", operatorName);
    }
    if (!operators::hasInductorImpl(operatorName)) {
        return fmt::format("Skipping {}, no inductor impl\n", operatorName);
    }
    if (operatorName.find("convolution") != std::string_view::npos) {
        return std::string();
    }
    return std::nullopt;
}

std::string compatSpeedups(const BenchItem& result, bool nvfuser) {
    if (result.partsRun() == 0) {
        return {};
    }
    const auto line = [&](const char* name) {
        const auto found = result.speedups(name);
        std::string values;
        for (std::size_t i = 0; i < kSpeedupQuantiles.size(); ++i) {
            values += values.empty() ? "" : ", ";
            values += found ? operators::formatFloat((*found)[i]) : "nan";
        }
        return "[" + values + "]\n";
    };
    std::string text = fmt::format("{}:\nInductor Speedups : {}", result.name, line("inductor"));
    return nvfuser ? text + "NVFUSER Speedups :" + line("nvfuser") : text;
}

}  // namespace kinetoscope::bench::results
