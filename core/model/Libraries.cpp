// SPDX-License-Identifier: Apache-2.0
// Inductor's generated kernels, and operators of libraries: TransformerEngine, FBGEMM,
// bitsandbytes, Mamba, Liger, Apex and Megatron, torchvision.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

// Inductor's own figure if the trace has it; else every argument once. Its operations are unknown.
Work generated(const OperatorCall& call, const OperatorModel& /*row*/) {
    DataType type = DataType::Unknown;
    for (std::size_t i = 0; i < call.arguments.size() && type == DataType::Unknown; ++i) {
        type = call.isTensor(i) ? call.tensor(i).type : DataType::Unknown;
    }
    const bool any = type != DataType::Unknown;
    const Amount bytes = any ? readBytes(call, call.arguments.size()) : Amount::untold();
    Work work = simpleWork(0, call.kernelBytes.value_or(bytes), type);
    work.bytesOnly = true;
    return work;
}

Work untold() {
    return simpleWork(Amount::untold(), 0, DataType::Unknown);
}

// TransformerEngine: (a, scale, which, type, transposed, b, scale, which, type, transposed, result,
// ..): the columns of one are multiplied with those of the other. fp8 lies in bytes.
Work engineGemm(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    const Tensor& result = call.tensor(10);
    const auto transposed = call.integer(4);
    if (!transposed) {
        return untold();
    }
    const DataType type = a.type == DataType::UInt8 ? DataType::Float8 : a.type;
    return productWork(Amount(2) * result.elements() * a.size(*transposed != 0 ? 1 : 0),
                       a.bytes() + call.tensor(5).bytes() + result.bytes(), type, false);
}

/// A linear layer: weight [n, k], input [.., k].
struct Layer {
    const Tensor& input;
    const Tensor& weight;

    [[nodiscard]] bool fits() const {
        return weight.sizes.size() == 2 && input.size(-1) == weight.size(1);
    }
    [[nodiscard]] Amount results() const {
        return input.elements() / input.size(-1) * weight.size(0);
    }
    [[nodiscard]] Amount flops() const { return Amount(2) * results() * weight.size(1); }
};

// The autograd function of a linear layer: (weight, input, bias, ..), or with a norm before:
// (input, weight and bias of the norm, weight, bias, ..).
Layer layerOf(const OperatorCall& call, const OperatorModel& row) {
    const bool normed = row.operations > 0;
    return {call.tensor(normed ? 0 : 1), call.tensor(normed ? 3 : 0)};
}

Work engineLinear(const OperatorCall& call, const OperatorModel& row) {
    const Layer layer = layerOf(call, row);
    if (!layer.fits()) {
        return untold();
    }
    return productWork(layer.flops() + layer.input.elements() * row.operations,
                       readBytes(call, row.inputs) + bytesOf(layer.results(), layer.input.type),
                       layer.input.type, false);
}

// The gradient of the input, of the weight or of both: as many products as kernels that multiply.
// Either takes two of gradient, input and weight and makes one as large as the third.
Work layerBackward(const OperatorCall& call, const Layer& layer, unsigned operations) {
    if (!layer.fits() || call.products < 1 || call.products > 2) {
        return untold();
    }
    const DataType type = layer.input.type;
    const Amount gradient = bytesOf(layer.results(), type);
    const Amount others = bytesOf(layer.input.elements(), type) + layer.weight.bytes();
    return productWork(layer.flops() * call.products + layer.input.elements() * operations,
                       gradient + others * call.products, type, false);
}

Work engineLinearBackward(const OperatorCall& call, const OperatorModel& row) {
    return layerBackward(call, layerOf(call, row), row.operations);
}

// Megatron: (input, weight, ..)
Work parallelLinearBackward(const OperatorCall& call, const OperatorModel& row) {
    return layerBackward(call, {call.tensor(0), call.tensor(1)}, row.operations);
}

