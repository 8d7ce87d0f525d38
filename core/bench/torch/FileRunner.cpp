// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/ModuleRunner.h"
#include "core/bench/torch/Tensors.h"

namespace kinetoscope::bench::libtorch {

namespace {

ModuleRunner::Outputs outputsOf(std::vector<at::Tensor> tensors) {
    TORCH_CHECK(!tensors.empty(), "its forward returns no tensor");
    at::Tensor first = tensors.front();
    tensors.erase(tensors.begin());
    return {std::move(first), std::move(tensors)};
}

ModuleRunner packageRunner(const std::string& path, const FileInputs& given) {
    std::vector<at::Tensor> inputs;
    for (const c10::IValue& value : given.values) {
        TORCH_CHECK(value.isTensor(), "an AOTInductor package takes nothing but tensors");
        inputs.push_back(value.toTensor());
    }
    TORCH_CHECK(given.named.empty(), "an AOTInductor package takes inputs by position only");
    ModuleRunner runner;
#ifdef KINETOSCOPE_TORCH_PACKAGES
    const auto package = openPackage(path);
    runner.note = "an AOTInductor package: forward only";
    runner.forward = [package, inputs] {
        const at::NoGradGuard noGradients;
        return outputsOf(package->run(inputs));
    };
#else
    TORCH_CHECK(false, "PyTorch ", TORCH_VERSION,
                " opens no AOTInductor packages; 2.6 and later do: ", path);
#endif
    return runner;
}

std::string functionsOf(const torch::jit::Module& module) {
    std::string names;
    for (const torch::jit::Method& method : module.get_methods()) {
        names += (names.empty() ? "" : ", ") + method.name();
    }
    return names.empty() ? "none" : names;
}

}  // namespace

ModuleRunner fileRunner(const std::string& path, const std::string& function,
                        const FileInputs& inputs, const at::Device& device) {
    if (path.ends_with(".pt2")) {
        TORCH_CHECK(function == "forward", "an AOTInductor package has no function but forward");
        return packageRunner(path, inputs);
    }
    auto module = std::make_shared<torch::jit::Module>(torch::jit::load(path, device));
    ModuleRunner runner;
    for (const at::Tensor& parameter : module->parameters()) {
        if (parameter.requires_grad()) {
            runner.parameters.push_back(parameter);
        }
    }
    const auto method = module->find_method(function);
    TORCH_CHECK(method.has_value(), "it has no function '", function, "'; its functions are ",
                functionsOf(*module));
    runner.forward = [module, method, inputs] {
        return outputsOf(tensorsOf({(*method)(inputs.values, inputs.named)}));
    };
    return runner;
}

}  // namespace kinetoscope::bench::libtorch
