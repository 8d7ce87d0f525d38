// SPDX-License-Identifier: Apache-2.0
// Padding, windows laid out as columns, sampling at points, halves that gate, and norms of weights.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

constexpr std::int64_t kMaxSize = std::int64_t{1} << 30U;  // products of two stay in range

Work unknown() {
    return simpleWork(Amount::untold(), 0, DataType::Unknown);
}

// (input, [before, after of the last dimension, of the one before it, ..])
Work padded(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    const auto pads = call.integers(1);
    if (!input.told || !pads || pads->size() % 2 != 0 || pads->size() / 2 > input.sizes.size()) {
        return unknown();
    }
    Sizes sizes = input.sizes;
    for (std::size_t i = 0; i < pads->size(); ++i) {
        std::int64_t& size = sizes[sizes.size() - 1 - i / 2];
        const std::int64_t pad = (*pads)[i];
        if (pad < -kMaxSize || pad > kMaxSize || size < 0 || size > kMaxSize) {
            return unknown();
        }
        size += pad;
    }
    return simpleWork(0, input.bytes() + bytesOf(elementsOf(sizes), input.type), input.type);
}

// (gradient, input, ..): the input is as large as its gradient and is not read.
Work intoInput(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& gradient = call.tensor(0);
    return simpleWork(gradient.elements() * row.operations,
                      gradient.bytes() + bytesOf(call.tensor(1).elements(), gradient.type),
                      gradient.type);
}

// (input, ..): the result is as large.
Work sameSize(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + bytesOf(input.elements(), input.type), input.type);
}

// (input, dimension): one half times the sigmoid of the other.
Work halves(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Amount results = input.elements() / 2;
    return simpleWork(results * row.operations, input.bytes() + bytesOf(results, input.type),
                      input.type);
}

// (gradient, input, ..)
Work halvesBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(1);
    return simpleWork(call.tensor(0).elements() * row.operations,
                      readBytes(call, 2) + bytesOf(input.elements(), input.type), input.type);
}

// (input [.., c, h, w], kernel, dilation, padding, stride): a column for each place of the kernel.
Work columns(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    const auto kernel = call.integers(1);
    const auto dilation = call.integers(2);
    const auto padding = call.integers(3);
    const auto stride = call.integers(4);
    if (!input.told || input.sizes.size() < 3 || !kernel || !dilation || !padding || !stride ||
        kernel->size() != 2 || dilation->size() != 2 || padding->size() != 2 ||
        stride->size() != 2) {
        return unknown();
    }
    Amount results = input.elements() / (input.size(-1) * input.size(-2));
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t size = input.sizes[input.sizes.size() - 2 + i];
        for (const std::int64_t value :
             {(*kernel)[i], (*dilation)[i], (*padding)[i], (*stride)[i], size}) {
            if (value < 0 || value > kMaxSize) {
                return unknown();
            }
        }
        const std::int64_t room =
            size + 2 * (*padding)[i] - (*dilation)[i] * ((*kernel)[i] - 1) - 1;
        if ((*stride)[i] == 0 || room < 0) {
            return unknown();
        }
        results *= Amount::ofSize(room / (*stride)[i] + 1) * Amount::ofSize((*kernel)[i]);
    }
    return simpleWork(0, input.bytes() + bytesOf(results, input.type), input.type);
}

// (columns [.., c · places of the kernel, l], sizes of the result, kernel, ..): added up.
Work columnsBack(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const auto sizes = call.integers(1);
    const auto kernel = call.integers(2);
    if (!sizes || !kernel) {
        return unknown();
    }
    const Amount pictures = input.elements() / input.size(-1) / elementsOf(*kernel);
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + bytesOf(pictures * elementsOf(*sizes), input.type),
                      input.type);
}

// (input [n, c, ..], points [n, .., dimensions], ..): of each result 2 ^ dimensions neighbours.
Work sampled(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Tensor& points = call.tensor(1);
    const Amount results = points.elements() / points.size(-1) * input.size(1);
    const Amount neighbours = Amount(std::uint64_t{1} << row.inputs);
    return simpleWork(results * row.operations,
                      points.bytes() + bytesOf(results * neighbours + results, input.type),
                      input.type);
}

// (gradient, input, slope): gradients of both, each as large as the input.
Work slopeBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(1);
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, 3) + bytesOf(input.elements() * 2, input.type), input.type);
}

// (direction, length, ..): the weight, and a Float for each length.
Work normedWeight(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& direction = call.tensor(0);
    return simpleWork(direction.elements() * row.operations,
                      readBytes(call, 2) + bytesOf(direction.elements(), direction.type) +
                          bytesOf(call.tensor(1).elements(), DataType::Float),
                      direction.type);
}

// (gradient, direction, length, norms, ..): gradients of direction and length.
Work normedWeightBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& direction = call.tensor(1);
    return simpleWork(direction.elements() * row.operations,
                      readBytes(call, 4) + bytesOf(direction.elements(), direction.type) +
                          bytesOf(call.tensor(2).elements(), direction.type),
                      direction.type);
}

constexpr OperatorModel kPaddingRows[] = {
    {.name = "aten::reflection_pad1d", .work = padded},
    {.name = "aten::reflection_pad2d", .work = padded},
    {.name = "aten::reflection_pad3d", .work = padded},
    {.name = "aten::replication_pad1d", .work = padded},
    {.name = "aten::replication_pad2d", .work = padded},
    {.name = "aten::replication_pad3d", .work = padded},
    {.name = "aten::reflection_pad1d_backward", .work = intoInput, .operations = 1},
    {.name = "aten::reflection_pad2d_backward", .work = intoInput, .operations = 1},
    {.name = "aten::reflection_pad3d_backward", .work = intoInput, .operations = 1},
    {.name = "aten::replication_pad1d_backward", .work = intoInput, .operations = 1},
    {.name = "aten::replication_pad2d_backward", .work = intoInput, .operations = 1},
    {.name = "aten::replication_pad3d_backward", .work = intoInput, .operations = 1},
    {.name = "aten::native_channel_shuffle", .work = sameSize},
    {.name = "aten::glu", .work = halves, .operations = 4},
    {.name = "aten::glu_backward", .work = halvesBackward, .operations = 8},
    {.name = "aten::im2col", .work = columns},
    {.name = "aten::col2im", .work = columnsBack, .operations = 1},
    {.name = "aten::grid_sampler_2d", .work = sampled, .operations = 8, .inputs = 2},
    {.name = "aten::grid_sampler_3d", .work = sampled, .operations = 16, .inputs = 3},
    {.name = "aten::_prelu_kernel_backward", .work = slopeBackward, .operations = 3},
    {.name = "aten::_weight_norm_interface", .work = normedWeight, .operations = 3},
    {.name = "aten::_weight_norm_interface_backward",
     .work = normedWeightBackward,
     .operations = 6},
};

}  // namespace

std::span<const OperatorModel> paddingModels() {
    return kPaddingRows;
}

}  // namespace kinetoscope::model
