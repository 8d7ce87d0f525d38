// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/Tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <tuple>

#include "core/base/Utf8.h"
#include "core/import/wire/Fields.h"
#include "core/import/wire/Names.h"
#include "core/trace/ProcessIds.h"

namespace kinetoscope::import::perfetto {

namespace {

constexpr int kMaxTrackDepth = 64;  // parents of a track

struct ProcessFields {
    std::int64_t pid = 0;
    std::string_view name;
};

ProcessFields processFields(std::string_view message) {
    ProcessFields process;
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == 1) {
            process.pid = static_cast<std::int32_t>(field.number);
        } else if (field.tag == 6) {
            process.name = field.bytes;
        }
    });
    return process;
}

}  // namespace

std::optional<GpuPlace> gpuPlaceOf(std::string_view name) {
    struct Form {
        std::string_view begin;
        std::string_view agent;                  // before its number
        std::array<std::string_view, 2> stream;  // before that of a stream or what stands for one
    };
    static constexpr std::array<Form, 5> kForms{
        {{"COMPUTE ", "[", {"STREAM [", "QUEUE ["}},
         {"COPY to ", "[", {"STREAM [", "QUEUE ["}},
         {"GPU Kernel Dispatch [", "[", {"Queue ", "Queue "}},
         {"GPU Memory Copy to Agent [", "[", {"Thread ", "Thread "}},
         {"ROCm GPU Activity Device ", "Device ", {"Queue ", "Queue "}}}};
    const auto* form =
        std::ranges::find_if(kForms, [&](const Form& one) { return name.starts_with(one.begin); });
    const std::int64_t agent = form == kForms.end() ? -1 : wire::numberBehind(name, form->agent);
    if (agent < 0) {
        return std::nullopt;
    }
    const std::int64_t stream = std::max(wire::numberBehind(name, form->stream[0]),
                                         wire::numberBehind(name, form->stream[1]));
    return GpuPlace{agent, std::max<std::int64_t>(stream, 0)};
}

GpuPlace gpuPlaceOf(const event::EventArguments& arguments, const Descriptor* track,
                    std::uint64_t uuid) {
    GpuPlace place{0, static_cast<std::int64_t>(uuid)};
    place = track == nullptr ? place : track->gpuPlace.value_or(place);
    place.gpu = arguments.device == trace::kNoId ? place.gpu : arguments.device;
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    place.gpu = std::clamp(place.gpu, -kMax, kMax);  // below 0: one that is not known
    place.stream = arguments.stream == trace::kNoId ? place.stream : arguments.stream;
    return place;
}

NameId Tracks::intern(std::string_view text) {
    return m_texts.intern(asUtf8(text, m_storage));
}

void Tracks::describe(std::string_view message, std::int64_t writer) {
    Descriptor track;
    std::uint64_t uuid = 0;
    wire::forEachField(message, [&](const wire::Field& field) {
        switch (field.tag) {
            case 1:
                uuid = field.number;
                return;
            case 2:
            case 10:
                track.name = intern(field.bytes);
                return;
            case 3: {
                const ProcessFields process = processFields(field.bytes);
                track.place.pid = process.pid;
                track.processName = intern(process.name);
                track.isProcess = true;
                return;
            }
            case 4:
                wire::forEachField(field.bytes, [&](const wire::Field& thread) {
                    if (thread.tag == 1) {
                        track.place.pid = static_cast<std::int32_t>(thread.number);
                    } else if (thread.tag == 2) {
                        track.place.tid = thread.integer();
                    } else if (thread.tag == 5) {
                        track.threadName = intern(thread.bytes);
                    }
                });
                return;
            case 5:
                track.parent = field.number;
                return;
            case 8:
                track.isCounter = true;
                wire::forEachField(field.bytes, [&](const wire::Field& counter) {
                    if (counter.tag == 4) {
                        track.multiplier = counter.integer();
                    } else if (counter.tag == 5) {
                        track.incremental = counter.number != 0;
                    }
                });
                return;
            default:
                return;
        }
    });
    track.writer = writer;
    track.gpuPlace = gpuPlaceOf(text(track.name));
    if (track.place.pid && track.processName != kEmptyName) {
        m_processNames[*track.place.pid] = track.processName;
    }
    m_tracks[uuid] = track;
}

void Tracks::describeProcess(std::string_view message) {
    const ProcessFields process = processFields(message);
    if (!process.name.empty()) {
        m_processNames[process.pid] = intern(process.name);
    }
}

Place Tracks::describeThread(std::string_view message) {
    Place place;
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == 1) {
            place.pid = static_cast<std::int32_t>(field.number);
        } else if (field.tag == 2) {
            place.tid = field.integer();
        }
    });
    return place;
}

void Tracks::setGpus(std::int64_t gpus) {
    for (std::int64_t pid = 0; pid < gpus; ++pid) {
        m_gpuPids.push_back(intern(fmt::format("process {}", pid)));
    }
}

void Tracks::setPid(Row& row, std::int64_t pid) const {
    row.pid = pid;
    row.textPid = pid >= 0 && static_cast<std::size_t>(pid) < m_gpuPids.size();
    if (row.textPid) {
        row.pidText = m_gpuPids[static_cast<std::size_t>(pid)];
    }
}

void Tracks::setWriter(Row& row, std::int64_t writer) const {
    if (writer >= 0) {
        return setPid(row, writer);
    }
    row.textPid = true;
    row.pidText = m_withoutProcess;
}

