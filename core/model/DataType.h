// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/model/Amount.h"

namespace kinetoscope::model {

/// Types of elements, lower ones first: of two of the same kind the later holds both.
enum class DataType : std::uint8_t {
    Unknown,
    Bool,
    UInt8,
    Int8,
    Int16,
    Int32,
    Int64,
    Float4,
    Float8,
    Half,
    BFloat16,
    Float,
    Double,
    ComplexHalf,
    ComplexFloat,
    ComplexDouble,
};

/// As the profiler ("c10::BFloat16", "long int"), a collective ("BFloat16", "Long") or the name of
/// a kernel spells it.
[[nodiscard]] DataType dataTypeOf(std::string_view spelling);
/// By the number that PyTorch gives a type, as arguments "dtype" have it.
[[nodiscard]] DataType dataTypeOfNumber(std::int64_t number);
/// "bf16", "fp32", "int64"; "" for an unknown one.
[[nodiscard]] std::string_view dataTypeName(DataType type);

[[nodiscard]] bool isFloating(DataType type);
/// Of that many elements. Two Float4 share a byte.
[[nodiscard]] Amount bytesOf(Amount elements, DataType type);

/// The element type in a kernel's template arguments: "OpaqueType<2u>" (of which only the size is
/// known), "c10::Half", "float"; Unknown without any.
[[nodiscard]] DataType elementTypeOfKernel(std::string_view name);

}  // namespace kinetoscope::model
