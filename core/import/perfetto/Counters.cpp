// SPDX-License-Identifier: Apache-2.0
// PacketTrace: samples of counters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/import/perfetto/PacketTrace.h"

namespace kinetoscope::import::perfetto {

namespace {

constexpr std::uint64_t kGpuCounterTracks = 0x6b73636f70650002ULL;

}  // namespace

void PacketTrace::takeSample(const Event& event, TimeNs time, const Packet& packet,
                             const Sequence& sequence) {
    const auto withoutValue = [&] {
        skip(trace::Issue::CounterWithoutValue, packet.offset, "a counter event has no value");
    };
    if (!event.value || !std::isfinite(*event.value)) {
        return withoutValue();
    }
    const std::uint64_t uuid = uuidOf(event, sequence);
    const Descriptor* track = m_tracks.find(uuid);
    double value = *event.value;
    if (track != nullptr && track->incremental) {
        value = count(uuid, value, packet.sequence, sequence.state.generation);
    }
    value *=
        track == nullptr || track->multiplier == 0 ? 1.0 : static_cast<double>(track->multiplier);
    if (!std::isfinite(value)) {
        return withoutValue();
    }
    m_samples.push_back({uuid, sequence.pid, time, packet.offset, kEmptyName, 0, value});
}

double PacketTrace::count(std::uint64_t uuid, double delta, std::uint32_t sequence,
                          std::uint32_t generation) {
    Counted& counted = m_counted[uuid];
    const bool isCleared = counted.sequence == sequence && counted.generation != generation;
    counted = {isCleared ? delta : counted.value + delta, sequence, generation};
    return counted.value;
}

void PacketTrace::takeGpuCounters(const Packet& packet) {
    struct Sample {
        std::uint32_t counter = 0;
        double value = 0.0;
    };
    std::vector<Sample> samples;
    std::int64_t gpu = 0;
    wire::forEachField(packet.gpuCounters, [&](const wire::Field& field) {
        if (field.tag == 1) {
            wire::forEachField(field.bytes, [&](const wire::Field& spec) {
                if (spec.tag != 1) {
                    return;
                }
                std::uint32_t id = 0;
                std::string_view name;
                wire::forEachField(spec.bytes, [&](const wire::Field& member) {
                    if (member.tag == 1) {
                        id = static_cast<std::uint32_t>(member.number);
                    } else if (member.tag == 2) {
                        name = member.bytes;
                    }
                });
                m_gpuCounters[id] = m_tracks.intern(name);
            });
        } else if (field.tag == 2) {
            Sample sample;
            wire::forEachField(field.bytes, [&](const wire::Field& member) {
                if (member.tag == 1) {
                    sample.counter = static_cast<std::uint32_t>(member.number);
                } else if (member.tag == 2) {
                    sample.value = static_cast<double>(member.integer());
                } else if (member.tag == 3) {
                    sample.value = member.real();
                }
            });
            samples.push_back(sample);
        } else if (field.tag == 3) {
            gpu = std::clamp<std::int64_t>(field.integer(), 0, INT32_MAX);
        }
    });
    const auto time = samples.empty() ? std::nullopt : timeOf(packet);
    for (const Sample& sample : samples) {
        const auto name = m_gpuCounters.find(sample.counter);
        const std::uint64_t uuid =
            mixedUuid(kGpuCounterTracks, static_cast<std::uint64_t>(gpu), sample.counter);
        Descriptor& track = m_tracks.at(uuid);
        track.isCounter = true;
        track.isGpu = true;
        track.place.pid = gpu;
        track.name = name == m_gpuCounters.end()
                         ? m_tracks.intern(fmt::format("counter {}", sample.counter))
                         : name->second;
        if (!std::isfinite(sample.value)) {
            m_issues.add(trace::Issue::CounterWithoutValue, packet.offset,
                         [&] { return std::string(m_tracks.text(track.name)); });
        } else if (time) {
            m_samples.push_back({uuid, gpu, *time, packet.offset, kEmptyName, 0, sample.value});
        }
    }
}

void PacketTrace::addSamples() {
    std::unordered_map<std::uint64_t, trace::TrackId> known;
    for (const Moment& moment : m_samples) {
        const auto [entry, isNew] = known.try_emplace(moment.uuid);
        if (isNew) {
            entry->second = m_tracks.addCounterTo(m_builder, moment.uuid, moment.writer);
        }
        m_counters.push_back(
            {moment.time - m_base, entry->second, kEmptyName, moment.value, moment.offset});
        m_builder.addCounter(m_counters.back());
    }
}

}  // namespace kinetoscope::import::perfetto
