// SPDX-License-Identifier: Apache-2.0
// Matrix products. A result is written once; what is added to it is read as it lies in memory, so a
// bias that is stretched counts once.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

// 2 · B · M · N · K
Amount productFlops(Amount batch, Amount m, Amount n, Amount k) {
    return Amount(2) * batch * m * n * k;
}

// Of the result: the type of the tensor that was given for it, else the inputs'.
DataType resultType(const OperatorCall& call, std::size_t inputs, DataType type) {
    const Tensor* given = givenResult(call, inputs);
    return given == nullptr ? type : given->type;
}

// a [.., m, k] · b [.., k, n] at places `first` and the next one; what stands before is added.
Work multiplied(const OperatorCall& call, const OperatorModel& row, std::size_t first) {
    const Tensor& a = call.tensor(first);
    const Tensor& b = call.tensor(first + 1);
    const bool batched = a.sizes.size() == 3;
    const Amount batch = batched ? a.size(0) : Amount(1);
    const Amount m = a.size(-2);
    const Amount n = b.size(-1);
    const Amount written = bytesOf(batch * m * n, resultType(call, first + 2, a.type));
    return productWork(productFlops(batch, m, n, a.size(-1)), readBytes(call, first + 2) + written,
                       a.type, !row.counted.empty());
}

Work mm(const OperatorCall& call, const OperatorModel& row) {
    return multiplied(call, row, 0);
}

Work addmm(const OperatorCall& call, const OperatorModel& row) {
    return multiplied(call, row, 1);
}

// The products of a batch added up: (bias, [b, m, k], [b, k, n]) gives [m, n].
Work addbmm(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& a = call.tensor(1);
    const Tensor& b = call.tensor(2);
    return productWork(productFlops(a.size(0), a.size(1), b.size(2), a.size(2)),
                       readBytes(call, 3) + bytesOf(a.size(1) * b.size(2), a.type), a.type,
                       !row.counted.empty());
}

// (matrix [m, k], vector [k]), or with what is added before.
Work matrixVector(const OperatorCall& call, const OperatorModel& row) {
    const std::size_t first = row.inputs - 2;
    const Tensor& a = call.tensor(first);
    return productWork(productFlops(1, a.size(0), 1, a.size(1)),
                       readBytes(call, row.inputs) + bytesOf(a.size(0), a.type), a.type, false);
}

Work dot(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    return productWork(Amount(2) * a.elements(), readBytes(call, 2) + bytesOf(1, a.type), a.type,
                       false);
}

// (input [.., k], weight [n, k], bias)
Work linear(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& input = call.tensor(0);
    const Amount n = call.tensor(1).sizes.size() == 1 ? Amount(1) : call.tensor(1).size(0);
    return productWork(
        Amount(2) * input.elements() * n,
        readBytes(call, 3) + bytesOf(input.elements() / input.size(-1) * n, input.type), input.type,
        false);
}

// As numpy's: vectors, matrices, and batches that are stretched.
Work matmul(const OperatorCall& call, const OperatorModel& /*row*/) {
    Sizes a = call.tensor(0).sizes;
    Sizes b = call.tensor(1).sizes;
    if (a.empty() || b.empty()) {
        return productWork(Amount::untold(), 0, DataType::Unknown, false);
    }
    if (a.size() == 1) {
        a.insert(a.begin(), 1);
    }
    if (b.size() == 1) {
        b.push_back(1);
    }
    const auto batch = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
    const Amount results = (batch ? elementsOf(*batch) : Amount::untold()) *
                           Amount::ofSize(a[a.size() - 2]) * Amount::ofSize(b.back());
    const DataType type = call.tensor(0).type;
    return productWork(Amount(2) * results * Amount::ofSize(a.back()),
                       readBytes(call, 2) + bytesOf(results, type), type, false);
}

// (a [m, k], b [k, n], scale a, scale b, bias, scale of the result, type of the result). Two fp4
// elements are one in the sizes.
Work scaledMm(const OperatorCall& call, const OperatorModel& row) {
    constexpr std::size_t kTypePlace = 6;
    const Tensor& a = call.tensor(0);
    const Tensor& b = call.tensor(1);
    const auto number = call.integer(kTypePlace);
    const Tensor* given = givenResult(call, kTypePlace);
    DataType type = number ? dataTypeOfNumber(*number) : a.type;
    type = given == nullptr ? type : given->type;
    const Amount counted = productFlops(1, a.size(0), b.size(1), a.size(1));
    const Amount pairs = a.type == DataType::Float4 ? 2 : 1;
    Amount bytes = bytesOf(a.size(0) * b.size(1), type);
    for (std::size_t i = 0; i < kTypePlace; ++i) {
        if (call.isTensor(i)) {
            const Tensor& tensor = call.tensor(i);
            bytes += tensor.type == DataType::Float4 ? tensor.distinct() : tensor.bytes();
        }
    }
    return {.flops = counted * pairs,
            .counted = row.counted.empty() ? Amount(0) : counted,
            .bytes = bytes,
            .type = a.type,
            .matrix = true};
}

