// SPDX-License-Identifier: Apache-2.0
// Functions that read or write at places named by other tensors. Each named element counts, however
// often it is named; the others do not.
#include <algorithm>

#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

Work gathered(Amount elements, DataType type, Amount indices) {
    return simpleWork(0, bytesOf(elements * 2, type) + indices, type);
}

int dimensionOf(const OperatorCall& call, std::size_t place) {
    return static_cast<int>(std::clamp<std::int64_t>(call.integer(place).value_or(0), -64, 64));
}

// (input, dimension, places)
Work indexSelect(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    const Tensor& index = call.tensor(2);
    const Amount elements = input.elements() / input.size(dimensionOf(call, 1)) * index.elements();
    return gathered(elements, input.type, index.bytes());
}

// (weights [rows, size], places)
Work embedding(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& weights = call.tensor(0);
    const Tensor& index = call.tensor(1);
    return gathered(index.elements() * weights.size(1), weights.type, index.bytes());
}

// (gradient, places, rows, padding, scale): a row for each place; the zeros of all others come from
// an operator of their own.
Work embeddingBackward(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& gradient = call.tensor(0);
    return simpleWork(gradient.elements(),
                      readBytes(call, 2) + bytesOf(gradient.elements(), gradient.type),
                      gradient.type);
}

// (weights [rows, size], places, begin of each bag, ...): each bag is one row of the result.
Work embeddingBag(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& weights = call.tensor(0);
    const Tensor& index = call.tensor(1);
    const Tensor& bags = call.tensor(2);
    const Amount read = index.elements() * weights.size(1);
    return simpleWork(read,
                      bytesOf(read + bags.elements() * weights.size(1), weights.type) +
                          index.bytes() + bags.bytes(),
                      weights.type);
}

// (input, dimension, places, ...): as many elements as places.
Work gather(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& index = call.tensor(2);
    return gathered(index.elements(), call.tensor(0).type, index.bytes());
}

// (input, places of the whole)
Work take(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& index = call.tensor(1);
    return gathered(index.elements(), call.tensor(0).type, index.bytes());
}

// (input, dimension, places, values): each value goes to its place; `operations`: whether it is
// added to the old one. Out of place the whole is copied first.
Work scatter(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Tensor& index = call.tensor(2);
    const bool isTensor = call.isTensor(3);
    const Amount elements = index.elements();
    const Amount source = isTensor ? bytesOf(elements, input.type) : Amount(0);
    const Amount whole = call.inPlace ? Amount(0) : input.bytes() * 2;
    return simpleWork(
        elements * row.operations,
        whole + source + index.bytes() + bytesOf(elements * (1 + row.operations), input.type),
        input.type);
}

// (input, dimension, places, values [.., places, ..]): whole rows.
Work indexAdd(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Tensor& values = call.tensor(3);
    const Amount elements = values.elements();
    const Amount whole = call.inPlace ? Amount(0) : input.bytes() * 2;
    return simpleWork(elements * row.operations,
                      whole + values.bytes() + call.tensor(2).bytes() +
                          bytesOf(elements * (1 + row.operations), input.type),
                      input.type);
}

/// The elements that a list of places names: those of the places, stretched to each other, times
/// the sizes of the dimensions that have none.
struct Named {
    Amount elements = Amount::untold();
    Amount indexBytes;
};

Named namedBy(const Tensor& input, const std::vector<Tensor>* indices) {
    Named named;
    if (indices == nullptr || !input.told || indices->size() > input.sizes.size()) {
        return named;
    }
    std::optional<Sizes> places = Sizes();
    Amount rest = 1;
    for (std::size_t i = 0; i < input.sizes.size(); ++i) {
        const Tensor* index = i < indices->size() ? &(*indices)[i] : nullptr;
        if (index == nullptr || (index->sizes.empty() && indices->size() > 1)) {
            rest *= Amount::ofSize(input.sizes[i]);  // this dimension is taken whole
            continue;
        }
        places = places ? broadcast(*places, index->sizes) : std::nullopt;
        named.indexBytes += bytesOf(index->distinct(), DataType::Int64);
    }
    named.elements = places ? elementsOf(*places) * rest : Amount::untold();
    return named;
}

// (input, list of places)
Work index(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    const Named named = namedBy(input, call.list(1));
    return gathered(named.elements, input.type, named.indexBytes);
}

// (input, list of places, values, add them)
Work indexPut(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    const Named named = namedBy(input, call.list(1));
    const bool adds = call.isTrue(3);
    const Amount whole = call.inPlace ? Amount(0) : input.bytes() * 2;
    return simpleWork(adds ? named.elements : Amount(0),
                      whole + named.indexBytes + call.tensor(2).bytes() +
                          bytesOf(named.elements * (adds ? 2 : 1), input.type),
                      input.type);
}

// (sorted, values): a place for each value. How much of the sorted ones is read is unknown.
Work bucketize(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& values = call.tensor(row.inputs);
    return simpleWork(
        0,
        readBytes(call, 2) +
            bytesOf(values.elements(), call.isTrue(2) ? DataType::Int32 : DataType::Int64),
        values.type);
}

constexpr OperatorModel kIndexingRows[] = {
    {.name = "aten::index_select", .work = indexSelect},
    {.name = "aten::embedding", .work = embedding},
    {.name = "aten::embedding_dense_backward", .work = embeddingBackward},
    {.name = "aten::_embedding_bag", .work = embeddingBag},
    {.name = "aten::_embedding_bag_forward_only", .work = embeddingBag},
    {.name = "aten::gather", .work = gather},
    {.name = "aten::take", .work = take},
    {.name = "aten::scatter", .work = scatter},
    {.name = "aten::scatter_add", .work = scatter, .operations = 1},
    {.name = "aten::scatter_reduce", .work = scatter, .operations = 1},
    {.name = "aten::index_add", .work = indexAdd, .operations = 1},
    {.name = "aten::index_copy", .work = indexAdd},
    {.name = "aten::index", .work = index},
    {.name = "aten::index_put", .work = indexPut},
    {.name = "aten::_index_put_impl", .work = indexPut},
    {.name = "aten::bucketize", .work = bucketize, .inputs = 0},
    {.name = "aten::searchsorted", .work = bucketize, .inputs = 1},
};

}  // namespace

std::span<const OperatorModel> indexModels() {
    return kIndexingRows;
}

}  // namespace kinetoscope::model
