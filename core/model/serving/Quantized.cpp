// SPDX-License-Identifier: Apache-2.0
// Products with packed weights, and unpacking these: torchao, and GGML, AWQ, AllSpark and CUTLASS
// in vLLM (_C) and SGLang (sgl_kernel), by the places that their schemas give the arguments.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model::serving {

namespace {

constexpr unsigned kPerInt32 = 8;  // elements of four bits

Amount told(std::optional<std::int64_t> number) {
    return number ? Amount::ofSize(*number) : Amount::untold();
}

DataType typeAt(const OperatorCall& call, std::size_t place, DataType otherwise) {
    const auto number = call.integer(place);
    return number ? dataTypeOfNumber(*number) : otherwise;
}

// Rows of `a` by a weight of n columns, where k elements of each are multiplied. All tensors of the
// call are read.
Work packedProduct(const OperatorCall& call, const Tensor& a, Amount n, Amount k, DataType type,
                   DataType result) {
    const Amount results = a.elements() / a.size(-1) * n;
    return productWork(Amount(2) * results * k,
                       readBytes(call, call.arguments.size()) + bytesOf(results, result), type,
                       false);
}

// (bits of the exponent, of the mantissa, a [m, k], weight [n, ..], scales, ..)
Work smallFloats(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(2);
    return packedProduct(call, a, call.tensor(3).size(0), a.size(-1), a.type, a.type);
}

// (a [m, k], weight, which are kept, scales, workspace, bits, m, n, k): of every four elements two
// are kept, and only these multiplied.
Work halfSparseMarlin(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    return packedProduct(call, a, told(call.integer(7)), a.size(-1) / 2, a.type, a.type);
}

// (a [m, k] int8, weight, scales of tokens, channels and groups, workspace, m, n, k) gives Half.
Work int8Marlin(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    return packedProduct(call, a, told(call.integer(7)), a.size(-1), a.type, DataType::Half);
}

// (a [.., k] int8, scales, weight [n, k / 2] int4, scales, bias, type of the result)
Work rowwiseInt4(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    return packedProduct(call, a, call.tensor(2).size(0), a.size(-1), a.type,
                         typeAt(call, 5, call.tensor(1).type));
}

// (a [.., k], scales, kept weight [n, k / 2], which, scales, bias, type of the result)
Work rowwiseSparse(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& weight = call.tensor(2);
    return packedProduct(call, call.tensor(0), weight.size(0), weight.size(1), call.tensor(0).type,
                         typeAt(call, 6, call.tensor(1).type));
}

// (a [m, k], b [k, n], scales, scales) gives BFloat16.
Work microscaled(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    return packedProduct(call, a, call.tensor(1).size(-1), a.size(-1), DataType::Float8,
                         DataType::BFloat16);
}

// The same with two elements of a and of b in a byte.
Work microscaledFp4(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    return packedProduct(call, a, call.tensor(1).size(-1), a.size(-1) * 2, DataType::Float4,
                         DataType::BFloat16);
}

// GGML: (weight [n, ..], a [m, k], kind, n). The inputs become int8 first.
Work ggmlProduct(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(1);
    return packedProduct(call, a, told(call.integer(3)), a.size(-1), DataType::Int8, a.type);
}

// AllSpark: (a [m, k], weight, scales, zeros, n, ..)
Work allSpark(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    return packedProduct(call, a, told(call.integer(4)), a.size(-1), a.type, a.type);
}

// (a [m, k] fp8, weight, scales of groups, their size, of channels [n], of tokens, type of the
// result, ..)
Work fp8Int4(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    return packedProduct(call, a, call.tensor(4).elements(), a.size(-1), a.type,
                         typeAt(call, 6, DataType::BFloat16));
}

// (weight of eight elements in an int32, scales, ..): every element in the type of the scales;
// without any as an int32.
Work unpacked(const OperatorCall& call, const OperatorModel& row) {
    const Amount elements = call.tensor(0).elements() * kPerInt32;
    const DataType type = call.isTensor(1) ? call.tensor(1).type : DataType::Int32;
    return simpleWork(elements * row.operations,
                      readBytes(call, call.arguments.size()) + bytesOf(elements, type), type);
}

// GGML: (weight, kind, m, n, type of the result)
Work ggmlUnpacked(const OperatorCall& call, const OperatorModel& row) {
    const Amount elements = told(call.integer(2)) * told(call.integer(3));
    const DataType type = typeAt(call, 4, DataType::Half);
    return simpleWork(elements * row.operations, readBytes(call, 1) + bytesOf(elements, type),
                      type);
}

constexpr OperatorModel kQuantizedRows[] = {
    {.name = "torchao::quant_llm_linear", .work = smallFloats},
    {.name = "torchao::marlin_24_gemm", .work = halfSparseMarlin},
    {.name = "torchao::marlin_qqq_gemm", .work = int8Marlin},
    {.name = "torchao::rowwise_scaled_linear_cutlass_s8s4", .work = rowwiseInt4},
    {.name = "torchao::rowwise_scaled_linear_sparse_cutlass_f8f8", .work = rowwiseSparse},
    {.name = "torchao::mx_fp8_bf16", .work = microscaled},
    {.name = "torchao::mx_fp4_bf16", .work = microscaledFp4},
    {.name = "torchao::unpack_tensor_core_tiled_layout", .work = unpacked},
    {.name = "torchao::dequantize_tensor_core_tiled_layout", .work = unpacked, .operations = 2},
    {.name = "_C::awq_dequantize", .work = unpacked, .operations = 2},
    {.name = "sgl_kernel::awq_dequantize", .work = unpacked, .operations = 2},
    {.name = "_C::ggml_dequantize", .work = ggmlUnpacked, .operations = 1},
    {.name = "_C::ggml_mul_mat_vec_a8", .work = ggmlProduct},
    {.name = "_C::ggml_mul_mat_a8", .work = ggmlProduct},
    {.name = "_C::allspark_w8a16_gemm", .work = allSpark},
    {.name = "_C::cutlass_w4a8_mm", .work = fp8Int4},
};

}  // namespace

std::span<const OperatorModel> quantizedModels() {
    return kQuantizedRows;
}

}  // namespace kinetoscope::model::serving
