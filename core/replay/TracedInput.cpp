// SPDX-License-Identifier: Apache-2.0
#include "core/replay/TracedInput.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/bench/operators/InputParser.h"
#include "core/text/Printable.h"

namespace kinetoscope::replay {

namespace {

using bench::operators::InputList;
using bench::operators::InputType;
using bench::operators::InputValue;
using bench::operators::TensorInput;

std::optional<InputType> inputTypeOf(model::DataType type) {
    switch (type) {
        case model::DataType::Bool:
            return InputType::B8;
        case model::DataType::UInt8:
            return InputType::U8;
        case model::DataType::Int8:
            return InputType::I8;
        case model::DataType::Int16:
            return InputType::I16;
        case model::DataType::Int32:
            return InputType::I32;
        case model::DataType::Int64:
            return InputType::I64;
        case model::DataType::Half:
            return InputType::F16;
        case model::DataType::BFloat16:
            return InputType::Bf16;
        case model::DataType::Float:
            return InputType::F32;
        case model::DataType::Double:
            return InputType::F64;
        case model::DataType::ComplexHalf:
            return InputType::C32;
        case model::DataType::ComplexFloat:
            return InputType::C64;
        case model::DataType::ComplexDouble:
            return InputType::C128;
        case model::DataType::Unknown:
        case model::DataType::Float4:
        case model::DataType::Float8:
            break;
    }
    return std::nullopt;
}

bool isContiguous(const model::Tensor& tensor) {
    model::Amount step = 1;
    for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
        if (!(model::Amount::ofSize(tensor.strides[i]) == step)) {
            return false;
        }
        step *= model::Amount::ofSize(tensor.sizes[i]);
    }
    return true;
}

Result<InputValue> tensorInput(const model::Tensor& tensor, model::DataType type, Scalars scalars) {
    if (!tensor.told) {
        return fail("its sizes are not recorded");
    }
    const auto known = inputTypeOf(type);
    if (!known) {
        return fail(type == model::DataType::Unknown
                        ? std::string("its type is not recorded")
                        : fmt::format("tensors of {} are not made", model::dataTypeName(type)));
    }
    if (tensor.sizes.empty() && scalars == Scalars::Numbers) {
        // Any number does: no kernel's time depends on it.
        return bench::operators::isFloating(*known) ? InputValue{2.0} : InputValue{std::int64_t{2}};
    }
    TensorInput input{tensor.sizes, *known, std::nullopt};
    if (!tensor.strides.empty() && !isContiguous(tensor)) {
        input.strides = tensor.strides;
    }
    return InputValue{std::move(input)};
}

Result<InputValue> listInput(const model::Argument& argument, model::DataType type) {
    if (argument.tensors.empty()) {
        return fail("the sizes of its tensors are not recorded");
    }
    InputList list;
    for (const model::Tensor& tensor : argument.tensors) {
        auto item = tensorInput(tensor, type, Scalars::Tensors);
        if (!item) {
            return item;
        }
        list.items.push_back(std::move(*item));
    }
    return InputValue{std::move(list)};
}

Result<InputValue> valueInput(const std::string& text) {
    auto parsed = bench::operators::parseInputValue(text);
    if (parsed.problem) {
        return fail(fmt::format("'{}' is not a value that is known here", text::printable(text)));
    }
    return std::move(parsed.value);
}

Result<InputValue> inputOf(const model::Argument& argument, const model::OperatorCall& call,
                           Scalars scalars) {
    switch (argument.kind) {
        case model::Argument::Kind::Tensor:
            return tensorInput(argument.tensors.front(), argument.tensors.front().type, scalars);
        case model::Argument::Kind::TensorList:
            return listInput(argument, call.listType);
        case model::Argument::Kind::Value:
            return valueInput(argument.value);
        case model::Argument::Kind::None:
            break;
    }
    return InputValue{};
}

}  // namespace

Result<bench::operators::OperatorCall> benchInput(const model::OperatorCall& call,
                                                  std::int64_t count, Scalars scalars) {
    bench::operators::OperatorCall input;
    input.count = count;
    // A number beside nothing but numbers is not a call of a kernel.
    const bool hasTensor = std::ranges::any_of(call.arguments, [](const model::Argument& one) {
        return one.kind == model::Argument::Kind::Tensor && !one.tensors.front().sizes.empty();
    });
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        auto value = inputOf(call.arguments[i], call, hasTensor ? scalars : Scalars::Tensors);
        if (!value) {
            return fail(fmt::format("argument {}: {}", i, value.error().message));
        }
        input.args.push_back(std::move(*value));
    }
    // The bench reads the line again: what it refuses is known here.
    const auto read = bench::operators::parseCountLine(
        fmt::format("cnt: {}, {}", count, bench::operators::formatCall(input)), 1);
    if (read.problem) {
        return fail(read.problem->message);
    }
    return input;
}

}  // namespace kinetoscope::replay
