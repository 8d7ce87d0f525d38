// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/TorchSwitches.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/bench/torch/TorchCompat.h"

namespace kinetoscope::bench::libtorch {

using Json = nlohmann::json;

namespace {

// Functions that not every PyTorch has, or has no header for, by their mangled names.
template <class Function>
Function* functionOf(const char* symbol) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, symbol));
}

class Switches {
public:
    /// As fastrnns' set_fuser() has them: `te` fuses on the GPU, where its tensor expressions are
    /// used only if fusing there is allowed at all.
    void fuser(const std::string& name) {
        if (name == "default") {
            return;
        }
        torch::jit::getExecutorMode() = name == "te";
        torch::jit::setGraphExecutorOptimize(name == "te");
        if (name != "old") {
            turn("_ZN5torch3jit20overrideCanFuseOnCPUEb", "fusing on CPUs", false);
        }
        turn("_ZN5torch3jit20overrideCanFuseOnGPUEb", "fusing on GPUs", name != "none");
        torch::jit::setTensorExprFuserEnabled(name == "te");
    }

    /// Overrides what the fuser has set.
    static void executor(const std::string& name) {
        if (name == "profiling" || name == "legacy") {
            torch::jit::getExecutorMode() = name == "profiling";
        }
        if (name == "profiling" || name == "legacy" || name == "simple") {
            torch::jit::setGraphExecutorOptimize(name != "simple");
        }
    }

    void pointwise(const char* symbol, const char* option, const Json& value) {
        if (!value.is_number_integer()) {
            return;
        }
        if (auto* sizes = functionOf<int&()>(symbol)) {
            sizes() = value.get<int>();
        } else {
            m_missing.push_back(fmt::format("PyTorch {} no longer has {}", TORCH_VERSION, option));
        }
    }

    [[nodiscard]] std::vector<std::string> missing() { return std::move(m_missing); }

private:
    void turn(const char* symbol, const char* what, bool on) {
        if (auto* set = functionOf<void(bool)>(symbol)) {
            set(on);
        } else if (on) {
            m_missing.push_back(fmt::format("PyTorch {} no longer has {}", TORCH_VERSION, what));
        }
    }

    std::vector<std::string> m_missing;
};

}  // namespace

std::vector<std::string> setSwitches(const Json& request) {
    Switches switches;
    switches.fuser(request.value("fuser", "te"));
    switches.executor(request.value("executor", ""));
    const Json sizes = request.value("pointwise", Json::object());
    const auto size = [&](const char* key) { return sizes.value(key, Json()); };
    switches.pointwise("_ZN5torch3jit10tensorexpr28getTECudaPointwiseLoopLevelsEv",
                       "--cuda-pointwise-loop-level", size("loop_level"));
    switches.pointwise("_ZN5torch3jit10tensorexpr28getTECudaPointwiseBlockCountEv",
                       "--cuda-pointwise-block-count", size("block_count"));
    switches.pointwise("_ZN5torch3jit10tensorexpr27getTECudaPointwiseBlockSizeEv",
                       "--cuda-pointwise-block-size", size("block_size"));
    return switches.missing();
}

}  // namespace kinetoscope::bench::libtorch
