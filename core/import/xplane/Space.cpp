// SPDX-License-Identifier: Apache-2.0
#include "core/import/xplane/Space.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "core/base/Demangle.h"
#include "core/base/Threads.h"
#include "core/base/Utf8.h"
#include "core/import/event/EventDecoder.h"
#include "core/import/wire/Names.h"

namespace kinetoscope::import::xplane {

namespace {

// Field numbers of xplane.proto.
namespace space {
constexpr std::uint32_t kPlane = 1;
constexpr std::uint32_t kLast = 4;  // errors, warnings, host names
}  // namespace space
namespace plane {
constexpr std::uint32_t kId = 1;
constexpr std::uint32_t kName = 2;
constexpr std::uint32_t kLine = 3;
constexpr std::uint32_t kEventName = 4;
constexpr std::uint32_t kStatName = 5;
constexpr std::uint32_t kStat = 6;
}  // namespace plane
namespace line {
constexpr std::uint32_t kId = 1;
constexpr std::uint32_t kName = 2;
constexpr std::uint32_t kTimestamp = 3;
constexpr std::uint32_t kEvent = 4;
constexpr std::uint32_t kDisplayName = 11;
}  // namespace line

constexpr std::size_t kUnitEvents = 16 * 1024;

struct KnownStat {
    std::string_view name;
    StatKind kind;
};
constexpr KnownStat kKnownStats[] = {
    {"correlation_id", StatKind::Correlation},
    {"kernel_details", StatKind::KernelDetails},
    {"memcpy_details", StatKind::CopyDetails},
    {"memset_details", StatKind::MemsetDetails},
    {"memalloc_details", StatKind::MemoryDetails},
    {"memfree_details", StatKind::MemoryDetails},
    {"memory_residency_details", StatKind::MemoryDetails},
    {"step_num", StatKind::StepNumber},
    {"cuda_graph_id", StatKind::Graph},
    {"counter_value", StatKind::CounterValue},
};

template <class Number>
void readNumbers(std::string_view text, Number* numbers, std::size_t count) {
    const char* at = text.data();
    const char* end = at + text.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto parsed = std::from_chars(at, end, numbers[i]);
        if (parsed.ec != std::errc() || parsed.ptr == end || *parsed.ptr != ',') {
            return;
        }
        at = parsed.ptr + 1;
    }
}

bool isDetails(std::string_view text) {
    return text.starts_with("regs:") || text.starts_with("kind");
}

bool isPlaneName(std::string_view name) {
    constexpr std::size_t kLongest = 1024;
    return !name.empty() && name.size() <= kLongest && isUtf8(name) &&
           std::ranges::none_of(name, [](unsigned char c) { return c < ' '; });
}

// Nothing for a plane that may be one, and has no name. The name comes early; what follows may lie
// behind the head.
std::optional<bool> isNamedPlane(const wire::Field& message) {
    const char* at = message.bytes.data();
    const char* end = at + message.bytes.size();
    wire::Field field;
    while (at < end) {
        if (!wire::nextField(at, end, field)) {
            return false;
        }
        if (field.tag == plane::kName) {
            return field.isBytes() && !field.cut && isPlaneName(field.bytes);
        }
        if (field.tag > plane::kStat || field.isBytes() == (field.tag == plane::kId)) {
            return false;
        }
    }
    return message.cut ? std::optional(false) : std::nullopt;
}

// A map's entry: key 1, value 2.
struct Entry {
    std::uint64_t key = 0;
    std::string_view value;
};

Entry readEntry(std::string_view message) {
    Entry entry;
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == 1) {
            entry.key = field.number;
        } else if (field.tag == 2) {
            entry.value = field.bytes;
        }
    });
    return entry;
}

class SpaceReader {
public:
    SpaceReader(std::string_view text, const std::stop_token& stop, trace::IssueCounter& issues)
        : m_text(text), m_stop(stop), m_issues(issues) {}

