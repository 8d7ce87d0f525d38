// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/Events.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/import/event/HistoricalSpellings.h"
#include "core/import/perfetto/AnnotationFields.h"
#include "core/import/wire/Names.h"

namespace kinetoscope::import::perfetto {

namespace {

using event::Argument;
using event::EventArguments;

struct Known {
    std::string_view name;
    trace::Category category;
};
// Stages as PyTorch calls them, and as this program writes what it has beside those.
constexpr Known kStages[] = {
    {"Kernel", trace::Category::Kernel},
    {"Memcpy", trace::Category::GpuMemcpy},
    {"Memset", trace::Category::GpuMemset},
    {"Annotation", trace::Category::GpuUserAnnotation},
    {"EventRecord", trace::Category::CudaEvent},
    {"HostNode", trace::Category::CudaEvent},
    {"Synchronization", trace::Category::CudaSync},
};

std::int64_t rounded(double value) {
    constexpr double kMax = 9.0e18;
    return std::isfinite(value) ? std::llround(std::clamp(value, -kMax, kMax)) : 0;
}

std::optional<std::int64_t> numberIn(std::string_view text) {
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()
               ? std::optional(number)
               : std::nullopt;
}

struct Value {
    std::optional<std::int64_t> number;
    std::array<std::int64_t, 3> triple{};
    std::size_t elements = 0;
};

void take(Argument argument, const Value& value, EventArguments& arguments) {
    if (argument == Argument::CollectiveName) {
        arguments.collective = true;
        return;
    }
    if (argument == Argument::Grid || argument == Argument::Block) {
        if (value.elements == 3) {
            (argument == Argument::Grid ? arguments.grid : arguments.block) = value.triple;
        }
        return;
    }
    if (!value.number) {
        return;
    }
    switch (argument) {
        case Argument::Correlation:
            arguments.correlation = *value.number;
            return;
        case Argument::ExternalId:
            arguments.externalId = *value.number;
            return;
        case Argument::Device:
            arguments.device = *value.number;
            return;
        case Argument::Stream:
            arguments.stream = *value.number;
            return;
        case Argument::Registers:
            arguments.registers = *value.number;
            return;
        case Argument::SharedMemory:
            arguments.sharedBytes += std::clamp<std::int64_t>(*value.number, 0, UINT32_MAX);
            return;
        case Argument::Occupancy:
            arguments.occupancyPercent = *value.number;
            return;
        case Argument::Bytes:
            arguments.bytes = *value.number;
            return;
        case Argument::GraphId:
            arguments.graph = *value.number;
            return;
        default:
            return;
    }
}

std::optional<std::int64_t> numberOf(const wire::Field& field) {
    switch (field.tag) {
        case BoolField:
        case UnsignedField:
        case IntegerField:
        case PointerField:
            return field.isBytes() ? std::nullopt : std::optional(field.integer());
        case RealField:
            return field.isBytes() ? std::nullopt : std::optional(rounded(field.real()));
        case TextField:
            return numberIn(field.bytes);
        default:
            return std::nullopt;
    }
}

// Three numbers of a message with the fields 1, 2 and 3.
void readTriple(std::string_view message, std::array<std::int64_t, 3>& triple) {
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag <= triple.size()) {
            triple[field.tag - 1] = field.integer();
        }
    });
}

trace::Category stageCategory(const Interned* stage) {
    if (stage != nullptr) {
        if (const auto told = event::categoryOfSpelling(stage->more, {})) {
            return *told;
        }
        const auto* known = std::ranges::find(kStages, stage->text, &Known::name);
        if (known != std::end(kStages)) {
            return known->category;
        }
    }
    return trace::Category::Kernel;  // whatever else a GPU has for a stage is its work
}

// Older fields have them as varints, the present ones in fixed width.
template <class Visit>
void forEachFlow(const wire::Field& field, const Visit& visit) {
    constexpr std::uint32_t kFirstFixed = 47;
    if (!field.isBytes() || field.tag < kFirstFixed) {
        return wire::forEachNumber(field, visit);
    }
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= field.bytes.size();
         at += sizeof(std::uint64_t)) {
        std::uint64_t id = 0;
        std::memcpy(&id, field.bytes.data() + at, sizeof id);
        visit(id);
    }
}

