// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/Sequences.h"

#include <algorithm>

#include "core/base/Utf8.h"

namespace kinetoscope::import::perfetto {

namespace {

constexpr std::uint32_t kCleared = 1;
constexpr std::uint32_t kNeedsState = 2;

struct Spelling {
    std::string_view name;
    event::Argument argument;
};
constexpr Spelling kSpellings[] = {
    // rocprofv3
    {"corr_id", event::Argument::Correlation},
    {"copy_bytes", event::Argument::Bytes},
    {"group_segment_size", event::Argument::SharedMemory},
    {"stream_id", event::Argument::Stream},  // of rocprof-sys
    // stages of GPUs
    {"device id", event::Argument::Device},
    {"stream id", event::Argument::Stream},
    {"registers_per_thread", event::Argument::Registers},
    {"shared_mem_dynamic", event::Argument::SharedMemory},
    {"shared_mem_static", event::Argument::SharedMemory},
};

}  // namespace

event::Argument argumentOfName(std::string_view name) {
    const auto* known = std::ranges::find(kSpellings, name, &Spelling::name);
    return known == std::end(kSpellings) ? event::argumentOfSpelling(name) : known->argument;
}

void InternedId::tell(StateMark& mark) {
    const auto meaning = static_cast<std::uint32_t>(m_meanings.size() - 1);
    if (m_told.empty() || m_told.back().generation != mark.generation ||
        m_told.back().meaning != meaning) {
        m_told.push_back({++mark.told, mark.generation, meaning});
    }
}

Sequence* Sequences::enter(const Packet& packet) {
    Sequence& sequence = m_sequences[packet.sequence];
    if (packet.dropped) {
        sequence.intact = false;
    }
    if ((packet.flags & kCleared) != 0) {
        ++sequence.state.generation;
        sequence.intact = true;
        sequence.defaultTrack.reset();
        sequence.defaultClock = 0;
    }
    if ((packet.flags & kNeedsState) != 0 && !sequence.intact) {
        return nullptr;
    }
    if (packet.pid >= 0 && sequence.pid < 0) {
        sequence.pid = packet.pid;
    }
    intern(sequence, packet.internedData);
    wire::forEachField(packet.defaults, [&](const wire::Field& field) {
        if (field.tag == 58) {
            sequence.defaultClock = static_cast<std::uint32_t>(field.number);
        } else if (field.tag == 11) {
            wire::forEachField(field.bytes, [&](const wire::Field& inner) {
                if (inner.tag == 11) {
                    sequence.defaultTrack = inner.number;
                }
            });
        }
    });
    return &sequence;
}

void Sequences::internText(Sequence& sequence, InternedTable& table, std::string_view message,
                           std::uint32_t moreTag) {
    std::uint64_t id = 0;
    std::string_view text;
    std::string_view more;
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == 1) {
            id = field.number;
        } else if (field.tag == 2) {
            text = field.bytes;
        } else if (field.tag == moreTag) {
            more = field.bytes;
        }
    });
    InternedId& entry = table.at(id);
    Interned told;
    told.text = asUtf8(text, m_storage);
    told.more = asUtf8(more, m_storage);
    const Interned* last = entry.last();
    if (last == nullptr || last->text != told.text || last->more != told.more) {
        told.id = m_builder.name(told.text);
        told.argument = argumentOfName(told.text);
        entry.add(std::move(told));
    }
    entry.tell(sequence.state);
}

void Sequences::intern(Sequence& sequence, std::string_view message) {
    wire::forEachField(message, [&](const wire::Field& field) {
        switch (field.isBytes() ? field.tag : 0) {
            case 1:
                return internText(sequence, sequence.categories, field.bytes);
            case 2:
                return internText(sequence, sequence.names, field.bytes);
            case 3:
                return internText(sequence, sequence.annotationNames, field.bytes);
            case 24:
                return internText(sequence, sequence.stages, field.bytes, 3);
            case 29:
                return internText(sequence, sequence.annotationTexts, field.bytes);
            case 1000:
                return internText(sequence, sequence.kernels, field.bytes, 3);
            case 1001:
                return internText(sequence, sequence.launchArguments, field.bytes);
            default:
                return;
        }
    });
}

}  // namespace kinetoscope::import::perfetto
