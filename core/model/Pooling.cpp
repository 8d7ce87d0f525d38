// SPDX-License-Identifier: Apache-2.0
// Pooling and resizing of pictures, and Fourier transforms.
#include <cmath>

#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

constexpr std::int64_t kMaxPooledSize = std::int64_t{1} << 30U;  // products of two stay in range

// The i-th of a list that may have one value for all dimensions, or `usual` where it is empty.
std::optional<std::int64_t> poolValueOf(const OperatorCall& call, std::size_t place, std::size_t i,
                                        std::int64_t usual) {
    const auto values = call.integers(place);
    if (!values || values->empty()) {
        return usual;
    }
    const std::int64_t value = values->size() == 1  ? values->front()
                               : i < values->size() ? (*values)[i]
                                                    : -1;
    return value < 0 || value > kMaxPooledSize ? std::nullopt : std::optional(value);
}

// Places of the result in one dimension, as PyTorch reckons them.
std::optional<std::int64_t> pooledSize(std::int64_t size, std::int64_t kernel, std::int64_t stride,
                                       std::int64_t padding, std::int64_t dilation, bool ceil) {
    if (size < 0 || size > kMaxPooledSize || stride <= 0 || kernel <= 0) {
        return std::nullopt;
    }
    const std::int64_t room = size + 2 * padding - dilation * (kernel - 1) - 1;
    std::int64_t places = (room + (ceil ? stride - 1 : 0)) / stride + 1;
    if (ceil && (places - 1) * stride >= size + padding) {
        --places;
    }
    return places;
}

// (input, kernel, stride, padding, dilation or, of averages, ceil mode, ceil mode); the last
// `inputs` dimensions are pooled.
Amount pooledElements(const OperatorCall& call, const OperatorModel& row, bool dilates,
                      Amount& window) {
    const Tensor& input = call.tensor(0);
    const std::size_t count = row.inputs;
    if (!input.told || input.sizes.size() < count) {
        return Amount::untold();
    }
    const bool ceil = call.isTrue(dilates ? 5 : 4);
    Amount elements = 1;
    window = 1;
    for (std::size_t i = 0; i < input.sizes.size(); ++i) {
        const std::int64_t size = input.sizes[i];
        if (i + count < input.sizes.size()) {
            elements *= Amount::ofSize(size);
            continue;
        }
        const std::size_t place = i + count - input.sizes.size();
        const auto kernel = poolValueOf(call, 1, place, -1);
        const auto stride = poolValueOf(call, 2, place, kernel.value_or(-1));
        const auto padding = poolValueOf(call, 3, place, 0);
        const auto dilation =
            dilates ? poolValueOf(call, 4, place, 1) : std::optional<std::int64_t>(1);
        const auto pooled = kernel && stride && padding && dilation
                                ? pooledSize(size, *kernel, *stride, *padding, *dilation, ceil)
                                : std::nullopt;
        elements *= pooled ? Amount::ofSize(*pooled) : Amount::untold();
        window *= Amount::ofSize(kernel.value_or(-1));
    }
    return elements;
}

// The largest of each window, and where it was.
Work maxPool(const OperatorCall& call, const OperatorModel& row) {
    Amount window;
    const Tensor& input = call.tensor(0);
    const Amount elements = pooledElements(call, row, true, window);
    return simpleWork(
        elements * window,
        input.bytes() + bytesOf(elements, input.type) + bytesOf(elements, DataType::Int64),
        input.type);
}

Work averagePool(const OperatorCall& call, const OperatorModel& row) {
    Amount window;
    const Tensor& input = call.tensor(0);
    const Amount elements = pooledElements(call, row, false, window);
    return simpleWork(elements * window, input.bytes() + bytesOf(elements, input.type), input.type);
}

// (gradient, input, ..., places): the input is as large as its gradient and is not read.
Work poolBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& gradient = call.tensor(0);
    const Tensor& input = call.tensor(1);
    const Tensor* places = givenResult(call, 2);
    return simpleWork(gradient.elements() * row.operations,
                      gradient.bytes() + bytesOf(input.elements(), input.type) +
                          (places == nullptr ? Amount(0) : places->bytes()),
                      gradient.type);
}

// Elements of the result: (input, sizes of its last dimensions, ...).
Amount resizedElements(const OperatorCall& call) {
    const Tensor& input = call.tensor(0);
    const auto sizes = call.integers(1);
    if (!sizes || !input.told || sizes->size() > input.sizes.size()) {
        return Amount::untold();
    }
    Amount elements = elementsOf(*sizes);
    for (std::size_t i = 0; i + sizes->size() < input.sizes.size(); ++i) {
        elements *= Amount::ofSize(input.sizes[i]);
    }
    return elements;
}

Work resized(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Amount elements = resizedElements(call);
    const Amount counted = row.inputs == 0 ? input.elements() : elements;
    return simpleWork(counted * row.operations, input.bytes() + bytesOf(elements, input.type),
                      input.type);
}

// The largest, and where it was.
Work adaptiveMaxPool(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Amount elements = resizedElements(call);
    return simpleWork(
        input.elements() * row.operations,
        input.bytes() + bytesOf(elements, input.type) + bytesOf(elements, DataType::Int64),
        input.type);
}

// (gradient, sizes of the result, sizes of the input, ...)
Work resizedBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& gradient = call.tensor(0);
    const auto sizes = call.integers(2);
    const Amount elements = sizes ? elementsOf(*sizes) : Amount::untold();
    return simpleWork(gradient.elements() * row.operations,
                      gradient.bytes() + bytesOf(elements, gradient.type), gradient.type);
}

