// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/Result.h"
#include "core/bench/torch/Tensors.h"

namespace kinetoscope::bench::libtorch {

/// The overload of "aten.add.Tensor". Fails when this PyTorch has none.
[[nodiscard]] Result<c10::OperatorHandle> findOperator(std::string_view name);

/// One value per argument of the operator's schema, tensors on `device` filled by valueRange().
/// Fails with the argument that does not fit; PyTorch's own errors come as its exceptions.
[[nodiscard]] Result<torch::jit::Stack> buildStack(const c10::OperatorHandle& op,
                                                   std::string_view name,
                                                   const operators::OperatorCall& call,
                                                   const at::Device& device);

}  // namespace kinetoscope::bench::libtorch
