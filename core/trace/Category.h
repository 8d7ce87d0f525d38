// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace kinetoscope::trace {

/// What an event is, independent of the spelling in the file. The numbers index the first rows of
/// a trace's category table; texts that are none of these follow them (see Trace::categoryText).
enum class Category : std::uint8_t {
    None,  ///< the event has no "cat"
    CpuOp,
    UserAnnotation,
    GpuUserAnnotation,
    Kernel,
    GpuMemcpy,
    GpuMemset,
    Runtime,  ///< cuda_runtime and its kin of other vendors
    Driver,   ///< cuda_driver and its kin
    CudaSync,
    CudaEvent,
    Overhead,
    PythonFunction,
    CpuInstantEvent,
    ExternalCorrelation,
    TraceSpan,  ///< "Trace"
    Net,
    Ac2g,    ///< flow from a launch to its GPU operation
    FwdBwd,  ///< flow from a forward operator to its backward
    Other,   ///< any text beyond this table
};

inline constexpr std::uint8_t kKnownCategories = static_cast<std::uint8_t>(Category::Other);

/// Row of the trace's category table; below kKnownCategories it is the Category itself.
using CategoryId = std::uint8_t;

[[nodiscard]] constexpr Category categoryKind(CategoryId id) {
    return id < kKnownCategories ? static_cast<Category>(id) : Category::Other;
}

/// Kernels, copies and memsets. Synchronisation, annotations and overhead are not GPU work.
[[nodiscard]] constexpr bool isGpuOperation(Category category) {
    return category == Category::Kernel || category == Category::GpuMemcpy ||
           category == Category::GpuMemset;
}

/// An API call that can launch GPU work.
[[nodiscard]] constexpr bool isApiCall(Category category) {
    return category == Category::Runtime || category == Category::Driver;
}

/// Kineto's current spelling, e.g. "gpu_memcpy"; empty for None and Other.
[[nodiscard]] std::string_view categoryName(Category category);

}  // namespace kinetoscope::trace
