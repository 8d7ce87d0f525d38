// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/OperatorStack.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinetoscope::bench::libtorch {

namespace {

// Leaves convert() on a value that the schema has no place for; caught in buildStack().
struct Misfit {
    std::string message;
};

struct Place {
    std::string_view operatorName;
    const operators::OperatorCall* call;
    std::size_t argument;  // position in the call; behind its end for keywords
    at::Device device;
};

const char* const kNames[] = {"contiguous_format", "preserve_format", "channels_last",
                              "channels_last_3d"};

std::optional<std::int64_t> memoryFormat(const std::string& name) {
    const at::MemoryFormat formats[] = {at::MemoryFormat::Contiguous, at::MemoryFormat::Preserve,
                                        at::MemoryFormat::ChannelsLast,
                                        at::MemoryFormat::ChannelsLast3d};
    const auto found = std::find(std::begin(kNames), std::end(kNames), name);
    return found != std::end(kNames)
               ? std::optional(static_cast<std::int64_t>(formats[found - std::begin(kNames)]))
               : std::nullopt;
}

std::int64_t numberOfName(const std::string& name) {
    if (const auto format = memoryFormat(name)) {
        return *format;
    }
    if (name == "strided" || name == "sparse_coo") {
        return static_cast<std::int64_t>(name == "strided" ? at::kStrided : at::kSparse);
    }
    static constexpr std::pair<const char*, at::ScalarType> kTypes[] = {
        {"float16", at::kHalf},      {"half", at::kHalf},
        {"float32", at::kFloat},     {"float", at::kFloat},
        {"float64", at::kDouble},    {"double", at::kDouble},
        {"bfloat16", at::kBFloat16}, {"int8", at::kChar},
        {"int16", at::kShort},       {"int32", at::kInt},
        {"int64", at::kLong},        {"long", at::kLong},
        {"int", at::kInt},           {"bool", at::kBool},
        {"uint8", at::kByte},        {"complex64", at::kComplexFloat}};
    for (const auto& [known, type] : kTypes) {
        if (name == known) {
            return static_cast<std::int64_t>(type);
        }
    }
    throw Misfit{fmt::format("torch.{} is not known here", name)};
}

at::Scalar scalarOf(const operators::InputValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value.data)) {
        return *number;
    }
    if (const auto* real = std::get_if<double>(&value.data)) {
        return *real;
    }
    if (const auto* flag = std::get_if<bool>(&value.data)) {
        return *flag;
    }
    throw Misfit{operators::formatValue(value) + " is not a number"};
}

at::Tensor tensorOf(const operators::InputValue& value, const Place& place, std::size_t item) {
    if (const auto* tensor = std::get_if<operators::TensorInput>(&value.data)) {
        return makeTensor(
            *tensor,
            operators::valueRange(place.operatorName, *place.call, place.argument, item, *tensor),
            place.device);
    }
    if (std::holds_alternative<std::monostate>(value.data)) {
        return {};
    }
    if (std::holds_alternative<operators::SparseInput>(value.data)) {
        throw Misfit{"sparse tensors are not made"};
    }
    // A number where a tensor belongs is a tensor without dimensions that promotes like a number.
    return at::native::wrapped_scalar_tensor(scalarOf(value));
}

std::int64_t integerOf(const operators::InputValue& value) {
    if (const auto* type = std::get_if<operators::InputType>(&value.data)) {
        return static_cast<std::int64_t>(scalarType(*type));
    }
    if (const auto* name = std::get_if<operators::TorchName>(&value.data)) {
        return numberOfName(name->name);
    }
    if (const auto* number = std::get_if<std::int64_t>(&value.data)) {
        return *number;
    }
    if (const auto* flag = std::get_if<bool>(&value.data)) {
        return *flag ? 1 : 0;
    }
    throw Misfit{operators::formatValue(value) + " is not a whole number"};
}

bool truthOf(const operators::InputValue& value) {
    if (const auto* flag = std::get_if<bool>(&value.data)) {
        return *flag;
    }
    return integerOf(value) != 0;
}

double realOf(const operators::InputValue& value) {
    return scalarOf(value).toDouble();
}

std::string textOf(const operators::InputValue& value) {
    if (const auto* text = std::get_if<std::string>(&value.data)) {
        return *text;
    }
    throw Misfit{operators::formatValue(value) + " is not a string"};
}

template <class T, class Read>
c10::IValue listOf(const operators::InputValue& value, std::optional<std::int32_t> length,
                   const Read& read) {
    c10::List<T> list;
    if (const auto* items = std::get_if<operators::InputList>(&value.data)) {
        for (std::size_t i = 0; i < items->items.size(); ++i) {
            list.push_back(read(items->items[i], i));
        }
    } else {
        // One number for all sizes: int[2] stride=1.
        for (std::int32_t i = 0; i < length.value_or(1); ++i) {
            list.push_back(read(value, static_cast<std::size_t>(i)));
        }
    }
    return list;
}

