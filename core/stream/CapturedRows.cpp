// SPDX-License-Identifier: Apache-2.0
// Processes and rows of a capture's events.
#include <fmt/format.h>

#include <algorithm>

#include "core/stream/CaptureDecoder.h"

namespace kinetoscope::stream {

namespace {

// As Kineto has them: GPUs below the processes, overhead below the GPUs.
constexpr std::int64_t kGpuSortIndex = 5'000'000;
constexpr std::int64_t kOverheadSortIndex = 0x100000a;

}  // namespace

void CaptureDecoder::announce(const CaptureEvent& event) {
    const std::pair key{event.pid, event.tid};
    if (key == m_lastRow) {
        return;
    }
    m_lastRow = key;
    if (event.isCounter) {
        return announceProcess(event);
    }
    if (!m_rows.insert(key).second) {
        return;
    }
    announceProcess(event);
    m_sink.row({event.pid, event.tid, false, rowName(event), {}, event.tid});
}

void CaptureDecoder::announceProcess(const CaptureEvent& event) {
    if (!m_processes.insert(event.pid).second) {
        return;
    }
    CaptureRow process{event.pid, 0, true, m_info.program + m_placement.suffix, {}, 0};
    if (event.pid == kOverheadPid) {
        process.name = "CUPTI Overhead";
        process.sortIndex = kOverheadSortIndex;
    } else if (event.pid == kUnknownGpuPid) {
        process.name = "unknown GPU";
        process.sortIndex = kOverheadSortIndex - 1;
    } else if (event.pid == m_placement.pid) {
        if (event.pid != m_info.pid) {
            process.name = fmt::format("{} {}{}", m_info.program, m_info.pid, m_placement.suffix);
        }
        process.labels = "CPU";
        process.sortIndex = m_info.pid;
    } else {
        process.labels = fmt::format("GPU {}", event.pid);
        process.sortIndex = kGpuSortIndex + event.pid;
    }
    m_sink.row(process);
}

std::string CaptureDecoder::rowName(const CaptureEvent& event) const {
    if (event.category == trace::Category::CudaSync) {
        return event.stream < 0 ? event.pid == kUnknownGpuPid
                                      ? "device (sync)"
                                      : fmt::format("device {} (sync)", event.pid)
                                : fmt::format("stream {} (sync)", event.stream);
    }
    if (event.stream != kNoCaptureId) {
        return fmt::format("stream {}", event.stream);
    }
    if (event.type == format::RecordType::Memory) {
        return "memory";
    }
    return event.tid == 0 ? "" : threadName(static_cast<std::uint32_t>(event.tid));
}

std::string CaptureDecoder::threadName(std::uint32_t thread) const {
    const auto known = m_threadNames.find(thread);
    return known == m_threadNames.end()
               ? fmt::format("thread {}", thread)
               : fmt::format("thread {} ({})", thread, name(known->second));
}

const CaptureDevice* CaptureDecoder::device(std::uint32_t id) const {
    const auto known = std::ranges::find(m_devices, id, &CaptureDevice::id);
    return known == m_devices.end() ? nullptr : &*known;
}

std::int64_t CaptureDecoder::gpuRow(std::uint32_t device) const {
    const auto known = m_placement.gpus.find(device);
    return known == m_placement.gpus.end() ? std::int64_t{device} : known->second;
}

}  // namespace kinetoscope::stream
