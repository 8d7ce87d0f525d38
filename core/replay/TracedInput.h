// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Result.h"
#include "core/bench/operators/InputValue.h"
#include "core/model/OperatorCall.h"

namespace kinetoscope::replay {

/// What stands for a tensor without dimensions.
enum class Scalars : std::uint8_t {
    Tensors,
    Numbers,  ///< the kernel took it as a number of the program: "x * 2"
};

/// The inputs of a call as the bench of operators takes them; `count` calls of it. Values that the
/// trace leaves empty are None. Fails with what is missing for which argument, from 0.
[[nodiscard]] Result<bench::operators::OperatorCall> benchInput(const model::OperatorCall& call,
                                                                std::int64_t count,
                                                                Scalars scalars);

}  // namespace kinetoscope::replay
