// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kinetoscope::bench::plan {

/// What the intermediate representation of one compiled configuration tells about its blocks.
struct IrBlocks {
    /// By axis x, y, z: the constant that multiplies the program id into an offset of that name
    /// ("%xoffset"); nothing when none does.
    std::array<std::optional<std::int64_t>, 3> perAxis;
    std::optional<std::int64_t> rsplit;  ///< divisor of rsplit_chunk in cooperative reductions
    std::optional<std::int64_t> reductionRange;  ///< length of the range named r0_base or rbase
    bool namesAxis[3] = {false, false, false};   ///< whether the program id is read, by a name
    std::string sourceFile;  ///< "cabc….py" of the kernel's location; may be empty
};

/// Reads the first public function of a .source or .ttir file.
[[nodiscard]] IrBlocks readIrBlocks(std::string_view text);

/// Names of block sizes as launch configurations have them ("XBLOCK", "R0_BLOCK", "RSPLIT").
using BlockSizes = std::map<std::string, std::int64_t>;

}  // namespace kinetoscope::bench::plan
