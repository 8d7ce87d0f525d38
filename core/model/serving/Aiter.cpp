// SPDX-License-Identifier: Apache-2.0
// Operators of AITER, which servers use on AMD's GPUs, and of vLLM's own for them (_rocm_C).
#include <algorithm>

#include "core/model/OperatorModel.h"

namespace kinetoscope::model::serving {

namespace {

Work unknownWork() {
    return simpleWork(Amount::untold(), 0, DataType::Unknown);
}

// All tensors among the first ones read or written once; operations for each element of the second.
Work eachOnce(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(1);
    return simpleWork(input.elements() * row.operations, readBytes(call, row.inputs), input.type);
}

// (input, weight, [bias,] eps, ..) makes a result as large as the input.
Work normMade(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, row.inputs) + bytesOf(input.elements(), input.type),
                      input.type);
}

// (input, residual, weight, ..): both first ones are read and written.
Work addNormInPlace(const OperatorCall& call, const OperatorModel& row) {
    return simpleWork(call.tensor(0).elements() * row.operations,
                      readBytes(call, 3) + readBytes(call, 2), call.tensor(0).type);
}

// (result, input with its gate beside it, [scale])
Work gatedInto(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& both = call.tensor(1);
    return simpleWork(both.elements() / 2 * row.operations, readBytes(call, row.inputs), both.type);
}

// (turned, turned, queries, keys, cosines, sines, positions, ..): a row of either for each
// position.
Work rotaryByTables(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& query = call.tensor(2);
    const Tensor& positions = call.tensor(6);
    Amount bytes = readBytes(call, 4) + positions.bytes();
    for (const std::size_t table : {4U, 5U}) {
        bytes +=
            bytesOf(positions.elements() * call.tensor(table).size(-1), call.tensor(table).type);
    }
    return simpleWork((query.elements() + call.tensor(3).elements()) * row.operations, bytes,
                      query.type);
}

// (keys, values, cache, cache, places, ..)
Work intoCaches(const OperatorCall& call, const OperatorModel& /*row*/) {
    Amount bytes = call.tensor(4).bytes();
    for (const std::size_t i : {0U, 1U}) {
        bytes +=
            call.tensor(i).bytes() + bytesOf(call.tensor(i).elements(), call.tensor(i + 2).type);
    }
    return simpleWork(0, bytes, call.tensor(0).type);
}

// (a [m, k], b [n, k], ..) gives [m, n]: one of the arguments, or bfloat16 that the call makes. Two
// fp4 elements lie in a byte. `operations` is how many elements one of a size is.
Work rowsByRows(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& a = call.tensor(0);
    const Tensor& b = call.tensor(1);
    if (a.sizes.size() != 2 || b.sizes.size() != 2 || a.sizes[1] != b.sizes[1]) {
        return unknownWork();
    }
    const Sizes sizes{a.sizes[0], b.sizes[0]};
    bool given = false;
    for (std::size_t i = 2; i < call.arguments.size(); ++i) {
        given |= call.isTensor(i) && call.tensor(i).sizes == sizes;
    }
    const bool pairs = row.operations == 2;
    const DataType type = pairs ? DataType::Float4 : a.type;
    const Amount results = a.size(0) * b.size(0);
    const DataType made = bytesOf(1, a.type) == Amount(2) ? a.type : DataType::BFloat16;
    return productWork(
        Amount(2) * results * a.size(1) * row.operations,
        readBytes(call, call.arguments.size()) + (given ? Amount(0) : bytesOf(results, made)), type,
        false);
}

// Weights [experts, n, k] of which `chosen` rows use at most as many.
Amount usedBytes(const Tensor& weight, Amount chosen) {
    const Amount experts = weight.size(0);
    return chosen.isTold() && experts.isTold()
               ? weight.bytes() / experts * std::min(chosen.value(), experts.value())
               : Amount::untold();
}

// `chosen` rows, each by the matrix of one expert.
Amount expertFlops(Amount chosen, const Tensor& weight) {
    return Amount(2) * chosen * weight.size(1) * weight.size(2);
}

// (result [t, h], states [t, h], first weights [e, .., h], second ones [e, h, i], four lists of who
// goes where, experts of a token, ..)
Work allExperts(const OperatorCall& call, const OperatorModel& /*row*/) {
    constexpr std::size_t kChosen = 8;
    const Tensor& states = call.tensor(1);
    const Tensor& first = call.tensor(2);
    const Tensor& second = call.tensor(3);
    const Amount chosen = states.size(0) * Amount::ofSize(call.integer(kChosen).value_or(-1));
    if (first.size(-1) != states.size(-1)) {  // packed weights: which elements is not told
        return unknownWork();
    }
    return productWork(expertFlops(chosen, first) + expertFlops(chosen, second),
                       call.tensor(0).bytes() + states.bytes() + usedBytes(first, chosen) +
                           usedBytes(second, chosen),
                       states.type, false);
}

// (states, first weights, second ones, three lists of who goes where, result, experts of a token,
// ..): one of both products.
template <std::size_t weights>
Work halfOfExperts(const OperatorCall& call, const OperatorModel& /*row*/) {
    constexpr std::size_t kResult = 6;
    const Tensor& states = call.tensor(0);
    const Tensor& weight = call.tensor(weights);
    const Tensor& result = call.tensor(kResult);
    const Amount tokens = weights == 1 ? states.size(0) : result.size(0);
    const Amount chosen = tokens * Amount::ofSize(call.integer(kResult + 1).value_or(-1));
    if (weight.size(-1) != states.size(-1)) {
        return unknownWork();
    }
    return productWork(expertFlops(chosen, weight),
                       states.bytes() + usedBytes(weight, chosen) + result.bytes(), states.type,
                       false);
}

