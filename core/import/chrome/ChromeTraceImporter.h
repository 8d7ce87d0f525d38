// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/Importer.h"

namespace kinetoscope::import::chrome {

/// The JSON of torch.profiler (Kineto) and of the Chrome Trace Event Format: an object with
/// "traceEvents" among other keys in any order, or a bare array of events.
class ChromeTraceImporter final : public Importer {
public:
    [[nodiscard]] bool recognises(std::string_view head) const override;
    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> read(
        ImportInput& input) const override;
};

}  // namespace kinetoscope::import::chrome
