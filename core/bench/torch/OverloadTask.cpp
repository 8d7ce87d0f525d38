// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/bench/operators/OperatorInputs.h"
#include "core/bench/torch/Protocol.h"
#include "core/bench/torch/Tensors.h"

namespace kinetoscope::bench::libtorch {

using Json = nlohmann::json;

namespace {

// How far a value is from fitting an argument; the overload of the least sum is meant.
enum Distance : int { Fits = 0, FitsAsOther = 1, FitsIfUndefined = 2, Never = 1000 };

c10::TypePtr unwrapped(const c10::TypePtr& type) {
    return type->kind() == c10::TypeKind::OptionalType ? type->containedType(0) : type;
}

bool isWhole(c10::TypeKind kind) {
    return kind == c10::TypeKind::IntType || kind == c10::TypeKind::SymIntType;
}

// Strings are not in a trace; nor are devices and generators, which are optional.
Distance missing(const c10::Argument& argument) {
    const auto kind = argument.type()->kind();
    return kind == c10::TypeKind::OptionalType ? Fits
           : kind == c10::TypeKind::TensorType ? FitsIfUndefined
           : argument.default_value()          ? FitsAsOther
                                               : Never;
}

struct FitsType {
    c10::TypePtr type;

    Distance operator()(std::monostate) const {
        return type->kind() == c10::TypeKind::OptionalType ? Fits : FitsIfUndefined;
    }
    Distance operator()(bool) const {
        const auto kind = type->kind();
        return kind == c10::TypeKind::BoolType     ? Fits
               : kind == c10::TypeKind::NumberType ? FitsAsOther
                                                   : Never;
    }
    Distance operator()(std::int64_t) const {
        const auto kind = type->kind();
        return isWhole(kind) || kind == c10::TypeKind::NumberType                      ? Fits
               : kind == c10::TypeKind::FloatType || kind == c10::TypeKind::TensorType ? FitsAsOther
                                                                                       : Never;
    }
    Distance operator()(double) const {
        const auto kind = type->kind();
        return kind == c10::TypeKind::FloatType || kind == c10::TypeKind::NumberType ? Fits
               : kind == c10::TypeKind::TensorType                                   ? FitsAsOther
                                                                                     : Never;
    }
    Distance operator()(const operators::TensorInput&) const {
        return type->kind() == c10::TypeKind::TensorType ? Fits : Never;
    }
    Distance operator()(const operators::InputList& list) const {
        if (type->kind() != c10::TypeKind::ListType) {
            return Never;
        }
        const FitsType element{unwrapped(type->containedType(0))};
        if (element.type->kind() == c10::TypeKind::StringType) {
            return Never;  // names of dimensions, which no trace has
        }
        int worst = Fits;
        for (const operators::InputValue& item : list.items) {
            worst = std::max<int>(worst, std::visit(element, item.data));
        }
        return static_cast<Distance>(worst);
    }
    // A trace has none of the others.
    template <class Other>
    Distance operator()(const Other&) const {
        return Never;
    }
};

int misfit(const c10::FunctionSchema& schema, const operators::OperatorCall& call) {
    int sum = schema.arguments().size() == call.args.size() ? Fits : Never;
    for (std::size_t i = 0; i < call.args.size() && sum < Never; ++i) {
        const c10::Argument& argument = schema.arguments()[i];
        sum += std::holds_alternative<std::monostate>(call.args[i].data)
                   ? missing(argument)
                   : std::visit(FitsType{unwrapped(argument.type())}, call.args[i].data);
    }
    return sum;
}

std::vector<c10::OperatorHandle> overloadsOf(const std::string& name) {
    std::vector<c10::OperatorHandle> found;
    for (const c10::OperatorName& one : c10::Dispatcher::singleton().getAllOpNames()) {
        if (one.name != name) {
            continue;
        }
        if (const auto handle = c10::Dispatcher::singleton().findSchema(one)) {
            found.push_back(*handle);
        }
    }
    std::ranges::stable_sort(found, {}, [](const c10::OperatorHandle& one) {
        return one.operator_name().overload_name;
    });
    return found;
}

operators::InputType typeOfNumber(std::int64_t number) {
    static constexpr std::array kAll{
        operators::InputType::Bf16, operators::InputType::F64, operators::InputType::F32,
        operators::InputType::F16,  operators::InputType::C32, operators::InputType::C64,
        operators::InputType::C128, operators::InputType::I8,  operators::InputType::I16,
        operators::InputType::I32,  operators::InputType::I64, operators::InputType::B8,
        operators::InputType::U8};
    const auto found = std::ranges::find(kAll, number, [](operators::InputType type) {
        return static_cast<std::int64_t>(scalarType(type));
    });
    TORCH_CHECK(found != kAll.end(), "tensors of PyTorch's type number ", number, " are not made");
    return *found;
}

std::optional<std::string> nameOfFormat(std::int64_t number) {
    switch (static_cast<at::MemoryFormat>(number)) {
        case at::MemoryFormat::Contiguous:
            return "contiguous_format";
        case at::MemoryFormat::Preserve:
            return "preserve_format";
        case at::MemoryFormat::ChannelsLast:
            return "channels_last";
        case at::MemoryFormat::ChannelsLast3d:
            return "channels_last_3d";
        default:
            return std::nullopt;
    }
}

// Types and formats are numbers in a trace, names in recorded inputs.
operators::InputValue named(const operators::InputValue& value, const c10::Argument& argument) {
    const auto* number = std::get_if<std::int64_t>(&value.data);
    const auto kind = unwrapped(argument.real_type())->kind();
    if (number == nullptr) {
        return value;
    }
    if (kind == c10::TypeKind::ScalarTypeType) {
        return {typeOfNumber(*number)};
    }
    if (const auto format = nameOfFormat(*number);
        kind == c10::TypeKind::MemoryFormatType && format) {
        return {operators::TorchName{*format}};
    }
    if (kind == c10::TypeKind::LayoutType && *number == static_cast<std::int64_t>(at::kStrided)) {
        return {operators::TorchName{"strided"}};
    }
    return value;
}

bool isTensor(const operators::InputValue& value) {
    const auto* list = std::get_if<operators::InputList>(&value.data);
    return std::holds_alternative<operators::TensorInput>(value.data) ||
           (list != nullptr && std::ranges::any_of(list->items, isTensor));
}

/// A call as recorded inputs spell it.
struct Spelled {
    operators::OperatorCall call;
    std::vector<std::string> assumed;
};

Spelled spelled(const c10::FunctionSchema& schema, const operators::OperatorCall& call,
                const std::string& device) {
    Spelled found;
    found.call.count = call.count;
    bool byName = false;
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        const c10::Argument& argument = schema.arguments()[i];
        const bool none = std::holds_alternative<std::monostate>(call.args[i].data);
        const auto kind = unwrapped(argument.type())->kind();
        operators::InputValue value = named(call.args[i], argument);
        if (none && kind == c10::TypeKind::DeviceObjType &&
            std::ranges::none_of(call.args, isTensor)) {
            value = {device};  // whatever made a tensor from nothing
        } else if (none && kind == c10::TypeKind::StringType) {
            const auto standard = argument.default_value();
            const bool text = standard && standard->isString();
            found.assumed.push_back(
                fmt::format("{}={}", argument.name(),
                            text ? "'" + standard->toStringRef() + "'" : std::string("None")));
            value = text ? operators::InputValue{standard->toStringRef()} : value;
        }
        const bool absent =
            std::holds_alternative<std::monostate>(value.data) && argument.default_value() &&
            (argument.kwarg_only() || argument.type()->kind() != c10::TypeKind::OptionalType);
        // Behind one that is left out the others go by their names.
        byName |= absent || argument.kwarg_only();
        if (absent) {
            continue;
        }
        if (byName) {
            found.call.kwargs.emplace_back(argument.name(), std::move(value));
        } else {
            found.call.args.push_back(std::move(value));
        }
    }
    return found;
}

Json answerFor(const std::string& name, const operators::OperatorCall& call,
               const std::string& device) {
    std::string qualified = name;
    qualified.replace(qualified.find('.'), 1, "::");
    const auto overloads = overloadsOf(qualified);
    const auto best = std::ranges::min_element(
        overloads, {}, [&](const auto& one) { return misfit(one.schema(), call); });
    if (best == overloads.end()) {
        return {{"reason", fmt::format("PyTorch {} has no such operator", TORCH_VERSION)}};
    }
    if (misfit(best->schema(), call) >= Never) {
        return {{"reason", fmt::format("its arguments fit none of the {} overloads of PyTorch {}",
                                       overloads.size(), TORCH_VERSION)}};
    }
    const std::string overload = best->operator_name().overload_name;
    const Spelled found = spelled(best->schema(), call, device);
    return {{"name", name + "." + (overload.empty() ? "default" : overload)},
            {"call", operators::formatCall(found.call)},
            {"assumed", found.assumed}};
}

}  // namespace

int runOverloadTask(const Json& request) {
    const operators::OperatorInputs inputs =
        operators::readOperatorInputs(request.value("inputs", ""), false);
    const std::string device = request.value("device", "cpu");
    for (const operators::OperatorEntry& entry : inputs.operators) {
        for (const operators::OperatorCall& call : entry.calls) {
            Json answer;
            const std::string error =
                errorOf([&] { answer = answerFor(entry.name, call, device); });
            if (!error.empty()) {
                answer = {{"reason", error}};
            }
            answer["event"] = "overload";
            answer["line"] = call.line;
            say(answer);
        }
    }
    return 0;
}

}  // namespace kinetoscope::bench::libtorch
