// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

enum class Kind : std::uint8_t { Bool, Integer, Floating, Complex };

Kind kindOf(DataType type) {
    if (type <= DataType::Bool) {
        return Kind::Bool;
    }
    if (!isFloating(type)) {
        return Kind::Integer;
    }
    return type >= DataType::ComplexHalf ? Kind::Complex : Kind::Floating;
}

DataType usualOf(Kind kind) {
    switch (kind) {
        case Kind::Bool:
            return DataType::Bool;
        case Kind::Integer:
            return DataType::Int64;
        case Kind::Floating:
            return DataType::Float;
        case Kind::Complex:
            break;
    }
    return DataType::ComplexFloat;
}

DataType together(DataType a, DataType b) {
    const bool halves = std::min(a, b) == DataType::Half && std::max(a, b) == DataType::BFloat16;
    return halves ? DataType::Float : std::max(a, b);
}

Kind kindOfValue(std::string_view value) {
    if (value == "True" || value == "False") {
        return Kind::Bool;
    }
    if (value.find('j') != std::string_view::npos) {
        return Kind::Complex;
    }
    return value.find_first_of(".enif") == std::string_view::npos ? Kind::Integer : Kind::Floating;
}

constexpr std::string_view kAny = "*";

}  // namespace

OperatorTable::OperatorTable() {
    for (const auto& family :
         {productModels(), convolutionModels(), attentionModels(), recurrentModels(),
          elementwiseModels(), reductionModels(), normModels(), lossModels(), movingModels(),
          indexModels(), poolingModels(), paddingModels(), optimizerModels(), libraryModels(),
          libraryAttentionModels(), serving::servingModels(), serving::expertModels(),
          serving::quantizedModels(), serving::aiterModels()}) {
        for (const OperatorModel& row : family) {
            m_rows.push_back(&row);
            (row.name.ends_with(kAny) ? m_prefixes : m_byName).push_back(&row);
        }
    }
    std::ranges::sort(m_byName, {}, &OperatorModel::name);
}

const OperatorTable& OperatorTable::builtin() {
    static const OperatorTable table;
    return table;
}

const OperatorModel* OperatorTable::find(std::string_view name, bool& inPlace) const {
    const auto exact = [&](std::string_view wanted) -> const OperatorModel* {
        const auto found = std::ranges::lower_bound(m_byName, wanted, {}, &OperatorModel::name);
        return found != m_byName.end() && (*found)->name == wanted ? *found : nullptr;
    };
    inPlace = false;
    const OperatorModel* row = exact(name);
    if (row == nullptr && name.ends_with('_')) {
        row = exact(name.substr(0, name.size() - 1));
        inPlace = row != nullptr;
    }
    for (const OperatorModel* prefix : m_prefixes) {
        if (row == nullptr && name.starts_with(prefix->name.substr(0, prefix->name.size() - 1))) {
            row = prefix;
        }
    }
    return row;
}

std::span<const OperatorModel* const> OperatorTable::rows() const {
    return m_rows;
}

std::optional<Work> workOf(OperatorCall& call, const OperatorModel* row) {
    if (row == nullptr) {
        return std::nullopt;
    }
    const Work work = row->work(call, *row);
    return work.isTold() ? std::optional(work) : std::nullopt;
}

Work simpleWork(Amount flops, Amount bytes, DataType type) {
    return {.flops = flops, .counted = 0, .bytes = bytes, .type = type, .matrix = false};
}

Work productWork(Amount flops, Amount bytes, DataType type, bool counted) {
    return {.flops = flops,
            .counted = counted ? flops : Amount(0),
            .bytes = bytes,
            .type = type,
            .matrix = true};
}

Amount readBytes(const OperatorCall& call, std::size_t places) {
    Amount bytes = 0;
    for (std::size_t i = 0; i < places && i < call.arguments.size(); ++i) {
        const Argument& argument = call.arguments[i];
        const bool isList = argument.kind == Argument::Kind::TensorList;
        if (isList && argument.tensors.empty()) {
            return Amount::untold();
        }
        for (const Tensor& tensor : argument.tensors) {
            bytes += isList ? bytesOf(tensor.distinct(), call.listType) : tensor.bytes();
        }
    }
    return bytes;
}

const Tensor* givenResult(const OperatorCall& call, std::size_t place) {
    for (std::size_t i = call.arguments.size(); i > place; --i) {
        if (call.isTensor(i - 1)) {
            return &call.tensor(i - 1);
        }
    }
    return nullptr;
}

std::optional<Sizes> broadcast(const Sizes& a, const Sizes& b) {
    Sizes result(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t fromA = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t fromB = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (fromA != fromB && fromA != 1 && fromB != 1) {
            return std::nullopt;
        }
        result[result.size() - 1 - i] = fromA == 1 ? fromB : fromA;
    }
    return result;
}

DataType promoted(const OperatorCall& call, std::size_t inputs) {
    DataType whole = DataType::Unknown;   // of tensors that have dimensions
    DataType single = DataType::Unknown;  // of tensors that are one number
    Kind highest = Kind::Bool;
    bool anyValue = false;
    for (std::size_t i = 0; i < inputs && i < call.arguments.size(); ++i) {
        if (call.isTensor(i)) {
            const Tensor& tensor = call.tensor(i);
            DataType& type = tensor.sizes.empty() ? single : whole;
            type = type == DataType::Unknown ? tensor.type : together(type, tensor.type);
        } else if (call.arguments[i].kind == Argument::Kind::Value) {
            highest = std::max(highest, kindOfValue(call.value(i)));
            anyValue = true;
        }
    }
    if (whole == DataType::Unknown) {
        whole = single;
    } else if (single != DataType::Unknown) {
        highest = std::max(highest, kindOf(single));
        anyValue = true;
    }
    if (whole == DataType::Unknown || !anyValue || kindOf(whole) >= highest) {
        return whole;
    }
    return highest == Kind::Complex && whole == DataType::Double ? DataType::ComplexDouble
                                                                 : usualOf(highest);
}

}  // namespace kinetoscope::model
