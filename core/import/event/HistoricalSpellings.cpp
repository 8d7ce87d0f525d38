// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/HistoricalSpellings.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/Ascii.h"

namespace kinetoscope::import::event {

namespace {

struct CategorySpelling {
    std::string_view text;  // lower case
    trace::Category category;
    std::string_view name = {};  // the event must be called so; empty: any name
};

constexpr CategorySpelling kCategories[] = {
    // As written today.
    {"cpu_op", trace::Category::CpuOp},
    {"user_annotation", trace::Category::UserAnnotation},
    {"gpu_user_annotation",
     trace::Category::GpuUserAnnotation},  // "gpu_user_Annotation" until 2022
    {"kernel", trace::Category::Kernel},   // "Kernel" until 2022
    {"gpu_memcpy", trace::Category::GpuMemcpy},
    {"gpu_memset", trace::Category::GpuMemset},
    {"cuda_runtime", trace::Category::Runtime},  // also of HIP calls
    {"cuda_driver", trace::Category::Driver},
    {"cuda_sync", trace::Category::CudaSync},
    {"cuda_event", trace::Category::CudaEvent},
    {"overhead", trace::Category::Overhead},
    {"python_function", trace::Category::PythonFunction},
    {"cpu_instant_event", trace::Category::CpuInstantEvent},
    {"external_correlation", trace::Category::ExternalCorrelation},
    {"trace", trace::Category::TraceSpan},
    {"net", trace::Category::Net},
    {"ac2g", trace::Category::Ac2g},
    {"fwdbwd", trace::Category::FwdBwd},
    // The runtimes and drivers of other vendors.
    {"hip_runtime", trace::Category::Runtime},
    {"xpu_runtime", trace::Category::Runtime},
    {"mtia_runtime", trace::Category::Runtime},
    {"glow_runtime", trace::Category::Runtime},
    {"privateuse1_runtime", trace::Category::Runtime},
    {"xpu_driver", trace::Category::Driver},
    {"privateuse1_driver", trace::Category::Driver},
    // ROCm's profilers; the second spelling is rocprof-sys's.
    {"kernel_dispatch", trace::Category::Kernel},
    {"rocm_kernel_dispatch", trace::Category::Kernel},
    {"memory_copy", trace::Category::GpuMemcpy},
    {"rocm_memory_copy", trace::Category::GpuMemcpy},
    {"hip_api", trace::Category::Runtime},
    {"rocm_hip_api", trace::Category::Runtime},
    {"hsa_api", trace::Category::Driver},
    {"rocm_hsa_api", trace::Category::Driver},
    {"marker_api", trace::Category::UserAnnotation},
    {"rocm_marker_api", trace::Category::UserAnnotation},
    // Until November 2021 and April 2022.
    {"runtime", trace::Category::Runtime},
    {"operator", trace::Category::CpuOp},
    {"memcpy", trace::Category::GpuMemcpy},
    {"memset", trace::Category::GpuMemset},
    // Flows until October 2022.
    {"async", trace::Category::Ac2g, "launch"},
    {"async_gpu", trace::Category::Ac2g},
    {"async_cpu_to_gpu", trace::Category::Ac2g},
    {"fwd_bwd", trace::Category::FwdBwd},
    {"forward_backward", trace::Category::FwdBwd},
    // The autograd profiler, before Kineto.
    {"cpu_to_cuda", trace::Category::Ac2g},
};

struct ArgumentSpelling {
    std::string_view text;
    Argument argument;
};

constexpr ArgumentSpelling kArguments[] = {
    {"correlation", Argument::Correlation},
    {"External id", Argument::ExternalId},
    {"external id", Argument::ExternalId},
    {"device", Argument::Device},
    {"stream", Argument::Stream},
    {"grid", Argument::Grid},
    {"grid dim", Argument::Grid},  // ROCm
    {"block", Argument::Block},
    {"block dim", Argument::Block},  // ROCm
    {"registers per thread", Argument::Registers},
    {"shared memory", Argument::SharedMemory},
    {"est. achieved occupancy %", Argument::Occupancy},
    {"est. achieved occupancy", Argument::Occupancy},
    {"bytes", Argument::Bytes},
    {"graph id", Argument::GraphId},
    {"Collective name", Argument::CollectiveName},
    {"kernel", Argument::KernelName},
};

// A table without probing: the size and the first four letters tell all spellings above apart, and
// this mixture of them (found by trying) puts each into a slot of its own.
constexpr std::size_t kSlots = 256;

constexpr std::size_t slotOf(std::size_t size, std::uint64_t head) {
    return (head + size * 5) * 0x9e3779b97f4a7c15ULL >> 56U;
}

constexpr std::uint64_t headOf(std::string_view text) {
    std::uint64_t head = 0;
    for (std::size_t i = std::min<std::size_t>(text.size(), 4); i > 0; --i) {
        head = head << 8 | static_cast<unsigned char>(text[i - 1]);
    }
    return head;
}

constexpr std::array<std::uint8_t, kSlots> argumentSlots() {
    std::array<std::uint8_t, kSlots> slots{};
    std::uint8_t row = 0;
    for (const ArgumentSpelling& spelling : kArguments) {
        ++row;
        const std::size_t slot = slotOf(spelling.text.size(), headOf(spelling.text));
        // Evaluated by the compiler: a clash of two spellings does not build.
        if (slots[slot] != 0) {
            throw "two argument spellings share a slot";
        }
        slots[slot] = row;
    }
    return slots;
}

constexpr std::array<std::uint8_t, kSlots> kArgumentSlots = argumentSlots();

}  // namespace

std::optional<trace::Category> categoryOfSpelling(std::string_view text, std::string_view name) {
    for (const CategorySpelling& spelling : kCategories) {
        if (equalIgnoringCase(spelling.text, text) &&
            (spelling.name.empty() || spelling.name == name)) {
            return spelling.category;
        }
    }
    return std::nullopt;
}

bool spellingNeedsName(std::string_view text) {
    return std::ranges::any_of(kCategories, [text](const CategorySpelling& spelling) {
        return !spelling.name.empty() && equalIgnoringCase(spelling.text, text);
    });
}

Argument argumentOfSpelling(std::string_view key) {
    if (key.size() < 4) {
        return Argument::None;
    }
    std::uint32_t head = 0;
    std::memcpy(&head, key.data(), sizeof head);
    const std::uint8_t row = kArgumentSlots[slotOf(key.size(), head)];
    return row != 0 && kArguments[row - 1].text == key ? kArguments[row - 1].argument
                                                       : Argument::None;
}

}  // namespace kinetoscope::import::event