    Space read() {
        const bool whole = wire::forEachField(m_text, [&](const wire::Field& field) {
            if (field.tag == space::kPlane && field.isBytes()) {
                plane(field);
            }
        });
        if (!whole) {
            m_issues.add(trace::Issue::TruncatedText, m_text.size(),
                         [] { return std::string("the file ends inside of a plane"); });
        }
        return std::move(m_space);
    }

private:
    [[nodiscard]] std::uint64_t offsetOf(const char* at) const {
        return static_cast<std::uint64_t>(at - m_text.data());
    }
    [[nodiscard]] std::string text(const wire::Field& field) {
        return std::string(asUtf8(field.bytes, m_storage));
    }

    void plane(const wire::Field& message) {
        const std::size_t index = m_space.planes.size();
        Plane& plane = m_space.planes.emplace_back();
        std::vector<wire::Field> lines;
        const bool whole = wire::forEachField(message.bytes, [&](const wire::Field& field) {
            switch (field.isBytes() ? field.tag : 0) {
                case plane::kName:
                    plane.name = text(field);
                    break;
                case plane::kLine:
                    lines.push_back(field);
                    break;
                case plane::kEventName:
                    eventName(plane, readEntry(field.bytes));
                    break;
                case plane::kStatName:
                    statName(plane, readEntry(field.bytes));
                    break;
                case plane::kStat:
                    plane.own.push_back(field);
                    break;
                default:
                    break;
            }
        });
        if (!whole && !message.cut) {
            damaged(message, "a plane");
        }
        plane.kind = planeKind(plane.name, plane.gpu);
        ownStats(plane);
        for (const wire::Field& field : lines) {
            line(index, field);
        }
    }

    void eventName(Plane& plane, const Entry& entry) {
        EventName& name = plane.events.at(entry.key);
        wire::forEachField(entry.value, [&](const wire::Field& field) {
            if (field.tag == 2) {
                name.text = text(field);
            } else if (field.tag == 4) {
                name.display = text(field);
            }
        });
        name.memory = name.text == "MemoryAllocation"     ? MemoryChange::Allocation
                      : name.text == "MemoryDeallocation" ? MemoryChange::Release
                                                          : MemoryChange::None;
    }

    void statName(Plane& plane, const Entry& entry) {
        StatName& name = plane.stats.at(entry.key);
        wire::forEachField(entry.value, [&](const wire::Field& field) {
            if (field.tag == 2) {
                name.text = text(field);
            }
        });
        name.kind = statKind(name.text);
        if (isDetails(name.text)) {
            name.details = readDetails(name.text);
        }
    }

    void ownStats(Plane& plane) {
        for (const wire::Field& field : plane.own) {
            const Stat stat = readStat(plane, field.bytes);
            if (stat.name == nullptr) {
                continue;
            }
            if (stat.name->text == "process_id") {
                plane.processId = stat.value.integer();
            } else if (stat.name->text == "profile_start_time") {
                m_space.profileStart = stat.value.integer();
            }
        }
    }

    // Cuts the line's events into units of whole fields.
    void line(std::size_t planeIndex, const wire::Field& message) {
        Plane& plane = m_space.planes[planeIndex];
        Line row;
        row.begin = offsetOf(message.bytes.data());
        row.end = row.begin + message.bytes.size();
        std::string displayName;
        Unit unit{planeIndex, plane.lines.size(), {}, 0};
        const char* from = message.bytes.data();
        const auto close = [&](const char* to) {
            throwIfStopped(m_stop);
            unit.fields = {from, static_cast<std::size_t>(to - from)};
            if (unit.events > 0) {
                m_space.units.push_back(unit);
            }
            unit.events = 0;
            from = to;
        };
        const bool whole = wire::forEachField(message.bytes, [&](const wire::Field& field) {
            if (field.tag == line::kEvent) {
                ++m_space.events;
                row.hasEvents = true;
                if (++unit.events == kUnitEvents && !field.cut) {
                    close(field.bytes.data() + field.bytes.size());
                }
            } else if (field.tag == line::kName) {
                row.name = text(field);
            } else if (field.tag == line::kDisplayName) {
                displayName = text(field);
            } else if (field.tag == line::kId) {
                row.id = field.integer();
            } else if (field.tag == line::kTimestamp) {
                row.timestampNs = field.integer();
            }
        });
        close(message.bytes.data() + message.bytes.size());
        if (!whole && !message.cut) {
            damaged(message, "a line");
        }
        row.stream = streamOf(row.name);
        row.kind = lineKind(plane.kind, row);
        if (!displayName.empty()) {
            row.name = std::move(displayName);
        }
        plane.lines.push_back(std::move(row));
    }