Row Tracks::rowOf(std::uint64_t uuid, std::int64_t writer) const {
    Row row;
    row.tid = static_cast<std::int64_t>(uuid);
    const Descriptor* own = find(uuid);
    if (own == nullptr) {
        setWriter(row, writer);
        return row;
    }
    row.name = own->counterName != kEmptyName                    ? own->counterName
               : own->isProcess && own->name == kEmptyName       ? own->processName
               : own->place.tid && own->threadName != kEmptyName ? own->threadName
                                                                 : own->name;
    const Descriptor* above = own;
    for (int depth = 0; depth < kMaxTrackDepth && above != nullptr; ++depth) {
        if (above->place.pid) {
            setPid(row, *above->place.pid);
            row.textPid = row.textPid && !above->isGpu;
            // Rows beside a thread are what does not fit into it without crossing.
            if (above->place.tid && !own->isCounter) {
                row.tid = *above->place.tid;
                row.name = above->threadName == kEmptyName ? row.name : above->threadName;
            }
            return row;
        }
        const Descriptor* next = above->parent == 0 ? nullptr : find(above->parent);
        if (next == nullptr && above != own && above->name != kEmptyName) {
            // No process, but a group with a name.
            row.textPid = true;
            row.pidText = above->name;
            return row;
        }
        above = next;
    }
    setWriter(row, own->writer >= 0 ? own->writer : writer);
    return row;
}

std::string Tracks::parentName(const Descriptor& track) const {
    const Descriptor* above = track.parent == 0 ? nullptr : find(track.parent);
    if (above == nullptr) {
        return {};
    }
    return wire::beginningOf(text(above->threadName != kEmptyName ? above->threadName
                                  : above->name != kEmptyName     ? above->name
                                                                  : above->processName));
}

void Tracks::nameApart(const std::map<std::uint64_t, std::int64_t>& writersOfCounters) {
    std::map<std::tuple<NameId, std::optional<std::int64_t>, NameId>, std::vector<std::uint64_t>>
        alike;
    for (const auto& [uuid, writer] : writersOfCounters) {
        const Descriptor* track = find(uuid);
        if (track != nullptr && track->isCounter && !track->isGpu) {
            const Row row = rowOf(uuid, writer);
            alike[{row.pidText, row.pid, row.name}].push_back(uuid);
        }
    }
    for (const auto& [row, uuids] : alike) {
        const std::string_view name = text(std::get<2>(row));
        std::set<NameId> taken;
        for (std::size_t i = 0; uuids.size() > 1 && i < uuids.size(); ++i) {
            Descriptor& track = m_tracks[uuids[i]];
            const std::string parent = parentName(track);
            track.counterName = intern(fmt::format("{} ({})", name, parent));
            if (parent.empty() || !taken.insert(track.counterName).second) {
                track.counterName = intern(
                    fmt::format("{} ({}{}{})", name, parent, parent.empty() ? "" : " ", uuids[i]));
            }
        }
    }
}

std::optional<std::int64_t> Tracks::toldPid(std::uint64_t uuid) const {
    const Descriptor* track = find(uuid);
    for (int depth = 0; depth < kMaxTrackDepth && track != nullptr; ++depth) {
        if (track->place.pid) {
            return track->place.pid;
        }
        track = track->parent == 0 ? nullptr : find(track->parent);
    }
    return std::nullopt;
}

std::int64_t Tracks::correlation(std::uint64_t uuid, std::int64_t own) const {
    const auto pid = m_launching.size() < 2 || own <= 0 ? std::nullopt : toldPid(uuid);
    const auto found = pid ? std::ranges::find(m_launching, *pid) : m_launching.end();
    if (found == m_launching.end()) {
        return own;
    }
    const std::int64_t number = found - m_launching.begin();
    return number == 0 ? own : trace::idAmongProcesses(own, number);
}

std::string_view Tracks::processName(std::int64_t pid) const {
    const auto name = m_processNames.find(pid);
    return name == m_processNames.end() ? std::string_view{} : text(name->second);
}

NameId Tracks::nameIn(trace::TraceBuilder& builder, NameId id) {
    m_inTrace.resize(m_texts.size(), kEmptyName);
    if (m_inTrace[id] == kEmptyName) {
        m_inTrace[id] = builder.name(text(id));
    }
    return m_inTrace[id];
}

trace::RowId Tracks::addProcessTo(trace::TraceBuilder& builder, const Row& row) {
    const trace::RowId pid = row.textPid ? trace::RowId{true, nameIn(builder, row.pidText)}
                                         : trace::RowId{false, row.pid.value_or(0)};
    trace::Process& process = builder.processRow(builder.process(pid));
    const auto name = row.pid ? m_processNames.find(*row.pid) : m_processNames.end();
    if (name != m_processNames.end()) {
        process.name = nameIn(builder, name->second);
    }
    return pid;
}

trace::TrackId Tracks::addTo(trace::TraceBuilder& builder, std::uint64_t uuid,
                             std::int64_t writer) {
    const Descriptor* own = find(uuid);
    if (own != nullptr && own->isCounter) {
        return addCounterTo(builder, uuid, writer);
    }
    const Row row = rowOf(uuid, writer);
    const trace::TrackId track = builder.track(addProcessTo(builder, row), {false, row.tid});
    trace::Track& known = builder.trackRow(track);
    if (known.name == kEmptyName) {
        known.name = nameIn(builder, row.name);
    }
    return track;
}

trace::TrackId Tracks::addCounterTo(trace::TraceBuilder& builder, std::uint64_t uuid,
                                    std::int64_t writer) {
    Row row = rowOf(uuid, writer);
    const Descriptor* own = find(uuid);
    if (own == nullptr || !own->isCounter) {
        const std::string name = wire::beginningOf(text(row.name));
        row.name = intern(fmt::format("{} ({})", name.empty() ? "counter" : name, uuid));
    }
    const trace::RowId name{true, nameIn(builder, row.name)};
    return builder.track(addProcessTo(builder, row), name, trace::TrackKind::Counter);
}

}  // namespace kinetoscope::import::perfetto