EventKind kindOf(std::uint64_t type) {
    return type == 1   ? EventKind::Begin
           : type == 2 ? EventKind::End
           : type == 3 ? EventKind::Instant
           : type == 4 ? EventKind::Counter
                       : EventKind::None;
}

EventKind kindOfPhase(std::int64_t phase) {
    return phase == 'B'                                   ? EventKind::Begin
           : phase == 'E'                                 ? EventKind::End
           : phase == 'X'                                 ? EventKind::Complete
           : phase == 'i' || phase == 'I' || phase == 'R' ? EventKind::Instant
                                                          : EventKind::None;
}

}  // namespace

std::uint64_t mixedUuid(std::uint64_t kind, std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15ULL;
    return ((kind ^ a) * kPrime ^ b) * kPrime;
}

std::optional<Thread> threadOf(const Event& event, const Sequence& sequence) {
    // A sequence's thread is not one of another process.
    const std::int64_t tid = event.tid.value_or(event.pid ? -1 : sequence.tid);
    return event.track || sequence.defaultTrack || tid < 0
               ? std::nullopt
               : std::optional(Thread{event.pid.value_or(sequence.pid), tid});
}

std::uint64_t uuidOf(const Event& event, const Sequence& sequence) {
    constexpr std::uint64_t kThreads = 0x6b73636f70650001ULL;
    if (const auto thread = threadOf(event, sequence)) {
        return mixedUuid(kThreads, static_cast<std::uint64_t>(thread->pid),
                         static_cast<std::uint64_t>(thread->tid));
    }
    return event.track.value_or(sequence.defaultTrack.value_or(0));
}

void EventReader::annotation(std::string_view message, EventArguments& arguments) const {
    Argument argument = Argument::None;
    Value value;
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == NameIdField) {
            const Interned* name = find(m_sequence.annotationNames, field.number);
            argument = name == nullptr ? Argument::None : name->argument;
        } else if (field.tag == NameField) {
            argument = argumentOfName(field.bytes);
        } else if (field.tag == TextIdField) {
            const Interned* text = find(m_sequence.annotationTexts, field.number);
            value.number = text == nullptr ? std::nullopt : numberIn(text->text);
        } else if (field.tag == ArrayField) {
            wire::forEachField(field.bytes, [&](const wire::Field& element) {
                if (const auto number = numberOf(element);
                    number && value.elements < value.triple.size()) {
                    value.triple[value.elements++] = *number;
                }
            });
        } else if (const auto number = numberOf(field)) {
            value.number = number;
        }
    });
    take(argument, value, arguments);
}

void EventReader::legacyEvent(std::string_view message, Event& event) const {
    constexpr std::int64_t kNsPerUs = 1000;
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == 1 && event.name.view().empty()) {
            event.name = text(m_sequence.names, field.number);
        } else if (field.tag == 2 && event.kind == EventKind::None) {
            event.kind = kindOfPhase(field.integer());
        } else if (field.tag == 3) {
            event.duration =
                std::clamp<std::int64_t>(field.integer(), 0, INT64_MAX / kNsPerUs) * kNsPerUs;
        } else if (field.tag == 8) {
            event.flows.push_back({field.number, false});
        } else if (field.tag == 18) {
            event.pid = static_cast<std::int32_t>(field.number);
        } else if (field.tag == 19) {
            event.tid = static_cast<std::int32_t>(field.number);
        }
    });
}

