// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/StringPool.h"
#include "core/import/event/EventArguments.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::perfetto {

/// A process and a thread, of a track or above it.
struct Place {
    std::optional<std::int64_t> pid;
    std::optional<std::int64_t> tid;
};

/// The GPU and the stream that a track is called after.
struct GpuPlace {
    std::int64_t gpu = 0;
    std::int64_t stream = 0;
};

/// The contents of a TrackDescriptor. Names are Tracks::text().
struct Descriptor {
    std::uint64_t parent = 0;
    NameId name = kEmptyName;
    NameId threadName = kEmptyName;
    NameId processName = kEmptyName;
    Place place;
    std::int64_t writer = -1;          ///< the process that wrote it
    NameId counterName = kEmptyName;   ///< of counters that share a name: what tells them apart
    std::optional<GpuPlace> gpuPlace;  ///< that it is called after
    bool isGpu = false;                ///< the process is a GPU
    bool isProcess = false;
    bool isCounter = false;
    bool incremental = false;
    std::int64_t multiplier = 1;
};

/// The place of a GPU operation: by its own numbers, else by its track's name, else its track's.
[[nodiscard]] GpuPlace gpuPlaceOf(const event::EventArguments& arguments, const Descriptor* track,
                                  std::uint64_t uuid);
/// "COMPUTE AGENT [4] STREAM [1] (GPU)", "COPY to AGENT [4] STREAM [1] (GPU)", "… QUEUE [0] …", as
/// rocprofv3 calls them, "GPU Kernel Dispatch [0] Queue 1" and the like, as rocprof-sys does.
[[nodiscard]] std::optional<GpuPlace> gpuPlaceOf(std::string_view trackName);

/// A row's numbers or names, as JSON says them too. Names are Tracks::text().
struct Row {
    bool textPid = false;
    std::optional<std::int64_t> pid;  ///< nullopt: of a group, or of no process at all
    NameId pidText = kEmptyName;
    std::int64_t tid = 0;
    NameId name = kEmptyName;  ///< of a counter: its name
};

/// The tracks of a trace by their uuid. Many may be called after one, so each name is kept once.
class Tracks {
public:
    /// `writer`: the process of the packet, -1 if unknown.
    void describe(std::string_view message, std::int64_t writer);
    /// Older packets, which describe the process and the thread of their sequence.
    void describeProcess(std::string_view message);
    [[nodiscard]] Place describeThread(std::string_view message);

    [[nodiscard]] const Descriptor* find(std::uint64_t uuid) const {
        const auto known = m_tracks.find(uuid);
        return known == m_tracks.end() ? nullptr : &known->second;
    }
    [[nodiscard]] Descriptor& at(std::uint64_t uuid) { return m_tracks[uuid]; }
    [[nodiscard]] NameId intern(std::string_view text);
    [[nodiscard]] std::string_view text(NameId id) const { return m_texts.view(id); }
    /// The row of events of that track: its thread's, or one of its own. A process that is called
    /// like a GPU of the trace gets a text.
    [[nodiscard]] Row rowOf(std::uint64_t uuid, std::int64_t writer) const;
    void setGpus(std::int64_t gpus);
    /// Gives counters of one process and name the names of their parents beside it.
    void nameApart(const std::map<std::uint64_t, std::int64_t>& writersOfCounters);
    /// The processes whose tracks, by their descriptors, have both calls and what they launched:
    /// these number their calls each from the same number on.
    void setLaunching(std::vector<std::int64_t> pids) { m_launching = std::move(pids); }
    /// The process that a descriptor tells.
    [[nodiscard]] std::optional<std::int64_t> toldPid(std::uint64_t uuid) const;
    /// A process's own correlation as a number that no other process has.
    [[nodiscard]] std::int64_t correlation(std::uint64_t uuid, std::int64_t own) const;
    /// Empty without a descriptor.
    [[nodiscard]] std::string_view processName(std::int64_t pid) const;

    /// `builder`: the same each time.
    [[nodiscard]] trace::TrackId addTo(trace::TraceBuilder& builder, std::uint64_t uuid,
                                       std::int64_t writer);
    /// The row of a counter's samples, which a track that is none has beside its own.
    [[nodiscard]] trace::TrackId addCounterTo(trace::TraceBuilder& builder, std::uint64_t uuid,
                                              std::int64_t writer);

private:
    [[nodiscard]] trace::RowId addProcessTo(trace::TraceBuilder& builder, const Row& row);
    void setPid(Row& row, std::int64_t pid) const;
    void setWriter(Row& row, std::int64_t writer) const;
    [[nodiscard]] std::string parentName(const Descriptor& track) const;
    [[nodiscard]] NameId nameIn(trace::TraceBuilder& builder, NameId text);

    StringPool m_texts;
    NameId m_withoutProcess = m_texts.intern("tracks");
    std::unordered_map<std::uint64_t, Descriptor> m_tracks;
    std::unordered_map<std::int64_t, NameId> m_processNames;
    std::vector<std::int64_t> m_launching;
    std::vector<NameId> m_gpuPids;  // numbers from 0 on that may be GPUs: what a process is called
    std::vector<NameId> m_inTrace;  // by text: its name in the trace
    std::string m_storage;
};

}  // namespace kinetoscope::import::perfetto
