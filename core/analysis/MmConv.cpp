// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/MmConv.h"

#include <algorithm>
#include <array>
#include <optional>

namespace kinetoscope::analysis {

namespace {

constexpr std::string_view kOperatorSpace = "aten::";
constexpr std::array<std::string_view, 9> kOperators{
    "mm",          "addmm",        "_addmm_activation",   "bmm", "baddbmm", "_scaled_mm",
    "convolution", "_convolution", "convolution_backward"};
constexpr std::array<std::string_view, 2> kOperatorPrefixes{"cudnn_convolution", "miopen_"};

/// Kinds that follow from the name of a Triton kernel alone.
std::optional<MmConvKind> decideTriton(std::string_view name) {
    for (const std::string_view prefix :
         {"triton_poi", "triton_red", "triton_per", "triton_for", "triton_spl"}) {
        if (name.starts_with(prefix)) {
            return MmConvKind::No;
        }
    }
    const auto has = [](std::string_view text, std::string_view part) {
        return text.find(part) != std::string_view::npos;
    };
    if (has(name, "triton_mm") || has(name, "triton_bmm")) {
        return MmConvKind::Name;
    }
    if (const auto at = name.find("triton_tem_"); at != std::string_view::npos) {
        const std::string_view rest = name.substr(at + std::string_view("triton_tem_").size());
        if (has(rest, "mm") || has(rest, "conv")) {
            return MmConvKind::Name;
        }
    }
    return std::nullopt;
}

/// The same for each distinct name: decided by Triton's naming or not, and the name rules.
struct NameVerdict {
    std::optional<MmConvKind> triton;
    bool isLayout = false;
    bool isMmConv = false;
};

}  // namespace

bool isMmConvOperator(std::string_view operatorName) {
    if (!operatorName.starts_with(kOperatorSpace)) {
        return false;
    }
    const std::string_view name = operatorName.substr(kOperatorSpace.size());
    return std::ranges::find(kOperators, name) != kOperators.end() ||
           std::ranges::any_of(kOperatorPrefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::vector<MmConvKind> classifyMmConv(const trace::Trace& trace, const KernelNames& names,
                                       const query::LaunchLinks& links) {
    std::vector<NameVerdict> verdicts;
    for (std::uint32_t number = 0; number < names.size(); ++number) {
        const KernelNameFacts& facts = names.facts(number);
        verdicts.push_back({decideTriton(trace.text(facts.name)), facts.family == "layout",
                            facts.family == "gemm" || facts.family == "conv"});
    }
    const auto operations = trace.gpuOperations();
    std::vector<MmConvKind> kinds(operations.size(), MmConvKind::No);
    for (trace::GpuOpId id = 0; id < operations.size(); ++id) {
        if (trace.category(operations[id].slice) != trace::Category::Kernel) {
            continue;
        }
        const NameVerdict& verdict = verdicts[names.numberOf(id)];
        const trace::SliceId launcher = links.launchingOperator(id);
        if (verdict.triton) {
            kinds[id] = *verdict.triton;
        } else if (launcher != trace::kNoSlice && isMmConvOperator(trace.name(launcher))) {
            kinds[id] = verdict.isLayout ? MmConvKind::Layout : MmConvKind::Operator;
        } else if (verdict.isMmConv) {
            kinds[id] = MmConvKind::Name;
        }
    }
    return kinds;
}

}  // namespace kinetoscope::analysis