    void damaged(const wire::Field& message, std::string_view what) {
        m_issues.add(trace::Issue::MalformedEvent, offsetOf(message.at),
                     [&] { return fmt::format("{} cannot be understood to its end", what); });
    }

    std::string_view m_text;
    const std::stop_token& m_stop;
    trace::IssueCounter& m_issues;
    Space m_space;
    std::string m_storage;
};

}  // namespace

StatKind statKind(std::string_view name) {
    const auto* known = std::ranges::find(kKnownStats, name, &KnownStat::name);
    return known == std::end(kKnownStats) ? StatKind::Other : known->kind;
}

PlaneKind planeKind(std::string_view name, std::int64_t& gpu) {
    gpu = std::min<std::int64_t>(wire::numberBehind(name, "/device:GPU:"),
                                 std::numeric_limits<std::int32_t>::max());
    if (name.starts_with("/device:GPU:") && gpu >= 0) {
        return PlaneKind::Gpu;
    }
    return name == "/host:python-tracer" ? PlaneKind::Python
           : name.starts_with("/host:")  ? PlaneKind::Host
                                         : PlaneKind::Other;
}

LineKind lineKind(PlaneKind plane, const Line& line) {
    if (line.name == "_counters_") {
        return LineKind::Counters;
    }
    if (plane == PlaneKind::Gpu) {
        // What XLA derives from the streams (steps, modules, name scopes) has lines of its own.
        return line.stream >= 0 ? LineKind::Stream : LineKind::GpuAnnotation;
    }
    return plane == PlaneKind::Other ? LineKind::Other : LineKind::Host;
}

std::int64_t streamOf(std::string_view lineName) {
    return wire::numberBehind(lineName, "Stream #");
}

LaunchDetails readDetails(std::string_view text) {
    LaunchDetails details;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::string_view member = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t colon = std::min(member.find(':'), member.size());
        const std::string_view key = member.substr(0, colon);
        const std::string_view value = member.substr(std::min(colon + 1, member.size()));
        std::uint32_t number = 0;
        readNumbers(value, &number, 1);
        if (key == "regs") {
            details.registers = number;
        } else if (key == "static_shared" || key == "dynamic_shared" || key == "shared") {
            details.sharedBytes += number;
        } else if (key == "grid") {
            readNumbers(value, details.grid.data(), details.grid.size());
        } else if (key == "block") {
            readNumbers(value, details.block.data(), details.block.size());
        } else if (key == "size" || key == "num_bytes") {
            readNumbers(value, &details.bytes, 1);
        }
    }
    return details;
}

Stat readStat(const Plane& plane, std::string_view message) {
    constexpr std::uint32_t kReference = 7;
    Stat stat;
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == 1) {
            stat.name = plane.stats.find(field.number);
        } else {
            stat.value = field;
        }
    });
    if (stat.value.tag == kReference) {
        stat.reference = plane.stats.find(stat.value.number);
    }
    return stat;
}

bool isSpace(std::string_view head) {
    const char* at = head.data();
    const char* end = at + head.size();
    wire::Field field;
    while (at < end && wire::nextField(at, end, field) && field.isBytes() &&
           field.tag <= space::kLast) {
        const auto named = field.tag == space::kPlane ? isNamedPlane(field) : std::nullopt;
        if (named) {
            return *named;
        }
    }
    return false;
}

Space readSpace(std::string_view text, const std::stop_token& stop, trace::IssueCounter& issues) {
    return SpaceReader(text, stop, issues).read();
}

std::string shownName(const Plane& plane, const EventName* name) {
    if (name == nullptr) {
        return {};
    }
    if (plane.kind != PlaneKind::Gpu) {
        return name->memory == MemoryChange::None ? name->text : "[memory]";
    }
    return name->display.empty() ? demangledName(name->text) : name->display;
}

TimeNs lineStart(const Line& line, TimeNs base) {
    return std::clamp(line.timestampNs, -event::kFarthestTime, event::kFarthestTime) - base;
}

}  // namespace kinetoscope::import::xplane