c10::IValue convertList(const operators::InputValue& value, const c10::TypePtr& element,
                        std::optional<std::int32_t> length, const Place& place) {
    switch (element->kind()) {
        case c10::TypeKind::TensorType:
            return listOf<at::Tensor>(value, length,
                                      [&](const operators::InputValue& item, std::size_t at) {
                                          return tensorOf(item, place, at);
                                      });
        case c10::TypeKind::OptionalType:
            return listOf<c10::optional<at::Tensor>>(
                value, length,
                [&](const operators::InputValue& item,
                    std::size_t at) -> c10::optional<at::Tensor> {
                    return std::holds_alternative<std::monostate>(item.data)
                               ? c10::optional<at::Tensor>()
                               : c10::optional<at::Tensor>(tensorOf(item, place, at));
                });
        case c10::TypeKind::IntType:
        case c10::TypeKind::SymIntType:
            return listOf<std::int64_t>(
                value, length,
                [](const operators::InputValue& item, std::size_t) { return integerOf(item); });
        case c10::TypeKind::FloatType:
            return listOf<double>(
                value, length,
                [](const operators::InputValue& item, std::size_t) { return realOf(item); });
        case c10::TypeKind::BoolType:
            return listOf<bool>(value, length, [](const operators::InputValue& item, std::size_t) {
                return truthOf(item);
            });
        case c10::TypeKind::NumberType:
            return listOf<at::Scalar>(
                value, length,
                [](const operators::InputValue& item, std::size_t) { return scalarOf(item); });
        default:
            throw Misfit{"lists of " + element->str() + " are not made"};
    }
}

c10::IValue convert(const operators::InputValue& value, const c10::TypePtr& type,
                    std::optional<std::int32_t> length, const Place& place) {
    switch (type->kind()) {
        case c10::TypeKind::OptionalType:
            return std::holds_alternative<std::monostate>(value.data)
                       ? c10::IValue()
                       : convert(value, type->containedType(0), length, place);
        case c10::TypeKind::TensorType:
            return tensorOf(value, place, 0);
        case c10::TypeKind::ListType:
            return convertList(value, type->containedType(0), length, place);
        case c10::TypeKind::IntType:
        case c10::TypeKind::SymIntType:
            return integerOf(value);
        case c10::TypeKind::FloatType:
            return realOf(value);
        case c10::TypeKind::BoolType:
            return truthOf(value);
        case c10::TypeKind::NumberType:
            return scalarOf(value);
        case c10::TypeKind::StringType:
            return textOf(value);
        case c10::TypeKind::DeviceObjType:
            (void)textOf(value);
            return place.device;  // whatever was recorded, it runs here
        default:
            throw Misfit{"arguments of type " + type->str() + " are not made"};
    }
}

const operators::InputValue* valueFor(const operators::OperatorCall& call, std::size_t position,
                                      const std::string& name) {
    if (position < call.args.size()) {
        return &call.args[position];
    }
    for (const auto& [key, value] : call.kwargs) {
        if (key == name) {
            return &value;
        }
    }
    return nullptr;
}

void checkNames(const c10::FunctionSchema& schema, const operators::OperatorCall& call) {
    if (call.args.size() > schema.arguments().size()) {
        throw Misfit{fmt::format("{} arguments where this PyTorch's operator has {}",
                                 call.args.size(), schema.arguments().size())};
    }
    for (const auto& [key, value] : call.kwargs) {
        const auto& all = schema.arguments();
        if (std::none_of(all.begin(), all.end(),
                         [&, &name = key](const auto& one) { return one.name() == name; })) {
            throw Misfit{"this PyTorch's operator has no argument '" + key + "'"};
        }
    }
}

torch::jit::Stack convertAll(const c10::FunctionSchema& schema, Place place) {
    checkNames(schema, *place.call);
    torch::jit::Stack stack;
    for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
        const c10::Argument& argument = schema.arguments()[i];
        place.argument = i;
        if (const operators::InputValue* value = valueFor(*place.call, i, argument.name())) {
            const auto length = argument.N();
            try {
                stack.push_back(
                    convert(*value, argument.type(),
                            length ? std::optional<std::int32_t>(*length) : std::nullopt, place));
            } catch (const Misfit& misfit) {
                throw Misfit{"argument '" + argument.name() + "': " + misfit.message};
            }
        } else if (const auto standard = argument.default_value()) {
            stack.push_back(*standard);
        } else {
            throw Misfit{"argument '" + argument.name() + "' is missing"};
        }
    }
    return stack;
}

}  // namespace

Result<c10::OperatorHandle> findOperator(std::string_view name) {
    const std::size_t first = name.find('.');
    const std::size_t last = name.rfind('.');
    if (first == std::string_view::npos || first == last) {
        return fail(fmt::format("{}: an overload is needed, such as aten.add.Tensor", name));
    }
    const std::string qualified =
        fmt::format("{}::{}", name.substr(0, first), name.substr(first + 1, last - first - 1));
    const std::string_view overload = name.substr(last + 1);
    const auto found = c10::Dispatcher::singleton().findSchema(
        {qualified, overload == "default" ? "" : std::string(overload)});
    if (!found) {
        return fail(fmt::format("PyTorch {} has no such operator", TORCH_VERSION));
    }
    return *found;
}

Result<torch::jit::Stack> buildStack(const c10::OperatorHandle& op, std::string_view name,
                                     const operators::OperatorCall& call,
                                     const at::Device& device) {
    try {
        return convertAll(op.schema(), Place{name, &call, 0, device});
    } catch (const Misfit& misfit) {
        return fail(misfit.message);
    }
}

}  // namespace kinetoscope::bench::libtorch
