// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/Timing.h"

#include <algorithm>
#include <chrono>

#include "core/bench/torch/Tensors.h"

namespace kinetoscope::bench::libtorch {

namespace {

using Clock = std::chrono::steady_clock;

double nsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

}  // namespace

#ifdef KINETOSCOPE_TORCH_CUDA
struct TimedWork::Graph {
    at::cuda::CUDAGraph graph;
};
#else
struct TimedWork::Graph {};
#endif

TimedWork::TimedWork(std::function<void()> prepare, std::function<void()> work,
                     const at::Device& device)
    : m_prepare(std::move(prepare)), m_work(std::move(work)), m_device(device) {}

std::vector<double> TimedWork::measure(const TimingOptions& options) {
    return m_device.is_cuda() ? measureGpu(options) : measureCpu(options);
}

std::vector<double> TimedWork::measureCpu(const TimingOptions& options) {
    const auto once = [this] {
        m_prepare();
        const auto start = Clock::now();
        m_work();
        return nsSince(start);
    };
    const auto warmUp = Clock::now();
    do {
        (void)once();
    } while (nsSince(warmUp) < options.warmUpMs * 1e6);
    std::vector<double> samples;
    const auto begin = Clock::now();
    do {
        samples.push_back(once());
    } while (nsSince(begin) < options.measureMs * 1e6 && samples.size() < options.most);
    return samples;
}

#ifdef KINETOSCOPE_TORCH_CUDA

namespace {

// As Triton's do_bench, whatever the size of the L2 cache.
constexpr std::int64_t kFlushBytes = 256LL << 20U;

}  // namespace

std::string TimedWork::captureGraph() {
    if (!m_device.is_cuda()) {
        return {};
    }
    m_prepare();
    auto holder = std::make_shared<Graph>();
    const auto side = at::cuda::getStreamFromPool(false, m_device.index());
    std::string reason;
    {
        const c10::cuda::CUDAStreamGuard guard(side);
        reason = errorOf([&] {
            m_work();
            m_prepare();
            synchronize(m_device);
        });
        if (reason.empty()) {
            reason = errorOf([&] {
                holder->graph.capture_begin();
                m_work();
                holder->graph.capture_end();
            });
            if (!reason.empty()) {
                (void)errorOf([&] { holder->graph.capture_end(); });
                (void)errorOf([&] { holder->graph.reset(); });
            }
        }
    }
    (void)cudaGetLastError();
    if (reason.empty()) {
        m_graph = std::move(holder);
    }
    return reason;
}

void TimedWork::launch() {
    if (m_graph) {
        m_graph->graph.replay();
    } else {
        m_prepare();
        m_work();
    }
}

std::vector<double> TimedWork::measureGpu(const TimingOptions& options) {
    const c10::cuda::CUDAGuard guard(m_device);
    const auto stream = at::cuda::getCurrentCUDAStream(m_device.index());
    at::Tensor other = at::empty({kFlushBytes / 4}, at::TensorOptions(at::kInt).device(m_device));
    launch();
    synchronize(m_device);
    at::cuda::CUDAEvent first(cudaEventDefault);
    at::cuda::CUDAEvent last(cudaEventDefault);
    first.record(stream);
    for (int i = 0; i < 5; ++i) {
        other.zero_();
        launch();
    }
    last.record(stream);
    synchronize(m_device);
    const double estimate = std::max(static_cast<double>(first.elapsed_time(last)) / 5.0, 1e-4);
    const auto times = [&](double ms) {
        return std::clamp<std::size_t>(static_cast<std::size_t>(ms / estimate), 1, options.most);
    };
    for (std::size_t i = times(options.warmUpMs); i > 0; --i) {
        launch();
    }
    const std::size_t count = times(options.measureMs);
    std::vector<at::cuda::CUDAEvent> starts;
    std::vector<at::cuda::CUDAEvent> ends;
    for (std::size_t i = 0; i < count; ++i) {
        starts.emplace_back(cudaEventDefault);
        ends.emplace_back(cudaEventDefault);
        if (!m_graph) {
            m_prepare();
        }
        other.zero_();
        starts.back().record(stream);
        if (m_graph) {
            m_graph->graph.replay();
        } else {
            m_work();
        }
        ends.back().record(stream);
    }
    synchronize(m_device);
    std::vector<double> samples;
    for (std::size_t i = 0; i < count; ++i) {
        samples.push_back(static_cast<double>(starts[i].elapsed_time(ends[i])) * 1e6);
    }
    return samples;
}

#else

std::string TimedWork::captureGraph() {
    return {};
}

void TimedWork::launch() {}

std::vector<double> TimedWork::measureGpu(const TimingOptions&) {
    return {};
}

#endif

}  // namespace kinetoscope::bench::libtorch
