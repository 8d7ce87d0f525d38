// SPDX-License-Identifier: Apache-2.0
#include "core/import/xplane/SpaceText.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/import/event/HistoricalSpellings.h"
#include "core/import/event/WordedEvents.h"
#include "core/import/wire/EventWords.h"
#include "core/import/wire/FieldBytes.h"
#include "core/import/wire/Names.h"
#include "core/import/wire/WholeText.h"
#include "core/import/xplane/UnitRows.h"

namespace kinetoscope::import::xplane {

namespace {

void wordStat(const Plane& plane, std::string_view message, wire::EventWords& words) {
    const Stat stat = readStat(plane, message);
    if (stat.name == nullptr || stat.name->text.empty()) {
        return;
    }
    // What is called like an argument of Kineto's would be taken for it.
    const bool isArgument = event::argumentOfSpelling(stat.name->text) != event::Argument::None;
    const std::string key = stat.name->text + (isArgument ? " (stat)" : "");
    switch (stat.value.tag) {
        case 2:
            return words.real(key, stat.value.real());
        case 3:
            return words.number(key, stat.value.number);
        case 4:
            return words.number(key, stat.value.integer());
        case 5:
        case 7:
            return words.text(key, stat.text());
        case 6:
            return words.text(key, fmt::format("({} bytes)", stat.value.bytes.size()));
        default:
            return;
    }
}

void wordOperation(const Plane& plane, const Line& line, const Event& event, bool kernel,
                   wire::EventWords& words) {
    const trace::GpuOperation operation = operationOf(plane, line, event);
    words.number("device", std::int64_t{operation.gpu});
    words.number("stream", operation.stream);
    if (operation.graph != 0) {
        words.number("graph id", std::uint64_t{operation.graph});
    }
    if (!kernel) {
        words.number("bytes", operation.bytes);
    }
    if (event.details == StatKind::KernelDetails) {
        words.triple("grid", operation.grid);
        words.triple("block", operation.block);
        words.number("registers per thread", std::uint64_t{operation.registers});
        words.number("shared memory", std::uint64_t{operation.sharedBytes});
    }
}

// The members of Kineto's "[memory]" events.
void wordMemory(const Plane& plane, std::string_view message, MemoryChange change,
                wire::EventWords& words) {
    wire::forEachField(message, [&](const wire::Field& field) {
        const Stat stat = field.tag == 4 ? readStat(plane, field.bytes) : Stat{};
        const std::string_view key = stat.name == nullptr ? std::string_view{} : stat.name->text;
        const std::int64_t value = stat.value.integer();
        if (key == "addr") {
            words.number("Addr", value);
        } else if (key == "allocation_bytes") {
            words.number("Bytes", change == MemoryChange::Release && value > 0 ? -value : value);
        } else if (key == "bytes_allocated") {
            words.number("Total Allocated", value);
        } else if (key == "bytes_reserved" && value > 0) {
            words.number("Total Reserved", value);
        } else if (key == "allocator_name") {  // such as "GPU_0_bfc"
            const std::int64_t gpu = wire::numberBehind(stat.text(), "GPU_");
            words.number("Device Type", std::int64_t{gpu >= 0 ? 1 : 0});
            words.number("Device Id", gpu);
        }
    });
}

class SpaceText final : public event::FileEvents {
public:
    SpaceText(const source::InputFile& file, Space space, TimeNs base)
        : event::FileEvents(file), m_space(std::move(space)), m_base(base) {
        std::map<std::string, std::size_t> processes;
        for (const Plane& plane : m_space.planes) {
            const std::size_t process =
                processes.try_emplace(processJson(plane), processes.size()).first->second;
            for (const Line& line : plane.lines) {
                m_lines.push_back({&plane, &line, process});
            }
        }
        std::ranges::sort(m_lines, {}, [](const Place& place) { return place.line->begin; });
    }

private:
    struct Place {
        const Plane* plane;
        const Line* line;
        std::size_t process;  // planes may share one
    };
    struct Named {
        std::set<std::size_t> processes;
        std::set<std::pair<std::size_t, std::string>> threads;
    };

    // The line that contains an offset; null if there is none.
    [[nodiscard]] const Place* placeOf(std::uint64_t offset) const {
        const auto behind = std::ranges::upper_bound(
            m_lines, offset, {}, [](const Place& place) { return place.line->begin; });
        if (behind == m_lines.begin() || offset >= std::prev(behind)->line->end) {
            return nullptr;
        }
        return &*std::prev(behind);
    }

    [[nodiscard]] Result<void> readEvents(std::span<const std::uint64_t> offsets,
                                          const Take& take) const override {
        auto source = open();
        if (!source) {
            return tl::unexpected(source.error());
        }
        wire::FieldBytes bytes(**source);
        wire::EventWords words;
        wire::Field field;
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            const Place* place = placeOf(offsets[i]);
            if (place == nullptr || !bytes.read(offsets[i], place->line->end, field) ||
                !word(*place, field, words)) {
                return changed();
            }
            take(i, words.close());
        }
        return {};
    }

    struct Worded {
        char phase;
        TimeNs start;
    };
    [[nodiscard]] static char phaseOf(const Line& line, const EventName* name) {
        return line.kind == LineKind::Counters                  ? 'C'
               : memoryChange(line, name) == MemoryChange::None ? 'X'
                                                                : 'i';
    }

