// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/Protocol.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/bench/torch/Tensors.h"
#include "core/json/Json.h"

namespace kinetoscope::bench::libtorch {

using Json = nlohmann::json;

void say(const Json& line) {
    const std::string text = json::jsonText(line) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

std::string defaultDevice() {
#ifdef KINETOSCOPE_TORCH_CUDA
    return at::hasCUDA() && at::cuda::device_count() > 0 ? "cuda" : "cpu";
#else
    return "cpu";
#endif
}

std::string deviceProblem(const std::string& device) {
    std::string problem = errorOf([&] {
        const at::Device wanted = benchDevice(device);
        (void)at::zeros({1}, at::TensorOptions(wanted));
    });
    if (problem.empty()) {
        return {};
    }
#ifndef KINETOSCOPE_TORCH_CUDA
    if (device.starts_with("cuda")) {
        return fmt::format(
            "PyTorch {} here was built without CUDA; use --device cpu, or build "
            "kscope-torch with -DTorch_DIR of a PyTorch that has it",
            TORCH_VERSION);
    }
#endif
    return fmt::format("device {}: {}", device, problem);
}

Json describeTorch(const std::string& device) {
    Json line{{"event", "torch"},  {"version", TORCH_VERSION},
              {"device", device},  {"threads", at::get_num_threads()},
              {"packages", false}, {"cuda", false}};
#ifdef KINETOSCOPE_TORCH_PACKAGES
    line["packages"] = true;
#endif
#ifdef KINETOSCOPE_TORCH_CUDA
    const at::Device used = benchDevice(device);
    if (used.is_cuda()) {
        const cudaDeviceProp* properties = at::cuda::getDeviceProperties(used.index());
        line["cuda"] = true;
        line["gpu"] = properties->name;
        line["architecture"] = fmt::format("sm_{}{}", properties->major, properties->minor);
        line["memory_bytes"] = properties->totalGlobalMem;
        line["l2_bytes"] = properties->l2CacheSize;
        line["multiprocessors"] = properties->multiProcessorCount;
        std::string uuid = "GPU-";
        for (int i = 0; i < 16; ++i) {
            uuid += i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
            uuid += fmt::format("{:02x}", static_cast<unsigned char>(properties->uuid.bytes[i]));
        }
        line["uuid"] = uuid;
    }
#endif
    return line;
}

}  // namespace kinetoscope::bench::libtorch
