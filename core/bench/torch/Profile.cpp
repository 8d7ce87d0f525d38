// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/Profile.h"

#include <algorithm>

#include "core/bench/torch/Tensors.h"

namespace kinetoscope::bench::libtorch {

using Json = nlohmann::json;

#ifdef KINETOSCOPE_TORCH_CUDA

namespace {

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;

constexpr std::size_t kRuns = 10;

struct Launched {
    std::string name;
    double startNs;
    double timeNs;
};

// Since 2.4 or so PyTorch counts nanoseconds.
template <class Event>
double startOf(const Event& event) {
    if constexpr (requires { event.startNs(); }) {
        return static_cast<double>(event.startNs());
    } else {
        return static_cast<double>(event.startUs()) * 1e3;
    }
}

template <class Event>
double durationOf(const Event& event) {
    if constexpr (requires { event.durationNs(); }) {
        return static_cast<double>(event.durationNs());
    } else {
        return static_cast<double>(event.durationUs()) * 1e3;
    }
}

std::vector<Launched> profiled(const std::function<void()>& runs, const at::Device& device) {
    const torch::profiler::impl::ProfilerConfig config(
        torch::profiler::impl::ProfilerState::KINETO);
    const std::set<ActivityType> activities{ActivityType::CPU, ActivityType::CUDA};
    profiler::prepareProfiler(config, activities);
    profiler::enableProfiler(config, activities);
    const std::string error = errorOf([&] {
        runs();
        synchronize(device);
    });
    const auto result = profiler::disableProfiler();
    TORCH_CHECK(error.empty(), error);
    std::vector<Launched> launched;
    for (const auto& event : result->events()) {
        if (event.deviceType() == at::kCUDA) {
            launched.push_back({event.name(), startOf(event), durationOf(event)});
        }
    }
    std::ranges::stable_sort(launched, {}, &Launched::startNs);
    return launched;
}

}  // namespace

Json launchedKernels(const std::function<void()>& prepare, const std::function<void()>& work,
                     const at::Device& device) {
    if (!device.is_cuda()) {
        return Json::array();
    }
    prepare();
    work();
    prepare();
    synchronize(device);
    // Preparing launches nothing: arguments are only put in place.
    const auto launched = profiled(
        [&] {
            for (std::size_t i = 0; i < kRuns; ++i) {
                prepare();
                work();
            }
        },
        device);
    // Runs that do not launch the same cannot be laid over each other: the last one stands alone.
    const bool even = launched.size() % kRuns == 0;
    const std::size_t count = launched.size() / kRuns;
    Json kernels = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
        double sum = 0.0;
        for (std::size_t run = 0; even && run < kRuns; ++run) {
            sum += launched[run * count + i].timeNs;
        }
        const Launched& last = launched[launched.size() - count + i];
        kernels.push_back({{"name", last.name},
                           {"time_ns", even ? sum / static_cast<double>(kRuns) : last.timeNs}});
    }
    return kernels;
}

#else

Json launchedKernels(const std::function<void()>&, const std::function<void()>&,
                     const at::Device&) {
    return Json::array();
}

#endif

}  // namespace kinetoscope::bench::libtorch
