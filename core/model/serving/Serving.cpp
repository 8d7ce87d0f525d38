// SPDX-License-Identifier: Apache-2.0
// Operators of vLLM (_C, _moe_C, _C_cache_ops, vllm) and SGLang (sgl_kernel), by the places that
// their schemas give the arguments.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model::serving {

namespace {

// (result, input, ..): the first is written, the others read.
Work intoFirst(const OperatorCall& call, const OperatorModel& row) {
    return simpleWork(call.tensor(1).elements() * row.operations, readBytes(call, row.inputs),
                      call.tensor(1).type);
}

// (input, gate beside it in one tensor): half as many results as `input` has elements.
template <std::size_t input>
Work gated(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& both = call.tensor(input);
    return simpleWork(both.elements() / 2 * row.operations, readBytes(call, row.inputs), both.type);
}

// (input, residual, weight where there is one, eps): both first ones are read and written.
Work addNorm(const OperatorCall& call, const OperatorModel& row) {
    return simpleWork(call.tensor(0).elements() * row.operations,
                      readBytes(call, 3) + readBytes(call, 2), call.tensor(0).type);
}

// (positions, queries, keys, size of a head, sines, ..): turned in place; a row of the sines for
// each position.
Work rotary(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& positions = call.tensor(0);
    const Tensor& query = call.tensor(1);
    const Tensor& table = call.tensor(4);
    const Tensor none{.told = true, .sizes = {0}, .strides = {}, .type = query.type};
    const Tensor& key = call.isTensor(2) ? call.tensor(2) : none;
    return simpleWork((query.elements() + key.elements()) * row.operations,
                      positions.bytes() + (query.bytes() + key.bytes()) * 2 +
                          bytesOf(positions.elements() * table.size(1), table.type),
                      query.type);
}

// (keys, values, cache, cache, places, ..): copied to where the places say.
Work cached(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& key = call.tensor(0);
    const Tensor& value = call.tensor(1);
    return simpleWork(0,
                      key.bytes() + value.bytes() + bytesOf(key.elements(), call.tensor(2).type) +
                          bytesOf(value.elements(), call.tensor(3).type) + call.tensor(4).bytes(),
                      key.type);
}

// (result [m, n], a [m, k], b [k, n], scales, ..)
Work scaledInto(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& result = call.tensor(0);
    const Tensor& a = call.tensor(1);
    return productWork(Amount(2) * result.elements() * a.size(-1), readBytes(call, row.inputs),
                       a.type, false);
}

// (a [m, k], b [k, n], scales, scales, type, bias)
Work scaled(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    const Amount results = a.size(0) * call.tensor(1).size(1);
    const auto number = call.integer(4);
    const DataType type = number ? dataTypeOfNumber(*number) : DataType::BFloat16;
    return productWork(Amount(2) * results * a.size(1), readBytes(call, 6) + bytesOf(results, type),
                       a.type, false);
}

// Every tensor among the first ones is read or written once; the operations are those of each
// element of the first that `elements` names.
template <std::size_t elements>
Work onceEach(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& counted = call.tensor(elements);
    return simpleWork(counted.elements() * row.operations, readBytes(call, row.inputs),
                      counted.type);
}

// (result, input, residual, weight, scale, ..): the residual is read and written.
Work addNormInto(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(1);
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, row.inputs) + call.tensor(2).bytes(), input.type);
}

// (result, input, weight, scales, eps, bound, residual, ..): the residual, where there is one, is
// read and written.
Work normInto(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(1);
    const Amount residual = call.isTensor(6) ? call.tensor(6).bytes() * 2 : Amount(0);
    return simpleWork(input.elements() * row.operations, readBytes(call, row.inputs) + residual,
                      input.type);
}

// (queries, keys, turned queries, turned keys, sines, positions, ..)
Work rotaryInto(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& query = call.tensor(0);
    const Tensor& positions = call.tensor(5);
    const Tensor& table = call.tensor(4);
    return simpleWork((query.elements() + call.tensor(1).elements()) * row.operations,
                      readBytes(call, 4) + positions.bytes() +
                          bytesOf(positions.elements() * table.size(1), table.type),
                      query.type);
}

