// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinetoscope::stream {

/// What torch.autograd.profiler.emit_nvtx writes into the name of an operator's range:
/// "aten::mm, seq = 3, op_id = 12, sizes = [[4096, 1024], []]".
struct TorchRange {
    std::string_view name;    ///< "aten::mm"
    std::string inputShapes;  ///< JSON, "[[4096, 1024], []]"; empty without shapes
};

/// Nothing for the name of any other range. A name that was cut keeps the shapes that are whole.
[[nodiscard]] std::optional<TorchRange> parseTorchRange(std::string_view name);

}  // namespace kinetoscope::stream
