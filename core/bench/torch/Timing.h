// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/bench/torch/TorchCompat.h"

namespace kinetoscope::bench::libtorch {

struct TimingOptions {
    double warmUpMs = 25.0;
    double measureMs = 100.0;
    std::size_t most = 1000;  ///< samples
};

/// Work that can be timed again and again.
class TimedWork {
public:
    /// `prepare` runs before each `work`, untimed.
    TimedWork(std::function<void()> prepare, std::function<void()> work, const at::Device& device);

    /// On a GPU: records the work as a CUDA graph that measure() then launches. Gives why it cannot
    /// be recorded; empty when it was, and on a CPU.
    [[nodiscard]] std::string captureGraph();
    [[nodiscard]] bool graph() const { return m_graph != nullptr; }

    /// Nanoseconds of each run: about `measureMs` of them after `warmUpMs`. On a GPU as Triton's
    /// do_bench: events around each launch, 256 MiB written before it.
    [[nodiscard]] std::vector<double> measure(const TimingOptions& options);

private:
    [[nodiscard]] std::vector<double> measureCpu(const TimingOptions& options);
    [[nodiscard]] std::vector<double> measureGpu(const TimingOptions& options);
    void launch();

    struct Graph;
    std::function<void()> m_prepare;
    std::function<void()> m_work;
    at::Device m_device;
    std::shared_ptr<Graph> m_graph;
};

}  // namespace kinetoscope::bench::libtorch
