// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/Lstm.h"

namespace kinetoscope::bench::libtorch {

namespace {

constexpr double kDropout = 0.4;  // as fastrnns has it

// Gates lie in the order input, forget, cell, output.
constexpr const char* kCells = R"SCRIPT(
def after_gates(gates: Tensor, cx: Tensor) -> Tuple[Tensor, Tensor]:
    ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
    cy = (torch.sigmoid(forgetgate) * cx) + (torch.sigmoid(ingate) * torch.tanh(cellgate))
    hy = torch.sigmoid(outgate) * torch.tanh(cy)
    return hy, cy

def cell(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tuple[Tensor, Tensor]:
    gates = torch.mm(x, w_ih.t()) + torch.mm(hx, w_hh.t()) + b_ih + b_hh
    return after_gates(gates, cx)

def layer(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    inputs = x.unbind(0)
    hy = hx
    cy = cx
    outputs: List[Tensor] = []
    for step in range(len(inputs)):
        hy, cy = cell(inputs[step], hy, cy, w_ih, w_hh, b_ih, b_hh)
        outputs += [hy]
    return torch.stack(outputs), hy, cy

def layer_premul(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    inputs = torch.matmul(x, w_ih.t()).unbind(0)
    hy = hx
    cy = cx
    outputs: List[Tensor] = []
    for step in range(len(inputs)):
        gates = inputs[step] + torch.mm(hy, w_hh.t()) + b_ih + b_hh
        hy, cy = after_gates(gates, cy)
        outputs += [hy]
    return torch.stack(outputs), hy, cy

def layer_premul_bias(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    inputs = (torch.matmul(x, w_ih.t()) + b_ih).unbind(0)
    hy = hx
    cy = cx
    outputs: List[Tensor] = []
    for step in range(len(inputs)):
        gates = inputs[step] + torch.mm(hy, w_hh.t()) + b_hh
        hy, cy = after_gates(gates, cy)
        outputs += [hy]
    return torch.stack(outputs), hy, cy

def simple(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tuple[Tensor, Tensor]:
    hy = hx
    cy = cx
    inputs = x.unbind(0)
    for step in range(len(inputs)):
        hy, cy = cell(inputs[step], hy, cy, w_ih, w_hh, b_ih, b_hh)
    return hy, cy

def multilayer(x: Tensor, hx: Tensor, cx: Tensor, weights: List[Tensor]) -> Tuple[Tensor, Tensor, Tensor]:
    inputs = x.unbind(0)
    hys: List[Tensor] = []
    cys: List[Tensor] = []
    for number in range(hx.size(0)):
        hy = hx[number]
        cy = cx[number]
        at = 4 * number
        outputs: List[Tensor] = []
        for step in range(len(inputs)):
            hy, cy = cell(inputs[step], hy, cy, weights[at], weights[at + 1], weights[at + 2], weights[at + 3])
            outputs += [hy]
        inputs = outputs
        hys += [hy]
        cys += [cy]
    return torch.stack(inputs), torch.stack(hys), torch.stack(cys)

def varlen(sequences: List[Tensor], hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> List[Tensor]:
    results: List[Tensor] = []
    for number in range(len(sequences)):
        hy = hx[number].unsqueeze(0)
        cy = cx[number].unsqueeze(0)
        inputs = sequences[number].unbind(0)
        outputs: List[Tensor] = []
        for step in range(len(inputs)):
            hy, cy = cell(inputs[step].unsqueeze(0), hy, cy, w_ih, w_hh, b_ih, b_hh)
            outputs += [hy]
        results += [torch.cat(outputs)]
    return results
)SCRIPT";

using Outputs = ModuleRunner::Outputs;

// One step, one operator at a time, as Python would.
void step(const at::Tensor& x, at::Tensor& hy, at::Tensor& cy, const Tensors& w) {
    const at::Tensor gates = at::mm(x, w[0].t()) + at::mm(hy, w[1].t()) + w[2] + w[3];
    const Tensors parts = gates.chunk(4, 1);
    cy = at::sigmoid(parts[1]) * cy + at::sigmoid(parts[0]) * at::tanh(parts[2]);
    hy = at::sigmoid(parts[3]) * at::tanh(cy);
}

ModuleRunner plainRunner(const Lstm& lstm) {
    ModuleRunner runner;
    runner.forward = [lstm] {
        Tensors inputs = lstm.x.unbind(0);
        Tensors hys;
        Tensors cys;
        for (std::int64_t layer = 0; layer < lstm.sizes.numLayers; ++layer) {
            const Tensors weights = lstm.layer(layer);
            at::Tensor hy = lstm.hx[layer];
            at::Tensor cy = lstm.cx[layer];
            for (at::Tensor& input : inputs) {
                step(input, hy, cy, weights);
                input = hy;
            }
            hys.push_back(hy);
            cys.push_back(cy);
        }
        return Outputs{at::stack(inputs), {at::stack(hys), at::stack(cys)}};
    };
    return runner;
}

ModuleRunner simpleRunner(const Lstm& lstm) {
    TORCH_CHECK(lstm.sizes.numLayers == 1, "jit_simple has one layer");
    const ScriptUnit unit = torch::jit::compile(kCells);
    ModuleRunner runner;
    runner.note = "returns no sequence: its gradient goes in through hy";
    runner.forward = [lstm, unit] {
        const c10::IValue result = unit->get_function("simple")(
            withWeights({lstm.x, lstm.hx[0], lstm.cx[0]}, lstm.layer(0)));
        const auto& parts = result.toTupleRef().elements();
        return Outputs{parts[0].toTensor(), {parts[1].toTensor()}};
    };
    return runner;
}

ModuleRunner multilayerRunner(const Lstm& lstm) {
    const ScriptUnit unit = torch::jit::compile(kCells);
    ModuleRunner runner;
    runner.forward = [lstm, unit] {
        const c10::IValue result =
            unit->get_function("multilayer")({lstm.x, lstm.hx, lstm.cx, lstm.weights});
        const auto& parts = result.toTupleRef().elements();
        return Outputs{parts[0].toTensor(), {parts[1].toTensor(), parts[2].toTensor()}};
    };
    return runner;
}

// One tensor [T, B, H] of results of different lengths.
at::Tensor padded(const Outputs& outputs) {
    return at::pad_sequence(outputs.others);
}

ModuleRunner packedRunner(const Lstm& lstm) {
    flattenForCudnn(lstm);
    ModuleRunner runner;
    runner.note = lstm.hx.is_cuda() ? "" : "no cuDNN on a CPU: the library's own LSTM";
    runner.forward = [lstm] {
        std::vector<std::int64_t> counts;
        for (const at::Tensor& sequence : lstm.sequences) {
            counts.push_back(sequence.size(0));
        }
        const auto [sorted, order] = at::tensor(counts).sort(-1, true);
        const at::Tensor there = order.to(lstm.hx.device());
        const at::Tensor dense = at::pad_sequence(lstm.sequences).index_select(1, there);
        const auto [data, batches] = at::_pack_padded_sequence(dense, sorted, false);
        const auto [output, hy, cy] = at::lstm(
            data, batches, {lstm.hx.index_select(1, there), lstm.cx.index_select(1, there)},
            lstm.weights, true, lstm.sizes.numLayers, 0.0, true, false);
        const auto unpacked =
            at::_pad_packed_sequence(output, batches, false, 0.0, sorted[0].item<std::int64_t>());
        return Outputs{std::get<0>(unpacked).index_select(1, there.argsort()), {}};
    };
    return runner;
}

ModuleRunner rowsRunner(const Lstm& lstm, bool script) {
    TORCH_CHECK(lstm.sizes.numLayers == 1, "sequences of different lengths have one layer");
    ModuleRunner runner;
    runner.gather = padded;
    if (script) {
        const ScriptUnit unit = torch::jit::compile(kCells);
        runner.forward = [lstm, unit] {
            const c10::IValue result = unit->get_function("varlen")(
                withWeights({lstm.sequences, lstm.hx[0], lstm.cx[0]}, lstm.layer(0)));
            return Outputs{{}, result.toTensorVector()};
        };
        return runner;
    }
    runner.forward = [lstm] {
        Outputs outputs;
        for (std::size_t i = 0; i < lstm.sequences.size(); ++i) {
            const auto row = static_cast<std::int64_t>(i);
            at::Tensor hy = lstm.hx[0][row].unsqueeze(0);
            at::Tensor cy = lstm.cx[0][row].unsqueeze(0);
            Tensors steps;
            for (const at::Tensor& input : lstm.sequences[i].unbind(0)) {
                step(input.unsqueeze(0), hy, cy, lstm.weights);
                steps.push_back(hy);
            }
            outputs.others.push_back(at::cat(steps));
        }
        return outputs;
    };
    return runner;
}

ModuleRunner makeRunner(const std::string& name, const Lstm& lstm) {
    if (name == "cudnn" || name == "aten") {
        return libraryRunner(lstm, name == "cudnn");
    }
    if (name == "cudnn_dropout") {
        return libraryRunner(lstm, true, kDropout);
    }
    if (name == "jit_dropout") {
        return layeredRunner(lstm, torch::jit::compile(kCells), "layer", kDropout);
    }
    if (name.find("layernorm") != std::string::npos) {
        return layerNormRunner(name, lstm);
    }
    if (name == "py") {
        return plainRunner(lstm);
    }
    if (name == "jit") {
        return layeredRunner(lstm, torch::jit::compile(kCells), "layer");
    }
    if (name == "jit_premul") {
        return layeredRunner(lstm, torch::jit::compile(kCells), "layer_premul");
    }
    if (name == "jit_premul_bias") {
        return layeredRunner(lstm, torch::jit::compile(kCells), "layer_premul_bias");
    }
    if (name == "jit_simple") {
        return simpleRunner(lstm);
    }
    if (name == "jit_multilayer") {
        return multilayerRunner(lstm);
    }
    if (name == "vl_cudnn") {
        return packedRunner(lstm);
    }
    TORCH_CHECK(name == "vl_jit" || name == "vl_py", "unknown runner '", name, "'");
    return rowsRunner(lstm, name == "vl_jit");
}

}  // namespace

ModuleRunner rnnRunner(const std::string& name, const RnnSizes& sizes, const at::Device& device,
                       std::uint64_t seed) {
    const Lstm lstm = makeLstm(sizes, name.starts_with("vl_"), device, seed);
    ModuleRunner runner = makeRunner(name, lstm);
    if (runner.parameters.empty() && !runner.forwardOnly) {
        runner.parameters = lstm.weights;
    }
    return runner;
}

}  // namespace kinetoscope::bench::libtorch
