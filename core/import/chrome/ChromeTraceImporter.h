// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/Importer.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::chrome {

/// The JSON of torch.profiler (Kineto) and of the Chrome Trace Event Format: an object with
/// "traceEvents" among other keys in any order, or a bare array of events.
class ChromeTraceImporter : public Importer {
public:
    [[nodiscard]] bool recognises(std::string_view head) const override;
    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> read(
        ImportInput& input) const override;

protected:
    /// Called once everything is read. `text` has the events again; null where it cannot. Fails
    /// with one line for the user.
    [[nodiscard]] virtual Result<void> complete(const ImportInput& input,
                                                trace::TraceBuilder& builder,
                                                const trace::EventText* text) const {
        (void)input, (void)builder, (void)text;
        return {};
    }
};

}  // namespace kinetoscope::import::chrome
