// SPDX-License-Identifier: Apache-2.0
#include "core/stream/EventJson.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include "core/json/Json.h"
#include "core/stream/CaptureText.h"
#include "core/stream/RecordChecks.h"

namespace kinetoscope::stream {

using namespace format;

namespace {

void number(std::string& out, std::int64_t value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    out.append(digits, end.ptr);
}

// Nanoseconds as microseconds with three decimals.
void microseconds(std::string& out, TimeNs ns) {
    if (ns < 0) {
        out += '-';
        ns = -ns;
    }
    number(out, ns / 1000);
    const auto part = static_cast<int>(ns % 1000);
    const char decimals[4] = {'.', static_cast<char>('0' + part / 100),
                              static_cast<char>('0' + part / 10 % 10),
                              static_cast<char>('0' + part % 10)};
    out.append(decimals, sizeof decimals);
}

void field(std::string& out, std::string_view keyWithQuotes, std::int64_t value) {
    out += keyWithQuotes;
    number(out, value);
}

void real(std::string& out, std::string_view keyWithQuotes, double value) {
    out += keyWithQuotes;
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), value);
}

void triple(std::string& out, std::string_view keyWithQuotes,
            const std::array<std::uint32_t, 3>& values) {
    field(out, keyWithQuotes, values[0]);
    field(out, ", ", values[1]);
    field(out, ", ", values[2]);
    out += ']';
}

// CUpti_ActivitySynchronizationType: a call or a stream that waits for an event.
bool waitsForEvent(const format::SynchronizationRecord& record) {
    constexpr std::uint32_t kEventSync = 1;
    constexpr std::uint32_t kStreamWaitEvent = 2;
    return record.event != format::kNone &&
           (record.kind == kEventSync || record.kind == kStreamWaitEvent);
}

void place(std::string& out, const CaptureEvent& event) {
    field(out, "\"pid\": ", event.pid);
    field(out, ", \"tid\": ", event.tid);
    out += ", \"ts\": ";
    microseconds(out, event.start);
}

bool plain(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e ||
            c == '"' || c == '\\') {
            return false;
        }
    }
    return true;
}

void bandwidth(std::string& out, std::uint64_t bytes, TimeNs duration) {
    field(out, ", \"bytes\": ", static_cast<std::int64_t>(bytes));
    if (duration > 0) {
        real(out, ", \"memory bandwidth (GB/s)\": ",
             static_cast<double>(bytes) / static_cast<double>(duration));
    }
}

void graphFields(std::string& out, std::uint32_t graph, std::uint64_t node) {
    field(out, ", \"graph id\": ", graph);
    field(out, ", \"graph node id\": ", static_cast<std::int64_t>(node));
}

}  // namespace

void appendJsonString(std::string& out, std::string_view text) {
    if (plain(text)) {
        out += '"';
        out += text;
        out += '"';
        return;
    }
    out += json::quotedJson(text);
}