// (queries, keys and values [tokens, ..], heads of queries, of keys, of values, their size, eps,
// weight, weight, sines, style, positions, ..): queries and keys are normed and turned in place.
Work normRotary(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& all = call.tensor(0);
    const Tensor& table = call.tensor(8);
    const auto queries = call.integer(1);
    const auto keys = call.integer(2);
    const auto size = call.integer(4);
    const Amount turned = queries && keys && size ? all.size(0) * Amount::ofSize(*queries + *keys) *
                                                        Amount::ofSize(*size)
                                                  : Amount::untold();
    return simpleWork(turned * row.operations,
                      bytesOf(turned * 2, all.type) + call.tensor(6).bytes() +
                          call.tensor(7).bytes() + call.tensor(10).bytes() +
                          bytesOf(call.tensor(10).elements() * table.size(1), table.type),
                      all.type);
}

// (input, row of the input for each of the result, result)
Work shuffled(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& result = call.tensor(2);
    return simpleWork(0, result.bytes() * 2 + call.tensor(1).bytes(), result.type);
}

// (logits, seen in the prompt, seen in the output, penalties): the first is read and written.
Work penalties(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& logits = call.tensor(0);
    return simpleWork(logits.elements() * row.operations, readBytes(call, 4) + logits.bytes(),
                      logits.type);
}

// (result, input, scales, scale, ..), or later (input, scale, layout, result, scales), the last two
// of which may be made by the call: two elements in a byte, and a scale for every sixteen.
Work fp4Quantized(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(call.isTensor(2) ? 1 : 0);
    const bool given = call.isTensor(2) || call.isTensor(3);
    const Amount made = input.elements() / 2 + input.elements() / 16;
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, row.inputs) + (given ? Amount(0) : made), input.type);
}

// (latent keys, their turned part, cache, places, ..)
Work cachedLatent(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& key = call.tensor(0);
    const Tensor& turned = call.tensor(1);
    return simpleWork(0,
                      readBytes(call, 2) + call.tensor(3).bytes() +
                          bytesOf(key.elements() + turned.elements(), call.tensor(2).type),
                      key.type);
}

// (a [m, k], result where one is given, packed weight, ..): n columns; the numbers m, n, k stand
// one after the other among the arguments. Multiplied in the type of `a`.
Work packedWeight(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    Amount n = Amount::untold();
    for (std::size_t i = 0; i + 2 < call.arguments.size(); ++i) {
        const auto rows = call.integer(i);
        const auto columns = call.integer(i + 1);
        const auto depth = call.integer(i + 2);
        if (rows && columns && depth && Amount::ofSize(*rows) == a.size(0) &&
            Amount::ofSize(*depth) == a.size(1)) {
            n = Amount::ofSize(*columns);
        }
    }
    const Amount results = a.size(0) * n;
    const Amount made = call.isTensor(1) ? Amount(0) : bytesOf(results, a.type);
    return productWork(Amount(2) * results * a.size(1),
                       readBytes(call, call.arguments.size()) + made, a.type, false);
}

// (a [m, k], packed weight, ..): n is the last size of the tensor at the place of `inputs`.
template <std::size_t columns>
Work weightOnly(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& a = call.tensor(0);
    const Amount results = a.elements() / a.size(-1) * call.tensor(columns).size(-1);
    return productWork(Amount(2) * results * a.size(-1),
                       readBytes(call, row.inputs) + bytesOf(results, a.type), a.type, false);
}

// (result [m, n], a [m, k / 2], b [n, k / 2], scales, scales, factor): two fp4 elements in a byte.
Work fp4Into(const OperatorCall& call, const OperatorModel& row) {
    return productWork(Amount(4) * call.tensor(0).elements() * call.tensor(1).size(-1),
                       readBytes(call, row.inputs), DataType::Float4, false);
}

// (handle, input, result, ..): what other ranks send comes through a link.
Work reduced(const OperatorCall& call, const OperatorModel& /*row*/) {
    return simpleWork(0, call.tensor(1).bytes() + call.tensor(2).bytes(), call.tensor(1).type);
}

constexpr OperatorModel activation(std::string_view name, unsigned operations) {
    return {.name = name, .work = intoFirst, .operations = operations, .inputs = 2};
}

