// SPDX-License-Identifier: Apache-2.0
#include "core/bench/operators/InputValue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/bench/operators/InputEscapes.h"

namespace kinetoscope::bench::operators {

namespace {

struct TypeRow {
    InputType type;
    std::string_view name;
    bool floating;
};

constexpr std::array<TypeRow, 13> kTypes{{
    {InputType::Bf16, "bf16", true},
    {InputType::F64, "f64", true},
    {InputType::F32, "f32", true},
    {InputType::F16, "f16", true},
    {InputType::C32, "c32", false},
    {InputType::C64, "c64", false},
    {InputType::C128, "c128", false},
    {InputType::I8, "i8", false},
    {InputType::I16, "i16", false},
    {InputType::I32, "i32", false},
    {InputType::I64, "i64", false},
    {InputType::B8, "b8", false},
    {InputType::U8, "u8", false},
}};

const TypeRow& rowOf(InputType type) {
    return kTypes[static_cast<std::size_t>(type)];
}

std::string joined(const std::vector<std::int64_t>& numbers) {
    return fmt::format("{}", fmt::join(numbers, ", "));
}

std::string formatTensor(const TensorInput& tensor) {
    std::string text = fmt::format("T([{}], {}", joined(tensor.shape), inputTypeName(tensor.type));
    if (tensor.strides) {
        text += fmt::format(", stride=({}{})", joined(*tensor.strides),
                            tensor.strides->size() == 1 ? "," : "");
    }
    return text + ")";
}

std::string quoted(const std::string& text) {
    const char quote = text.find('\'') != std::string::npos ? '"' : '\'';
    std::string out(1, quote);
    for (const char c : text) {
        out += c == quote ? std::string{'\\', c} : escaped(c);
    }
    return out + quote;
}

std::string formatItems(const std::vector<InputValue>& items) {
    std::string text;
    for (const InputValue& item : items) {
        text += text.empty() ? "" : ", ";
        text += formatValue(item);
    }
    return text;
}

std::string formatTuple(const std::vector<InputValue>& items) {
    return "(" + formatItems(items) + (items.size() == 1 ? ",)" : ")");
}

struct Format {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return formatFloat(value); }
    std::string operator()(const std::string& value) const { return quoted(value); }
    std::string operator()(const TorchName& value) const { return "torch." + value.name; }
    std::string operator()(InputType value) const { return std::string(inputTypeName(value)); }
    std::string operator()(const TensorInput& value) const { return formatTensor(value); }
    std::string operator()(const SparseInput& value) const {
        return fmt::format("ST([{}], {}, torch.{}, {}, nnz={})", joined(value.shape),
                           inputTypeName(value.type), value.layout,
                           value.coalesced ? "True" : "False", value.nonzero);
    }
    std::string operator()(const InputList& value) const {
        return value.tuple ? formatTuple(value.items) : "[" + formatItems(value.items) + "]";
    }
};

}  // namespace

std::string_view inputTypeName(InputType type) {
    return rowOf(type).name;
}

std::optional<InputType> inputType(std::string_view name) {
    for (const TypeRow& row : kTypes) {
        if (row.name == name) {
            return row.type;
        }
    }
    return std::nullopt;
}

bool isFloating(InputType type) {
    return rowOf(type).floating;
}

std::int64_t TensorInput::elements() const {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        count *= size;
    }
    return count;
}

std::int64_t TensorInput::storageElements() const {
    if (!strides || elements() == 0) {
        return elements();
    }
    std::int64_t last = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        last += (shape[i] - 1) * (*strides)[i];
    }
    return last + 1;
}

std::string formatFloat(double value) {
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    if (std::isnan(value)) {
        return "nan";
    }
    std::string text = fmt::format("{}", value);
    const bool whole = text.find_first_of(".e") == std::string::npos;
    return whole ? text + ".0" : text;
}

std::string formatValue(const InputValue& value) {
    return std::visit(Format{}, value.data);
}

std::string formatCall(const OperatorCall& call) {
    std::string keywords;
    for (const auto& [name, value] : call.kwargs) {
        keywords += keywords.empty() ? "" : ", ";
        keywords += quoted(name) + ": " + formatValue(value);
    }
    return fmt::format("({}, {{{}}})", formatTuple(call.args), keywords);
}

}  // namespace kinetoscope::bench::operators
