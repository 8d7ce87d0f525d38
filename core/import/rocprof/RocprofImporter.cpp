// SPDX-License-Identifier: Apache-2.0
#include "core/import/rocprof/RocprofImporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/import/chrome/WordedTrace.h"
#include "core/import/rocm/RocmNames.h"
#include "core/import/rocprof/Records.h"
#include "core/import/rocprof/Session.h"

namespace kinetoscope::import::rocprof {

namespace {

// The processes of a document: an array of them, or the only one.
std::vector<Session> readSessions(event::JsonCursor& cursor) {
    std::vector<Session> sessions;
    std::string key;
    bool going = cursor.enter('{');
    while (going && cursor.nextMember(key)) {
        if (!key.starts_with("rocprofiler-sdk-")) {
            cursor.skip();
        } else if (cursor.enter('[')) {
            while (cursor.nextElement()) {
                sessions.push_back(readSession(cursor));
            }
        } else {
            sessions.push_back(readSession(cursor));
        }
    }
    return sessions;
}

// Names of rows, and the GPUs in Kineto's terms.
void describe(const std::vector<Session>& sessions, std::string& events, std::string& devices) {
    wire::EventWords words;
    const auto add = [&](const std::string& event) { events += event + ",\n"; };
    const auto row = [&](std::int64_t pid, std::string_view name, std::string_view label,
                         std::int64_t order) {
        const std::string number = std::to_string(pid);
        add(words.metadata("process_name", number, {}, "name", wire::quoted(name)));
        add(words.metadata("process_labels", number, {}, "labels", wire::quoted(label)));
        add(words.metadata("process_sort_index", number, {}, "sort_index", std::to_string(order)));
    };
    std::set<std::int64_t> known;
    for (const Session& session : sessions) {
        const std::int64_t pid = processRow(session);
        row(pid, "process", "CPU", pid);
        for (const auto& [handle, agent] : session.agents) {
            if (!agent.isGpu || !known.insert(agent.gpu).second) {
                continue;
            }
            const std::string label = fmt::format("GPU {}", agent.gpu);
            row(agent.gpu, label, label, rocm::kGpuSortIndex + agent.gpu);
            devices += fmt::format(R"({}{{"id": {}, "name": {}, "numSms": {}, "warpSize": {}}})",
                                   devices.empty() ? "" : ", ", agent.gpu, wire::quoted(agent.name),
                                   agent.computeUnits, agent.waveSize);
        }
    }
}

}  // namespace

bool RocprofImporter::recognises(std::string_view head) const {
    return isDocument(head);
}

Result<std::shared_ptr<const trace::Trace>> RocprofImporter::read(ImportInput& input) const {
    return chrome::readReworded(input, [&](std::string_view text) -> Result<chrome::WordedTrace> {
        event::JsonCursor cursor(text);
        const std::vector<Session> sessions = readSessions(cursor);
        Records records(text.size(), input.options.stop);
        if (cursor.damaged()) {
            records.issues().add(trace::Issue::TruncatedText, cursor.offset(), [] {
                return std::string("the document ends or is damaged inside of a process");
            });
        }
        bool hasRecords = false;
        for (const Session& session : sessions) {
            if (session.records != nullptr) {
                hasRecords = true;
                records.add(cursor, session);
            }
        }
        if (!hasRecords) {
            return fail(
                "is a document of rocprofiler-sdk without \"buffer_records\"; record with "
                "rocprofv3 --runtime-trace --output-format json");
        }
        chrome::WordedTrace worded;
        worded.format = "rocprofv3 JSON";
        worded.log.events = records.records();
        worded.log.skipped = records.skipped();
        records.issues().addTo(worded.log);
        if (records.isFull()) {
            worded.log.add("too_many_slices", trace::Severity::DataLoss, 0,
                           "the rest of the records is left out: their names take many times the "
                           "document's size");
        }
        if (!records.others().empty()) {
            worded.log.add(
                "other_records", trace::Severity::Info, 0,
                fmt::format("records that are not shown: {}", fmt::join(records.others(), ", ")));
        }
        std::string events = records.take();
        std::string devices;
        describe(sessions, events, devices);
        events.erase(events.find_last_not_of(",\n") + 1);
        events.insert(0, R"({"traceEvents": [)");  // in place: they may be gigabytes
        events += "], \"deviceProperties\": [" + devices + "]}";
        worded.json = std::move(events);
        return worded;
    });
}

}  // namespace kinetoscope::import::rocprof
