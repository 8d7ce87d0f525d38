// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/torch/ModuleRunner.h"

namespace kinetoscope::bench::libtorch {

using Tensors = std::vector<at::Tensor>;
using ScriptUnit = std::shared_ptr<torch::jit::CompilationUnit>;

/// Everything that the runners of a group share.
struct Lstm {
    RnnSizes sizes;
    at::Tensor x;       ///< [T, B, I]
    Tensors sequences;  ///< of different lengths: [T, I]
    at::Tensor hx;      ///< [L, B, H]
    at::Tensor cx;
    Tensors weights;  ///< per layer: input and hidden weights, input and hidden bias

    [[nodiscard]] Tensors layer(std::int64_t number) const {
        const auto at = weights.begin() + 4 * number;
        return {at, at + 4};
    }
};

/// Inputs, states and weights from one seed; `lengths`: sequences of different lengths.
[[nodiscard]] Lstm makeLstm(const RnnSizes& sizes, bool lengths, const at::Device& device,
                            std::uint64_t seed);

/// Puts the weights into one piece of memory; without it cuDNN copies them on each run.
void flattenForCudnn(const Lstm& lstm);

/// The library's LSTM, through cuDNN or not, with `dropout` behind each layer but the last.
[[nodiscard]] ModuleRunner libraryRunner(const Lstm& lstm, bool cudnn, double dropout = 0.0);

/// `function` of a unit, a layer each, with `dropout` behind each layer but the last.
[[nodiscard]] ModuleRunner layeredRunner(const Lstm& lstm, const ScriptUnit& unit,
                                         const char* function, double dropout = 0.0);

/// A stack for a script's function: `stack`, then the weights.
[[nodiscard]] torch::jit::Stack withWeights(torch::jit::Stack stack, const Tensors& weights);

/// "jit_layernorm", "jit_layernorm_decom", what they are held against ("py_" for "jit_"), and
/// "cudnn_layernorm".
[[nodiscard]] ModuleRunner layerNormRunner(const std::string& name, const Lstm& lstm);

}  // namespace kinetoscope::bench::libtorch