DataType complexOf(DataType type) {
    return type == DataType::Double ? DataType::ComplexDouble
           : type == DataType::Half ? DataType::ComplexHalf
                                    : DataType::ComplexFloat;
}

DataType realOf(DataType type) {
    return type == DataType::ComplexDouble ? DataType::Double
           : type == DataType::ComplexHalf ? DataType::Half
                                           : DataType::Float;
}

// (input, dimensions, normalization, ..): 5 n log2 n of each transform of n. Real ones are half as
// much: of real numbers (.., whether a half is left out), to real ones (.., length of the last
// dimension), where the other half follows from this one.
Work fourier(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const auto dimensions = call.integers(1);
    if (!input.told || !dimensions || dimensions->empty()) {
        return simpleWork(Amount::untold(), 0, input.type);
    }
    const bool toComplex = row.name == "aten::_fft_r2c";
    const bool toReal = row.name == "aten::_fft_c2r";
    const std::int64_t last = dimensions->back();
    Amount whole = input.elements();  // of the side that has all
    Amount length = 1;
    for (const std::int64_t dimension : *dimensions) {
        length *= dimension < -64 || dimension > 64 ? Amount::untold()
                                                    : input.size(static_cast<int>(dimension));
    }
    if (!length.isTold() || length.value() == 0) {
        return simpleWork(Amount::untold(), 0, input.type);
    }
    const Amount lastSize = input.size(static_cast<int>(last));
    if (toReal) {
        const Amount full = Amount::ofSize(call.integer(3).value_or(-1));
        whole = whole / lastSize * full;
        length = length / lastSize * full;
    }
    if (!length.isTold() || length.value() == 0) {
        return simpleWork(Amount::untold(), 0, input.type);
    }
    const Amount half = whole / lastSize * Amount(lastSize.value() / 2 + 1);
    const Amount written = toReal                        ? bytesOf(whole, realOf(input.type))
                           : toComplex && call.isTrue(3) ? bytesOf(half, complexOf(input.type))
                           : toComplex                   ? bytesOf(whole, complexOf(input.type))
                                                         : bytesOf(whole, input.type);
    const auto steps =
        static_cast<std::uint64_t>(std::ceil(std::log2(static_cast<double>(length.value()))));
    const Amount flops = whole * steps * row.operations;
    return simpleWork(toComplex || toReal ? flops / 2 : flops, input.bytes() + written, input.type);
}

constexpr OperatorModel kPoolingRows[] = {
    {.name = "aten::max_pool2d_with_indices", .work = maxPool, .inputs = 2},
    {.name = "aten::max_pool3d_with_indices", .work = maxPool, .inputs = 3},
    {.name = "aten::avg_pool2d", .work = averagePool, .inputs = 2},
    {.name = "aten::avg_pool3d", .work = averagePool, .inputs = 3},
    {.name = "aten::max_pool2d_with_indices_backward", .work = poolBackward, .operations = 1},
    {.name = "aten::max_pool3d_with_indices_backward", .work = poolBackward, .operations = 1},
    {.name = "aten::avg_pool2d_backward", .work = poolBackward, .operations = 1},
    {.name = "aten::avg_pool3d_backward", .work = poolBackward, .operations = 1},
    {.name = "aten::_adaptive_avg_pool2d", .work = resized, .operations = 1, .inputs = 0},
    {.name = "aten::_adaptive_avg_pool3d", .work = resized, .operations = 1, .inputs = 0},
    {.name = "aten::_adaptive_avg_pool2d_backward", .work = poolBackward, .operations = 1},
    {.name = "aten::_adaptive_avg_pool3d_backward", .work = poolBackward, .operations = 1},
    {.name = "aten::upsample_nearest1d", .work = resized},
    {.name = "aten::upsample_nearest2d", .work = resized},
    {.name = "aten::upsample_nearest3d", .work = resized},
    {.name = "aten::_upsample_nearest_exact2d", .work = resized},
    {.name = "aten::upsample_linear1d", .work = resized, .operations = 3},
    {.name = "aten::upsample_bilinear2d", .work = resized, .operations = 7},
    {.name = "aten::upsample_trilinear3d", .work = resized, .operations = 15},
    {.name = "aten::upsample_bicubic2d", .work = resized, .operations = 35},
    {.name = "aten::upsample_nearest2d_backward", .work = resizedBackward, .operations = 1},
    {.name = "aten::upsample_bilinear2d_backward", .work = resizedBackward, .operations = 8},
    {.name = "aten::upsample_nearest1d_backward", .work = resizedBackward, .operations = 1},
    {.name = "aten::upsample_nearest3d_backward", .work = resizedBackward, .operations = 1},
    {.name = "aten::_upsample_nearest_exact2d_backward", .work = resizedBackward, .operations = 1},
    {.name = "aten::upsample_linear1d_backward", .work = resizedBackward, .operations = 4},
    {.name = "aten::upsample_trilinear3d_backward", .work = resizedBackward, .operations = 16},
    {.name = "aten::upsample_bicubic2d_backward", .work = resizedBackward, .operations = 36},
    {.name = "aten::adaptive_max_pool2d", .work = adaptiveMaxPool, .operations = 1},
    {.name = "aten::adaptive_max_pool2d_backward", .work = poolBackward, .operations = 1},
    {.name = "aten::_fft_c2c", .work = fourier, .operations = 5},
    {.name = "aten::_fft_r2c", .work = fourier, .operations = 5},
    {.name = "aten::_fft_c2r", .work = fourier, .operations = 5},
};

}  // namespace

std::span<const OperatorModel> poolingModels() {
    return kPoolingRows;
}

}  // namespace kinetoscope::model
