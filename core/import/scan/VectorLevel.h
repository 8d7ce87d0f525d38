// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace kinetoscope::import::scan {

/// Which instructions the inner loops use.
enum class VectorLevel : std::uint8_t {
    Words,  ///< plain C++ on 64-bit words
    Sse2,
    Avx2,
};

/// What build and processor have, slowest first.
[[nodiscard]] std::vector<VectorLevel> vectorLevels();

/// The one in use: the fastest, unless a test set another.
[[nodiscard]] VectorLevel vectorLevel();

/// For tests; readers that exist already keep theirs.
void setVectorLevel(VectorLevel level);

}  // namespace kinetoscope::import::scan