    // Leaves the object open. Nothing if the field is no event that the reader takes.
    std::optional<Worded> word(const Place& place, const wire::Field& field,
                               wire::EventWords& words) const {
        const auto& [plane, line, process] = place;
        const std::string_view message = field.bytes;
        Event event;
        if (field.tag != kLineEvent || field.cut || !field.isBytes() ||
            !readEvent(*plane, message, event) || event.aggregated) {
            return std::nullopt;
        }
        const auto span = spanOf(*line, m_base, event);
        if (!span || (line->kind == LineKind::Counters && !event.counter)) {
            return std::nullopt;
        }
        const EventName* known = plane->events.find(event.metadata);
        const std::string_view plain = known == nullptr ? std::string_view{} : known->text;
        const trace::CategoryId id = categoryOf(*plane, *line, event, plain);
        const trace::Category category = trace::categoryKind(id);
        const bool isGpu = trace::isGpuOperation(category);
        std::string name(shownName(*plane, known));
        if (event.step && category == trace::Category::UserAnnotation) {
            name = stepName(name, *event.step);
        }
        const char phase = phaseOf(*line, known);
        const bool counter = phase == 'C';
        words.open(phase,
                   counter        ? std::string_view{}
                   : phase == 'i' ? trace::categoryName(trace::Category::CpuInstantEvent)
                   : category == trace::Category::Other ? std::string_view(line->name)
                                                        : trace::categoryName(category),
                   counter ? std::string_view(line->name) : std::string_view(name),
                   processJson(*plane), counter ? std::string() : threadJson(*line));
        words.time(span->start);
        if (counter) {
            words.real(name, *event.counter);
            return Worded{phase, span->start};
        }
        if (phase == 'i') {
            wordMemory(*plane, message, known->memory, words);
        } else {
            words.duration(span->duration());
        }
        if (event.correlation != trace::kNoId) {
            words.number("correlation", event.correlation);
        }
        if (isGpu) {
            wordOperation(*plane, *line, event, category == trace::Category::Kernel, words);
        }
        wire::forEachField(message, [&](const wire::Field& stat) {
            if (stat.tag == 4) {
                wordStat(*plane, stat.bytes, words);
            }
        });
        return Worded{phase, span->start};
    }

    // Rows that several planes or lines share are named by the first that has a name.
    template <class Metadata>
    static void nameRows(const Place& place, Named& named, const Metadata& metadata) {
        const auto& [plane, line, process] = place;
        if (!plane->name.empty() && named.processes.insert(process).second) {
            metadata("process_name", {}, "name", wire::quoted(plane->name));
            if (plane->kind == PlaneKind::Gpu) {
                metadata("process_labels", {}, "labels",
                         wire::quoted(fmt::format("GPU {}", plane->gpu)));
            }
        }
        if (line->kind != LineKind::Counters && !line->name.empty() &&
            named.threads.emplace(process, threadJson(*line)).second) {
            metadata("thread_name", threadJson(*line), "name", wire::quoted(line->name));
        }
    }

    [[nodiscard]] Result<void> list(const TakeEvent& take, const std::stop_token& stop,
                                    Progress* progress) const override {
        auto source = open();
        if (!source) {
            return tl::unexpected(source.error());
        }
        wire::WholeText whole;
        const auto loaded = whole.load(**source, stop, progress);
        if (!loaded) {
            return changed();
        }
        const std::string_view text = *loaded;
        Result<void> result;
        wire::EventWords words;
        const auto hand = [&](char phase, std::uint64_t offset, std::optional<TimeNs> time,
                              const std::string& json) {
            trace::ListedEvent listed;
            listed.offset = offset;
            listed.json = json;
            listed.phase = phase;
            listed.time = time;
            result = result ? take(listed) : result;
        };
        Named named;
        for (const Place& place : m_lines) {
            throwIfStopped(stop);
            const auto metadata = [&](std::string_view what, const std::string& tid,
                                      std::string_view key, const std::string& value) {
                hand('M', place.line->begin - 1, std::nullopt,  // no event stands there
                     words.metadata(what, processJson(*place.plane), tid, key, value));
            };
            nameRows(place, named, metadata);
            if (place.line->end > text.size()) {
                return changed();
            }
            wire::forEachField(
                text.substr(place.line->begin, place.line->end - place.line->begin),
                [&](const wire::Field& field) {
                    const auto worded = result ? word(place, field, words) : std::nullopt;
                    if (worded) {
                        hand(worded->phase, static_cast<std::uint64_t>(field.at - text.data()),
                             worded->phase == 'X' ? std::nullopt : std::optional(worded->start),
                             words.close());
                    }
                });
        }
        return result;
    }

    Space m_space;
    TimeNs m_base;
    std::vector<Place> m_lines;
};

}  // namespace

std::string processJson(const Plane& plane) {
    return plane.kind == PlaneKind::Gpu ? std::to_string(plane.gpu)
           : plane.processId            ? std::to_string(*plane.processId)
                                        : wire::quoted(plane.name);
}

std::string threadJson(const Line& line) {
    return std::to_string(line.kind == LineKind::Stream ? line.stream : line.id);
}

std::shared_ptr<const trace::EventText> makeSpaceText(const source::InputFile& file, Space space,
                                                      TimeNs base) {
    // What points into the text does not outlive it.
    space.units.clear();
    for (Plane& plane : space.planes) {
        plane.own.clear();
    }
    return std::make_shared<SpaceText>(file, std::move(space), base);
}

}  // namespace kinetoscope::import::xplane
