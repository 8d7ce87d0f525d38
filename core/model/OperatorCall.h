// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/model/DataType.h"

namespace kinetoscope::model {

using Sizes = std::vector<std::int64_t>;

/// The product of the sizes; 1 without any.
[[nodiscard]] Amount elementsOf(std::span<const std::int64_t> sizes);

struct Tensor {
    bool told = true;  ///< false: the trace has no sizes of it
    Sizes sizes;
    Sizes strides;  ///< as many as sizes, or none if the trace lacks them
    DataType type = DataType::Unknown;

    /// A dimension, from the end if `dimension` is negative; untold if there is none.
    [[nodiscard]] Amount size(int dimension) const;
    [[nodiscard]] Amount elements() const;
    /// Elements at places of their own: a stride of 0 makes one of many, and no more can be apart
    /// than lie between the first and the last.
    [[nodiscard]] Amount distinct() const;
    [[nodiscard]] Amount bytes() const { return bytesOf(distinct(), type); }
};

struct Argument {
    enum class Kind : std::uint8_t { None, Tensor, TensorList, Value };
    Kind kind = Kind::None;
    std::vector<Tensor> tensors;  ///< one of a tensor; of a list all, or none where they are untold
    std::string value;            ///< "2", "True", "[1, 1]"
};

/// The metadata of a collective.
struct CollectiveCall {
    std::string kind;  ///< "allreduce"
    Amount in;         ///< elements
    Amount out;
    DataType type = DataType::Unknown;
};

/// One way an operator is called: everything that decides how much work it is.
struct OperatorCall {
    std::string name;  ///< "aten::mm"
    std::vector<Argument> arguments;
    bool inPlace = false;  ///< the table's row has the name without the "_" at the end
    /// Of the elements of lists, of which a trace has no type; from the names of the kernels.
    DataType listType = DataType::Unknown;
    std::optional<CollectiveCall> collective;
    /// What Inductor reckons that its kernel moves.
    std::optional<Amount> kernelBytes;
    /// Of calls whose shapes come from their forward operator: kernels whose names say that they
    /// multiply matrices.
    unsigned products = 0;

    /// An untold tensor if the argument is not one.
    [[nodiscard]] const Tensor& tensor(std::size_t place) const;
    [[nodiscard]] bool isTensor(std::size_t place) const;
    /// Null where the argument is not a list or its tensors are untold.
    [[nodiscard]] const std::vector<Tensor>* list(std::size_t place) const;
    /// "" if there is none.
    [[nodiscard]] std::string_view value(std::size_t place) const;
    [[nodiscard]] bool isTrue(std::size_t place) const { return value(place) == "True"; }
    [[nodiscard]] std::optional<std::int64_t> integer(std::size_t place) const;
    /// Of "[2, 2]" or "2"; nothing where it is neither.
    [[nodiscard]] std::optional<Sizes> integers(std::size_t place) const;
    /// Which of "[True, False]" are true; nothing where it is not such a list.
    [[nodiscard]] std::optional<std::vector<bool>> flags(std::size_t place) const;
};

/// Arguments of a trace's event that makeOperatorCall() takes, in this order.
inline constexpr std::array<std::string_view, 10> kCallKeys{
    "Input Dims",    "Input type",     "Concrete Inputs", "Input Strides", "Collective name",
    "In msg nelems", "Out msg nelems", "dtype",           "kernel_num_gb", "Input dims"};
using CallTexts = std::array<std::string, kCallKeys.size()>;

/// `texts` are JSON as the file has it, "" where an argument is missing.
[[nodiscard]] OperatorCall makeOperatorCall(std::string_view name, const CallTexts& texts);

}  // namespace kinetoscope::model
