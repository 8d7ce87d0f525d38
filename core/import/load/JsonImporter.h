// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/chrome/ChromeTraceImporter.h"

namespace kinetoscope::import {

/// The Chrome JSON of any tool. What XLA wrote is as in its XSpace.
class JsonImporter final : public chrome::ChromeTraceImporter {
protected:
    [[nodiscard]] Result<void> complete(const ImportInput& input, trace::TraceBuilder& builder,
                                        const trace::EventText* text) const override;
};

}  // namespace kinetoscope::import