// With a norm before and an activation between two layers: (input, weight and bias of the norm,
// .. weight [m, k], .. weight [k, n], ..), where n is m, or half of it where the activation is
// gated. Backward each has the two products of a layer.
Work engineLayers(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Tensor* first = nullptr;
    const Tensor* second = nullptr;
    for (std::size_t i = 1; i < call.arguments.size(); ++i) {
        const Tensor& weight = call.tensor(i);
        if (weight.told && weight.sizes.size() == 2) {
            (first == nullptr ? first : second) = &weight;
            if (second != nullptr) {
                break;
            }
        }
    }
    const bool backward = row.byForward;
    if (second == nullptr || first->size(1) != input.size(-1) ||
        second->size(0) != input.size(-1) || (backward && call.products != 4)) {
        return untold();
    }
    const Amount tokens = input.elements() / input.size(-1);
    const Amount passes = backward ? 2 : 1;
    const Amount weights = first->bytes() + second->bytes();
    return productWork(Amount(2) * passes * tokens * (first->elements() + second->elements()) +
                           input.elements() * row.operations,
                       (weights + bytesOf(input.elements() * 2, input.type)) * passes, input.type,
                       false);
}

// FBGEMM's quantized products: (a [m, k], b [n, k], scales, .., bias ..) gives bfloat16.
Work transposedProduct(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& a = call.tensor(0);
    const Amount results = a.elements() / a.size(-1) * call.tensor(1).size(0);
    return productWork(Amount(2) * results * a.size(-1),
                       readBytes(call, row.inputs) + bytesOf(results, DataType::BFloat16), a.type,
                       false);
}

// (input [.., n]): fp8, and a Float for each row or for the whole.
Work quantizedRows(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const bool byRow = row.inputs == 1;
    const Amount scales = byRow ? input.elements() / input.size(-1) : Amount(1);
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + bytesOf(input.elements(), DataType::Float8) +
                          bytesOf(scales, DataType::Float),
                      input.type);
}

DataType tableType(std::int64_t number) {
    return number == 0   ? DataType::Float
           : number == 1 ? DataType::Half
           : number == 5 ? DataType::BFloat16
                         : DataType::Unknown;
}

/// Many tables in one: where its arguments are. Rows have one length where all tables have the
/// same.
struct Tables {
    Amount length;   ///< of a row
    Amount indices;  ///< rows that are named
    Amount bags;     ///< over all tables
};

// (.. sums of lengths [tables + 1], sum of lengths, longest, .. places, begins of bags ..)
Tables tablesOf(const OperatorCall& call, std::size_t indices) {
    const Tensor& lengths = call.tensor(5);
    const Tensor& begins = call.tensor(indices + 1);
    const auto total = call.integer(6);
    const auto longest = call.integer(7);
    Tables tables{Amount::untold(), call.tensor(indices).elements(), Amount::untold()};
    if (lengths.sizes.size() == 1 && begins.sizes.size() == 1 && total && longest) {
        const Amount count = Amount::ofSize(lengths.sizes.front() - 1);
        const Amount length = Amount::ofSize(*longest);
        tables.length = count * length == Amount::ofSize(*total) ? length : Amount::untold();
        tables.bags = Amount::ofSize(begins.sizes.front() - 1);
    }
    return tables;
}

// FBGEMM: (weights of the device, of the host, of the cache, placements, begins, sums of lengths,
// sum, longest, places, begins of bags, pooling, [shares,] .., type of the result, ..). Each bag is
// summed up to one row.
Work tableLookup(const OperatorCall& call, const OperatorModel& row) {
    const std::size_t indices = row.inputs;
    const Tensor& weights = call.tensor(0);
    const Tables tables = tablesOf(call, indices);
    const Tensor& shares = call.tensor(indices + 3);
    std::optional<std::int64_t> number;
    for (std::size_t i = indices + 3; i < call.arguments.size() && !number; ++i) {
        number = call.integer(i);
    }
    const bool pooled = call.integer(indices + 2).value_or(2) != 2;
    if (!pooled || !number) {
        return untold();
    }
    const bool weighted = row.operations > 1;
    return simpleWork(tables.indices * tables.length * row.operations,
                      bytesOf(tables.indices * tables.length, weights.type) +
                          bytesOf(tables.bags * tables.length, tableType(*number)) +
                          call.tensor(indices).bytes() + call.tensor(indices + 1).bytes() +
                          (weighted ? shares.bytes() : Amount(0)),
                      weights.type);
}

// (offsets of a table [n]): the sums before each, and that of all.
Work completeSums(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + bytesOf(input.elements() + 1, input.type), input.type);
}

// (input, ..): as many elements as before, in another order.
Work reordered(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    return simpleWork(0, input.bytes() * 2, input.type);
}

