// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/PerfettoImporter.h"

#include "core/base/Threads.h"
#include "core/import/perfetto/PacketTrace.h"

namespace kinetoscope::import::perfetto {

bool PerfettoImporter::recognises(std::string_view head) const {
    return isPackets(head);
}

Result<std::shared_ptr<const trace::Trace>> PerfettoImporter::read(ImportInput& input) const {
    return guarded(
        [&]() -> Result<std::shared_ptr<const trace::Trace>> {
            trace::TraceBuilder builder;
            return PacketTrace(input, builder).read().map([&] { return builder.finish(); });
        },
        input.path);
}

}  // namespace kinetoscope::import::perfetto