void EventJson::append(std::string& out, const CaptureEvent& event) {
    if (event.isCounter) {
        return appendCounter(out, event);
    }
    out += event.instant ? R"({"ph": "i", "s": "t", "cat": ")" : R"({"ph": "X", "cat": ")";
    out += trace::categoryName(event.category);
    out += "\", \"name\": ";
    appendName(out, event);
    out += ", ";
    place(out, event);
    if (!event.instant) {
        out += ", \"dur\": ";
        microseconds(out, event.duration);
    }
    const std::size_t before = out.size();
    out += ", \"args\": {";
    const std::size_t begin = out.size();
    appendArguments(out, event);
    if (out.size() == begin) {
        out.resize(before);
    } else {
        out += '}';
    }
    out += '}';
}

void EventJson::appendCounter(std::string& out, const CaptureEvent& event) {
    out += R"({"ph": "C", "name": )";
    appendName(out, event);
    field(out, ", \"pid\": ", event.pid);
    out += ", \"ts\": ";
    microseconds(out, event.start);
    out += ", \"args\": {";
    appendJsonString(out, event.series);
    real(out, ": ", event.value);
    out += "}}";
}

void EventJson::appendName(std::string& out, const CaptureEvent& event) {
    if (event.nameId == 0) {
        return appendJsonString(out, event.name);
    }
    if (event.nameId >= m_escapedNames.size()) {
        m_escapedNames.resize(event.nameId + std::size_t{1});
    }
    std::string& escaped = m_escapedNames[event.nameId];
    if (escaped.empty()) {
        appendJsonString(escaped, event.name);
    }
    out += escaped;
}

void EventJson::appendFlow(std::string& out, const CaptureEvent& event) const {
    out += event.startsFlow ? R"({"ph": "s", "id": )" : R"({"ph": "f", "id": )";
    number(out, event.correlation);
    out += ", ";
    place(out, event);
    out += event.startsFlow ? R"(, "cat": "ac2g", "name": "ac2g"})"
                            : R"(, "cat": "ac2g", "name": "ac2g", "bp": "e"})";
}

void EventJson::appendRow(std::string& out, const CaptureRow& row) const {
    const auto event = [&](std::string_view name, std::string_view key, const auto& value) {
        out += R"({"ph": "M", "name": ")";
        out += name;
        out += "\", ";
        field(out, "\"pid\": ", row.pid);
        field(out, ", \"tid\": ", row.isProcess ? 0 : row.tid);
        out += ", \"ts\": 0.000, \"args\": {\"";
        out += key;
        out += "\": ";
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::int64_t>) {
            number(out, value);
        } else {
            appendJsonString(out, value);
        }
        out += "}}";
    };
    out += ",\n";
    event(row.isProcess ? "process_name" : "thread_name", "name", row.name);
    if (row.isProcess) {
        out += ",\n";
        event("process_labels", "labels", row.labels);
    }
    out += ",\n";
    event(row.isProcess ? "process_sort_index" : "thread_sort_index", "sort_index", row.sortIndex);
}

void EventJson::appendArguments(std::string& out, const CaptureEvent& event) const {
    const std::size_t begin = out.size();
    const auto separate = [&] { out += out.size() > begin ? ", " : ""; };
    if (event.externalId != kNoCaptureId) {
        field(out, "\"External id\": ", event.externalId);
    }
    if (!event.inputShapes.empty()) {
        separate();
        out += R"("Input Dims": )";
        out += event.inputShapes;
    }
    const std::size_t before = out.size();
    separate();
    const std::size_t own = out.size();
    recordArguments(out, event);
    if (out.size() == own) {
        out.resize(before);
    }
}

void EventJson::recordArguments(std::string& out, const CaptureEvent& event) const {
    switch (event.type) {
        case format::RecordType::Kernel:
            return kernelArguments(out, event);
        case format::RecordType::Copy:
        case format::RecordType::Memset:
        case format::RecordType::Graph:
            return copyArguments(out, event);
        case format::RecordType::Api: {
            const auto record = recordOf<format::ApiRecord>(event.record);
            field(out, "\"cbid\": ", record.callback);
            return field(out, ", \"correlation\": ", event.correlation);
        }
        case format::RecordType::Synchronization: {
            const auto record = recordOf<format::SynchronizationRecord>(event.record);
            out += "\"cuda_sync_kind\": ";
            appendJsonString(out, synchronizationName(record.kind));
            field(out, ", \"stream\": ", event.stream);
            field(out, ", \"correlation\": ", event.correlation);
            if (waitsForEvent(record)) {
                field(out, ", \"wait_on_cuda_event_id\": ", record.event);
            }
            field(out, ", \"device\": ", record.device == format::kNone ? -1 : event.pid);
            return field(out, ", \"context\": ", record.context);
        }
        case format::RecordType::CudaEvent: {
            const auto record = recordOf<format::CudaEventRecord>(event.record);
            field(out, "\"event_id\": ", record.event);
            field(out, ", \"stream\": ", event.stream);
            field(out, ", \"correlation\": ", event.correlation);
            field(out, ", \"device\": ", event.pid);
            return field(out, ", \"context\": ", record.context);
        }
        case format::RecordType::Memory: {
            const auto record = recordOf<format::MemoryRecord>(event.record);
            const auto bytes = static_cast<std::int64_t>(record.bytes);
            field(out, "\"Addr\": ", static_cast<std::int64_t>(record.address));
            field(out, ", \"Bytes\": ", record.release != 0 ? -bytes : bytes);
            const bool onHost = record.device == format::kNone || isHostMemory(record.memory);
            field(out, ", \"Device Type\": ", onHost ? 0 : 1);
            return field(out, ", \"Device Id\": ", onHost ? -1 : m_decoder.gpuRow(record.device));
        }
        default:
            return;
    }
}

