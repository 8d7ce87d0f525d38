// SPDX-License-Identifier: Apache-2.0
#include "core/model/DataType.h"

#include <algorithm>
#include <array>

namespace kinetoscope::model {

namespace {

struct TypeFacts {
    std::string_view name;
    unsigned bits;
};

// By DataType.
constexpr std::array<TypeFacts, 16> kFacts{{{"", 0},
                                            {"bool", 8},
                                            {"uint8", 8},
                                            {"int8", 8},
                                            {"int16", 16},
                                            {"int32", 32},
                                            {"int64", 64},
                                            {"fp4", 4},
                                            {"fp8", 8},
                                            {"fp16", 16},
                                            {"bf16", 16},
                                            {"fp32", 32},
                                            {"fp64", 64},
                                            {"complex32", 32},
                                            {"complex64", 64},
                                            {"complex128", 128}}};

struct Spelling {
    std::string_view text;
    DataType type;
};

constexpr auto kSpellings = std::to_array<Spelling>({
    {"float", DataType::Float},
    {"Float", DataType::Float},
    {"BFloat16", DataType::BFloat16},
    {"Half", DataType::Half},
    {"double", DataType::Double},
    {"Double", DataType::Double},
    {"long int", DataType::Int64},
    {"long", DataType::Int64},
    {"Long", DataType::Int64},
    {"unsigned long", DataType::Int64},
    {"UInt64", DataType::Int64},
    {"int", DataType::Int32},
    {"Int", DataType::Int32},
    {"unsigned int", DataType::Int32},
    {"UInt32", DataType::Int32},
    {"short", DataType::Int16},
    {"short int", DataType::Int16},
    {"Short", DataType::Int16},
    {"unsigned short", DataType::Int16},
    {"UInt16", DataType::Int16},
    {"signed char", DataType::Int8},
    {"char", DataType::Int8},
    {"Char", DataType::Int8},
    {"qint8", DataType::Int8},
    {"unsigned char", DataType::UInt8},
    {"Byte", DataType::UInt8},
    {"quint8", DataType::UInt8},
    {"bool", DataType::Bool},
    {"Bool", DataType::Bool},
    {"Float8_e4m3fn", DataType::Float8},
    {"Float8_e4m3fnuz", DataType::Float8},
    {"Float8_e5m2", DataType::Float8},
    {"Float8_e5m2fnuz", DataType::Float8},
    {"Float8_e8m0fnu", DataType::Float8},
    {"complex<Half>", DataType::ComplexHalf},
    {"complex<c10::Half>", DataType::ComplexHalf},
    {"ComplexHalf", DataType::ComplexHalf},
    {"complex<float>", DataType::ComplexFloat},
    {"ComplexFloat", DataType::ComplexFloat},
    {"complex<double>", DataType::ComplexDouble},
    {"ComplexDouble", DataType::ComplexDouble},
});

// PyTorch's numbers of types; those not in here have no sizes that bytes can be counted with.
constexpr auto kNumbers = std::to_array<DataType>(
    {DataType::UInt8,       DataType::Int8,         DataType::Int16,         DataType::Int32,
     DataType::Int64,       DataType::Half,         DataType::Float,         DataType::Double,
     DataType::ComplexHalf, DataType::ComplexFloat, DataType::ComplexDouble, DataType::Bool,
     DataType::Int8,        DataType::UInt8,        DataType::Int32,         DataType::BFloat16,
     DataType::Unknown,     DataType::Unknown,      DataType::Unknown,       DataType::Unknown,
     DataType::Unknown,     DataType::Unknown,      DataType::Unknown,       DataType::Float8,
     DataType::Float8,      DataType::Float8,       DataType::Float8,        DataType::Int16,
     DataType::Int32,       DataType::Int64});

// An element of which only the size is known moves as an integer of that size.
DataType opaque(std::string_view digits) {
    switch (digits.empty() ? '0' : digits.front()) {
        case '2':
            return DataType::Int16;
        case '4':
            return DataType::Int32;
        case '8':
            return DataType::Int64;
        case '1':
            return digits.starts_with("16") ? DataType::ComplexDouble : DataType::UInt8;
        default:
            return DataType::Unknown;
    }
}

}  // namespace

DataType dataTypeOf(std::string_view spelling) {
    if (spelling.starts_with("c10::")) {
        spelling.remove_prefix(5);
    }
    const auto found = std::ranges::find(kSpellings, spelling, &Spelling::text);
    return found == kSpellings.end() ? DataType::Unknown : found->type;
}

DataType dataTypeOfNumber(std::int64_t number) {
    return number >= 0 && number < static_cast<std::int64_t>(kNumbers.size())
               ? kNumbers[static_cast<std::size_t>(number)]
               : DataType::Unknown;
}

std::string_view dataTypeName(DataType type) {
    return kFacts[static_cast<std::size_t>(type)].name;
}

bool isFloating(DataType type) {
    return type >= DataType::Float4;
}

Amount bytesOf(Amount elements, DataType type) {
    constexpr unsigned kBits = 8;
    const unsigned bits = kFacts[static_cast<std::size_t>(type)].bits;
    return bits == 0 ? Amount::untold() : elements * bits / kBits;
}

DataType elementTypeOfKernel(std::string_view name) {
    constexpr std::string_view kOpaque = "OpaqueType<";
    if (const std::size_t at = name.find(kOpaque); at != std::string_view::npos) {
        return opaque(name.substr(at + kOpaque.size()));
    }
    constexpr std::array<std::string_view, 4> kTypes{"c10::BFloat16", "c10::Half", "double",
                                                     "float"};
    std::size_t first = std::string_view::npos;
    DataType type = DataType::Unknown;
    for (const std::string_view text : kTypes) {
        if (const std::size_t at = name.find(text); at < first) {
            first = at;
            type = dataTypeOf(text);
        }
    }
    return type;
}

}  // namespace kinetoscope::model
