// SPDX-License-Identifier: Apache-2.0
// Mixtures of experts in vLLM (_C, _moe_C, vllm) and SGLang (sgl_kernel, sglang): every token goes
// through some of the experts. Of the weights those of at most as many are read as tokens were sent
// to any.
#include <algorithm>

#include "core/model/OperatorModel.h"

namespace kinetoscope::model::serving {

namespace {

Work untold() {
    return simpleWork(Amount::untold(), 0, DataType::Unknown);
}

// Bytes of all tensors but the result; of those of every expert, which have three dimensions or
// more, a share.
Amount bytesRead(const OperatorCall& call, std::size_t result, std::size_t input, Amount experts,
                 Amount used) {
    Amount bytes = 0;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        if (call.isTensor(i) && i != result) {
            const Tensor& tensor = call.tensor(i);
            const bool shared = i != input && tensor.sizes.size() >= 3 && tensor.size(0) == experts;
            bytes += shared ? tensor.bytes() / experts * used : tensor.bytes();
        }
    }
    return bytes;
}

// Every row of the result is one of the input by the weight [experts, ..] of one expert.
struct GroupedPlaces {
    std::size_t result;  ///< [.., n]
    std::size_t input;   ///< [rows, k]
    std::size_t weight;
    unsigned packed = 1;  ///< elements of the input in a byte
};

Work groupedWork(const OperatorCall& call, const GroupedPlaces& where) {
    const Tensor& result = call.tensor(where.result);
    const Tensor& input = call.tensor(where.input);
    const Amount experts = call.tensor(where.weight).size(0);
    const Amount rows = result.elements() / result.size(-1);
    if (!rows.isTold() || !experts.isTold()) {
        return untold();
    }
    const Amount used = std::min(rows.value(), experts.value());
    return productWork(Amount(2) * result.elements() * input.size(-1) * where.packed,
                       bytesRead(call, where.result, where.input, experts, used) + result.bytes(),
                       where.packed > 1 ? DataType::Float4 : input.type, false);
}

template <GroupedPlaces where>
Work grouped(const OperatorCall& call, const OperatorModel& /*row*/) {
    return groupedWork(call, where);
}

// (result, a [rows, k], b [experts, ..], scales, ..)
constexpr GroupedPlaces kIntoFirst{.result = 0, .input = 1, .weight = 2};
constexpr GroupedPlaces kFp4IntoFirst{.result = 0, .input = 1, .weight = 2, .packed = 2};
// (a, b, scales, scales, result, ..)
constexpr GroupedPlaces kIntoFifth{.result = 4, .input = 0, .weight = 1};
// (result, five lists of pointers, a, b, scales, ..)
constexpr GroupedPlaces kByPointers{.result = 0, .input = 6, .weight = 7};
// (input [tokens, k], result [tokens, chosen, n], weight [experts, n, ..], scales, ..)
constexpr GroupedPlaces kTokens{.result = 1, .input = 0, .weight = 2};

// Marlin: (a [m, k], result, weight [experts, ..], .., size of a block, experts of a token, .., m,
// n, k, ..), whose places differ from version to version.
Work marlin(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    const Amount experts = call.tensor(2).size(0);
    std::size_t integers = 0;
    Amount chosen = Amount::untold();
    Amount n = Amount::untold();
    for (std::size_t i = 0; i + 2 < call.arguments.size(); ++i) {
        const auto number = call.integer(i);
        const auto next = call.integer(i + 1);
        const auto last = call.integer(i + 2);
        if (number && ++integers == 2) {
            chosen = Amount::ofSize(*number);
        }
        if (number && next && last && Amount::ofSize(*number) == a.size(0) &&
            Amount::ofSize(*last) == a.size(1)) {
            n = Amount::ofSize(*next);
        }
    }
    const Amount rows = a.size(0) * chosen;
    if (!rows.isTold() || !experts.isTold()) {
        return untold();
    }
    const Amount used = std::min(rows.value(), experts.value());
    return productWork(Amount(2) * rows * n * a.size(1),
                       bytesRead(call, 1, 0, experts, used) + bytesOf(rows * n, a.type), a.type,
                       false);
}

// (states [t, h], first weights [e, 2 i, h], second ones [e, h, i], shares [t, k], experts [t, k],
// ..): both products, and what is between them.
Work wholeLayer(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& states = call.tensor(0);
    const Tensor& first = call.tensor(1);
    const Tensor& second = call.tensor(2);
    const Amount chosen = call.tensor(4).elements();
    const Amount all = first.size(0);
    if (!chosen.isTold() || !all.isTold()) {
        return untold();
    }
    const Amount used = std::min(chosen.value(), all.value());
    const Amount one = first.size(1) * first.size(2) + second.size(1) * second.size(2);
    return productWork(Amount(2) * chosen * one,
                       states.bytes() * 2 + call.tensor(3).bytes() + call.tensor(4).bytes() +
                           bytesOf(used * one, first.type),
                       states.type, false);
}

constexpr OperatorModel kExpertsRows[] = {
    {.name = "vllm::inplace_fused_experts", .work = wholeLayer},
    {.name = "vllm::outplace_fused_experts", .work = wholeLayer},
    {.name = "sglang::inplace_fused_experts", .work = wholeLayer},
    {.name = "sglang::outplace_fused_experts", .work = wholeLayer},
    {.name = "_moe_C::moe_wna16_gemm", .work = grouped<kTokens>},
    {.name = "_moe_C::moe_wna16_marlin_gemm", .work = marlin},
    {.name = "sgl_kernel::moe_wna16_marlin_gemm", .work = marlin},
    {.name = "_C::cutlass_moe_mm", .work = grouped<kIntoFirst>},
    {.name = "_C::cutlass_w4a8_moe_mm", .work = grouped<kIntoFirst>},
    {.name = "sgl_kernel::cutlass_w4a8_moe_mm", .work = grouped<kIntoFirst>},
    {.name = "_C::cutlass_fp4_group_mm", .work = grouped<kFp4IntoFirst>},
    {.name = "_C::cutlass_mxfp4_group_mm", .work = grouped<kFp4IntoFirst>},
    {.name = "sgl_kernel::cutlass_fp4_group_mm", .work = grouped<kFp4IntoFirst>},
    {.name = "_C::cutlass_mxfp8_grouped_mm", .work = grouped<kIntoFifth>},
    {.name = "sgl_kernel::fp8_blockwise_scaled_grouped_mm", .work = grouped<kByPointers>},
};

}  // namespace

std::span<const OperatorModel> expertModels() {
    return kExpertsRows;
}

}  // namespace kinetoscope::model::serving
