// SPDX-License-Identifier: Apache-2.0
#include "core/model/OperatorCall.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/json/Json.h"
#include "core/trace/EventText.h"

namespace kinetoscope::model {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kTensorList = "TensorList";

bool isSizes(const Json& json) {
    return json.is_array() &&
           std::ranges::all_of(json, [](const Json& size) { return size.is_number_integer(); });
}

Sizes sizesOf(const Json& json) {
    Sizes sizes;
    for (const Json& size : json) {
        sizes.push_back(size.get<std::int64_t>());
    }
    return sizes;
}

Tensor tensorOf(const Json& sizes, const Json* strides, DataType type) {
    Tensor tensor{.told = isSizes(sizes), .sizes = {}, .strides = {}, .type = type};
    if (tensor.told) {
        tensor.sizes = sizesOf(sizes);
    }
    if (tensor.told && strides != nullptr && isSizes(*strides) && strides->size() == sizes.size()) {
        tensor.strides = sizesOf(*strides);
    }
    return tensor;
}

const Json* elementOf(const Json& list, std::size_t place) {
    return list.is_array() && place < list.size() ? &list[place] : nullptr;
}

std::string textOf(const Json* json) {
    return json != nullptr && json->is_string() ? json->get<std::string>() : std::string();
}

bool isNest(const Json& json) {
    return json.is_array() && !json.empty() && !isSizes(json);
}

Argument argumentOf(const Json* sizes, const Json* strides, const std::string& type,
                    std::string value) {
    Argument argument;
    argument.value = std::move(value);
    const DataType element = dataTypeOf(type);
    if (sizes != nullptr && (type == kTensorList || isNest(*sizes))) {
        argument.kind = Argument::Kind::TensorList;
        for (std::size_t i = 0; i < sizes->size(); ++i) {
            argument.tensors.push_back(
                tensorOf((*sizes)[i], strides == nullptr ? nullptr : elementOf(*strides, i),
                         DataType::Unknown));
        }
    } else if (sizes != nullptr && element != DataType::Unknown) {
        argument.kind = Argument::Kind::Tensor;
        argument.tensors.push_back(tensorOf(*sizes, strides, element));
    } else if (sizes != nullptr && isSizes(*sizes) && !sizes->empty()) {
        // A tensor of a type that nothing here knows: it has elements, of unknown size.
        argument.kind = Argument::Kind::Tensor;
        argument.tensors.push_back(tensorOf(*sizes, strides, DataType::Unknown));
    } else if (!argument.value.empty()) {
        argument.kind = Argument::Kind::Value;
    }
    return argument;
}

Amount amountOf(std::string_view text) {
    std::int64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()
               ? Amount::ofSize(value)
               : Amount::untold();
}

// "1.032e-06" gigabytes.
std::optional<Amount> gigabytes(const std::string& text) {
    const auto json = json::parseJson(text);
    if (!json || !json->is_number()) {
        return std::nullopt;
    }
    const double bytes = std::round(json->get<double>() * 1e9);
    return bytes > 0.0 && bytes < 1e18 ? std::optional(Amount(static_cast<std::uint64_t>(bytes)))
                                       : std::nullopt;
}

const Tensor& untoldTensor() {
    static const Tensor tensor{.told = false, .sizes = {}, .strides = {}};
    return tensor;
}

// The words of "[a, b]", or the one word that stands alone.
std::vector<std::string_view> wordsOf(std::string_view text) {
    if (text.starts_with('[') && text.ends_with(']')) {
        text = text.substr(1, text.size() - 2);
    }
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::string_view word = text.substr(0, comma);
        word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
        words.push_back(word);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return words;
}

}  // namespace

Amount elementsOf(std::span<const std::int64_t> sizes) {
    Amount product = 1;
    for (const std::int64_t size : sizes) {
        if (size == 0) {
            return 0;
        }
        product *= Amount::ofSize(size);
    }
    return product;
}

