// SPDX-License-Identifier: Apache-2.0
// Sums, extremes, scans, sorting and softmax: each element is read once, what is left written once.
#include <algorithm>

#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

// Elements that remain when dimensions are reduced; all are where `place` names none.
Amount remaining(const OperatorCall& call, std::size_t place) {
    const Tensor& input = call.tensor(0);
    const auto dimensions = call.integers(place);
    if (!input.told || !dimensions || dimensions->empty()) {
        return input.told ? Amount(1) : Amount::untold();
    }
    const auto count = static_cast<std::int64_t>(input.sizes.size());
    Sizes left = input.sizes;
    for (const std::int64_t dimension : *dimensions) {
        const std::int64_t at = dimension < 0 ? dimension + count : dimension;
        if (at < 0 || at >= count) {
            return count == 0 ? Amount(1) : Amount::untold();
        }
        left[static_cast<std::size_t>(at)] = 1;
    }
    return elementsOf(left);
}

// The argument with the type of the result.
std::optional<DataType> requestedType(const OperatorCall& call, std::size_t place) {
    const auto number = call.integer(place);
    return number ? std::optional(dataTypeOfNumber(*number)) : std::nullopt;
}

Amount resultBytes(Amount elements, DataType input, Outcome outcome) {
    switch (outcome) {
        case Outcome::Truth:
            return bytesOf(elements, DataType::Bool);
        case Outcome::Index:
            return bytesOf(elements, DataType::Int64);
        case Outcome::WithIndex:
            return bytesOf(elements, input) + bytesOf(elements, DataType::Int64);
        case Outcome::Sum:
            return bytesOf(elements, isFloating(input) ? input : DataType::Int64);
        default:
            return bytesOf(elements, input);
    }
}

Work reducedTo(const OperatorCall& call, const OperatorModel& row, Amount left,
               std::optional<DataType> type) {
    const Tensor& input = call.tensor(0);
    const Tensor* given = givenResult(call, 1);
    const Amount written = given != nullptr ? bytesOf(left, given->type)
                           : type           ? bytesOf(left, *type)
                                            : resultBytes(left, input.type, row.outcome);
    return simpleWork(input.elements() * row.operations, input.bytes() + written, input.type);
}

// (input, dimensions, keep them, type), or (input, type): `inputs` is the place of the dimensions.
Work summed(const OperatorCall& call, const OperatorModel& row) {
    const bool whole = call.arguments.size() <= 2;
    return reducedTo(call, row, whole ? Amount(1) : remaining(call, 1),
                     requestedType(call, whole ? 1 : 3));
}

// (input, dimension, keep it), or (input).
Work reduced(const OperatorCall& call, const OperatorModel& row) {
    const bool whole = call.arguments.size() <= row.inputs || call.flags(row.inputs).has_value();
    Work work = reducedTo(call, row, whole ? Amount(1) : remaining(call, row.inputs), std::nullopt);
    if (whole && row.outcome == Outcome::WithIndex) {  // of all elements without their places
        const Tensor& input = call.tensor(0);
        work.bytes = input.bytes() + bytesOf(1, input.type);
    }
    return work;
}

// Of two tensors it is the larger or smaller of each pair of elements.
Work extreme(const OperatorCall& call, const OperatorModel& row) {
    if (!call.isTensor(1)) {
        return reduced(call, row);
    }
    const auto sizes = broadcast(call.tensor(0).sizes, call.tensor(1).sizes);
    const Amount elements = sizes ? elementsOf(*sizes) : Amount::untold();
    const DataType type = promoted(call, 2);
    return simpleWork(elements, readBytes(call, 2) + bytesOf(elements, type), type);
}

// Two numbers for each that is left.
Work meanAndSpread(const OperatorCall& call, const OperatorModel& row) {
    const bool whole = call.arguments.size() <= 1 || call.flags(1).has_value();
    const Tensor& input = call.tensor(0);
    const Amount left = whole ? Amount(1) : remaining(call, 1);
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + bytesOf(left * 2, input.type), input.type);
}

// (input, dimension, type): as many elements as before.
Work scanned(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const auto type = requestedType(call, 2);
    const Amount written = type ? bytesOf(input.elements(), *type)
                                : resultBytes(input.elements(), input.type, row.outcome);
    return simpleWork(input.elements() * row.operations, input.bytes() + written, input.type);
}

