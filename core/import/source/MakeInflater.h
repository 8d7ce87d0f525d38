// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/import/source/Inflater.h"

namespace kinetoscope::import::source {

/// Libraries that decompress gzip. ISA-L takes a quarter of zlib's time, but has its fast paths on
/// x86 and ARM only and is not in every distribution.
enum class GzipLibrary : std::uint8_t { IsaL, Zlib };

#ifdef KINETOSCOPE_ISAL
inline constexpr GzipLibrary kFastestGzip = GzipLibrary::IsaL;
#else
inline constexpr GzipLibrary kFastestGzip = GzipLibrary::Zlib;
#endif

/// Falls back to zlib where ISA-L was not built in.
[[nodiscard]] std::unique_ptr<Inflater> makeInflater(GzipLibrary library);

}  // namespace kinetoscope::import::source
