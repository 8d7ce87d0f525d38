// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/operators/ValueRanges.h"
#include "core/bench/torch/TorchCompat.h"

namespace kinetoscope::bench::libtorch {

/// Runs `work` and gives what went wrong in one line; empty when nothing did.
template <class Work>
[[nodiscard]] std::string errorOf(const Work& work) {
    const auto firstLine = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    try {
        work();
    } catch (const c10::Error& error) {
        return firstLine(error.what_without_backtrace());
    } catch (const std::exception& error) {
        return firstLine(error.what());
    }
    return {};
}

[[nodiscard]] at::ScalarType scalarType(operators::InputType type);

/// A tensor on `device` with the shape and strides of `input` and random elements in `range`, from
/// PyTorch's generator. Throws what PyTorch throws.
[[nodiscard]] at::Tensor makeTensor(const operators::TensorInput& input,
                                    const operators::ValueRange& range, const at::Device& device);

/// The same values with memory of their own, shape and strides kept; lists of tensors too.
[[nodiscard]] torch::jit::Stack cloneStack(const torch::jit::Stack& stack);

/// All tensors of the values, those of lists and tuples among them, in order.
[[nodiscard]] std::vector<at::Tensor> tensorsOf(const torch::jit::Stack& stack);

/// "cuda" or "cpu" as PyTorch prints it, with the GPU's number.
[[nodiscard]] at::Device benchDevice(const std::string& name);
void synchronize(const at::Device& device);

}  // namespace kinetoscope::bench::libtorch