void EventJson::kernelArguments(std::string& out, const CaptureEvent& event) const {
    const auto record = recordOf<format::KernelRecord>(event.record);
    field(out, "\"queued\": ", record.queued);
    field(out, ", \"device\": ", event.pid);
    field(out, ", \"context\": ", record.context);
    field(out, ", \"stream\": ", event.stream);
    field(out, ", \"correlation\": ", event.correlation);
    field(out, ", \"registers per thread\": ", record.registers);
    field(out, ", \"shared memory\": ", std::int64_t{record.staticShared} + record.dynamicShared);
    const CaptureDevice* device = m_decoder.device(record.device);
    const std::int64_t multiprocessors = device == nullptr ? 0 : device->limits.multiprocessors;
    if (multiprocessors > 0) {
        const double blocks = volume(record.grid) / static_cast<double>(multiprocessors);
        constexpr double kWarp = 32.0;
        real(out, ", \"blocks per SM\": ", blocks);
        real(out, ", \"warps per SM\": ", blocks * volume(record.block) / kWarp);
    }
    triple(out, ", \"grid\": [", record.grid);
    triple(out, ", \"block\": [", record.block);
    if (event.occupancyPercent >= 0) {
        field(out, ", \"est. achieved occupancy %\": ", event.occupancyPercent);
    }
    if (record.cluster[0] > 0 && volume(record.cluster) > 1.0) {
        triple(out, ", \"cluster\": [", record.cluster);
    }
    graphFields(out, record.graph, record.graphNode);
}

void EventJson::copyArguments(std::string& out, const CaptureEvent& event) const {
    field(out, "\"device\": ", event.pid);
    const auto ids = [&](std::uint32_t context) {
        field(out, ", \"context\": ", context);
        field(out, ", \"stream\": ", event.stream);
        field(out, ", \"correlation\": ", event.correlation);
    };
    if (event.type == format::RecordType::Graph) {
        const auto record = recordOf<format::GraphRecord>(event.record);
        ids(record.context);
        return field(out, ", \"graph id\": ", record.graph);
    }
    if (event.type == format::RecordType::Memset) {
        const auto record = recordOf<format::MemsetRecord>(event.record);
        ids(record.context);
        bandwidth(out, record.bytes, event.duration);
        return graphFields(out, record.graph, record.graphNode);
    }
    const auto record = recordOf<format::CopyRecord>(event.record);
    ids(record.context);
    bandwidth(out, record.bytes, event.duration);
    if (record.sourceDevice != format::kNone) {
        field(out, ", \"fromDevice\": ", m_decoder.gpuRow(record.sourceDevice));
        field(out, ", \"inDevice\": ", event.pid);
        field(out, ", \"toDevice\": ", m_decoder.gpuRow(record.targetDevice));
        field(out, ", \"fromContext\": ", record.sourceContext);
        field(out, ", \"inContext\": ", record.context);
        field(out, ", \"toContext\": ", record.targetContext);
    }
    graphFields(out, record.graph, record.graphNode);
}

}  // namespace kinetoscope::stream
