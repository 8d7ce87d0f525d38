// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::bench::plan {

struct CubinParameter {
    std::uint32_t offset = 0;  ///< bytes, in the parameter block
    std::uint32_t size = 0;    ///< bytes

    friend bool operator==(const CubinParameter&, const CubinParameter&) = default;
};

/// Launch parameters recorded in a compiled kernel.
struct CubinKernel {
    std::string name;
    std::vector<CubinParameter> parameters;  ///< by ordinal, without gaps
    std::uint32_t parameterBytes = 0;
    std::uint32_t requiredThreads = 0;       ///< per block, all axes multiplied; 0: not recorded
    std::optional<std::uint32_t> registers;  ///< per thread
};

struct Cubin {
    std::uint32_t architecture = 0;  ///< 90 for compute capability 9.0
    std::vector<CubinKernel> kernels;
};

/// Reads an ELF file for NVIDIA GPUs. Every offset and length is checked; fails in one line.
[[nodiscard]] Result<Cubin> readCubin(std::string_view bytes);

}  // namespace kinetoscope::bench::plan
