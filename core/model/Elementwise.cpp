// SPDX-License-Identifier: Apache-2.0
// Functions applied to each element alone. Operations are those of the definition, one for each
// named function; a function such as exp is one.
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

DataType resultType(const OperatorCall& call, const OperatorModel& row) {
    switch (row.outcome) {
        case Outcome::Truth:
            return DataType::Bool;
        case Outcome::First:
            return call.tensor(0).type;
        default:
            break;
    }
    const DataType type = promoted(call, row.inputs);
    return row.outcome == Outcome::Floating && !isFloating(type) ? DataType::Float : type;
}

// Tensors at the first places are stretched to each other; what is given behind them, or the first
// one in place, is the result.
Work elementwise(const OperatorCall& call, const OperatorModel& row) {
    std::optional<Sizes> sizes = Sizes();
    bool anyTensor = false;
    for (std::size_t i = 0; i < row.inputs && i < call.arguments.size(); ++i) {
        if (call.isTensor(i) && sizes) {
            sizes = call.tensor(i).told ? broadcast(*sizes, call.tensor(i).sizes) : std::nullopt;
            anyTensor = true;
        }
    }
    if (!sizes || !anyTensor) {
        return simpleWork(Amount::untold(), 0, DataType::Unknown);
    }
    const Amount elements = elementsOf(*sizes);
    const Tensor* given = call.inPlace ? &call.tensor(0) : givenResult(call, row.inputs);
    const Amount written =
        given == nullptr ? bytesOf(elements, resultType(call, row)) : given->bytes();
    return simpleWork(elements * row.operations, readBytes(call, row.inputs) + written,
                      promoted(call, row.inputs));
}

// (condition, a, b): the condition has no part in the type.
Work where(const OperatorCall& call, const OperatorModel& row) {
    if (call.arguments.empty()) {
        return simpleWork(Amount::untold(), 0, DataType::Unknown);
    }
    OperatorCall values = call;
    values.arguments.erase(values.arguments.begin());
    OperatorModel ofTwo = row;
    ofTwo.inputs = 2;
    Work work = elementwise(values, ofTwo);
    // The condition may be larger than both.
    const auto both = broadcast(call.tensor(1).sizes, call.tensor(2).sizes);
    const auto all = both ? broadcast(*both, call.tensor(0).sizes) : std::nullopt;
    const Amount read = readBytes(call, 3);
    const Tensor* given = givenResult(call, 3);
    work.bytes = !all               ? Amount::untold()
                 : given != nullptr ? read + given->bytes()
                                    : read + bytesOf(elementsOf(*all), work.type);
    return work;
}

// (gradient, input, buffer of as many elements)
Work logSigmoid(const OperatorCall& call, const OperatorModel& row) {
    const Tensor& input = call.tensor(0);
    return simpleWork(input.elements() * row.operations,
                      input.bytes() + bytesOf(input.elements(), input.type) * 2, input.type);
}

constexpr OperatorModel unary(std::string_view name, unsigned operations = 1,
                              Outcome outcome = Outcome::Floating) {
    return {.name = name,
            .work = elementwise,
            .operations = operations,
            .inputs = 1,
            .outcome = outcome,
            .oneType = true};
}

constexpr OperatorModel binary(std::string_view name, unsigned operations = 1,
                               Outcome outcome = Outcome::Promoted) {
    return {.name = name,
            .work = elementwise,
            .operations = operations,
            .inputs = 2,
            .outcome = outcome,
            .oneType = true};
}

constexpr OperatorModel ternary(std::string_view name, unsigned operations,
                                Outcome outcome = Outcome::Promoted) {
    return {.name = name,
            .work = elementwise,
            .operations = operations,
            .inputs = 3,
            .outcome = outcome,
            .oneType = true};
}

