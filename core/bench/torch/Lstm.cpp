// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/Lstm.h"

#include <cmath>

namespace kinetoscope::bench::libtorch {

using Outputs = ModuleRunner::Outputs;

Lstm makeLstm(const RnnSizes& sizes, bool lengths, const at::Device& device, std::uint64_t seed) {
    const at::NoGradGuard noGradients;
    at::manual_seed(seed);
    // Made on the CPU, so that devices agree as well.
    const auto moved = [&](const at::Tensor& tensor) { return tensor.to(device); };
    Lstm lstm;
    lstm.sizes = sizes;
    if (lengths) {
        const at::Tensor counts = at::randint(30, 100, {sizes.miniBatch}, at::kLong);
        for (std::int64_t i = 0; i < sizes.miniBatch; ++i) {
            lstm.sequences.push_back(
                moved(at::randn({counts[i].item<std::int64_t>(), sizes.inputSize})));
        }
    } else {
        lstm.x = moved(at::randn({sizes.seqLength, sizes.miniBatch, sizes.inputSize}));
    }
    lstm.hx = moved(at::randn({sizes.numLayers, sizes.miniBatch, sizes.hiddenSize}));
    lstm.cx = moved(at::randn({sizes.numLayers, sizes.miniBatch, sizes.hiddenSize}));
    const double bound = 1.0 / std::sqrt(static_cast<double>(sizes.hiddenSize));
    const std::int64_t gates = 4 * sizes.hiddenSize;
    for (std::int64_t layer = 0; layer < sizes.numLayers; ++layer) {
        const std::int64_t in = layer == 0 ? sizes.inputSize : sizes.hiddenSize;
        for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{
                 {gates, in}, {gates, sizes.hiddenSize}, {gates}, {gates}}) {
            lstm.weights.push_back(moved(at::empty(shape).uniform_(-bound, bound)));
        }
    }
    for (at::Tensor& weight : lstm.weights) {
        weight.requires_grad_(true);
    }
    return lstm;
}

void flattenForCudnn(const Lstm& lstm) {
    if (!lstm.hx.is_cuda()) {
        return;
    }
    const at::NoGradGuard noGradients;
    (void)at::_cudnn_rnn_flatten_weight(lstm.weights, 4, lstm.sizes.inputSize, /*lstm*/ 2,
                                        lstm.sizes.hiddenSize, 0, lstm.sizes.numLayers, false,
                                        false);
}

ModuleRunner libraryRunner(const Lstm& lstm, bool cudnn, double dropout) {
    ModuleRunner runner;
    if (cudnn) {
        flattenForCudnn(lstm);
        runner.note = lstm.x.is_cuda() ? "" : "no cuDNN on a CPU: the library's own LSTM";
    }
    runner.forward = [lstm, cudnn, dropout] {
        const bool before = at::globalContext().userEnabledCuDNN();
        at::globalContext().setUserEnabledCuDNN(cudnn && before);
        const auto [output, hy, cy] = at::lstm(lstm.x, {lstm.hx, lstm.cx}, lstm.weights, true,
                                               lstm.sizes.numLayers, dropout, true, false, false);
        at::globalContext().setUserEnabledCuDNN(before);
        return Outputs{output, {hy, cy}};
    };
    return runner;
}

torch::jit::Stack withWeights(torch::jit::Stack stack, const Tensors& weights) {
    for (const at::Tensor& weight : weights) {
        stack.emplace_back(weight);
    }
    return stack;
}

ModuleRunner layeredRunner(const Lstm& lstm, const ScriptUnit& unit, const char* function,
                           double dropout) {
    ModuleRunner runner;
    runner.forward = [lstm, unit, function, dropout] {
        at::Tensor x = lstm.x;
        Tensors hys;
        Tensors cys;
        for (std::int64_t layer = 0; layer < lstm.sizes.numLayers; ++layer) {
            const c10::IValue result = unit->get_function(function)(
                withWeights({x, lstm.hx[layer], lstm.cx[layer]}, lstm.layer(layer)));
            const auto& parts = result.toTupleRef().elements();
            x = parts[0].toTensor();
            if (dropout > 0.0 && layer + 1 < lstm.sizes.numLayers) {
                x = at::dropout(x, dropout, true);
            }
            hys.push_back(parts[1].toTensor());
            cys.push_back(parts[2].toTensor());
        }
        return Outputs{x, {at::stack(hys), at::stack(cys)}};
    };
    return runner;
}

}  // namespace kinetoscope::bench::libtorch
