// SPDX-License-Identifier: Apache-2.0
// Convolutions of one to three dimensions, with groups and dilation, and transposed ones.
#include <algorithm>

#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

/// Where a convolution has what. Arguments before them are tensors.
struct Places {
    std::size_t input = 0;
    std::size_t weight = 1;
    int bias = -1;
    int stride = -1;
    int padding = -1;
    int dilation = -1;
    int transposed = -1;  ///< -1: by the name
    int outputPadding = -1;
    int kernel = -1;
};

Amount spatial(const Tensor& tensor) {
    Amount product = 1;
    for (std::size_t i = 2; i < tensor.sizes.size(); ++i) {
        product *= tensor.size(static_cast<int>(i));
    }
    return tensor.told && tensor.sizes.size() >= 2 ? product : Amount::untold();
}

// The i-th of a list that may have one value for all dimensions.
std::optional<std::int64_t> valueOf(const OperatorCall& call, int place, std::size_t i,
                                    std::int64_t usual) {
    if (place < 0) {
        return usual;
    }
    const auto values = call.integers(static_cast<std::size_t>(place));
    if (!values || values->empty()) {
        return std::nullopt;
    }
    return values->size() == 1  ? values->front()
           : i < values->size() ? std::optional((*values)[i])
                                : std::nullopt;
}

// Places of the result in each dimension, multiplied.
Amount resultPlaces(const OperatorCall& call, const Places& at, bool transposed) {
    constexpr std::int64_t kMax = std::int64_t{1} << 30U;  // products of two stay in range
    const Tensor& input = call.tensor(at.input);
    const Tensor& weight = call.tensor(at.weight);
    Amount product = 1;
    for (std::size_t i = 0; i + 2 < input.sizes.size(); ++i) {
        const auto stride = valueOf(call, at.stride, i, 1);
        const auto padding = valueOf(call, at.padding, i, 0);
        const auto dilation = valueOf(call, at.dilation, i, 1);
        const auto extra = valueOf(call, at.outputPadding, i, 0);
        if (!stride || !padding || !dilation || !extra || i + 2 >= weight.sizes.size()) {
            return Amount::untold();
        }
        const std::int64_t size = input.sizes[i + 2];
        const std::int64_t kernel = weight.sizes[i + 2];
        for (const std::int64_t value : {*stride, *padding, *dilation, *extra, size, kernel}) {
            if (value < 0 || value > kMax) {
                return Amount::untold();
            }
        }
        const std::int64_t reach = *dilation * (kernel - 1);
        const std::int64_t places =
            transposed ? (size - 1) * *stride - 2 * *padding + reach + *extra + 1
                       : (*stride == 0 ? -1 : (size + 2 * *padding - reach - 1) / *stride + 1);
        product *= Amount::ofSize(places);
    }
    return product;
}

// Every element of the weight meets every place: those of the input where it is transposed, those
// of the result where not. C_in / groups is the weight's own second size.
Amount forwardFlops(const Tensor& input, const Tensor& weight, Amount places) {
    return Amount(2) * input.size(0) * weight.elements() * places;
}

Work forward(const OperatorCall& call, const Places& at, bool transposed, std::int64_t groups,
             bool isCounted) {
    const Tensor& input = call.tensor(at.input);
    const Tensor& weight = call.tensor(at.weight);
    const Amount results = resultPlaces(call, at, transposed);
    const Amount flops = forwardFlops(input, weight, transposed ? spatial(input) : results);
    const Amount channels = transposed ? weight.size(1) * Amount::ofSize(groups) : weight.size(0);
    Amount bytes =
        input.bytes() + weight.bytes() + bytesOf(input.size(0) * channels * results, input.type);
    if (at.bias >= 0 && call.isTensor(static_cast<std::size_t>(at.bias))) {
        bytes += call.tensor(static_cast<std::size_t>(at.bias)).bytes();
    }
    return productWork(flops, bytes, input.type, isCounted);
}

// (input, weight, bias, stride, padding, dilation, transposed, output padding, groups)
Work convolution(const OperatorCall& call, const OperatorModel& row) {
    const Places at{.bias = 2, .stride = 3, .padding = 4, .dilation = 5, .outputPadding = 7};
    const bool transposed = call.isTrue(6);
    return forward(call, at, transposed, call.integer(8).value_or(1), !row.counted.empty());
}

// (input, weight, padding, stride, dilation, groups, ...)
Work cudnnConvolution(const OperatorCall& call, const OperatorModel& row) {
    const Places at{.stride = 3, .padding = 2, .dilation = 4};
    return forward(call, at, false, 1, !row.counted.empty());
}

// (input, weight, bias, padding, stride, dilation, groups, ...)
Work miopenConvolution(const OperatorCall& call, const OperatorModel& row) {
    const Places at{.bias = 2, .stride = 4, .padding = 3, .dilation = 5};
    return forward(call, at, false, 1, !row.counted.empty());
}

// (input, weight, bias, stride, padding, dilation, groups)
Work fusedConvolution(const OperatorCall& call, const OperatorModel& row) {
    const Places at{.bias = 2, .stride = 3, .padding = 4, .dilation = 5};
    return forward(call, at, false, 1, !row.counted.empty());
}

// (input, weight, z, alpha, bias, stride, padding, dilation, groups): the result has z added.
Work addRelu(const OperatorCall& call, const OperatorModel& row) {
    const Places at{.bias = 4, .stride = 5, .padding = 6, .dilation = 7};
    Work work = forward(call, at, false, 1, !row.counted.empty());
    work.bytes += call.tensor(2).bytes();
    return work;
}

