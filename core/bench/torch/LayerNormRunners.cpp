// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/Lstm.h"

namespace kinetoscope::bench::libtorch {

namespace {

constexpr const char* kNorm = R"SCRIPT(
def norm(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return torch.layer_norm(x, [x.size(1)], weight, bias)
)SCRIPT";

// Out of means and deviations, so that the fuser has something to join.
constexpr const char* kDecomposedNorm = R"SCRIPT(
def norm(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    mean = torch.mean(x, [1], True)
    deviation = torch.std(x, [1], False, True)
    return (x - mean) / deviation * weight + bias
)SCRIPT";

// The norms' biases take the place of the cell's.
constexpr const char* kLayer = R"SCRIPT(
def layer(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, i_weight: Tensor, i_bias: Tensor, h_weight: Tensor, h_bias: Tensor, c_weight: Tensor, c_bias: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    inputs = x.unbind(0)
    hy = hx
    cy = cx
    outputs: List[Tensor] = []
    for step in range(len(inputs)):
        from_input = norm(torch.mm(inputs[step], w_ih.t()), i_weight, i_bias)
        from_hidden = norm(torch.mm(hy, w_hh.t()), h_weight, h_bias)
        ingate, forgetgate, cellgate, outgate = (from_input + from_hidden).chunk(4, 1)
        cy = norm((torch.sigmoid(forgetgate) * cy) + (torch.sigmoid(ingate) * torch.tanh(cellgate)), c_weight, c_bias)
        hy = torch.sigmoid(outgate) * torch.tanh(cy)
        outputs += [hy]
    return torch.stack(outputs), hy, cy
)SCRIPT";

// Weights and biases of the norms of input gates, hidden gates and cell.
Tensors norms(const Lstm& lstm) {
    Tensors made;
    for (const std::int64_t size :
         {4 * lstm.sizes.hiddenSize, 4 * lstm.sizes.hiddenSize, lstm.sizes.hiddenSize}) {
        made.push_back(at::ones({size}, lstm.hx.options()).requires_grad_(true));
        made.push_back(at::zeros({size}, lstm.hx.options()).requires_grad_(true));
    }
    return made;
}

ModuleRunner scriptRunner(const Lstm& lstm, bool decomposed) {
    const ScriptUnit unit =
        torch::jit::compile(std::string(decomposed ? kDecomposedNorm : kNorm) + kLayer);
    ModuleRunner runner;
    runner.note = lstm.sizes.numLayers > 1 ? "has one layer, whatever --numLayers says" : "";
    runner.parameters = {lstm.weights[0], lstm.weights[1]};
    const Tensors own = norms(lstm);
    runner.parameters.insert(runner.parameters.end(), own.begin(), own.end());
    runner.forward = [lstm, unit, weights = runner.parameters] {
        const c10::IValue result =
            unit->get_function("layer")(withWeights({lstm.x, lstm.hx[0], lstm.cx[0]}, weights));
        const auto& parts = result.toTupleRef().elements();
        return ModuleRunner::Outputs{parts[0].toTensor(),
                                     {parts[1].toTensor(), parts[2].toTensor()}};
    };
    return runner;
}

at::Tensor normed(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                  bool decomposed) {
    if (!decomposed) {
        return at::layer_norm(x, {x.size(1)}, weight, bias);
    }
    return (x - x.mean({1}, true)) / x.std({1}, false, true) * weight + bias;
}

// The same, one operator at a time.
ModuleRunner plainRunner(const Lstm& lstm, bool decomposed) {
    ModuleRunner runner;
    runner.parameters = {lstm.weights[0], lstm.weights[1]};
    const Tensors own = norms(lstm);
    runner.parameters.insert(runner.parameters.end(), own.begin(), own.end());
    runner.forward = [lstm, decomposed, w = runner.parameters] {
        at::Tensor hy = lstm.hx[0];
        at::Tensor cy = lstm.cx[0];
        Tensors outputs;
        for (const at::Tensor& x : lstm.x.unbind(0)) {
            const at::Tensor gates = normed(at::mm(x, w[0].t()), w[2], w[3], decomposed) +
                                     normed(at::mm(hy, w[1].t()), w[4], w[5], decomposed);
            const Tensors parts = gates.chunk(4, 1);
            cy = normed(at::sigmoid(parts[1]) * cy + at::sigmoid(parts[0]) * at::tanh(parts[2]),
                        w[6], w[7], decomposed);
            hy = at::sigmoid(parts[3]) * at::tanh(cy);
            outputs.push_back(hy);
        }
        return ModuleRunner::Outputs{at::stack(outputs), {hy, cy}};
    };
    return runner;
}

// cuDNN has no such LSTM. The least that one could take: its own, and the norms of each step.
ModuleRunner boundRunner(const Lstm& lstm) {
    ModuleRunner runner = libraryRunner(lstm, true);
    runner.note += (runner.note.empty() ? "" : "; ") +
                   std::string("cuDNN's LSTM and the norms of each step beside it; forward only");
    runner.forwardOnly = true;
    const at::Tensor gates =
        at::randn({lstm.sizes.miniBatch, 4 * lstm.sizes.hiddenSize}, lstm.hx.options());
    runner.forward = [lstm, gates, plain = runner.forward, weights = norms(lstm)] {
        ModuleRunner::Outputs outputs = plain();
        at::Tensor cell = outputs.others[1];
        for (std::int64_t step = 0; step < lstm.x.size(0); ++step) {
            (void)at::layer_norm(gates, {gates.size(1)}, weights[0], weights[1]);
            (void)at::layer_norm(gates, {gates.size(1)}, weights[2], weights[3]);
            cell = at::layer_norm(cell, {cell.size(-1)}, weights[4], weights[5]);
        }
        outputs.others[1] = cell;
        return outputs;
    };
    return runner;
}

}  // namespace

ModuleRunner layerNormRunner(const std::string& name, const Lstm& lstm) {
    if (name == "cudnn_layernorm") {
        return boundRunner(lstm);
    }
    const bool decomposed = name.ends_with("_decom");
    return name.starts_with("py_") ? plainRunner(lstm, decomposed) : scriptRunner(lstm, decomposed);
}

}  // namespace kinetoscope::bench::libtorch
