// SPDX-License-Identifier: Apache-2.0
// Losses and their gradients.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

enum class Reduction : std::int64_t { None, Mean, Sum };

bool keepsAll(const OperatorCall& call, std::size_t place) {
    return call.integer(place) == static_cast<std::int64_t>(Reduction::None);
}

// (input [n, classes, ..], target [n, ..], weight, reduction, ignored class): of each place the one
// element that the target names is read.
Work nllLoss(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Tensor& target = call.tensor(1);
    const Amount places = target.elements();
    const Amount written = keepsAll(call, 3) ? places : Amount(2);
    const Amount weight = call.isTensor(2) ? call.tensor(2).bytes() : Amount(0);
    return simpleWork(places * row.operations,
                      bytesOf(places + written, input.type) + target.bytes() + weight, input.type);
}

// (gradient, input, target, weight, reduction, ignored class, total weight): the input's values are
// not needed. Of its gradient the named places are written; zeros come from an operator of their
// own.
Work nllLossBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& gradient = call.tensor(0);
    const Tensor& input = call.tensor(1);
    const Tensor& target = call.tensor(2);
    const Amount weight = call.isTensor(3) ? call.tensor(3).bytes() : Amount(0);
    return simpleWork(
        target.elements() * row.operations,
        gradient.bytes() + target.bytes() + weight + bytesOf(target.elements() + 1, input.type),
        input.type);
}

// (input, target, ..): `inputs` is the place of the reduction.
Work pairLoss(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Amount written = keepsAll(call, row.inputs) ? input.elements() : Amount(1);
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, row.inputs) + bytesOf(written, input.type), input.type);
}

// (gradient, input, target, ..)
Work pairLossBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(1);
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, row.inputs) + bytesOf(input.elements(), input.type),
                      input.type);
}

constexpr OperatorModel kLossesRows[] = {
    {.name = "aten::nll_loss_forward", .work = nllLoss, .operations = 2},
    {.name = "aten::nll_loss2d_forward", .work = nllLoss, .operations = 2},
    {.name = "aten::nll_loss_backward", .work = nllLossBackward, .operations = 2},
    {.name = "aten::nll_loss2d_backward", .work = nllLossBackward, .operations = 2},
    {.name = "aten::mse_loss", .work = pairLoss, .operations = 3, .inputs = 2},
    {.name = "aten::smooth_l1_loss", .work = pairLoss, .operations = 4, .inputs = 2},
    {.name = "aten::huber_loss", .work = pairLoss, .operations = 4, .inputs = 2},
    {.name = "aten::binary_cross_entropy", .work = pairLoss, .operations = 6, .inputs = 3},
    {.name = "aten::mse_loss_backward", .work = pairLossBackward, .operations = 3, .inputs = 3},
    {.name = "aten::smooth_l1_loss_backward",
     .work = pairLossBackward,
     .operations = 4,
     .inputs = 3},
    {.name = "aten::huber_loss_backward", .work = pairLossBackward, .operations = 4, .inputs = 3},
    {.name = "aten::binary_cross_entropy_backward",
     .work = pairLossBackward,
     .operations = 5,
     .inputs = 4},
};

}  // namespace

std::span<const OperatorModel> lossModels() {
    return kLossesRows;
}

}  // namespace kinetoscope::model
