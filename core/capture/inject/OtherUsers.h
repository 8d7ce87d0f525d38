// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/capture/CuptiApi.h"

/// Others in this process that use CUPTI themselves (torch.profiler, Proton, JAX), seen through the
/// functions that they import or look up. CUPTI has room for one owner of buffers; who registers
/// last gets them all.
namespace kinetoscope::capture::inject::others {

/// Called before another user's buffers are registered; `library` is the path of its library.
/// Returns whether CUPTI has been in use here.
using Arrival = bool (*)(std::string_view library);

/// Looks at all libraries that are loaded now; to be called again when more were loaded. `api` must
/// outlive the process' last call.
void watch(const CuptiApi& api, others::Arrival arrival);

/// Another user came, has switched everything off again, has collected its rest, and was quiet
/// for a while.
[[nodiscard]] bool haveEnded();

/// Hands a buffer that is not ours to whom it belongs.
void complete(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
              std::size_t validSize);

}  // namespace kinetoscope::capture::inject::others
