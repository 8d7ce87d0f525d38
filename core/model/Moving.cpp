// SPDX-License-Identifier: Apache-2.0
// Copies, joining, filling and random numbers: bytes and no operations.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

Work moved(Amount bytes, DataType type) {
    return simpleWork(0, bytes, type);
}

// (where to, where from): both are as large, however the source is stretched.
Work copy(const OperatorCall& call, const OperatorModel& /*row*/) {
    return moved(call.tensor(0).bytes() + call.tensor(1).bytes(), call.tensor(1).type);
}

// (input, ...): as many elements as before, in another order or a part of them as zeros.
Work rearranged(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    return moved(input.bytes() + bytesOf(input.elements(), input.type), input.type);
}

// (list, dimension)
Work joined(const OperatorCall& call, const OperatorModel& /*row*/) {
    const std::vector<Tensor>* parts = call.list(0);
    const Tensor* given = givenResult(call, 1);
    const DataType type = given == nullptr ? call.listType : given->type;
    Amount bytes = parts == nullptr ? Amount::untold() : Amount(0);
    for (std::size_t i = 0; parts != nullptr && i < parts->size(); ++i) {
        bytes += bytesOf((*parts)[i].distinct() + (*parts)[i].elements(), type);
    }
    return moved(bytes, type);
}

// (input, sizes, dimension, results): what is read is written once more.
Work split(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    return moved(input.bytes() + bytesOf(input.elements(), input.type), input.type);
}

// The first tensor is written and nothing read.
Work filled(const OperatorCall& call, const OperatorModel& /*row*/) {
    return moved(call.tensor(0).bytes(), call.tensor(0).type);
}

// The last tensor, which was given for the result, is written.
Work filledResult(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor* given = givenResult(call, 0);
    return given == nullptr ? moved(Amount::untold(), DataType::Unknown)
                            : moved(given->bytes(), given->type);
}

// (input, probability, training): the result, and a Bool for each element.
Work dropout(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + bytesOf(input.elements(), input.type) +
                          bytesOf(input.elements(), DataType::Bool),
                      input.type);
}

// (gradient, mask, scale)
Work dropoutBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& gradient = call.tensor(0);
    return simpleWork(gradient.elements() * row.operations,
                      readBytes(call, 2) + bytesOf(gradient.elements(), gradient.type),
                      gradient.type);
}

// Inputs are read and results written, on this rank alone.
Work collective(const OperatorCall& call, const OperatorModel& /*row*/) {
    if (!call.collective) {
        return moved(Amount::untold(), DataType::Unknown);
    }
    const CollectiveCall& all = *call.collective;
    return moved(bytesOf(all.in + all.out, all.type), all.type);
}

constexpr OperatorModel kMovingRows[] = {
    {.name = "aten::copy_", .work = copy},
    {.name = "aten::_copy_from", .work = copy},
    {.name = "aten::clone", .work = rearranged},
    {.name = "aten::contiguous", .work = rearranged},
    {.name = "aten::_to_copy", .work = rearranged},
    {.name = "aten::flip", .work = rearranged},
    {.name = "aten::roll", .work = rearranged},
    {.name = "aten::tril", .work = rearranged},
    {.name = "aten::triu", .work = rearranged},
    {.name = "aten::pixel_shuffle", .work = rearranged},
    {.name = "aten::channel_shuffle", .work = rearranged},
    {.name = "aten::cat", .work = joined},
    {.name = "aten::_cat", .work = joined},
    {.name = "aten::stack", .work = joined},
    {.name = "aten::split_with_sizes_copy", .work = split},
    {.name = "fsdp::split_with_sizes_copy", .work = split},
    {.name = "aten::fill_", .work = filled},
    {.name = "aten::zero_", .work = filled},
    {.name = "aten::normal_", .work = filled},
    {.name = "aten::uniform_", .work = filled},
    {.name = "aten::random_", .work = filled},
    {.name = "aten::exponential_", .work = filled},
    {.name = "aten::bernoulli_", .work = filled},
    {.name = "aten::geometric_", .work = filled},
    {.name = "aten::log_normal_", .work = filled},
    {.name = "aten::cauchy_", .work = filled},
    {.name = "aten::bernoulli", .work = rearranged},
    {.name = "aten::arange", .work = filledResult},
    {.name = "aten::linspace", .work = filledResult},
    {.name = "aten::randperm", .work = filledResult},
    {.name = "aten::eye", .work = filledResult},
    {.name = "aten::native_dropout", .work = dropout, .operations = 2},
    {.name = "aten::native_dropout_backward", .work = dropoutBackward, .operations = 2},
    {.name = "record_param_comms", .work = collective},
};

}  // namespace

std::span<const OperatorModel> movingModels() {
    return kMovingRows;
}

}  // namespace kinetoscope::model
