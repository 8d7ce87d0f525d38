// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/chrome/ChromeTraceImporter.h"

namespace kinetoscope::import::xplane {

/// The Chrome JSON that XLA writes beside an XSpace: planes are processes, lines are threads,
/// statistics are arguments, and no event has a category.
class XlaJsonImporter final : public chrome::ChromeTraceImporter {
public:
    [[nodiscard]] bool recognises(std::string_view head) const override;

protected:
    /// Tells what each slice is, as in the XSpace, and makes those of streams GPU operations.
    [[nodiscard]] Result<void> complete(const ImportInput& input, trace::TraceBuilder& builder,
                                        const trace::EventText* text) const override;
};

}  // namespace kinetoscope::import::xplane
