// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/StringPool.h"
#include "core/base/Time.h"
#include "core/import/wire/Fields.h"
#include "core/import/wire/IdTable.h"
#include "core/trace/ImportIssues.h"
#include "core/trace/SliceColumns.h"

/// XSpace, the profile of XLA (openxla/xla, xplane.proto): planes of lines of events. Names and
/// keys stand once in tables of their plane.
namespace kinetoscope::import::xplane {

/// The statistics that become columns.
enum class StatKind : std::uint8_t {
    Other,
    Correlation,
    KernelDetails,
    CopyDetails,
    MemsetDetails,
    MemoryDetails,  ///< of allocations, which are no GPU work
    StepNumber,
    Graph,
    CounterValue,
};

/// Other for names that are not known.
[[nodiscard]] StatKind statKind(std::string_view name);

/// The contents of "kernel_details" and "memcpy_details".
struct LaunchDetails {
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    std::uint32_t registers = 0;
    std::uint32_t sharedBytes = 0;
    std::uint64_t bytes = 0;
};

/// Reads "regs:168 static_shared:0 dynamic_shared:98328 grid:256,1,1 block:128,1,1" and
/// "kind_src:device size:4096"; keys in any order, others are passed over.
[[nodiscard]] LaunchDetails readDetails(std::string_view text);

/// One entry of stat_metadata: the name of a statistic, or a text that statistics refer to.
struct StatName {
    std::string text;
    StatKind kind = StatKind::Other;
    std::optional<LaunchDetails> details;  ///< of texts that are such
};

/// Whether events of a name are those of XLA's allocator.
enum class MemoryChange : std::uint8_t { None, Allocation, Release };

/// One entry of event_metadata.
struct EventName {
    std::string text;     ///< what the event is called
    std::string display;  ///< the same for people; may be empty
    MemoryChange memory = MemoryChange::None;
    NameId id = kEmptyName;  ///< of what is shown
};

enum class PlaneKind : std::uint8_t { Host, Python, Gpu, Other };

enum class LineKind : std::uint8_t { Host, Stream, GpuAnnotation, Counters, Other };

/// `gpu`: its number, of PlaneKind::Gpu.
[[nodiscard]] PlaneKind planeKind(std::string_view name, std::int64_t& gpu);

struct Line {
    std::int64_t id = 0;
    std::string name;
    std::int64_t timestampNs = 0;
    LineKind kind = LineKind::Other;
    std::int64_t stream = 0;  ///< of LineKind::Stream
    bool hasEvents = false;
    std::uint64_t begin = 0;  ///< of its message in the text
    std::uint64_t end = 0;
    trace::TrackId track = 0;
    trace::CategoryId category = 0;  ///< of LineKind::Other
};

/// Of a line with its name, and stream if it is that of one.
[[nodiscard]] LineKind lineKind(PlaneKind plane, const Line& line);
/// The number in "Stream #14(Compute)"; below 0 for other lines.
[[nodiscard]] std::int64_t streamOf(std::string_view lineName);

struct Plane {
    std::string name;
    PlaneKind kind = PlaneKind::Other;
    std::int64_t gpu = 0;                   ///< of PlaneKind::Gpu
    std::optional<std::int64_t> processId;  ///< of hosts, if known
    wire::IdTable<EventName> events;
    wire::IdTable<StatName> stats;
    std::vector<wire::Field> own;  ///< statistics of the plane itself
    std::vector<Line> lines;
};

/// Some thousand events of one line, for one thread to read.
struct Unit {
    std::size_t plane = 0;
    std::size_t line = 0;
    std::string_view fields;  ///< whole fields of the line's message
    std::size_t events = 0;
};

struct Space {
    std::vector<Plane> planes;
    std::vector<Unit> units;
    std::uint64_t events = 0;
    std::optional<TimeNs> profileStart;  ///< Unix time
};

/// A value of a statistic, or of a text it refers to.
struct Stat {
    const StatName* name = nullptr;
    wire::Field value;
    const StatName* reference = nullptr;  ///< what the value refers to, where it does

    /// Text, or the text that is referred to; empty for numbers.
    [[nodiscard]] std::string_view text() const {
        return reference != nullptr ? std::string_view(reference->text)
               : value.tag == 5     ? value.bytes
                                    : std::string_view{};
    }
};
[[nodiscard]] Stat readStat(const Plane& plane, std::string_view message);

/// Whether a file with this start is an XSpace.
[[nodiscard]] bool isSpace(std::string_view head);

/// Everything but the events, which are only counted and cut into units. What cannot be read is
/// counted in `issues`. `text` must outlive the units.
/// Throws Stopped.
[[nodiscard]] Space readSpace(std::string_view text, const std::stop_token& stop,
                              trace::IssueCounter& issues);

/// What people read: kernels' names as they were written, not as the linker has them, and Kineto's
/// name for what allocators do.
[[nodiscard]] std::string shownName(const Plane& plane, const EventName* name);

/// The start of a line's times, less `base`. Half of what 64 bits hold at most.
[[nodiscard]] TimeNs lineStart(const Line& line, TimeNs base);

}  // namespace kinetoscope::import::xplane