Amount Tensor::size(int dimension) const {
    const auto count = static_cast<int>(sizes.size());
    const int place = dimension < 0 ? dimension + count : dimension;
    return told && place >= 0 && place < count
               ? Amount::ofSize(sizes[static_cast<std::size_t>(place)])
               : Amount::untold();
}

Amount Tensor::elements() const {
    return told ? elementsOf(sizes) : Amount::untold();
}

Amount Tensor::distinct() const {
    const Amount all = elements();
    if (!all.isTold() || all.value() == 0 || strides.empty()) {
        return all;
    }
    Amount apart = 1;
    Amount span = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Amount stride = Amount::ofSize(strides[i]);
        if (!stride.isTold() || stride.value() > 0) {
            apart *= Amount::ofSize(sizes[i]);
            span += stride * Amount::ofSize(sizes[i] - 1);
        }
    }
    return span.isTold() && span.value() < apart.value() ? span : apart;
}

const Tensor& OperatorCall::tensor(std::size_t place) const {
    return isTensor(place) ? arguments[place].tensors.front() : untoldTensor();
}

bool OperatorCall::isTensor(std::size_t place) const {
    return place < arguments.size() && arguments[place].kind == Argument::Kind::Tensor;
}

const std::vector<Tensor>* OperatorCall::list(std::size_t place) const {
    return place < arguments.size() && arguments[place].kind == Argument::Kind::TensorList &&
                   !arguments[place].tensors.empty()
               ? &arguments[place].tensors
               : nullptr;
}

std::string_view OperatorCall::value(std::size_t place) const {
    return place < arguments.size() ? std::string_view(arguments[place].value) : std::string_view();
}

std::optional<std::int64_t> OperatorCall::integer(std::size_t place) const {
    const auto all = integers(place);
    return all && all->size() == 1 ? std::optional(all->front()) : std::nullopt;
}

std::optional<Sizes> OperatorCall::integers(std::size_t place) const {
    Sizes values;
    const std::string_view text = value(place);
    if (text.empty()) {
        return std::nullopt;
    }
    for (const std::string_view word : wordsOf(text)) {
        std::int64_t number = 0;
        const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
        if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) {
            return std::nullopt;
        }
        values.push_back(number);
    }
    return values;
}

std::optional<std::vector<bool>> OperatorCall::flags(std::size_t place) const {
    std::vector<bool> values;
    for (const std::string_view word : wordsOf(value(place))) {
        if (word != "True" && word != "False") {
            return std::nullopt;
        }
        values.push_back(word == "True");
    }
    return values.empty() ? std::nullopt : std::optional(values);
}

OperatorCall makeOperatorCall(std::string_view name, const CallTexts& texts) {
    const auto& [dims, types, values, strides, collective, in, out, dtype, gb, oldDims] = texts;
    OperatorCall call;
    call.name = name;
    const auto parsed = [](const std::string& text) {
        return json::parseJson(trace::unquoted(text)).value_or(Json::array());
    };
    const auto plain = [](const std::string& text) { return std::string(trace::unquoted(text)); };
    const Json sizes = parsed(dims.empty() ? oldDims : dims);
    const Json typeNames = parsed(types);
    const Json concrete = parsed(values);
    const Json steps = parsed(strides);
    for (std::size_t i = 0; sizes.is_array() && i < sizes.size(); ++i) {
        call.arguments.push_back(argumentOf(&sizes[i], elementOf(steps, i),
                                            textOf(elementOf(typeNames, i)),
                                            textOf(elementOf(concrete, i))));
    }
    if (!collective.empty()) {
        call.collective = CollectiveCall{.kind = plain(collective),
                                         .in = amountOf(plain(in)),
                                         .out = amountOf(plain(out)),
                                         .type = dataTypeOf(plain(dtype))};
    }
    call.kernelBytes = gigabytes(plain(gb));
    return call;
}

}  // namespace kinetoscope::model
