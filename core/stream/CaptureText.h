// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/stream/CaptureFormat.h"

namespace kinetoscope::stream {

/// Bytes of the fixed part of a record; 0 for a type that this version does not know.
[[nodiscard]] std::size_t recordSize(format::RecordType type);

/// Kineto's words for the numbers in records; "Unknown" for those it has none for.
[[nodiscard]] std::string_view memoryKindName(std::uint32_t kind);
/// Whether memory of that kind is the host's, whichever GPU it was allocated for.
[[nodiscard]] bool isHostMemory(std::uint32_t kind);
/// "Memcpy HtoD (Pageable -> Device)".
[[nodiscard]] std::string copyName(const format::CopyRecord& copy);
[[nodiscard]] std::string_view synchronizationName(std::uint32_t kind);
[[nodiscard]] std::string_view overheadName(std::uint32_t kind);

}  // namespace kinetoscope::stream