// (input, weight, padding, output padding, stride, dilation, groups, ...)
Work cudnnTransposed(const OperatorCall& call, const OperatorModel& row) {
    const Places at{.stride = 4, .padding = 2, .dilation = 5, .outputPadding = 3};
    return forward(call, at, true, call.integer(6).value_or(1), !row.counted.empty());
}

// (input, weight, bias, padding, output padding, stride, dilation, groups, ...)
Work miopenTransposed(const OperatorCall& call, const OperatorModel& row) {
    const Places at{.bias = 2, .stride = 5, .padding = 3, .dilation = 6, .outputPadding = 4};
    return forward(call, at, true, call.integer(7).value_or(1), !row.counted.empty());
}

// (input, weight, kernel size, bias, stride, padding, dilation)
Work directConvolution(const OperatorCall& call, const OperatorModel& row) {
    const Places at{.bias = 3, .stride = 4, .padding = 5, .dilation = 6};
    const bool dilated = call.arguments.size() > 6 && call.integers(6).has_value();
    return forward(call, dilated ? at : Places{.bias = 3, .stride = 4, .padding = 5}, false, 1,
                   !row.counted.empty());
}

// (input, weight, kernel size, bias, stride, padding, output padding, dilation)
Work directTransposed(const OperatorCall& call, const OperatorModel& row) {
    const Places at{.bias = 3, .stride = 4, .padding = 5, .dilation = 7, .outputPadding = 6};
    return forward(call, at, true, 1, !row.counted.empty());
}

// (gradient, input, weight, sizes of the bias, stride, padding, dilation, transposed, output
// padding, groups, which gradients: of the input, the weight, the bias)
Work backward(const OperatorCall& call, const OperatorModel& /*row*/) {
    constexpr std::size_t kTransposed = 7;
    constexpr std::size_t kMask = 10;
    const Tensor& gradient = call.tensor(0);
    const Tensor& input = call.tensor(1);
    const Tensor& weight = call.tensor(2);
    const auto mask = call.flags(kMask);
    if (!mask || mask->size() != 3) {
        return productWork(Amount::untold(), 0, gradient.type, true);
    }
    const bool transposed = call.isTrue(kTransposed);
    const Amount once =
        forwardFlops(input, weight, transposed ? spatial(input) : spatial(gradient));
    Work work{
        .flops = 0, .counted = 0, .bytes = gradient.bytes(), .type = gradient.type, .matrix = true};
    if ((*mask)[0]) {
        work.flops += once;
        work.counted += once;
        work.bytes += weight.bytes() + bytesOf(input.elements(), input.type);
    }
    if ((*mask)[1]) {
        work.flops += once;
        // FlopCounterMode does not divide the weight's gradient by the groups.
        const Amount channels = input.size(1) * gradient.size(1);
        work.counted += Amount(2) * input.size(0) * channels * spatial(weight) *
                        spatial(transposed ? input : gradient);
        work.bytes += input.bytes() + bytesOf(weight.elements(), weight.type);
    }
    if ((*mask)[2]) {
        work.flops += gradient.elements();
        work.bytes += bytesOf(gradient.size(1), gradient.type);
    }
    return work;
}

constexpr std::string_view kForward = "aten.convolution";

constexpr OperatorModel kConvolutionsRows[] = {
    {.name = "aten::convolution", .work = convolution, .counted = kForward},
    {.name = "aten::_convolution", .work = convolution, .counted = kForward},
    {.name = "aten::convolution_overrideable", .work = convolution, .counted = kForward},
    {.name = "aten::cudnn_convolution", .work = cudnnConvolution, .counted = kForward},
    {.name = "aten::cudnn_convolution_transpose", .work = cudnnTransposed, .counted = kForward},
    {.name = "aten::cudnn_convolution_relu", .work = fusedConvolution},
    {.name = "aten::cudnn_convolution_add_relu", .work = addRelu},
    {.name = "aten::miopen_convolution", .work = miopenConvolution, .counted = kForward},
    {.name = "aten::miopen_depthwise_convolution", .work = miopenConvolution, .counted = kForward},
    {.name = "aten::miopen_convolution_transpose", .work = miopenTransposed, .counted = kForward},
    {.name = "aten::miopen_convolution_relu", .work = fusedConvolution},
    {.name = "aten::miopen_convolution_add_relu", .work = addRelu},
    {.name = "aten::_conv_depthwise2d", .work = directConvolution, .counted = kForward},
    {.name = "aten::conv_depthwise3d", .work = directConvolution, .counted = kForward},
    {.name = "aten::_slow_conv2d_forward", .work = directConvolution, .counted = kForward},
    {.name = "aten::slow_conv3d_forward", .work = directConvolution, .counted = kForward},
    {.name = "aten::slow_conv_dilated2d", .work = directConvolution, .counted = kForward},
    {.name = "aten::slow_conv_dilated3d", .work = directConvolution, .counted = kForward},
    {.name = "aten::slow_conv_transpose2d", .work = directTransposed, .counted = kForward},
    {.name = "aten::slow_conv_transpose3d", .work = directTransposed, .counted = kForward},
    {.name = "aten::convolution_backward",
     .work = backward,
     .counted = "aten.convolution_backward"},
};

}  // namespace

std::span<const OperatorModel> convolutionModels() {
    return kConvolutionsRows;
}

}  // namespace kinetoscope::model
