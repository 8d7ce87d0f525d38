// SPDX-License-Identifier: Apache-2.0
// What updates many tensors at once: foreach operators and fused optimizers. The profiler writes
// sizes of lists of up to 30 tensors; longer ones are untold.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

Amount listElements(const OperatorCall& call, std::size_t place) {
    const std::vector<Tensor>* list = call.list(place);
    Amount sum = list == nullptr ? Amount::untold() : Amount(0);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        sum += (*list)[i].distinct();
    }
    return sum;
}

bool isList(const OperatorCall& call, std::size_t place) {
    return place < call.arguments.size() &&
           call.arguments[place].kind == Argument::Kind::TensorList;
}

// Every list among the first places is read; the first is written, or as much beside it.
Work foreach (const OperatorCall& call, const OperatorModel& row) {
    const Amount elements = listElements(call, 0);
    Amount moved = elements;
    for (std::size_t place = 0; place < row.inputs; ++place) {
        moved += isList(call, place) ? listElements(call, place) : Amount(0);
    }
    return simpleWork(elements * row.operations, bytesOf(moved, call.listType), call.listType);
}

Work foreachFilled(const OperatorCall& call, const OperatorModel& /*row*/) {
    return simpleWork(0, bytesOf(listElements(call, 0), call.listType), call.listType);
}

// (where to, where from)
Work foreachCopy(const OperatorCall& call, const OperatorModel& /*row*/) {
    return simpleWork(0, bytesOf(listElements(call, 0) + listElements(call, 1), call.listType),
                      call.listType);
}

// A number for each tensor.
Work foreachNorm(const OperatorCall& call, const OperatorModel& row) {
    const std::vector<Tensor>* list = call.list(0);
    const Amount elements = listElements(call, 0);
    return simpleWork(elements * row.operations,
                      bytesOf(elements + (list == nullptr ? 0 : list->size()), call.listType),
                      call.listType);
}

// (parameters, gradients, states, ...): all lists up to `inputs` are read, and all but the
// gradients written.
Work fused(const OperatorCall& call, const OperatorModel& row) {
    Amount moved = 0;
    for (std::size_t place = 0; place < row.inputs; ++place) {
        const bool any = isList(call, place) && (place < 2 || call.list(place) != nullptr);
        moved += any ? listElements(call, place) * (place == 1 ? 1 : 2) : Amount(0);
    }
    return simpleWork(listElements(call, 0) * row.operations, bytesOf(moved, call.listType),
                      call.listType);
}

constexpr OperatorModel elementwise(std::string_view name, unsigned operations, unsigned inputs) {
    return {.name = name, .work = foreach, .operations = operations, .inputs = inputs};
}

constexpr OperatorModel kRows[] = {
    elementwise("aten::_foreach_add", 1, 2),
    elementwise("aten::_foreach_sub", 1, 2),
    elementwise("aten::_foreach_mul", 1, 2),
    elementwise("aten::_foreach_div", 1, 2),
    elementwise("aten::_foreach_maximum", 1, 2),
    elementwise("aten::_foreach_minimum", 1, 2),
    elementwise("aten::_foreach_clamp_min", 1, 2),
    elementwise("aten::_foreach_clamp_max", 1, 2),
    elementwise("aten::_foreach_pow", 1, 2),
    elementwise("aten::_foreach_lerp", 3, 2),
    elementwise("aten::_foreach_addcmul", 3, 3),
    elementwise("aten::_foreach_addcdiv", 3, 3),
    elementwise("aten::_foreach_sqrt", 1, 1),
    elementwise("aten::_foreach_rsqrt", 2, 1),
    elementwise("aten::_foreach_neg", 1, 1),
    elementwise("aten::_foreach_abs", 1, 1),
    elementwise("aten::_foreach_sign", 1, 1),
    elementwise("aten::_foreach_exp", 1, 1),
    elementwise("aten::_foreach_log", 1, 1),
    elementwise("aten::_foreach_reciprocal", 1, 1),
    elementwise("aten::_amp_foreach_non_finite_check_and_unscale_", 1, 1),
    {.name = "aten::_foreach_zero_", .work = foreachFilled},
    {.name = "aten::_foreach_copy_", .work = foreachCopy},
    {.name = "aten::_foreach_norm", .work = foreachNorm, .operations = 2},
    {.name = "aten::_foreach_max", .work = foreachNorm, .operations = 1},
    {.name = "aten::_fused_adam", .work = fused, .operations = 13, .inputs = 5},
    {.name = "aten::_fused_adamw", .work = fused, .operations = 14, .inputs = 5},
    {.name = "aten::_fused_sgd", .work = fused, .operations = 5, .inputs = 3},
    {.name = "aten::_fused_adagrad", .work = fused, .operations = 6, .inputs = 3},
};

}  // namespace

std::span<const OperatorModel> optimizerModels() {
    return kRows;
}

}  // namespace kinetoscope::model
