// SPDX-License-Identifier: Apache-2.0
// What CUPTI and ranges delivered, on its way into the file.
#include <unistd.h>

#include <cstring>
#include <utility>

#include "core/capture/SessionText.h"
#include "core/capture/inject/Session.h"

namespace kinetoscope::capture::inject {

namespace {

// Records of this many bytes make a chunk.
constexpr std::size_t kChunkBytes = 1U << 20;
// How long the end of a program waits for records of work that is still running.
constexpr std::uint64_t kPatienceNs = 2'000'000'000;

}  // namespace

void Session::drain() {
    drainRanges();
    FilledBuffer buffer;
    while (m_pool.nextFilled(buffer)) {
        convert(buffer);
        m_pool.recycle(buffer);
        if (m_converter->pendingBytes() >= kChunkBytes) {
            writePending();
        }
    }
    drainRanges();
    writePending();
}

void Session::drainRanges() {
    RangeEvent event;
    while (m_ranges.next(event)) {
        switch (event.type) {
            case RangeEvent::Type::Start:
                m_converter->rangeStart(event.thread, event.time, event.id, event.text());
                break;
            case RangeEvent::Type::End:
                m_converter->rangeEnd(event.thread, event.time, event.id);
                break;
            case RangeEvent::Type::Mark:
                m_converter->mark(event.thread, event.time, event.text());
                break;
        }
    }
}

void Session::convert(const FilledBuffer& buffer) {
    cupti::Activity* activity = nullptr;
    while (m_cupti.nextRecord(buffer.data, buffer.validSize, &activity) == cupti::kSuccess) {
        m_converter->convert(activity);
    }
    std::size_t dropped = 0;
    if (m_cupti.droppedRecords(nullptr, 0, &dropped) == cupti::kSuccess) {
        m_dropped += dropped;
    }
}

void Session::writePending() {
    const std::string names = m_converter->takeNames();
    bool good = names.empty() || m_writer.append(stream::format::ChunkType::Names, names);
    for (const std::string& device : m_converter->takeDevices()) {
        good = good && m_writer.append(stream::format::ChunkType::Device, device);
    }
    const std::string records = m_converter->takeRecords();
    good =
        good && (records.empty() || m_writer.append(stream::format::ChunkType::Records, records));
    if (!good) {
        tellOfFullDisk();
    }
}

void Session::tellOfFullDisk() {
    if (!std::exchange(m_toldOfFullDisk, true)) {
        m_control.tell("stopped recording " + processText() + ": '" + m_writer.path() +
                       (m_writer.isLost() ? "': the program closed its descriptor, and it cannot "
                                            "be opened again: "
                                          : "': cannot be written: ") +
                       std::strerror(m_writer.error()));
        pause();
    }
}

void Session::note(std::string_view name, std::string_view text, std::uint64_t count, bool loss) {
    if (!m_writer.append(stream::format::ChunkType::Note, noteText(name, text, count, loss))) {
        tellOfFullDisk();
    }
}

void Session::noteLosses() {
    if (m_dropped > 0) {
        note("dropped_records", "CUPTI dropped records", m_dropped, true);
    }
    if (m_pool.refused() > 0) {
        note("rejected_buffers", "CUPTI asked for a buffer when none was free", m_pool.refused(),
             true);
    }
    if (m_writer.reopened() > 0) {
        note("descriptor_closed",
             "the program closed the recorder's file, which was opened again; nothing is missing",
             m_writer.reopened(), false);
    }
    if (m_kernel && m_kernel->undecided() > 0) {
        note("undecided_kernel_names",
             "--kernel takes too long to decide on a name; these kernels are recorded",
             m_kernel->undecided(), false);
    }
    if (m_ranges.dropped() > 0) {
        note("dropped_ranges", "ranges came faster than they could be written", m_ranges.dropped(),
             true);
    }
    if (m_converter->unknownRecords() > 0) {
        note("unknown_activities", "CUPTI delivered records of an unknown kind",
             m_converter->unknownRecords(), true);
    }
    if (m_pool.taken() > m_pool.filled()) {
        note("missing_buffers",
             "CUPTI did not return buffers; another user of CUPTI may have taken over",
             m_pool.taken() - m_pool.filled(), true);
    }
}

void Session::collectRest() {
    disableKinds();
    const std::uint64_t deadline = monotonicNow() + kPatienceNs;
    do {
        m_cupti.flushAll(0);
        drain();
        if (m_pool.filled() >= m_pool.taken()) {
            return;
        }
        ::usleep(1000);
    } while (monotonicNow() < deadline);
    // Records still incomplete now are written without an end.
    m_cupti.flushAll(cupti::kFlushForced);
    drain();
}

}  // namespace kinetoscope::capture::inject
