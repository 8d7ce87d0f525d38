// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// NVTX's side of its injection interface (versions 2 and 3).
namespace kinetoscope::capture::inject::nvtx {

using Function = void (*)();
using GetExportTable = const void* (*)(std::uint32_t table);

/// Takes over the functions that mark points and ranges. False when this NVTX offers none.
[[nodiscard]] bool attach(nvtx::GetExportTable getExportTable);

}  // namespace kinetoscope::capture::inject::nvtx
