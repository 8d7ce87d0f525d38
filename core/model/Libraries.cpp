// SPDX-License-Identifier: Apache-2.0
// Inductor's generated kernels, and operators of vLLM and SGLang whose shapes their calls tell.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

// What Inductor itself reckoned, where the trace has it; else every argument once. Its operations
// are not told.
Work generated(const OperatorCall& call, const OperatorModel& /*row*/) {
    DataType type = DataType::Unknown;
    for (std::size_t i = 0; i < call.arguments.size() && type == DataType::Unknown; ++i) {
        type = call.isTensor(i) ? call.tensor(i).type : DataType::Unknown;
    }
    const bool any = type != DataType::Unknown;
    const Amount bytes = any ? readBytes(call, call.arguments.size()) : Amount::untold();
    return simpleWork(0, call.kernelBytes.value_or(bytes), type);
}

// (result, input, ..): the first is written, the others read.
Work intoFirst(const OperatorCall& call, const OperatorModel& row) {
    return simpleWork(call.tensor(1).elements() * row.operations, readBytes(call, row.inputs),
                      call.tensor(1).type);
}

// (input, residual, weight, eps): both first ones are read and written.
Work addNorm(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      input.bytes() * 2 + call.tensor(1).bytes() * 2 + call.tensor(2).bytes(),
                      input.type);
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

constexpr OperatorModel kRows[] = {
    {.name = "triton_*", .work = generated},
    {.name = "_C::rms_norm", .work = intoFirst, .operations = 5, .inputs = 3},
    {.name = "_C::fused_add_rms_norm", .work = addNorm, .operations = 6},
    {.name = "_C::silu_and_mul", .work = intoFirst, .operations = 3, .inputs = 2},
    {.name = "_C::gelu_and_mul", .work = intoFirst, .operations = 3, .inputs = 2},
    {.name = "_C::gelu_tanh_and_mul", .work = intoFirst, .operations = 4, .inputs = 2},
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
    {.name = "sgl_kernel::silu_and_mul", .work = intoFirst, .operations = 3, .inputs = 2},
    {.name = "sgl_kernel::gelu_and_mul", .work = intoFirst, .operations = 3, .inputs = 2},
    {.name = "sgl_kernel::fp8_scaled_mm", .work = scaled},
};

}  // namespace

std::span<const OperatorModel> libraryModels() {
    return kRows;
}

}  // namespace kinetoscope::model
