// SPDX-License-Identifier: Apache-2.0
#include "core/trace/Category.h"

#include <array>

namespace kinetoscope::trace {

std::string_view categoryName(Category category) {
    static constexpr std::array<std::string_view, kKnownCategories + 1> kNames{
        "",
        "cpu_op",
        "user_annotation",
        "gpu_user_annotation",
        "kernel",
        "gpu_memcpy",
        "gpu_memset",
        "cuda_runtime",
        "cuda_driver",
        "cuda_sync",
        "cuda_event",
        "overhead",
        "python_function",
        "cpu_instant_event",
        "external_correlation",
        "Trace",
        "Net",
        "ac2g",
        "fwdbwd",
        "",
    };
    return kNames[static_cast<std::size_t>(category)];
}

}  // namespace kinetoscope::trace
