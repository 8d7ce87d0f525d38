// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CaptureText.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace kinetoscope::stream {

using namespace format;

namespace {

// The numbers are CUPTI's CUpti_ActivityMemoryKind.
constexpr std::array<std::string_view, 8> kMemoryKinds{"Unknown",       "Pageable",      "Pinned",
                                                       "Device",        "Array",         "Managed",
                                                       "Device Static", "Managed Static"};

// CUpti_ActivityMemcpyKind.
constexpr std::array<std::string_view, 11> kCopyKinds{
    "Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};

// CUpti_ActivitySynchronizationType.
constexpr std::array<std::string_view, 5> kSynchronizations{
    "Unknown Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};

// CUpti_ActivityOverheadKind is 0, 1 or a multiple of 65536.
constexpr std::uint32_t kOverheadShift = 16;
constexpr std::array<std::string_view, 9> kOverheads{"Unknown",
                                                     "Buffer Flush",
                                                     "Instrumentation",
                                                     "Resource",
                                                     "Runtime Triggered Module Loading",
                                                     "Lazy Function Loading",
                                                     "Command Buffer Full",
                                                     "Activity Buffer Request",
                                                     "UVM Activity Init"};

std::string_view at(std::span<const std::string_view> texts, std::uint32_t index) {
    return index < texts.size() ? texts[index] : texts[0];
}

}  // namespace

std::size_t recordSize(format::RecordType type) {
    switch (type) {
        case format::RecordType::Kernel:
            return sizeof(format::KernelRecord);
        case format::RecordType::Copy:
            return sizeof(format::CopyRecord);
        case format::RecordType::Memset:
            return sizeof(format::MemsetRecord);
        case format::RecordType::Api:
            return sizeof(format::ApiRecord);
        case format::RecordType::Synchronization:
            return sizeof(format::SynchronizationRecord);
        case format::RecordType::CudaEvent:
            return sizeof(format::CudaEventRecord);
        case format::RecordType::Overhead:
            return sizeof(format::OverheadRecord);
        case format::RecordType::Memory:
            return sizeof(format::MemoryRecord);
        case format::RecordType::Graph:
            return sizeof(format::GraphRecord);
        case format::RecordType::ExternalId:
            return sizeof(format::ExternalIdRecord);
        case format::RecordType::RangeStart:
            return sizeof(format::RangeStartRecord);
        case format::RecordType::RangeEnd:
            return sizeof(format::RangeEndRecord);
        case format::RecordType::Mark:
            return sizeof(format::MarkRecord);
        case format::RecordType::ThreadName:
            return sizeof(format::ThreadNameRecord);
        case format::RecordType::Counter:
            return sizeof(format::CounterRecord);
    }
    return 0;
}

std::string_view memoryKindName(std::uint32_t kind) {
    return at(kMemoryKinds, kind);
}

bool isHostMemory(std::uint32_t kind) {
    constexpr std::uint32_t kPageable = 1;
    constexpr std::uint32_t kPinned = 2;
    return kind == kPageable || kind == kPinned;
}

std::string copyName(const format::CopyRecord& copy) {
    return fmt::format("Memcpy {} ({} -> {})", at(kCopyKinds, copy.kind),
                       at(kMemoryKinds, copy.source), at(kMemoryKinds, copy.target));
}

std::string_view synchronizationName(std::uint32_t kind) {
    return at(kSynchronizations, kind);
}

std::string_view overheadName(std::uint32_t kind) {
    return kind == 1 ? "Driver Compiler" : at(kOverheads, kind >> kOverheadShift);
}

}  // namespace kinetoscope::stream
