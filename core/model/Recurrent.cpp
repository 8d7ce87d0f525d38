// SPDX-License-Identifier: Apache-2.0
// Recurrent layers: every matrix of the weights meets every element of every sequence once.
// Elementwise work between the products is left out.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

struct Places {
    std::size_t hidden = 4;  ///< the state; that of the cell follows
    std::size_t size = 7;    ///< hidden size; the projected one follows where there is one
    bool projects = true;
    std::size_t bidirectional = 13;
    std::size_t result = 0;  ///< backward: the result; its gradient and those of the states follow
    std::size_t mask = 0;    ///< backward: gradients of the input, states and weights
};

// Steps of all sequences together: of [steps, batch, size], or [steps of all, size].
Amount stepsOf(const Tensor& input) {
    return input.elements() / input.size(-1);
}

Amount weightElements(const OperatorCall& call, bool matricesOnly) {
    const std::vector<Tensor>* weights = call.list(1);
    Amount sum = weights == nullptr ? Amount::untold() : Amount(0);
    for (std::size_t i = 0; weights != nullptr && i < weights->size(); ++i) {
        const Tensor& weight = (*weights)[i];
        if (!matricesOnly || weight.sizes.size() == 2) {
            sum += weight.elements();
        }
    }
    return sum;
}

Amount resultElements(const OperatorCall& call, const Places& at) {
    const auto projected = at.projects ? call.integer(at.size + 1) : std::optional<std::int64_t>(0);
    const auto hidden = call.integer(at.size);
    if (!hidden || !projected) {
        return Amount::untold();
    }
    return stepsOf(call.tensor(0)) * Amount::ofSize(*projected > 0 ? *projected : *hidden) *
           (call.isTrue(at.bidirectional) ? 2 : 1);
}

template <Places at>
Work forward(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    Amount bytes = input.bytes() + bytesOf(weightElements(call, false), input.type) +
                   bytesOf(resultElements(call, at), input.type);
    for (const std::size_t state : {at.hidden, at.hidden + 1}) {
        if (call.isTensor(state)) {
            bytes += call.tensor(state).bytes() * 2;  // read, and the last one written
        }
    }
    return productWork(Amount(2) * stepsOf(input) * weightElements(call, true), bytes, input.type,
                       false);
}

// As much again for the gradient of the states, and once more for that of the weights.
template <Places at>
Work backward(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    const auto mask = call.flags(at.mask);
    if (!mask || mask->size() != 4) {
        return productWork(Amount::untold(), 0, input.type, false);
    }
    const Amount once = Amount(2) * stepsOf(input) * weightElements(call, true);
    const Amount weights = bytesOf(weightElements(call, false), input.type);
    Work work = productWork(once, input.bytes() + weights + call.tensor(at.result).bytes(),
                            input.type, false);
    for (std::size_t gradient = at.result + 1; gradient < at.result + 4; ++gradient) {
        work.bytes += call.isTensor(gradient) ? call.tensor(gradient).bytes() : Amount(0);
    }
    work.bytes += (*mask)[0] ? bytesOf(input.elements(), input.type) : Amount(0);
    if ((*mask)[3]) {
        work.flops += once;
        work.bytes += weights;
    }
    return work;
}

// (gates of the input, gates of the state, state, biases): LSTM [batch, 4 hidden], GRU 3.
Work cell(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& gates = call.tensor(0);
    const Tensor& state = call.tensor(2);
    constexpr unsigned kWritten = 2;
    return simpleWork(gates.elements() * row.operations,
                      readBytes(call, row.inputs) +
                          bytesOf(gates.elements() + state.elements() * kWritten, gates.type),
                      gates.type);
}

// (input, weights, stride, buffer, hidden, cell, mode, hidden size, projected, layers, batch first,
// dropout, train, bidirectional, ...)
constexpr Places kCudnn{};
// (input, weights, stride, buffer, hidden, cell, result, gradients of it, hidden and cell, mode,
// hidden size, projected, layers, batch first, dropout, train, bidirectional, batches, dropout
// state, reserve, mask)
constexpr Places kCudnnBackward{.size = 11, .bidirectional = 17, .result = 6, .mask = 21};
// (input, weights, stride, hidden, cell, mode, hidden size, layers, batch first, dropout, train,
// bidirectional, ...)
constexpr Places kMiopen{.hidden = 3, .size = 6, .projects = false, .bidirectional = 11};
// (input, weights, stride, buffer, hidden, cell, result, gradients, mode, hidden size, layers,
// batch first, dropout, train, bidirectional, batches, dropout state, reserve, mask)
constexpr Places kMiopenBackward{
    .size = 11, .projects = false, .bidirectional = 16, .result = 6, .mask = 20};

constexpr OperatorModel kRecurrentRows[] = {
    {.name = "aten::_cudnn_rnn", .work = forward<kCudnn>},
    {.name = "aten::_cudnn_rnn_backward", .work = backward<kCudnnBackward>},
    {.name = "aten::miopen_rnn", .work = forward<kMiopen>},
    {.name = "aten::miopen_rnn_backward", .work = backward<kMiopenBackward>},
    {.name = "aten::_thnn_fused_lstm_cell", .work = cell, .operations = 4, .inputs = 5},
    {.name = "aten::_thnn_fused_gru_cell", .work = cell, .operations = 4, .inputs = 5},
};

}  // namespace

std::span<const OperatorModel> recurrentModels() {
    return kRecurrentRows;
}

}  // namespace kinetoscope::model
