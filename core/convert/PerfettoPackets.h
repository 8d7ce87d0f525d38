// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/Progress.h"
#include "core/base/Threads.h"
#include "core/import/event/EventFields.h"
#include "core/text/Output.h"
#include "core/trace/Trace.h"

/// Perfetto's packets, and what all events of a trace refer to. Field numbers are those of
/// Perfetto's protocol.
namespace kinetoscope::convert {

using protozero::pbf_writer;

enum Flags : std::uint32_t { Cleared = 1, NeedsState = 2 };
/// Ids of annotations' and launch arguments' names.
enum : std::uint64_t { Correlation = 1, ExternalId = 2, Registers = 1, SharedMemory = 2 };

constexpr std::uint64_t idOf(std::uint32_t row) {
    return std::uint64_t{row} + 1;  // 0: none
}

constexpr std::uint64_t processUuid(std::uint32_t process) {
    return idOf(process) << 32U;
}

/// Whether packets have a number for the process; others are groups with a name.
[[nodiscard]] inline bool hasNumber(trace::RowId pid) {
    return !pid.isText && std::in_range<std::int32_t>(pid.value);
}

/// Readers leave out what is farther from the zero of the clock.
inline constexpr TimeNs kFarthestTime = import::event::kFarthestTime;

/// A file of packets whose times begin at `origin`.
class PacketFile {
public:
    PacketFile(text::Output& output, const std::stop_token& stop, Progress* progress)
        : m_output(output), m_stop(stop), m_progress(progress) {}

    /// Calls fill(packet) for one more packet.
    template <class Fill>
    void packet(Fill&& fill) {
        pbf_writer trace(m_output.text);
        pbf_writer message(trace, 1);
        message.add_uint32(10, kSequence);
        fill(message);
    }
    template <class Fill>
    void packetAt(TimeNs time, Fill&& fill) {
        packet([&](pbf_writer& packet) {
            packet.add_uint64(8, static_cast<std::uint64_t>(time + origin));
            packet.add_uint32(13, NeedsState);
            fill(packet);
        });
    }
    /// Whether readers take an event of these times; it counts as left out if they do not.
    [[nodiscard]] bool canTell(TimeNs begin, TimeNs end) {
        const bool inRange = begin >= -kFarthestTime - origin && end <= kFarthestTime - origin;
        outOfRange += inRange ? 0 : 1;
        return inRange;
    }
    [[nodiscard]] Result<void> goOn() {
        throwIfStopped(m_stop);
        if (m_progress != nullptr) {
            m_progress->set(events);
        }
        return m_output.flush(kWriteBytes);
    }

    TimeNs origin = 0;  ///< timestamps are later by it than times
    std::uint64_t events = 0;
    std::uint64_t outOfRange = 0;

private:
    static constexpr std::size_t kWriteBytes = 4U << 20;
    static constexpr std::uint32_t kSequence = 1;

    text::Output& m_output;
    std::stop_token m_stop;
    Progress* m_progress;
};

/// A row's number or text; `storage` keeps the former.
[[nodiscard]] std::string_view rowText(const trace::Trace& trace, trace::RowId id,
                                       std::string& storage);

/// A text of interned data by its id.
void intern(pbf_writer& data, std::uint32_t field, std::uint64_t id, std::string_view text);

/// A kernel's shape, as a member of its stage.
void writeLaunch(pbf_writer& stage, const trace::GpuOperation& operation);

/// Clocks, processes, and everything that events refer to by a number.
void writeHead(const trace::Trace& trace, PacketFile& file);

}  // namespace kinetoscope::convert
