// SPDX-License-Identifier: Apache-2.0
#include <torch/csrc/jit/frontend/tracer.h>

#include <array>
#include <cmath>

#include "core/bench/torch/ModuleRunner.h"

namespace kinetoscope::bench::libtorch {

namespace {

using Tensors = std::vector<at::Tensor>;

// Table 1 of "Deep Residual Learning for Image Recognition": blocks per stage.
struct Architecture {
    std::array<int, 4> blocks;
    bool bottleneck;  // 1×1, 3×3, 1×1 with four times the channels, instead of two 3×3
};

constexpr Architecture kResnet18{{2, 2, 2, 2}, false};
constexpr Architecture kResnet50{{3, 4, 6, 3}, true};

// The same walk makes the weights and runs the network, so that they always fit together.
class Resnet {
public:
    Resnet(const Architecture& architecture, const at::Device& device)
        : m_architecture(architecture), m_device(device) {}

    /// Weights with gradients, then running means and variances without.
    Tensors parameters;
    Tensors buffers;

    void make() {
        m_making = true;
        (void)run(at::zeros({2, 3, 32, 32}, at::TensorOptions(m_device)));
        m_making = false;
        for (at::Tensor& parameter : parameters) {
            parameter.requires_grad_(true);
        }
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            buffers[i].fill_(i % 2 == 0 ? 0.0 : 1.0);  // what making has changed
        }
    }

    [[nodiscard]] at::Tensor run(const at::Tensor& images) {
        m_parameter = 0;
        m_buffer = 0;
        at::Tensor x = at::relu(normed(convolved(images, 64, 7, 2)));
        x = at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
        for (std::size_t stage = 0; stage < m_architecture.blocks.size(); ++stage) {
            const std::int64_t channels = 64 << stage;
            for (int block = 0; block < m_architecture.blocks[stage]; ++block) {
                x = residual(x, channels, stage > 0 && block == 0 ? 2 : 1);
            }
        }
        x = at::adaptive_avg_pool2d(x, {1, 1}).flatten(1);
        const double bound = 1.0 / std::sqrt(static_cast<double>(x.size(1)));
        const at::Tensor weight = parameter({1000, x.size(1)}, bound);
        return at::linear(x, weight, parameter({1000}, bound));
    }

private:
    at::Tensor parameter(const std::vector<std::int64_t>& shape, double bound) {
        if (m_making) {
            parameters.push_back(at::empty(shape).uniform_(-bound, bound).to(m_device));
        }
        return parameters[m_parameter++];
    }

    at::Tensor buffer(std::int64_t channels) {
        if (m_making) {
            buffers.push_back(at::ones({channels}, at::TensorOptions(m_device)));
        }
        return buffers[m_buffer++];
    }

    at::Tensor convolved(const at::Tensor& x, std::int64_t channels, std::int64_t kernel,
                         std::int64_t stride) {
        // Normally distributed with variance 2 / fan out in the paper's code; uniform of the same.
        const double bound = std::sqrt(6.0 / static_cast<double>(channels * kernel * kernel));
        const at::Tensor weight = parameter({channels, x.size(1), kernel, kernel}, bound);
        return at::conv2d(x, weight, {}, {stride, stride}, {kernel / 2, kernel / 2});
    }

    at::Tensor normed(const at::Tensor& x) {
        const std::int64_t channels = x.size(1);
        at::Tensor scale = parameter({channels}, 0.0);
        if (m_making) {
            scale.fill_(1.0);
        }
        const at::Tensor shift = parameter({channels}, 0.0);
        const at::Tensor mean = buffer(channels);
        const at::Tensor variance = buffer(channels);
        return at::batch_norm(x, scale, shift, mean, variance, true, 0.1, 1e-5, true);
    }

    at::Tensor residual(const at::Tensor& x, std::int64_t channels, std::int64_t stride) {
        const std::int64_t out = m_architecture.bottleneck ? 4 * channels : channels;
        at::Tensor y;
        if (m_architecture.bottleneck) {
            y = at::relu(normed(convolved(x, channels, 1, 1)));
            y = at::relu(normed(convolved(y, channels, 3, stride)));
            y = normed(convolved(y, out, 1, 1));
        } else {
            y = at::relu(normed(convolved(x, channels, 3, stride)));
            y = normed(convolved(y, out, 3, 1));
        }
        const bool same = stride == 1 && x.size(1) == out;
        return at::relu(y + (same ? x : normed(convolved(x, out, 1, stride))));
    }

    Architecture m_architecture;
    at::Device m_device;
    bool m_making = false;
    std::size_t m_parameter = 0;
    std::size_t m_buffer = 0;
};

// Traced with the weights as inputs: a graph cannot hold constants with gradients.
ModuleRunner tracedRunner(const std::shared_ptr<Resnet>& net, const at::Tensor& images) {
    torch::jit::Stack inputs{images};
    inputs.insert(inputs.end(), net->parameters.begin(), net->parameters.end());
    inputs.insert(inputs.end(), net->buffers.begin(), net->buffers.end());
    const auto body = [net](torch::jit::Stack stack) -> torch::jit::Stack {
        const std::size_t count = net->parameters.size();
        for (std::size_t i = 0; i < count; ++i) {
            net->parameters[i] = stack[1 + i].toTensor();
        }
        for (std::size_t i = 0; i < net->buffers.size(); ++i) {
            net->buffers[i] = stack[1 + count + i].toTensor();
        }
        return {net->run(stack[0].toTensor())};
    };
    const Tensors parameters = net->parameters;
    const auto state =
        torch::jit::tracer::trace(inputs, body, [](const at::Tensor&) { return std::string(); });
    auto unit = std::make_shared<torch::jit::CompilationUnit>();
    torch::jit::Function* function =
        unit->create_function(c10::QualifiedName("resnet"), state.first->graph);
    ModuleRunner runner;
    runner.parameters = parameters;
    runner.forward = [unit, function, inputs] {
        torch::jit::Stack stack = inputs;
        function->run(stack);
        return ModuleRunner::Outputs{stack.front().toTensor(), {}};
    };
    return runner;
}

}  // namespace

ModuleRunner cnnRunner(const std::string& name, std::int64_t images, const at::Device& device,
                       std::uint64_t seed) {
    const bool traced = name.ends_with("_jit");
    const std::string base = traced ? name.substr(0, name.size() - 4) : name;
    TORCH_CHECK(base == "resnet18" || base == "resnet50", "unknown runner '", name, "'");
    auto net = std::make_shared<Resnet>(base == "resnet18" ? kResnet18 : kResnet50, device);
    at::manual_seed(seed);
    at::Tensor x;
    {
        const at::NoGradGuard noGradients;
        x = at::randn({images, 3, 224, 224}).to(device);
        net->make();
    }
    if (traced) {
        return tracedRunner(net, x);
    }
    ModuleRunner runner;
    runner.parameters = net->parameters;
    runner.forward = [net, x] { return ModuleRunner::Outputs{net->run(x), {}}; };
    return runner;
}

}  // namespace kinetoscope::bench::libtorch