constexpr OperatorModel product(std::string_view name) {
    return {.name = name, .work = rowsByRows, .operations = 1};
}

constexpr OperatorModel fp4Product(std::string_view name) {
    return {.name = name, .work = rowsByRows, .operations = 2};
}

constexpr OperatorModel once(std::string_view name, unsigned operations, unsigned inputs) {
    return {.name = name, .work = eachOnce, .operations = operations, .inputs = inputs};
}

constexpr OperatorModel kAiterRows[] = {
    once("aiter::rmsnorm", 5, 3),
    once("aiter::rms_norm_cu", 5, 3),
    {.name = "aiter::rms_norm", .work = normMade, .operations = 5, .inputs = 2},
    {.name = "aiter::rmsnorm2d_fwd", .work = normMade, .operations = 5, .inputs = 2},
    {.name = "aiter::rmsnorm2d_fwd_ck", .work = normMade, .operations = 5, .inputs = 2},
    {.name = "aiter::layernorm2d_fwd", .work = normMade, .operations = 8, .inputs = 3},
    {.name = "aiter::fused_add_rms_norm_cu", .work = addNormInPlace, .operations = 6},
    once("aiter::add_rmsnorm", 6, 5),
    once("aiter::rmsnorm2d_fwd_with_add", 6, 5),
    once("aiter::rmsnorm2d_fwd_with_add_ck", 6, 5),
    once("aiter::layernorm2d_fwd_with_add", 9, 6),
    once("aiter::rmsnorm_quant", 7, 4),
    once("aiter::rmsnorm2d_fwd_with_dynamicquant", 7, 4),
    once("aiter::rmsnorm2d_fwd_with_dynamicquant_ck", 7, 4),
    once("aiter::rmsnorm2d_fwd_with_smoothquant", 8, 5),
    once("aiter::add_rmsnorm_quant", 8, 6),
    once("aiter::rmsnorm2d_fwd_with_add_dynamicquant", 8, 6),
    once("aiter::rmsnorm2d_fwd_with_add_dynamicquant_ck", 8, 6),
    once("aiter::rmsnorm2d_fwd_with_add_smoothquant", 9, 7),
    {.name = "aiter::silu_and_mul", .work = gatedInto, .operations = 5, .inputs = 2},
    {.name = "aiter::gelu_and_mul", .work = gatedInto, .operations = 6, .inputs = 2},
    {.name = "aiter::gelu_tanh_and_mul", .work = gatedInto, .operations = 6, .inputs = 2},
    {.name = "aiter::scaled_silu_and_mul", .work = gatedInto, .operations = 6, .inputs = 3},
    once("aiter::static_per_tensor_quant", 1, 3),
    once("aiter::dynamic_per_tensor_quant", 2, 3),
    once("aiter::dynamic_per_token_scaled_quant", 2, 3),
    once("aiter::dynamic_per_group_scaled_quant_fp4", 2, 3),
    {.name = "aiter::rope_cached_positions_2c_fwd_impl", .work = rotaryByTables, .operations = 3},
    {.name = "aiter::reshape_and_cache", .work = intoCaches},
    {.name = "aiter::reshape_and_cache_flash", .work = intoCaches},
    {.name = "sglang::store_cache", .work = intoCaches},
    product("aiter::gemm_a16w16"),
    product("aiter::_gemm_a16w16_asm"),
    product("aiter::gemm_a8w8_ck"),
    product("aiter::gemm_a8w8_asm"),
    product("aiter::_gemm_a8w8_asm"),
    product("aiter::gemm_a8w8_bpreshuffle"),
    product("aiter::gemm_a8w8_bpreshuffle_ck"),
    product("aiter::gemm_a8w8_bpreshuffle_cktile"),
    product("aiter::gemm_a8w8_blockscale"),
    product("aiter::gemm_a8w8_blockscale_ck"),
    product("aiter::gemm_a8w8_blockscale_cktile"),
    product("aiter::gemm_a8w8_blockscale_bpreshuffle_ck"),
    product("aiter::gemm_a8w8_blockscale_bpreshuffle_cktile"),
    product("aiter::_gemm_a8w8_blockscale_bpreshuffle_asm"),
    product("aiter::flatmm_a8w8_blockscale_asm"),
    product("aiter::_flatmm_a8w8_blockscale_asm"),
    fp4Product("aiter::gemm_a4w4"),
    fp4Product("aiter::_gemm_a4w4_asm"),
    product("_rocm_C::LLMM1"),
    product("_rocm_C::wvSplitK"),
    product("_rocm_C::wvSplitKQ"),
    {.name = "aiter::fmoe", .work = allExperts},
    {.name = "aiter::fmoe_g1u1", .work = allExperts},
    {.name = "aiter::fmoe_g1u1_tkw1", .work = allExperts},
    {.name = "aiter::fmoe_g1u1_a16", .work = allExperts},
    {.name = "aiter::fmoe_int8_g1u0", .work = allExperts},
    {.name = "aiter::fmoe_int8_g1u0_a16", .work = allExperts},
    {.name = "aiter::fmoe_fp8_blockscale_g1u1", .work = allExperts},
    {.name = "aiter::ck_moe_stage1", .work = halfOfExperts<1>},
    {.name = "aiter::ck_moe_stage2", .work = halfOfExperts<2>},
    once("aiter::moe_sorting_fwd", 0, 7),
};

}  // namespace

std::span<const OperatorModel> aiterModels() {
    return kAiterRows;
}

}  // namespace kinetoscope::model::serving
