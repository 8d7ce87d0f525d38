// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/bench/torch/TorchCompat.h"

namespace kinetoscope::bench::libtorch {

/// Sizes of the recurrent modules.
struct RnnSizes {
    std::int64_t seqLength = 100;
    std::int64_t numLayers = 1;
    std::int64_t inputSize = 512;
    std::int64_t hiddenSize = 512;
    std::int64_t miniBatch = 64;
};

/// One module ready to be run forward and backward.
struct ModuleRunner {
    /// Results of a forward run; the gradient enters through `output` only.
    struct Outputs {
        at::Tensor output;
        std::vector<at::Tensor> others;
    };

    std::function<Outputs()> forward;
    /// Makes one tensor of the outputs, untimed; empty: `output` as it is.
    std::function<at::Tensor(const Outputs&)> gather;
    std::vector<at::Tensor> parameters;  ///< tensors that get gradients; without any there is no
                                         ///< backward
    bool forwardOnly = false;            ///< has parameters, but no backward is run
    std::string note;                    ///< what is unusual about it; else empty
};

/// Names as in fastrnns: "cudnn", "aten", "py", "jit", "jit_premul", "jit_premul_bias",
/// "jit_simple", "jit_multilayer", "jit_layernorm", "jit_layernorm_decom", "jit_dropout",
/// "cudnn_dropout", "cudnn_layernorm", "vl_cudnn", "vl_jit", "vl_py". All of one group have the
/// same inputs and weights for the same seed. Throws for an unknown name.
[[nodiscard]] ModuleRunner rnnRunner(const std::string& name, const RnnSizes& sizes,
                                     const at::Device& device, std::uint64_t seed);

/// "resnet18", "resnet50" and both with "_jit": 32 images of 224 × 224 in training.
[[nodiscard]] ModuleRunner cnnRunner(const std::string& name, std::int64_t images,
                                     const at::Device& device, std::uint64_t seed);

/// Arguments of a function of a file.
struct FileInputs {
    std::vector<c10::IValue> values;  ///< by position
    torch::jit::Kwargs named;
};

/// A TorchScript file (.pt) or an AOTInductor package (.pt2, takes tensors by position only) with
/// these inputs. `function`: the method of the module that runs. Throws what is wrong with it.
[[nodiscard]] ModuleRunner fileRunner(const std::string& path, const std::string& function,
                                      const FileInputs& inputs, const at::Device& device);

}  // namespace kinetoscope::bench::libtorch
