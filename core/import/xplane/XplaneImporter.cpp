// SPDX-License-Identifier: Apache-2.0
#include "core/import/xplane/XplaneImporter.h"

#include "core/base/Threads.h"
#include "core/import/xplane/Space.h"
#include "core/import/xplane/SpaceTrace.h"

namespace kinetoscope::import::xplane {

bool XplaneImporter::recognises(std::string_view head) const {
    return isSpace(head);
}

Result<std::shared_ptr<const trace::Trace>> XplaneImporter::read(ImportInput& input) const {
    return guarded(
        [&]() -> Result<std::shared_ptr<const trace::Trace>> {
            trace::TraceBuilder builder;
            return SpaceTrace(input, builder).read().map([&] { return builder.finish(); });
        },
        input.path);
}

}  // namespace kinetoscope::import::xplane
