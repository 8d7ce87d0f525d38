// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/Importer.h"

namespace kinetoscope::import::proton {

/// Proton's tree of sums (.hatchet). It has no times: its kernels are laid out one after another on
/// a row of each GPU, each as long as the mean, below annotations for the scopes.
class HatchetImporter final : public Importer {
public:
    [[nodiscard]] bool recognises(std::string_view head) const override;
    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> read(
        ImportInput& input) const override;
};

}  // namespace kinetoscope::import::proton
