// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/bench/torch/TorchCompat.h"

namespace kinetoscope::bench::libtorch {

/// How two lists of results compare. NaN equals NaN, an infinity the same infinity.
struct Agreement {
    double cosine = 1.0;       ///< smallest cosine similarity of any pair of tensors
    double maxAbsolute = 0.0;  ///< largest difference of any pair of elements
    std::string difference;    ///< what else than values differs, such as shapes; else empty

    /// The similarity that torch._dynamo.testing.same asks for.
    [[nodiscard]] bool same() const { return difference.empty() && cosine >= 0.99; }
};

[[nodiscard]] Agreement agreement(const std::vector<at::Tensor>& actual,
                                  const std::vector<at::Tensor>& expected);

}  // namespace kinetoscope::bench::libtorch
