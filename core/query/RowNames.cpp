// SPDX-License-Identifier: Apache-2.0
#include "core/query/RowNames.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace kinetoscope::query {

namespace {

/// Many tracks may share one name of megabytes; only this much of it is shown.
constexpr std::size_t kMaxBytes = 4'000;

std::string_view cut(std::string_view text) {
    std::size_t length = std::min(text.size(), kMaxBytes);
    while (length > 0 && length < text.size() && (text[length] & 0xc0) == 0x80) {
        --length;  // not inside of a letter
    }
    return text.substr(0, length);
}

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) {
        return {};
    }
    return std::string(cut(text.substr(first, text.find_last_not_of(' ') - first + 1)));
}

/// What stands on a GPU's rows; a process label alone does not make a GPU of a process.
bool isOnGpu(trace::Category category) {
    return trace::isGpuOperation(category) || category == trace::Category::GpuUserAnnotation ||
           category == trace::Category::CudaSync || category == trace::Category::CudaEvent;
}

std::string processName(const trace::Trace& trace, const trace::Process& process, bool overhead) {
    const std::string pid(cut(trace.rowIdText(process.pid)));
    const std::string name = trimmed(trace.text(process.name));
    if (name.empty()) {
        if (overhead) {
            return "Profiler overhead";
        }
        return !process.pid.isText ? fmt::format("process {}", pid)
               : pid.empty()       ? "(no process)"
                                   : pid;
    }
    constexpr std::int64_t kPidBits = 0xffffffff;
    // Captures say the pid in the name where another number had to stand for the process.
    const bool named = name.find(pid) != std::string::npos ||
                       (process.pid.value > kPidBits && !process.pid.isText &&
                        process.sortIndex == (process.pid.value & kPidBits) &&
                        name.find(std::to_string(process.sortIndex)) != std::string::npos);
    return process.pid.isText || named ? name : fmt::format("{} {}", name, pid);
}

std::string trackName(const trace::Trace& trace, const trace::Track& track, bool gpu) {
    std::string name = trimmed(trace.text(track.name));
    if (!name.empty()) {
        return name;
    }
    std::string tid(cut(trace.rowIdText(track.tid)));
    if (tid.empty()) {
        return "(no thread)";
    }
    if (track.kind != trace::TrackKind::Thread || track.tid.isText) {
        return tid;
    }
    return fmt::format("{} {}", gpu ? "stream" : "thread", tid);
}

}  // namespace

RowNames::RowNames(const LaneIndex& index) {
    const trace::Trace& trace = index.trace();
    const auto processes = trace.processes();
    m_gpus.resize(processes.size());
    std::vector<std::optional<trace::Category>> first(processes.size());
    for (trace::TrackId track = 0; track < index.trackCount(); ++track) {
        const std::uint32_t process = index.processOf(track);
        m_processOf.push_back(process);
        if (const auto slice = index.anySlice(track)) {
            const trace::Category category = trace.category(*slice);
            m_gpus[process] = m_gpus[process] || isOnGpu(category);
            first[process] = first[process].value_or(category);
        }
    }
    for (std::uint32_t row = 0; row < processes.size(); ++row) {
        const trace::Process& process = processes[row];
        if (!m_gpus[row] || process.pid.isText) {
            m_processes.push_back(
                processName(trace, process, first[row] == trace::Category::Overhead));
            m_headings.push_back(m_processes.back());
            continue;
        }
        m_processes.push_back(trace::gpuName(process.pid.value));
        const trace::DeviceProperties* device = trace.info().device(process.pid.value);
        m_headings.push_back(device != nullptr && !device->name.empty()
                                 ? fmt::format("{} · {}", m_processes.back(), device->name)
                                 : m_processes.back());
    }
    for (const trace::Track& track : trace.tracks()) {
        m_tracks.push_back(trackName(trace, track, m_gpus[track.process]));
    }
    // Rows beside the trace's own tracks.
    m_tracks.resize(index.trackCount(), "annotations");
}

std::string RowNames::whole(trace::TrackId track) const {
    return fmt::format("{}, {}", m_processes[m_processOf[track]], m_tracks[track]);
}

}  // namespace kinetoscope::query
