// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kinetoscope::sqlite {

/// What a value is stored as, whatever its column says.
enum class ValueType : std::uint8_t { Null, Integer, Real, Text, Blob };

}  // namespace kinetoscope::sqlite