// (input, how many of a dimension, which dimension, ...): values and places.
Work chosen(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const auto wanted = call.integer(1);
    const int dimension =
        static_cast<int>(std::clamp<std::int64_t>(call.integer(2).value_or(-1), -64, 64));
    const Amount left = wanted ? input.elements() / input.size(dimension) * Amount::ofSize(*wanted)
                               : Amount::untold();
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + resultBytes(left, input.type, row.outcome), input.type);
}

// (input, dimension, Half becomes Float)
Work softmax(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const DataType type = call.isTrue(2) ? DataType::Float : input.type;
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + bytesOf(input.elements(), type), input.type);
}

// (input, mask, dimension, ...)
Work maskedSoftmax(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      readBytes(call, 2) + bytesOf(input.elements(), input.type), input.type);
}

// (gradient, result, dimension, type of the input)
Work softmaxBackward(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& gradient = call.tensor(0);
    const DataType type = requestedType(call, 3).value_or(gradient.type);
    return simpleWork(gradient.elements() * row.operations,
                      readBytes(call, 2) + bytesOf(gradient.elements(), type), gradient.type);
}

constexpr OperatorModel kReductionsRows[] = {
    {.name = "aten::sum", .work = summed, .operations = 1, .outcome = Outcome::Sum},
    {.name = "aten::nansum", .work = summed, .operations = 1, .outcome = Outcome::Sum},
    {.name = "aten::mean", .work = summed, .operations = 1},
    {.name = "aten::prod", .work = summed, .operations = 1, .outcome = Outcome::Sum},
    {.name = "aten::amax", .work = reduced, .operations = 1},
    {.name = "aten::amin", .work = reduced, .operations = 1},
    {.name = "aten::max", .work = extreme, .operations = 1, .outcome = Outcome::WithIndex},
    {.name = "aten::min", .work = extreme, .operations = 1, .outcome = Outcome::WithIndex},
    {.name = "aten::argmax", .work = reduced, .operations = 1, .outcome = Outcome::Index},
    {.name = "aten::argmin", .work = reduced, .operations = 1, .outcome = Outcome::Index},
    {.name = "aten::any", .work = reduced, .operations = 1, .outcome = Outcome::Truth},
    {.name = "aten::all", .work = reduced, .operations = 1, .outcome = Outcome::Truth},
    {.name = "aten::var", .work = reduced, .operations = 4},
    {.name = "aten::std", .work = reduced, .operations = 4},
    {.name = "aten::var_mean", .work = meanAndSpread, .operations = 4},
    {.name = "aten::std_mean", .work = meanAndSpread, .operations = 4},
    {.name = "aten::norm", .work = reduced, .operations = 2, .inputs = 2},
    {.name = "aten::linalg_vector_norm", .work = reduced, .operations = 2, .inputs = 2},
    {.name = "aten::logsumexp", .work = reduced, .operations = 3},
    {.name = "aten::count_nonzero", .work = reduced, .operations = 1, .outcome = Outcome::Index},
    {.name = "aten::cumsum", .work = scanned, .operations = 1, .outcome = Outcome::Sum},
    {.name = "aten::cumprod", .work = scanned, .operations = 1, .outcome = Outcome::Sum},
    {.name = "aten::_cumsum", .work = scanned, .operations = 1, .outcome = Outcome::Sum},
    {.name = "aten::logcumsumexp", .work = scanned, .operations = 3},
    {.name = "aten::_logcumsumexp", .work = scanned, .operations = 3},
    {.name = "aten::sort", .work = scanned, .outcome = Outcome::WithIndex},
    {.name = "aten::argsort", .work = scanned, .outcome = Outcome::Index},
    {.name = "aten::topk", .work = chosen, .operations = 1, .outcome = Outcome::WithIndex},
    {.name = "aten::kthvalue",
     .work = reduced,
     .operations = 1,
     .inputs = 2,
     .outcome = Outcome::WithIndex},
    {.name = "aten::median", .work = reduced, .outcome = Outcome::WithIndex},
    {.name = "aten::mode", .work = reduced, .outcome = Outcome::WithIndex},
    {.name = "aten::multinomial", .work = chosen, .operations = 1, .outcome = Outcome::Index},
    {.name = "aten::_softmax", .work = softmax, .operations = 5},
    {.name = "aten::_log_softmax", .work = softmax, .operations = 5},
    {.name = "aten::_masked_softmax", .work = maskedSoftmax, .operations = 5},
    {.name = "aten::_softmax_backward_data", .work = softmaxBackward, .operations = 4},
    {.name = "aten::_log_softmax_backward_data", .work = softmaxBackward, .operations = 4},
};

}  // namespace

std::span<const OperatorModel> reductionModels() {
    return kReductionsRows;
}

}  // namespace kinetoscope::model
