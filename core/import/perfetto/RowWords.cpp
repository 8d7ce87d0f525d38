// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/RowWords.h"

#include <map>

#include "core/import/wire/EventWords.h"

namespace kinetoscope::import::perfetto {

std::vector<RowWords> rowsInWords(trace::TraceBuilder& builder, std::size_t count) {
    const auto json = [&](const trace::RowId& id) {
        return id.isText ? wire::quoted(builder.text(static_cast<NameId>(id.value)))
                         : std::to_string(id.value);
    };
    std::map<std::uint32_t, std::shared_ptr<const ProcessWords>> processes;
    std::vector<RowWords> rows(count);
    for (std::size_t i = 0; i < count; ++i) {
        const trace::Track& track = builder.trackRow(static_cast<trace::TrackId>(i));
        const trace::Process& process = builder.processRow(track.process);
        RowWords& row = rows[i];
        auto& shared = processes[track.process];
        if (shared == nullptr) {
            shared = std::make_shared<const ProcessWords>(
                ProcessWords{json(process.pid), std::string(builder.text(process.name)),
                             std::string(builder.text(process.labels))});
        }
        row.process = shared;
        row.tid = json(track.tid);
        row.isCounter = track.kind == trace::TrackKind::Counter;
        row.name = builder.text(row.isCounter ? static_cast<NameId>(track.tid.value) : track.name);
        row.gpu = process.pid.value;
        row.stream = track.tid.value;
    }
    return rows;
}

}  // namespace kinetoscope::import::perfetto
