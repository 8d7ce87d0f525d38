// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/Importer.h"

namespace kinetoscope::import::xplane {

/// The XSpace that the profilers of JAX, TensorFlow and PyTorch/XLA write as NAME.xplane.pb.
/// Streams of GPUs become GPU operations, threads of hosts slices, everything else plain rows.
class XplaneImporter final : public Importer {
public:
    [[nodiscard]] bool recognises(std::string_view head) const override;
    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> read(
        ImportInput& input) const override;
};

}  // namespace kinetoscope::import::xplane