// Products of groups of rows or columns: [t, k] · [g, k, n], [g, m, k] · [k, t], [m, t] · [t, n]
// for g groups, or [g, m, k] · [g, k, n]. `offsets` is the place of the groups' ends.
Work grouped(const OperatorCall& call, std::size_t offsets, DataType type) {
    const Tensor& a = call.tensor(0);
    const Tensor& b = call.tensor(1);
    const bool batchedA = a.sizes.size() == 3;
    const bool batchedB = b.sizes.size() == 3;
    const Amount m = a.size(-2);
    const Amount n = b.size(-1);
    Amount results = m * n;
    if (batchedA && batchedB) {
        results *= a.size(0);
    } else if (!batchedA && !batchedB) {
        results *= call.tensor(offsets).elements();
    }
    const Amount products = batchedA && batchedB ? a.size(0) : Amount(1);
    return productWork(productFlops(products, m, n, a.size(-1)),
                       readBytes(call, offsets + 1) + bytesOf(results, type), a.type, false);
}

Work groupedMm(const OperatorCall& call, const OperatorModel& row) {
    return grouped(call, row.inputs - 1, call.tensor(0).type);
}

// (a, b, scale a, scale b, offsets, bias, scale, type of the result)
Work scaledGroupedMm(const OperatorCall& call, const OperatorModel& row) {
    const auto number = call.integer(7);
    return grouped(call, row.inputs - 1, number ? dataTypeOfNumber(*number) : DataType::BFloat16);
}

Work intMm(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    const Amount n = call.tensor(1).size(-1);
    return productWork(productFlops(1, a.size(0), n, a.size(1)),
                       readBytes(call, 2) + bytesOf(a.size(0) * n, DataType::Int32), a.type, false);
}

// (input [m, k], packed weight, group size, scales [k / group, n, 2])
Work int4Mm(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    const Amount n = call.tensor(3).size(1);
    return productWork(productFlops(1, a.size(0), n, a.size(1)),
                       readBytes(call, 4) + bytesOf(a.size(0) * n, a.type), a.type, false);
}

// (input [m, k], weight [n, k], scales [n])
Work int8Mm(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(0);
    const Amount n = call.tensor(1).size(0);
    return productWork(productFlops(1, a.size(0), n, a.size(1)),
                       readBytes(call, 3) + bytesOf(a.size(0) * n, a.type), a.type, false);
}

// Of every four elements two are kept: (kept a [m, k / 2], which, b [k, n]). The other half is not
// multiplied.
Work halfSparseMm(const OperatorCall& call, const OperatorModel& row) {
    const std::size_t first = row.inputs - 3;
    const Tensor& a = call.tensor(first);
    const Amount n = call.tensor(first + 2).size(-1);
    return productWork(productFlops(1, a.size(0), n, a.size(1)),
                       readBytes(call, row.inputs) + bytesOf(a.size(0) * n, a.type), a.type, false);
}

// (input [m, k], kept weight [n, k / 2], which, bias)
Work halfSparseLinear(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    const Tensor& weight = call.tensor(1);
    const Amount m = input.elements() / input.size(-1);
    return productWork(productFlops(1, m, weight.size(0), weight.size(1)),
                       readBytes(call, row.inputs) + bytesOf(m * weight.size(0), input.type),
                       input.type, false);
}

// (added [m, n], a [m], b [n]): every pair is multiplied.
Work addr(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& a = call.tensor(1);
    const Amount results = a.elements() * call.tensor(2).elements();
    return simpleWork(Amount(2) * results, readBytes(call, 3) + bytesOf(results, a.type), a.type);
}

constexpr OperatorModel kProductsRows[] = {
    {.name = "aten::mm", .work = mm, .counted = "aten.mm"},
    {.name = "aten::addmm", .work = addmm, .counted = "aten.addmm"},
    {.name = "aten::_addmm_activation", .work = addmm},
    {.name = "aten::bmm", .work = mm, .counted = "aten.bmm"},
    {.name = "aten::baddbmm", .work = addmm, .counted = "aten.baddbmm"},
    {.name = "aten::addbmm", .work = addbmm},
    {.name = "aten::mv", .work = matrixVector, .inputs = 2},
    {.name = "aten::addmv", .work = matrixVector, .inputs = 3},
    {.name = "aten::dot", .work = dot},
    {.name = "aten::vdot", .work = dot},
    {.name = "aten::addr", .work = addr},
    {.name = "aten::linear", .work = linear},
    {.name = "aten::matmul", .work = matmul},
    {.name = "aten::_scaled_mm", .work = scaledMm, .counted = "aten._scaled_mm"},
    {.name = "aten::_grouped_mm", .work = groupedMm, .inputs = 3},
    {.name = "aten::_scaled_grouped_mm", .work = scaledGroupedMm, .inputs = 5},
    {.name = "aten::_int_mm", .work = intMm},
    {.name = "aten::_weight_int4pack_mm", .work = int4Mm},
    {.name = "aten::_weight_int8pack_mm", .work = int8Mm},
    {.name = "aten::_sparse_semi_structured_mm", .work = halfSparseMm, .inputs = 3},
    {.name = "aten::_sparse_semi_structured_addmm", .work = halfSparseMm, .inputs = 4},
    {.name = "aten::_sparse_semi_structured_linear", .work = halfSparseLinear, .inputs = 4},
};

}  // namespace

std::span<const OperatorModel> productModels() {
    return kProductsRows;
}

}  // namespace kinetoscope::model
