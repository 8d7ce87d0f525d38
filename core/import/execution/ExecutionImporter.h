// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/Importer.h"

namespace kinetoscope::import::execution {

/// An execution trace alone has no times: the error says what to open it with.
class ExecutionImporter final : public Importer {
public:
    [[nodiscard]] bool recognises(std::string_view head) const override;
    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> read(
        ImportInput& input) const override;
};

}  // namespace kinetoscope::import::execution