constexpr OperatorModel kElementwiseRows[] = {
    unary("aten::abs", 1, Outcome::Promoted),
    unary("aten::neg", 1, Outcome::Promoted),
    unary("aten::sign", 1, Outcome::Promoted),
    unary("aten::sgn", 1, Outcome::Promoted),
    unary("aten::floor", 1, Outcome::Promoted),
    unary("aten::ceil", 1, Outcome::Promoted),
    unary("aten::round", 1, Outcome::Promoted),
    unary("aten::trunc", 1, Outcome::Promoted),
    unary("aten::frac", 2, Outcome::Promoted),
    unary("aten::relu", 1, Outcome::Promoted),
    unary("aten::square", 1, Outcome::Promoted),
    unary("aten::conj_physical", 1, Outcome::Promoted),
    unary("aten::bitwise_not", 1, Outcome::Promoted),
    unary("aten::nan_to_num", 1, Outcome::Promoted),
    unary("aten::logical_not", 1, Outcome::Truth),
    unary("aten::isnan", 1, Outcome::Truth),
    unary("aten::isinf", 1, Outcome::Truth),
    unary("aten::isfinite", 1, Outcome::Truth),
    unary("aten::isposinf", 1, Outcome::Truth),
    unary("aten::isneginf", 1, Outcome::Truth),
    unary("aten::signbit", 1, Outcome::Truth),
    unary("aten::exp"),
    unary("aten::exp2"),
    unary("aten::expm1"),
    unary("aten::log"),
    unary("aten::log2"),
    unary("aten::log10"),
    unary("aten::log1p"),
    unary("aten::sqrt"),
    unary("aten::rsqrt", 2),
    unary("aten::reciprocal"),
    unary("aten::sin"),
    unary("aten::cos"),
    unary("aten::tan"),
    unary("aten::asin"),
    unary("aten::acos"),
    unary("aten::atan"),
    unary("aten::sinh"),
    unary("aten::cosh"),
    unary("aten::tanh"),
    unary("aten::asinh"),
    unary("aten::acosh"),
    unary("aten::atanh"),
    unary("aten::erf"),
    unary("aten::erfc"),
    unary("aten::erfinv"),
    unary("aten::lgamma"),
    unary("aten::digamma"),
    unary("aten::sinc", 3),
    unary("aten::logit", 3),
    unary("aten::sigmoid", 3),
    unary("aten::silu", 4),
    unary("aten::gelu", 5),
    unary("aten::mish", 4),
    unary("aten::hardswish", 4),
    unary("aten::hardsigmoid", 3),
    unary("aten::hardtanh", 2, Outcome::Promoted),
    unary("aten::elu", 3),
    unary("aten::leaky_relu", 2),
    unary("aten::softplus", 3),
    unary("aten::softshrink", 2),
    unary("aten::hardshrink", 1),
    unary("aten::threshold", 1, Outcome::Promoted),
    unary("aten::angle"),
    unary("aten::special_entr", 2),
    unary("aten::i0"),
    {.name = "aten::log_sigmoid_forward", .work = logSigmoid, .operations = 4},
    ternary("aten::clamp", 2),
    binary("aten::clamp_min"),
    binary("aten::clamp_max"),
    binary("aten::add"),
    binary("aten::sub"),
    binary("aten::rsub"),
    binary("aten::mul"),
    binary("aten::div", 1, Outcome::Floating),
    binary("aten::true_divide", 1, Outcome::Floating),
    binary("aten::floor_divide", 2),
    binary("aten::remainder", 3),
    binary("aten::fmod", 3),
    binary("aten::pow"),
    binary("aten::atan2", 1, Outcome::Floating),
    binary("aten::maximum"),
    binary("aten::minimum"),
    binary("aten::fmax"),
    binary("aten::fmin"),
    binary("aten::hypot", 4),
    binary("aten::copysign", 1, Outcome::Floating),
    binary("aten::xlogy", 2, Outcome::Floating),
    binary("aten::heaviside"),
    binary("aten::bitwise_and"),
    binary("aten::bitwise_or"),
    binary("aten::bitwise_xor"),
    binary("aten::bitwise_left_shift"),
    binary("aten::bitwise_right_shift"),
    binary("aten::__and__"),
    binary("aten::__or__"),
    binary("aten::__xor__"),
    binary("aten::__lshift__"),
    binary("aten::__rshift__"),
    binary("aten::logical_and", 1, Outcome::Truth),
    binary("aten::logical_or", 1, Outcome::Truth),
    binary("aten::logical_xor", 1, Outcome::Truth),
    binary("aten::eq", 1, Outcome::Truth),
    binary("aten::ne", 1, Outcome::Truth),
    binary("aten::lt", 1, Outcome::Truth),
    binary("aten::le", 1, Outcome::Truth),
    binary("aten::gt", 1, Outcome::Truth),
    binary("aten::ge", 1, Outcome::Truth),
    binary("aten::_prelu_kernel", 2),
    binary("aten::masked_fill", 0, Outcome::First),
    binary("aten::threshold_backward"),
    binary("aten::sigmoid_backward", 3),
    binary("aten::tanh_backward", 3),
    binary("aten::gelu_backward", 9),
    binary("aten::silu_backward", 6),
    binary("aten::mish_backward", 8),
    binary("aten::hardswish_backward", 4),
    binary("aten::hardsigmoid_backward", 1),
    binary("aten::hardtanh_backward", 1),
    binary("aten::softplus_backward", 3),
    binary("aten::softshrink_backward", 1),
    binary("aten::hardshrink_backward", 1),
    binary("aten::leaky_relu_backward", 2),
    {.name = "aten::elu_backward", .work = elementwise, .operations = 3, .inputs = 6},
    ternary("aten::log_sigmoid_backward", 4),
    ternary("aten::addcmul", 3),
    ternary("aten::addcdiv", 3),
    ternary("aten::lerp", 3),
    {.name = "aten::where", .work = where, .operations = 0, .inputs = 3},
};

}  // namespace

std::span<const OperatorModel> elementwiseModels() {
    return kElementwiseRows;
}

}  // namespace kinetoscope::model
