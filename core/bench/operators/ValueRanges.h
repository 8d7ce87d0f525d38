// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "core/bench/operators/InputValue.h"

namespace kinetoscope::bench::operators {

/// Range of a tensor's random elements.
struct ValueRange {
    enum class Kind : std::uint8_t {
        Uniform,     ///< low ≤ x < high
        Ascending,   ///< evenly from low, never above high: offsets into another tensor
        Descending,  ///< evenly from high down to low: lengths of sequences
    };
    Kind kind = Kind::Uniform;
    double low = 0.0;
    double high = 0.0;
};

/// The range for the tensor at position `argument` of the call, or for item `item` of the list
/// there: indices stay within what they index, probabilities within 0 and 1, integer divisors
/// are not 0. Everything else is -9 ≤ x < 9 for floats, -9 to 9 for integers, 0 to 9 for bytes.
[[nodiscard]] ValueRange valueRange(std::string_view operatorName, const OperatorCall& call,
                                    std::size_t argument, std::size_t item,
                                    const TensorInput& tensor);

/// "index_put" of "aten.index_put.default".
[[nodiscard]] std::string_view baseName(std::string_view operatorName);

}  // namespace kinetoscope::bench::operators
