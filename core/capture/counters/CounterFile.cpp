// SPDX-License-Identifier: Apache-2.0
#include "core/capture/counters/CounterFile.h"

#include "core/capture/SessionText.h"
#include "core/stream/CaptureInfo.h"

namespace kinetoscope::capture::counters {

namespace format = stream::format;

namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20U;

template <class Record>
void append(std::string& bytes, const Record& record) {
    bytes.append(reinterpret_cast<const char*>(&record), sizeof record);
}

}  // namespace

bool CounterFile::create(const std::string& path, std::string_view header) {
    const std::lock_guard lock(m_mutex);
    const auto info = stream::parseCaptureInfo(header);
    m_offset = info ? info->realtimeOffset() : 0;
    return info && m_writer.create(path, header);
}

void CounterFile::addDevice(std::string_view json) {
    const std::lock_guard lock(m_mutex);
    static_cast<void>(m_writer.append(format::ChunkType::Device, json));
}

std::uint32_t CounterFile::nameId(std::string_view text) {
    if (const auto known = m_names.find(text); known != m_names.end()) {
        return known->second;
    }
    const auto id = static_cast<std::uint32_t>(m_names.size() + 1);
    m_names.emplace(text, id);
    append(m_newNames, format::NameHeader{id, static_cast<std::uint32_t>(text.size())});
    m_newNames += text;
    m_newNames.resize(format::padded(m_newNames.size()));
    return id;
}

CounterFile::Series CounterFile::addSeries(std::uint32_t device, std::string_view counter,
                                           std::string_view series) {
    const std::lock_guard lock(m_mutex);
    m_series.push_back({device, nameId(counter), nameId(series), std::nullopt});
    return m_series.size() - 1;
}

void CounterFile::add(Series series, TimeNs time, double value) {
    const std::lock_guard lock(m_mutex);
    Known& known = m_series[series];
    if (known.last == value) {
        return;
    }
    known.last = value;
    auto record = format::makeRecord<format::CounterRecord>();
    record.device = known.device;
    record.time = time - m_offset;
    record.value = value;
    record.name = known.name;
    record.series = known.series;
    append(m_chunk, record);
    ++m_records;
    if (m_chunk.size() >= kChunkBytes) {
        write();
    }
}

void CounterFile::note(std::string_view name, std::string_view text, bool loss) {
    const std::lock_guard lock(m_mutex);
    static_cast<void>(
        m_writer.append(format::ChunkType::Note, noteText(name, text, std::uint64_t{1}, loss)));
}

void CounterFile::flush() {
    const std::lock_guard lock(m_mutex);
    write();
}

void CounterFile::write() {
    if (!m_newNames.empty()) {
        static_cast<void>(m_writer.append(format::ChunkType::Names, m_newNames));
        m_newNames.clear();
    }
    if (!m_chunk.empty()) {
        static_cast<void>(m_writer.append(format::ChunkType::Records, m_chunk));
        m_chunk.clear();
    }
}

void CounterFile::finish() {
    const std::lock_guard lock(m_mutex);
    write();
    if (m_writer.usable()) {
        static_cast<void>(m_writer.finish(footerText(m_records, 0)));
    }
}

}  // namespace kinetoscope::capture::counters
