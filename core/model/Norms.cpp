// SPDX-License-Identifier: Apache-2.0
// Normalisations. Operations for each element: mean and spread 4, scaling 2, weight and bias 2.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

// Values with one number per row or channel are stored at least as Float.
DataType statisticsType(DataType type) {
    return type == DataType::Double ? type : DataType::Float;
}

// (input, shape of a row, weight, bias, eps): as many means and spreads as rows.
Work layerNorm(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const auto shape = call.integers(1);
    const Amount rows = shape ? input.elements() / elementsOf(*shape) : Amount::untold();
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, 4) + bytesOf(input.elements(), input.type) +
                          bytesOf(rows * row.inputs, statisticsType(input.type)),
                      input.type);
}

// Gradients of the input, the weight and the bias, as the last argument asks for.
Amount gradients(const OperatorCall& call, const OperatorModel& row, std::size_t weight) {
    const auto mask = call.flags(row.inputs);
    const Tensor& input = call.tensor(1);
    if (!mask) {
        return Amount::untold();
    }
    Amount bytes = (*mask)[0] ? bytesOf(input.elements(), input.type) : Amount(0);
    for (std::size_t i = 1; i < mask->size(); ++i) {
        bytes += (*mask)[i] && call.isTensor(weight) ? call.tensor(weight).bytes() : Amount(0);
    }
    return bytes;
}

// (gradient, input, shape, mean, spread, weight, bias, mask). The bias is not needed for it.
Work layerNormBackward(const OperatorCall& call, const OperatorModel& row) {
    constexpr std::size_t kWeight = 5;
    return simpleWork(call.tensor(1).elements() * row.operations,
                      readBytes(call, kWeight + 1) + gradients(call, row, kWeight),
                      call.tensor(1).type);
}

// (gradient, input, shape, spread, weight, mask)
Work rmsNormBackward(const OperatorCall& call, const OperatorModel& row) {
    constexpr std::size_t kWeight = 4;
    return simpleWork(call.tensor(1).elements() * row.operations,
                      readBytes(call, kWeight + 1) + gradients(call, row, kWeight),
                      call.tensor(1).type);
}

// (input, weight, bias, batch, channels, places, groups, eps)
Work groupNorm(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const auto groups = call.integer(6);
    const Amount rows = groups ? input.size(0) * Amount::ofSize(*groups) : Amount::untold();
    return simpleWork(
        input.elements() * row.operations,
        readBytes(call, 3) + bytesOf(input.elements(), input.type) + bytesOf(rows * 2, input.type),
        input.type);
}

// (gradient, input, mean, spread, weight, batch, channels, places, groups, mask)
Work groupNormBackward(const OperatorCall& call, const OperatorModel& row) {
    constexpr std::size_t kWeight = 4;
    return simpleWork(call.tensor(1).elements() * row.operations,
                      readBytes(call, kWeight + 1) + gradients(call, row, kWeight),
                      call.tensor(1).type);
}

// (input, weight, bias, running mean, running spread, training, ...): while it trains, the running
// ones are written too, and those of this batch.
Work batchNorm(const OperatorCall& call, const OperatorModel& row) {
    constexpr std::size_t kRunning = 3;
    const Tensor& input = call.tensor(0);
    Amount bytes = readBytes(call, 5) + bytesOf(input.elements(), input.type);
    const bool trains = row.inputs < call.arguments.size() && call.isTrue(row.inputs);
    if (trains) {
        bytes += bytesOf(input.size(1) * 2, statisticsType(input.type));
        for (const std::size_t place : {kRunning, kRunning + 1}) {
            bytes += call.isTensor(place) ? call.tensor(place).bytes() : Amount(0);
        }
    }
    return simpleWork(input.elements() * (trains ? row.operations : row.operations / 2), bytes,
                      input.type);
}

// (gradient, input, weight, running, running, mean, spread, training, eps, mask): the running ones
// are only needed where it does not train.
Work batchNormBackward(const OperatorCall& call, const OperatorModel& row) {
    constexpr std::size_t kTrains = 7;
    const std::size_t skipped = call.isTrue(kTrains) ? 3 : 5;
    Amount bytes = gradients(call, row, 2);
    for (std::size_t place = 0; place < kTrains; ++place) {
        if (place != skipped && place != skipped + 1 && call.isTensor(place)) {
            bytes += call.tensor(place).bytes();
        }
    }
    return simpleWork(call.tensor(1).elements() * row.operations, bytes, call.tensor(1).type);
}

// (input, gradient, weight, running, running, mean, spread, ...): all three gradients.
Work cudnnBatchNormBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    Amount bytes = bytesOf(input.elements(), input.type) + call.tensor(2).bytes() * 2;
    for (const std::size_t place : {0U, 1U, 2U, 5U, 6U}) {
        bytes += call.tensor(place).bytes();
    }
    return simpleWork(input.elements() * row.operations, bytes, input.type);
}

// (input, eps): mean and spread of each channel.
Work channelStatistics(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + bytesOf(input.size(1) * 2, statisticsType(input.type)),
                      input.type);
}

// (input, one number for each channel, ...)
Work channelScaling(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, row.inputs) + bytesOf(input.elements(), input.type),
                      input.type);
}

// (gradient, input, mean, spread, weight, ...): up to four sums for each channel.
Work channelSums(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(1);
    return simpleWork(
        input.elements() * row.operations,
        readBytes(call, row.inputs) + bytesOf(input.size(1) * 4, statisticsType(input.type)),
        input.type);
}

constexpr OperatorModel kNormsRows[] = {
    {.name = "aten::native_layer_norm", .work = layerNorm, .operations = 8, .inputs = 2},
    {.name = "aten::native_layer_norm_backward",
     .work = layerNormBackward,
     .operations = 12,
     .inputs = 7},
    {.name = "aten::_fused_rms_norm", .work = layerNorm, .operations = 5, .inputs = 1},
    {.name = "aten::_fused_rms_norm_backward",
     .work = rmsNormBackward,
     .operations = 9,
     .inputs = 5},
    {.name = "aten::native_group_norm", .work = groupNorm, .operations = 8},
    {.name = "aten::native_group_norm_backward",
     .work = groupNormBackward,
     .operations = 12,
     .inputs = 9},
    {.name = "aten::native_batch_norm", .work = batchNorm, .operations = 8, .inputs = 5},
    {.name = "aten::_native_batch_norm_legit", .work = batchNorm, .operations = 8, .inputs = 5},
    {.name = "aten::cudnn_batch_norm", .work = batchNorm, .operations = 8, .inputs = 5},
    {.name = "aten::miopen_batch_norm", .work = batchNorm, .operations = 8, .inputs = 5},
    {.name = "aten::native_batch_norm_backward",
     .work = batchNormBackward,
     .operations = 12,
     .inputs = 9},
    {.name = "aten::cudnn_batch_norm_backward", .work = cudnnBatchNormBackward, .operations = 12},
    {.name = "aten::miopen_batch_norm_backward", .work = cudnnBatchNormBackward, .operations = 12},
    {.name = "aten::batch_norm_stats", .work = channelStatistics, .operations = 4},
    {.name = "aten::batch_norm_elemt", .work = channelScaling, .operations = 4, .inputs = 5},
    {.name = "aten::batch_norm_backward_reduce", .work = channelSums, .operations = 5, .inputs = 5},
    {.name = "aten::batch_norm_backward_elemt",
     .work = channelScaling,
     .operations = 6,
     .inputs = 8},
};

}  // namespace

std::span<const OperatorModel> normModels() {
    return kNormsRows;
}

}  // namespace kinetoscope::model