bool EventReader::trackEvent(std::string_view message, Event& event) const {
    std::string_view legacy;
    std::optional<std::int64_t> told;  // of the whole trace
    const bool whole = wire::forEachField(message, [&](const wire::Field& field) {
        switch (field.tag) {
            case 1:
                event.hasDelta = true;
                event.deltaUs = field.integer();
                return;
            case 3:
                wire::forEachNumber(field, [&](std::uint64_t id) {
                    if (event.category.view().empty()) {
                        event.category = text(m_sequence.categories, id);
                    }
                });
                return;
            case 4:
                return annotation(field.bytes, event.arguments);
            case 6:
                legacy = field.bytes;
                return;
            case 9:
                event.kind = kindOf(field.number);
                return;
            case 10:
                event.name = text(m_sequence.names, field.number);
                return;
            case 11:
                event.track = field.number;
                return;
            case 16:
                event.absoluteUs = field.integer();
                return;
            case 22:
                event.category.text =
                    event.category.text.empty() ? field.bytes : event.category.text;
                return;
            case 23:
                event.name = {field.bytes, nullptr};
                return;
            case 36:
            case 42:
            case 47:
            case 48:
                return forEachFlow(field, [&](std::uint64_t id) {
                    event.flows.push_back({id, field.tag == 42 || field.tag == 48});
                });
            case 30:
                event.value = static_cast<double>(field.integer());
                return;
            case 44:
                event.value = field.real();
                return;
            case 52:
                told = field.integer();
                return;
            default:
                return;
        }
    });
    if (!legacy.empty()) {
        legacyEvent(legacy, event);
    }
    event.ownCorrelation = event.arguments.correlation != trace::kNoId;
    if (!event.ownCorrelation && told) {
        event.arguments.correlation = *told;
    }
    // rocprof-sys joins a call and what it launched by a flow, and by a number only when asked to.
    if (event.arguments.correlation == trace::kNoId && !event.flows.empty()) {
        const auto kind = event::categoryOfSpelling(event.category.view(), event.name.view());
        if (kind && (trace::isGpuOperation(*kind) || trace::isApiCall(*kind))) {
            event.arguments.correlation = static_cast<std::int64_t>(event.flows.front().id);
        }
    }
    return whole;
}

void EventReader::launch(std::string_view message, EventArguments& arguments) const {
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == 1) {
            readTriple(field.bytes, arguments.grid);
        } else if (field.tag == 2) {
            readTriple(field.bytes, arguments.block);
        } else if (field.tag == 3) {
            Argument argument = Argument::None;
            Value value;
            wire::forEachField(field.bytes, [&](const wire::Field& member) {
                if (member.tag == 1) {
                    const Interned* name = find(m_sequence.launchArguments, member.number);
                    argument = name == nullptr ? Argument::None : name->argument;
                } else if (member.tag == 2) {
                    argument = argumentOfName(member.bytes);
                } else if (member.tag == 3 || member.tag == 4) {
                    value.number = member.integer();
                }
            });
            take(argument, value, arguments);
        }
    });
}

bool EventReader::renderStage(std::string_view message, Event& event) const {
    const Interned* stage = nullptr;
    const Interned* kernel = nullptr;
    std::int64_t queue = 0;
    event.kind = EventKind::Instant;
    const bool whole = wire::forEachField(message, [&](const wire::Field& field) {
        switch (field.tag) {
            case 2:
                event.kind = EventKind::Complete;
                event.duration = field.integer();
                return;
            case 3:
                queue = static_cast<std::int32_t>(field.number);
                return;
            case 6: {
                Argument argument = Argument::None;
                Value value;
                wire::forEachField(field.bytes, [&](const wire::Field& member) {
                    if (member.tag == 1) {
                        argument = argumentOfName(member.bytes);
                    } else if (member.tag == 2) {
                        value.number = numberIn(member.bytes);
                    }
                });
                return take(argument, value, event.arguments);
            }
            case 11:
                event.arguments.device = static_cast<std::int32_t>(field.number);
                return;
            case 13:
                queue = field.integer();
                if (const Interned* spec = find(m_sequence.stages, field.number)) {
                    event.queue = spec->text;
                }
                return;
            case 14:
                stage = find(m_sequence.stages, field.number);
                return;
            case 17:
                event.name = {field.bytes, nullptr};
                return;
            case 19:
                kernel = find(m_sequence.kernels, field.number);
                return;
            case 20:
                event.name = text(m_sequence.names, field.number);
                return;
            case 21:
                return launch(field.bytes, event.arguments);
            default:
                return;
        }
    });
    event.gpuCategory = stageCategory(stage);
    if (event.name.view().empty()) {
        const bool named = kernel != nullptr && !(kernel->text.empty() && kernel->more.empty());
        if (named) {
            event.name = kernel->more.empty() ? Text{{}, kernel} : Text{kernel->more, nullptr};
        } else if (stage != nullptr && event.name.interned == nullptr) {
            event.name = {{}, stage};
        }
    }
    if (event.arguments.stream == trace::kNoId) {
        const std::int64_t told = wire::numberBehind(event.queue, "stream ");
        event.arguments.stream = told >= 0 ? told : queue;
    }
    return whole;
}

}  // namespace kinetoscope::import::perfetto
