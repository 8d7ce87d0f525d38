// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace kinetoscope::bench::results {

// The runners of fastrnns by group, the first of which the others are compared with.

inline constexpr std::array kRnnRunners{
    "cudnn", "aten", "jit", "jit_premul", "jit_premul_bias", "jit_simple", "jit_multilayer", "py"};
/// With sequences of different lengths.
inline constexpr std::array kVariableRunners{"vl_cudnn", "vl_jit", "vl_py"};
inline constexpr std::array kCnnRunners{"resnet18", "resnet18_jit", "resnet50", "resnet50_jit"};
/// Only run when they are named.
inline constexpr std::array kOtherRunners{"jit_layernorm", "jit_layernorm_decom", "jit_dropout",
                                          "cudnn_dropout", "cudnn_layernorm"};

}  // namespace kinetoscope::bench::results
