// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinetoscope::metrics {

struct PyEntry;
struct PyKeyword;

/// A Python literal, or a call or dotted name whose meaning is up to the reader. Nothing is ever
/// evaluated beyond signs, products and sums of numbers.
struct PyValue {
    enum class Kind : std::uint8_t {
        None,
        Bool,
        Int,
        Float,
        String,
        Tuple,
        List,
        Set,
        Dict,
        Name,  ///< text: dotted name
        Call,  ///< text: dotted name of what is called; items and keywords: its arguments
    };

    Kind kind = Kind::None;
    std::int64_t integer = 0;  ///< Bool, Int
    double number = 0.0;       ///< Float
    std::string text;          ///< String, Name, Call
    std::vector<PyValue> items;
    std::vector<PyEntry> entries;     ///< Dict, in order
    std::vector<PyKeyword> keywords;  ///< Call
    std::string_view source;  ///< the expression as written; lives as long as the parsed text

    [[nodiscard]] bool isSequence() const {
        return kind == Kind::Tuple || kind == Kind::List || kind == Kind::Set;
    }
    /// Int or Bool.
    [[nodiscard]] std::optional<std::int64_t> asInt() const;
    [[nodiscard]] std::optional<double> asNumber() const;
    /// Value of a Dict's key or a Call's keyword; null if there is none. The last of equal keys
    /// wins.
    [[nodiscard]] const PyValue* find(std::string_view key) const;
};

struct PyEntry {
    PyValue key;
    PyValue value;
};

struct PyKeyword {
    std::string name;
    PyValue value;
};

}  // namespace kinetoscope::metrics
