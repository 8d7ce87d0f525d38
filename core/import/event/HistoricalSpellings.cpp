// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/HistoricalSpellings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

namespace kinetoscope {

namespace {

struct CategorySpelling {
    std::string_view text;  // lower case
    Category category;
    std::string_view name = {};  // the event must be called so; empty: any name
};

constexpr CategorySpelling kCategories[] = {
    // As written today.
    {"cpu_op", Category::CpuOp},
    {"user_annotation", Category::UserAnnotation},
    {"gpu_user_annotation", Category::GpuUserAnnotation},  // "gpu_user_Annotation" until 2022
    {"kernel", Category::Kernel},                          // "Kernel" until 2022
    {"gpu_memcpy", Category::GpuMemcpy},
    {"gpu_memset", Category::GpuMemset},
    {"cuda_runtime", Category::Runtime},  // also of HIP calls
    {"cuda_driver", Category::Driver},
    {"cuda_sync", Category::CudaSync},
    {"cuda_event", Category::CudaEvent},
    {"overhead", Category::Overhead},
    {"python_function", Category::PythonFunction},
    {"cpu_instant_event", Category::CpuInstantEvent},
    {"external_correlation", Category::ExternalCorrelation},
    {"trace", Category::TraceSpan},
    {"net", Category::Net},
    {"ac2g", Category::Ac2g},
    {"fwdbwd", Category::FwdBwd},
    // The runtimes and drivers of other vendors.
    {"hip_runtime", Category::Runtime},
    {"xpu_runtime", Category::Runtime},
    {"mtia_runtime", Category::Runtime},
    {"glow_runtime", Category::Runtime},
    {"privateuse1_runtime", Category::Runtime},
    {"xpu_driver", Category::Driver},
    {"privateuse1_driver", Category::Driver},
    // Until November 2021 and April 2022.
    {"runtime", Category::Runtime},
    {"operator", Category::CpuOp},
    {"memcpy", Category::GpuMemcpy},
    {"memset", Category::GpuMemset},
    // Flows until October 2022.
    {"async", Category::Ac2g, "launch"},
    {"async_gpu", Category::Ac2g},
    {"async_cpu_to_gpu", Category::Ac2g},
    {"fwd_bwd", Category::FwdBwd},
    {"forward_backward", Category::FwdBwd},
    // The autograd profiler, before Kineto.
    {"cpu_to_cuda", Category::Ac2g},
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

bool equalIgnoringCase(std::string_view lower, std::string_view text) {
    return std::ranges::equal(lower, text, [](char a, char b) {
        return a == std::tolower(static_cast<unsigned char>(b));
    });
}

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

std::optional<Category> categoryOfSpelling(std::string_view text, std::string_view name) {
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

}  // namespace kinetoscope
