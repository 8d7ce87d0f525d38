// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/ModuleRunner.h"
#include "core/bench/torch/Tensors.h"

namespace kinetoscope::bench::libtorch {

namespace {

ModuleRunner::Outputs outputsOf(std::vector<at::Tensor> tensors) {
    TORCH_CHECK(!tensors.empty(), "its forward gives no tensor");
    at::Tensor first = tensors.front();
    tensors.erase(tensors.begin());
    return {std::move(first), std::move(tensors)};
}

ModuleRunner packageRunner(const std::string& path, const std::vector<at::Tensor>& inputs) {
    ModuleRunner runner;
#ifdef KINETOSCOPE_TORCH_PACKAGES
    const auto package = openPackage(path);
    runner.note = "an AOTInductor package: forward only";
    runner.forward = [package, inputs] {
        const at::NoGradGuard noGradients;
        return outputsOf(package->run(inputs));
    };
#else
    (void)inputs;
    TORCH_CHECK(false, "PyTorch ", TORCH_VERSION,
                " opens no AOTInductor packages; 2.6 and later do: ", path);
#endif
    return runner;
}

}  // namespace

ModuleRunner fileRunner(const std::string& path, const std::vector<at::Tensor>& inputs,
                        const at::Device& device) {
    if (path.ends_with(".pt2")) {
        return packageRunner(path, inputs);
    }
    auto module = std::make_shared<torch::jit::Module>(torch::jit::load(path, device));
    ModuleRunner runner;
    for (const at::Tensor& parameter : module->parameters()) {
        if (parameter.requires_grad()) {
            runner.parameters.push_back(parameter);
        }
    }
    const std::vector<c10::IValue> arguments(inputs.begin(), inputs.end());
    runner.forward = [module, arguments] {
        return outputsOf(tensorsOf({module->forward(arguments)}));
    };
    return runner;
}

}  // namespace kinetoscope::bench::libtorch