// bitsandbytes: (vector [.., k], packed weight, [n, k], scales, code, block)
Work fourBitVector(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& a = call.tensor(0);
    const auto sizes = call.integers(2);
    if (!sizes || sizes->size() != 2) {
        return untold();
    }
    const Amount n = Amount::ofSize(sizes->front());
    return productWork(Amount(2) * a.elements() * n,
                       readBytes(call, row.inputs) + bytesOf(n, a.type), a.type, false);
}

// (packed, scales, block, kind, sizes, type)
Work fourBitWhole(const OperatorCall& call, const OperatorModel& row) {
    const auto sizes = call.integers(4);
    const auto number = call.integer(5);
    if (!sizes || !number) {
        return untold();
    }
    const Amount elements = elementsOf(*sizes);
    const DataType type = dataTypeOfNumber(*number);
    return simpleWork(elements * row.operations, readBytes(call, 2) + bytesOf(elements, type),
                      type);
}

// (input, scales, code, block, type)
Work eightBitWhole(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const auto number = call.integer(4);
    const DataType type = number ? dataTypeOfNumber(*number) : DataType::Unknown;
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, 3) + bytesOf(input.elements(), type), type);
}

// (a [.., k], b [n, k]) of bytes gives Int32.
Work eightBitProduct(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    const Amount results = a.elements() / a.size(-1) * call.tensor(1).size(0);
    return productWork(Amount(2) * results * a.size(-1),
                       readBytes(call, 2) + bytesOf(results, DataType::Int32), a.type, false);
}

// Mamba: (input [b, channels, length], weight [channels, places], bias, .., result at `inputs`).
Work causalConvolution(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Tensor& weight = call.tensor(1);
    Amount bytes = call.isTensor(2) ? call.tensor(2).bytes() : Amount(0);
    bytes += input.bytes() * row.inputs + weight.bytes();
    return simpleWork(input.elements() * weight.size(-1) * row.operations, bytes, input.type);
}

// (input [b, channels, length], steps, a [channels, states], b, c, d, gate, ..): nine operations
// for each state; the result is as large as the input.
Work selectiveScan(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * call.tensor(2).size(-1) * row.operations,
                      readBytes(call, 7) + bytesOf(input.elements(), input.type), input.type);
}

// (input, weight, ..): as large as the input.
Work likeFirst(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, row.inputs) + bytesOf(input.elements(), input.type),
                      input.type);
}

// Apex: (input, weight, bias, ..) of LayerNorm, (input, weight, ..) of RMSNorm: beside the result
// mean and deviation of each row, or the latter, in Float.
Work apexNorm(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Amount rows = input.elements() / call.tensor(1).elements();
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, row.inputs) + bytesOf(input.elements(), input.type) +
                          bytesOf(rows * (row.inputs - 1), DataType::Float),
                      input.type);
}

// (gradient): all that is read and written is as large.
Work likeGradient(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& gradient = call.tensor(0);
    return simpleWork(gradient.elements() * row.operations, gradient.bytes() * row.inputs,
                      gradient.type);
}

// torchvision: (input [n, c, h, w], weight [o, c / groups, kh, kw], offsets [n, .., oh, ow], mask,
// bias, ..): four neighbours of each place are read.
Work deformedConvolution(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& weight = call.tensor(1);
    const Tensor& offsets = call.tensor(2);
    const Amount results = offsets.size(0) * weight.size(0) * offsets.size(2) * offsets.size(3);
    return productWork(Amount(2) * results * weight.size(1) * weight.size(2) * weight.size(3),
                       readBytes(call, 5) + bytesOf(results, weight.type), weight.type, false);
}

// (input [n, c, h, w], boxes [k, 5], scale, height, width, samples, ..): samples² places of each
// result, of four neighbours each.
Work alignedBoxes(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Tensor& boxes = call.tensor(1);
    const auto height = call.integer(3);
    const auto width = call.integer(4);
    const auto samples = call.integer(5);
    if (!height || !width || samples.value_or(0) <= 0) {
        return untold();
    }
    const Amount results =
        boxes.size(0) * input.size(1) * Amount::ofSize(*height) * Amount::ofSize(*width);
    const Amount places = results * Amount::ofSize(*samples) * Amount::ofSize(*samples);
    return simpleWork(places * row.operations,
                      boxes.bytes() + bytesOf(places * 4 + results, input.type), input.type);
}

