// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/Importer.h"

namespace kinetoscope::import::capture {

/// Capture files of `kscope record`, up to their last whole chunk.
class CaptureImporter final : public Importer {
public:
    [[nodiscard]] bool recognises(std::string_view head) const override;
    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> read(
        ImportInput& input) const override;
};

}  // namespace kinetoscope::import::capture