constexpr OperatorModel kServingRows[] = {
    {.name = "_C::rms_norm", .work = intoFirst, .operations = 5, .inputs = 3},
    {.name = "_C::fused_add_rms_norm", .work = addNorm, .operations = 6},
    {.name = "_C::silu_and_mul", .work = gated<1>, .operations = 5, .inputs = 2},
    {.name = "_C::gelu_and_mul", .work = gated<1>, .operations = 6, .inputs = 2},
    {.name = "_C::gelu_tanh_and_mul", .work = gated<1>, .operations = 6, .inputs = 2},
    {.name = "_C::static_scaled_fp8_quant", .work = intoFirst, .operations = 1, .inputs = 3},
    {.name = "_C::dynamic_scaled_fp8_quant", .work = intoFirst, .operations = 2, .inputs = 3},
    {.name = "_C::dynamic_per_token_scaled_fp8_quant",
     .work = intoFirst,
     .operations = 2,
     .inputs = 3},
    {.name = "_C::rotary_embedding", .work = rotary, .operations = 3},
    {.name = "_C::cutlass_scaled_mm", .work = scaledInto, .inputs = 6},
    {.name = "_C_cache_ops::reshape_and_cache_flash", .work = cached},
    {.name = "sgl_kernel::rmsnorm", .work = intoFirst, .operations = 5, .inputs = 3},
    {.name = "sgl_kernel::fused_add_rmsnorm", .work = addNorm, .operations = 6},
    {.name = "sgl_kernel::silu_and_mul", .work = gated<1>, .operations = 5, .inputs = 2},
    {.name = "sgl_kernel::gelu_and_mul", .work = gated<1>, .operations = 6, .inputs = 2},
    {.name = "sgl_kernel::fp8_scaled_mm", .work = scaled},
    {.name = "_C::mul_and_silu", .work = gated<1>, .operations = 5, .inputs = 2},
    {.name = "_C::fatrelu_and_mul", .work = gated<1>, .operations = 2, .inputs = 2},
    {.name = "_C::swigluoai_and_mul", .work = gated<1>, .operations = 6, .inputs = 2},
    activation("_C::gelu_new", 8),
    activation("_C::gelu_fast", 8),
    activation("_C::gelu_quick", 5),
    {.name = "sgl_kernel::gelu_tanh_and_mul", .work = gated<1>, .operations = 6, .inputs = 2},
    {.name = "_C::silu_and_mul_quant", .work = gated<1>, .operations = 6, .inputs = 3},
    {.name = "_C::rms_norm_static_fp8_quant", .work = intoFirst, .operations = 6, .inputs = 4},
    {.name = "_C::fused_add_rms_norm_static_fp8_quant",
     .work = addNormInto,
     .operations = 7,
     .inputs = 5},
    {.name = "_C::rms_norm_dynamic_per_token_quant",
     .work = normInto,
     .operations = 7,
     .inputs = 4},
    {.name = "_C::rms_norm_per_block_quant", .work = normInto, .operations = 7, .inputs = 4},
    {.name = "_C::static_scaled_int8_quant", .work = intoFirst, .operations = 1, .inputs = 4},
    {.name = "_C::dynamic_scaled_int8_quant", .work = intoFirst, .operations = 2, .inputs = 4},
    {.name = "_C::scaled_fp4_quant", .work = fp4Quantized, .operations = 2, .inputs = 5},
    {.name = "_C::cutlass_scaled_mm_azp", .work = scaledInto, .inputs = 8},
    {.name = "_C::cutlass_scaled_fp4_mm", .work = fp4Into, .inputs = 6},
    {.name = "_C::marlin_gemm", .work = packedWeight},
    {.name = "_C::gptq_marlin_gemm", .work = packedWeight},
    {.name = "_C::awq_gemm", .work = weightOnly<2>, .inputs = 4},
    {.name = "_C::gptq_gemm", .work = weightOnly<1>, .inputs = 5},
    {.name = "_C::machete_mm", .work = weightOnly<1>, .inputs = 9},
    {.name = "_C::dsv3_fused_a_gemm", .work = scaledInto, .inputs = 3},
    {.name = "_C_cache_ops::reshape_and_cache", .work = cached},
    {.name = "_C_cache_ops::concat_and_cache_mla", .work = cachedLatent},
    {.name = "_moe_C::topk_softmax", .work = onceEach<3>, .operations = 5, .inputs = 4},
    {.name = "aiter::topk_softmax", .work = onceEach<3>, .operations = 5, .inputs = 4},
    {.name = "aiter::moe_sum", .work = onceEach<0>, .operations = 1, .inputs = 2},
    {.name = "_moe_C::moe_sum", .work = onceEach<0>, .operations = 1, .inputs = 2},
    {.name = "_C_custom_ar::all_reduce", .work = reduced},
    {.name = "sgl_kernel::gemma_rmsnorm", .work = intoFirst, .operations = 6, .inputs = 3},
    {.name = "sgl_kernel::gemma_fused_add_rmsnorm", .work = addNorm, .operations = 7},
    {.name = "sgl_kernel::apply_rope_pos_ids_cos_sin_cache", .work = rotaryInto, .operations = 3},
    {.name = "sgl_kernel::rotary_embedding", .work = rotary, .operations = 3},
    {.name = "sgl_kernel::int8_scaled_mm", .work = scaled},
    {.name = "sgl_kernel::fp8_blockwise_scaled_mm", .work = scaled},
    {.name = "sgl_kernel::cutlass_scaled_fp4_mm", .work = fp4Into, .inputs = 6},
    {.name = "sgl_kernel::dsv3_fused_a_gemm", .work = scaledInto, .inputs = 3},
    {.name = "sgl_kernel::gptq_marlin_gemm", .work = packedWeight},
    {.name = "sgl_kernel::gptq_gemm", .work = weightOnly<1>, .inputs = 5},
    {.name = "sgl_kernel::sgl_per_token_group_quant_fp8",
     .work = onceEach<0>,
     .operations = 2,
     .inputs = 3},
    {.name = "sgl_kernel::sgl_per_token_group_quant_int8",
     .work = onceEach<0>,
     .operations = 2,
     .inputs = 3},
    {.name = "sgl_kernel::sgl_per_tensor_quant_fp8",
     .work = onceEach<0>,
     .operations = 2,
     .inputs = 3},
    {.name = "sgl_kernel::sgl_per_token_quant_fp8",
     .work = onceEach<0>,
     .operations = 2,
     .inputs = 3},
    {.name = "sgl_kernel::topk_softmax", .work = onceEach<2>, .operations = 5, .inputs = 3},
    {.name = "sgl_kernel::merge_state", .work = onceEach<0>, .operations = 5, .inputs = 6},
    {.name = "sgl_kernel::merge_state_v2", .work = onceEach<0>, .operations = 5, .inputs = 6},
    {.name = "sgl_kernel::all_reduce", .work = reduced},
    {.name = "sgl_kernel::mscclpp_allreduce", .work = reduced},
    {.name = "sgl_kernel::qr_all_reduce", .work = reduced},
    {.name = "_C_custom_ar::qr_all_reduce", .work = reduced},
    {.name = "_C::silu_and_mul_per_block_quant", .work = gated<1>, .operations = 7, .inputs = 3},
    {.name = "_C::silu_and_mul_nvfp4_quant", .work = gated<2>, .operations = 7, .inputs = 4},
    {.name = "_C::rms_norm_weightless", .work = intoFirst, .operations = 4, .inputs = 2},
    {.name = "_C::fused_add_rms_norm_weightless", .work = addNorm, .operations = 5},
    {.name = "_C::fused_qk_norm_rope", .work = normRotary, .operations = 8},
    {.name = "_C::per_token_group_fp8_quant", .work = onceEach<0>, .operations = 2, .inputs = 3},
    {.name = "_C::per_token_group_fp8_quant_packed",
     .work = onceEach<0>,
     .operations = 2,
     .inputs = 3},
    {.name = "_C::per_token_group_quant_int8", .work = onceEach<0>, .operations = 2, .inputs = 3},
    {.name = "_C::merge_attn_states", .work = onceEach<0>, .operations = 5, .inputs = 6},
    {.name = "_C::apply_repetition_penalties_", .work = penalties, .operations = 2},
    {.name = "_C::fp32_router_gemm", .work = scaledInto, .inputs = 3},
    {.name = "_C_cache_ops::concat_mla_q", .work = onceEach<0>, .inputs = 3},
    {.name = "_C_cache_ops::convert_fp8", .work = onceEach<1>, .operations = 1, .inputs = 2},
    {.name = "sgl_kernel::scaled_fp4_quant", .work = fp4Quantized, .operations = 2, .inputs = 5},
    {.name = "sgl_kernel::dsv3_router_gemm", .work = scaledInto, .inputs = 3},
    {.name = "sgl_kernel::shuffle_rows", .work = shuffled},
    {.name = "sgl_kernel::apply_shuffle_mul_sum",
     .work = onceEach<0>,
     .operations = 2,
     .inputs = 4},
};

}  // namespace

std::span<const OperatorModel> servingModels() {
    return kServingRows;
}

}  // namespace kinetoscope::model::serving
