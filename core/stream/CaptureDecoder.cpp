// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CaptureDecoder.h"

#include "core/base/Utf8.h"
#include "core/stream/CaptureText.h"
#include "core/stream/RecordChecks.h"

namespace kinetoscope::stream {

void CaptureDecoder::place(CapturePlacement placement) {
    m_placement = std::move(placement);
    m_placed = true;
    if (m_placement.pid == 0) {
        m_placement.pid = placedPid(m_info.pid);
    }
    m_shift = m_info.realtimeOffset() - m_placement.baseTimeNs;
}

std::shared_ptr<const CaptureState> CaptureDecoder::state(
    std::shared_ptr<const CallRanges> calls) const {
    auto names = m_firstNames;
    if (!m_laterNames.empty()) {
        auto all = std::make_shared<CaptureNames>(*m_firstNames);
        all->insert(all->end(), m_laterNames.begin(), m_laterNames.end());
        names = std::move(all);
    }
    auto state = std::make_shared<CaptureState>(
        CaptureState{m_info, m_placement, std::move(names), m_devices, std::move(calls)});
    state->placement.users.reset();  // readers of single records change nothing that is shared
    return state;
}

void CaptureDecoder::restore(const CaptureState& state) {
    m_info = state.info;
    m_firstNames = state.names;
    m_laterNames.clear();
    m_devices = state.devices;
    m_calls = state.calls;
    m_hasHeader = true;
    place(state.placement);
}

Result<void> CaptureDecoder::accept(const Chunk& chunk, std::uint64_t offset) {
    if (!m_hasHeader && chunk.type != format::ChunkType::Header) {
        return fail(std::string(kNoHeader));
    }
    switch (chunk.type) {
        case format::ChunkType::Header:
            if (!m_hasHeader) {
                return header(chunk.payload);
            }
            ++m_unknownRecords;  // what went before would have to be placed anew
            break;
        case format::ChunkType::Names:
            names(chunk.payload);
            break;
        case format::ChunkType::Records:
            records(chunk.payload, offset);
            break;
        case format::ChunkType::Device:
            if (auto device = parseCaptureDevice(chunk.payload)) {
                addDevice(m_devices, std::move(*device));
            } else {
                ++m_unknownRecords;
            }
            break;
        case format::ChunkType::Note:
            if (auto note = parseCaptureNote(chunk.payload)) {
                m_notes.push_back(std::move(*note));
            }
            break;
        case format::ChunkType::Footer:
            m_hasFooter = true;
            break;
    }
    return {};
}

Result<void> CaptureDecoder::header(std::string_view payload) {
    auto info = parseCaptureInfo(payload);
    if (!info) {
        return tl::unexpected(info.error());
    }
    m_info = std::move(*info);
    m_headerJson = std::string(payload);
    m_hasHeader = true;
    if (!m_placed) {
        m_placement.baseTimeNs = m_info.baseTimeNs();
    }
    place(CapturePlacement(m_placement));
    return {};
}

void CaptureDecoder::names(std::string_view payload) {
    std::string repaired;
    while (payload.size() >= sizeof(format::NameHeader)) {
        const auto entry = recordOf<format::NameHeader>(payload);
        const std::size_t whole = sizeof entry + format::padded(entry.size);
        if (whole > payload.size() || entry.id != nameCount()) {
            ++m_unknownRecords;
            return;
        }
        m_laterNames.emplace_back(asUtf8(payload.substr(sizeof entry, entry.size), repaired));
        payload.remove_prefix(whole);
    }
}

std::string_view CaptureDecoder::name(std::uint32_t id) const {
    if (id < m_firstNames->size()) {
        return (*m_firstNames)[id];
    }
    return id < nameCount() ? std::string_view(m_laterNames[id - m_firstNames->size()])
                            : std::string_view();
}

void CaptureDecoder::records(std::string_view payload, std::uint64_t offset) {
    while (payload.size() >= sizeof(format::RecordHeader)) {
        const auto header = recordOf<format::RecordHeader>(payload);
        if (header.size < sizeof header || header.size > payload.size()) {
            ++m_unknownRecords;
            return;
        }
        ++m_records;
        const auto type = static_cast<format::RecordType>(header.type);
        const std::size_t least = recordSize(type);
        if (least == 0 || header.size < least) {
            ++m_unknownRecords;
        } else {
            record(type, payload.substr(0, header.size), offset);
        }
        payload.remove_prefix(header.size);
        offset += header.size;
    }
}

void CaptureDecoder::record(format::RecordType type, std::string_view bytes, std::uint64_t offset) {
    CaptureEvent event;
    event.type = type;
    event.record = bytes;
    event.offset = offset;
    switch (type) {
        case format::RecordType::Kernel:
            return kernel(bytes, event);
        case format::RecordType::Copy:
            return copy(bytes, event);
        case format::RecordType::Memset:
            return memset(bytes, event);
        case format::RecordType::Graph:
            return graph(bytes, event);
        case format::RecordType::Api:
            return api(bytes, event);
        case format::RecordType::Synchronization:
            return synchronization(bytes, event);
        case format::RecordType::CudaEvent:
            return cudaEvent(bytes, event);
        case format::RecordType::Overhead:
            return overhead(bytes, event);
        case format::RecordType::Memory:
            return memory(bytes, event);
        case format::RecordType::RangeEnd:
            return rangeEnd(bytes, event);
        case format::RecordType::Mark:
            return mark(bytes, event);
        case format::RecordType::Counter:
            return counter(bytes, event);
        case format::RecordType::ExternalId:
            return externalId(bytes);
        case format::RecordType::RangeStart:
            return rangeStart(bytes, offset);
        case format::RecordType::ThreadName: {
            const auto thread = recordOf<format::ThreadNameRecord>(bytes);
            m_threadNames[thread.thread] = thread.name;
            return;
        }
    }
}

void CaptureDecoder::emitSpan(CaptureEvent& event, TimeNs start, TimeNs end) {
    if (start <= 0 || end <= 0) {
        ++m_zeroTimes;
        return;
    }
    if (end < start) {
        ++m_backwardTimes;
        end = start;
    }
    if (!isMoment(start) || !isMoment(end)) {
        ++m_impossibleRecords;
        return;
    }
    m_lastTime = std::max(m_lastTime, end);
    event.start = start + m_shift;
    event.duration = end - start;
    deliver(event);
}

void CaptureDecoder::emitInstant(CaptureEvent& event, TimeNs time) {
    if (time <= 0) {
        ++m_zeroTimes;
        return;
    }
    if (!isMoment(time)) {
        ++m_impossibleRecords;
        return;
    }
    m_lastTime = std::max(m_lastTime, time);
    event.instant = true;
    event.start = time + m_shift;
    deliver(event);
}

// Clocks of hosts that are centuries apart leave no room for both on one axis.
void CaptureDecoder::deliver(CaptureEvent& event) {
    if (event.start < -format::kFarthestTime ||
        event.start + event.duration > format::kFarthestTime) {
        ++m_impossibleRecords;
        return;
    }
    announce(event);
    m_sink.event(event);
}

}  // namespace kinetoscope::stream
