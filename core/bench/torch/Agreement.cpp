// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/Agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kinetoscope::bench::libtorch {

namespace {

std::string shapeOf(const at::Tensor& tensor) {
    return tensor.defined() ? fmt::format("[{}]", fmt::join(tensor.sizes(), ", ")) : "none";
}

void compare(const at::Tensor& actual, const at::Tensor& expected, Agreement& result) {
    if (actual.defined() != expected.defined() ||
        (actual.defined() && actual.sizes() != expected.sizes())) {
        result.difference = fmt::format("the shapes of the results differ: {} instead of {}",
                                        shapeOf(actual), shapeOf(expected));
        result.cosine = 0.0;
        return;
    }
    if (!actual.defined() || actual.numel() == 0) {
        return;
    }
    const auto plain = [](const at::Tensor& tensor) {
        const at::Tensor real =
            tensor.is_complex() ? at::view_as_real(tensor.contiguous()) : tensor;
        return real.detach().to(at::kCPU).to(at::kDouble).flatten();
    };
    at::Tensor a = plain(actual);
    at::Tensor b = plain(expected);
    // Equal elements count as zero differences, whatever they are.
    const at::Tensor special =
        a.isnan().logical_and(b.isnan()).logical_or(a.eq(b).logical_and(a.isinf()));
    a = a.masked_fill(special, 0.0);
    b = b.masked_fill(special, 0.0);
    result.maxAbsolute = std::max(result.maxAbsolute, (a - b).abs().max().item<double>());
    const double norms = (a.norm() * b.norm()).item<double>();
    const bool equal = a.equal(b);
    const double cosine = equal ? 1.0 : norms > 0.0 ? a.dot(b).item<double>() / norms : 0.0;
    // A NaN on one side only means no similarity at all.
    result.cosine = std::min(result.cosine, cosine == cosine ? cosine : 0.0);
}

}  // namespace

Agreement agreement(const std::vector<at::Tensor>& actual,
                    const std::vector<at::Tensor>& expected) {
    Agreement result;
    if (actual.size() != expected.size()) {
        result.difference =
            fmt::format("there are {} results instead of {}", actual.size(), expected.size());
        result.cosine = 0.0;
        return result;
    }
    for (std::size_t i = 0; i < actual.size() && result.difference.empty(); ++i) {
        compare(actual[i], expected[i], result);
    }
    return result;
}

}  // namespace kinetoscope::bench::libtorch
