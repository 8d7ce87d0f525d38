// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text as rules for names of kernels. Rules that are taken end for every name.
#include "core/analysis/KernelRules.h"
#include "core/compare/MatchRules.h"
#include "tests/fuzz/Require.h"

using namespace kinetoscope;
using namespace kinetoscope::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr std::string_view kNames[] = {
        "triton_poi_fused_add_gelu_3",
        "void at::native::vectorized_elementwise_kernel<4, int>(int)", "_Z6kernelILi4EEvPf", ""};
    const std::string_view text = textOf(data, size);
    if (const auto rules = analysis::KernelRules::fromJson(text)) {
        for (const std::string_view name : kNames) {
            require(rules->decidingRule(name) <= rules->rules().size(), "a rule behind the last");
        }
    } else {
        requireLine(rules.error().message);
    }
    if (const auto rules = compare::MatchRules::fromJson(text)) {
        for (const std::string_view name : kNames) {
            (void)rules->normalised(name);
            (void)rules->fusedNames(name);
        }
    } else {
        requireLine(rules.error().message);
    }
    return 0;
}
