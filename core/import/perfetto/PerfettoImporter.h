// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/Importer.h"

namespace kinetoscope::import::perfetto {

/// Perfetto's own format (.pftrace, .perfetto-trace): what its SDK, rocprofv3 and PyTorch write.
/// Track events become slices, instants and counters; what ran on GPUs becomes GPU operations.
class PerfettoImporter final : public Importer {
public:
    [[nodiscard]] bool recognises(std::string_view head) const override;
    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> read(
        ImportInput& input) const override;
};

}  // namespace kinetoscope::import::perfetto