constexpr OperatorModel kLibrariesRows[] = {
    {.name = "triton_*", .work = generated},
    {.name = "tex_ts::te_gemm_ts", .work = engineGemm},
    {.name = "_Linear", .work = engineLinear, .inputs = 3},
    {.name = "_LayerNormLinear", .work = engineLinear, .operations = 8, .inputs = 5},
    {.name = "_LayerNormMLP", .work = engineLayers, .operations = 8},
    {.name = "_LinearBackward", .work = engineLinearBackward, .byForward = true},
    {.name = "_LayerNormLinearBackward",
     .work = engineLinearBackward,
     .operations = 12,
     .byForward = true},
    {.name = "_LayerNormMLPBackward", .work = engineLayers, .operations = 12, .byForward = true},
    {.name = "LinearWithGradAccumulationAndAsyncCommunicationBackward",
     .work = parallelLinearBackward,
     .byForward = true},
    {.name = "fbgemm::f8f8bf16_rowwise", .work = transposedProduct, .inputs = 5},
    {.name = "fbgemm::f8f8bf16_blockwise", .work = transposedProduct, .inputs = 4},
    {.name = "fbgemm::f8f8bf16_tensorwise", .work = transposedProduct, .inputs = 2},
    {.name = "fbgemm::f8f8bf16", .work = transposedProduct, .inputs = 3},
    {.name = "fbgemm::quantize_fp8_per_row", .work = quantizedRows, .operations = 2, .inputs = 1},
    {.name = "fbgemm::quantize_fp8_per_tensor",
     .work = quantizedRows,
     .operations = 2,
     .inputs = 0},
    {.name = "fbgemm::split_embedding_codegen_forward_unweighted_cuda",
     .work = tableLookup,
     .operations = 1,
     .inputs = 8},
    {.name = "fbgemm::split_embedding_codegen_forward_weighted_cuda",
     .work = tableLookup,
     .operations = 2,
     .inputs = 8},
    {.name = "fbgemm::asynchronous_complete_cumsum", .work = completeSums, .operations = 1},
    {.name = "fbgemm::permute_pooled_embs", .work = reordered},
    {.name = "fbgemm::permute_pooled_embs_auto_grad", .work = reordered},
    {.name = "bitsandbytes::gemv_4bit", .work = fourBitVector, .inputs = 5},
    {.name = "bitsandbytes::dequantize_4bit", .work = fourBitWhole, .operations = 1},
    {.name = "bitsandbytes::dequantize_blockwise", .work = eightBitWhole, .operations = 1},
    {.name = "bitsandbytes::int8_linear_matmul", .work = eightBitProduct},
    {.name = "DaoAILab::_causal_conv1d_fwd_cpp",
     .work = causalConvolution,
     .operations = 2,
     .inputs = 2},
    {.name = "_C::selective_scan_fwd", .work = selectiveScan, .operations = 9},
    {.name = "SelectiveScanFn", .work = selectiveScan, .operations = 9},
    {.name = "LigerRMSNormFunction", .work = likeFirst, .operations = 5, .inputs = 2},
    {.name = "LigerSiLUMulFunction", .work = likeFirst, .operations = 5, .inputs = 2},
    {.name = "LigerSiLUMulFunctionBackward", .work = likeGradient, .operations = 10, .inputs = 5},
    {.name = "FusedLayerNormAffineFunction", .work = apexNorm, .operations = 8, .inputs = 3},
    {.name = "FusedRMSNormAffineFunction", .work = apexNorm, .operations = 5, .inputs = 2},
    {.name = "ScaledSoftmax", .work = likeFirst, .operations = 6, .inputs = 1},
    {.name = "ScaledMaskedSoftmax", .work = likeFirst, .operations = 6, .inputs = 2},
    {.name = "ScaledSoftmaxBackward", .work = likeGradient, .operations = 5, .inputs = 3},
    {.name = "ScaledMaskedSoftmaxBackward", .work = likeGradient, .operations = 5, .inputs = 3},
    {.name = "torchvision::deform_conv2d", .work = deformedConvolution},
    {.name = "torchvision::roi_align", .work = alignedBoxes, .operations = 8},
};

}  // namespace

std::span<const OperatorModel> libraryModels() {
    return kLibrariesRows;
}

}  // namespace kinetoscope::model
