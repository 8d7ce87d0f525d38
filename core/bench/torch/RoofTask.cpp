// SPDX-License-Identifier: Apache-2.0
// What this GPU does at most: copies and triads by size, products by type.
#include <fmt/format.h>

#include <algorithm>

#include "core/bench/torch/OperatorStack.h"
#include "core/bench/torch/Protocol.h"

namespace kinetoscope::bench::libtorch {

using Json = nlohmann::json;

#ifdef KINETOSCOPE_TORCH_CUDA

namespace {

constexpr std::int64_t kMebi = std::int64_t{1} << 20U;
constexpr std::size_t kMinSamples = 10;
constexpr std::size_t kMaxSamples = 2000;
constexpr double kWarmUpMs = 200.0;  // until clocks and power are what they stay at
constexpr int kLaunchesPerGraph = 20;
// Above it the host keeps up without a graph, whose large copies would go to the copy engines.
constexpr std::int64_t kMaxGraphBytes = 64 * kMebi;

struct RoofOptions {
    at::Device device{at::kCPU};
    double measureMs = 500.0;
    std::vector<std::int64_t> tensorBytes;
    std::vector<std::int64_t> productSizes;
};

RoofOptions roofOptionsOf(const Json& request) {
    RoofOptions options;
    options.device = benchDevice(request.value("device", "cuda"));
    options.measureMs = request.value("measure_ms", options.measureMs);
    options.productSizes =
        request.value("product_sizes", std::vector<std::int64_t>{4096, 8192, 16384});
    std::vector<std::int64_t> usual;
    for (std::int64_t bytes = kMebi; bytes <= 2048 * kMebi; bytes *= 2) {
        usual.push_back(bytes);
    }
    options.tensorBytes = request.value("tensor_bytes", usual);
    return options;
}

/// Times something that is launched again and again with nothing between.
class Repeated {
public:
    Repeated(std::function<void()> launch, const RoofOptions& options)
        : m_launch(std::move(launch)),
          m_options(options),
          m_stream(at::cuda::getCurrentCUDAStream(options.device.index())) {}

    // Short launches go in groups, so that the host keeps up.
    void makeGraph() {
        const auto side = at::cuda::getStreamFromPool(false, m_options.device.index());
        const c10::cuda::CUDAStreamGuard guard(side);
        m_launch();
        synchronize(m_options.device);
        m_graph = std::make_unique<at::cuda::CUDAGraph>();
        m_graph->capture_begin();
        for (int i = 0; i < kLaunchesPerGraph; ++i) {
            m_launch();
        }
        m_graph->capture_end();
    }

    /// Nanoseconds of one launch, once for each sample. `begin` is called when it is warm.
    [[nodiscard]] std::vector<double> measure(const std::function<void()>& begin) {
        run();
        synchronize(m_options.device);
        const double once = std::max(elapsedMs(3) / 3.0, 1e-3);
        (void)elapsedMs(countFor(kWarmUpMs, once));
        begin();
        const std::size_t count = countFor(m_options.measureMs, once);
        std::vector<at::cuda::CUDAEvent> marks;
        for (std::size_t i = 0; i <= count; ++i) {
            marks.emplace_back(cudaEventDefault);
        }
        marks.front().record(m_stream);
        for (std::size_t i = 1; i <= count; ++i) {
            run();
            marks[i].record(m_stream);
        }
        synchronize(m_options.device);
        const double launches = m_graph ? kLaunchesPerGraph : 1.0;
        std::vector<double> samples;
        for (std::size_t i = 1; i <= count; ++i) {
            samples.push_back(static_cast<double>(marks[i - 1].elapsed_time(marks[i])) * 1e6 /
                              launches);
        }
        return samples;
    }

private:
    static std::size_t countFor(double ms, double once) {
        return std::clamp(static_cast<std::size_t>(ms / once), kMinSamples, kMaxSamples);
    }

    void run() {
        if (m_graph) {
            m_graph->replay();
        } else {
            m_launch();
        }
    }

    double elapsedMs(std::size_t count) {
        at::cuda::CUDAEvent first(cudaEventDefault);
        at::cuda::CUDAEvent last(cudaEventDefault);
        first.record(m_stream);
        for (std::size_t i = 0; i < count; ++i) {
            run();
        }
        last.record(m_stream);
        synchronize(m_options.device);
        return static_cast<double>(first.elapsed_time(last));
    }

    std::function<void()> m_launch;
    const RoofOptions& m_options;
    at::cuda::CUDAStream m_stream;
    std::unique_ptr<at::cuda::CUDAGraph> m_graph;
};

// Reports the start of the measurement, then its samples or why there are none.
void measureOne(Json what, const RoofOptions& options, bool grouped,
                const std::function<std::function<void()>()>& make) {
    what["event"] = "begin";
    const std::string error = errorOf([&] {
        Repeated repeated(make(), options);
        if (grouped) {
            repeated.makeGraph();
        }
        const auto samples = repeated.measure([&] { say(what); });
        what["samples_ns"] = samples;
    });
    (void)cudaGetLastError();
    c10::cuda::CUDACachingAllocator::emptyCache();
    what["event"] = "measured";
    if (!error.empty()) {
        what["reason"] = error;
    }
    say(what);
}

void measureMemory(const RoofOptions& options) {
    const auto tensor = [&](std::int64_t bytes) {
        return at::ones({bytes / 4}, at::TensorOptions(at::kFloat).device(options.device));
    };
    for (const std::int64_t bytes : options.tensorBytes) {
        measureOne({{"operation", "copy"}, {"bytes", 2 * bytes}}, options, bytes <= kMaxGraphBytes,
                   [&] {
                       const at::Tensor from = tensor(bytes);
                       at::Tensor to = at::empty_like(from);
                       return [from, to]() mutable { to.copy_(from); };
                   });
        measureOne({{"operation", "triad"}, {"bytes", 3 * bytes}}, options, bytes <= kMaxGraphBytes,
                   [&] {
                       const at::Tensor a = tensor(bytes);
                       const at::Tensor b = tensor(bytes);
                       at::Tensor c = at::empty_like(a);
                       return [a, b, c]() mutable { at::add_out(c, a, b, 3.0); };
                   });
    }
}

at::Tensor randomMatrix(std::int64_t size, at::ScalarType type, const at::Device& device) {
    const auto made = at::TensorOptions(device);
    if (type == at::kChar) {
        return at::randint(-8, 8, {size, size}, made.dtype(at::kLong)).to(type);
    }
    const auto single = type == at::kDouble ? at::kDouble : at::kFloat;
    return at::empty({size, size}, made.dtype(single)).uniform_(-1.0, 1.0).to(type);
}

// Arguments by name; the others are the schema's defaults.
torch::jit::Stack stackOf(const c10::OperatorHandle& op,
                          const std::vector<std::pair<std::string, c10::IValue>>& given) {
    torch::jit::Stack stack;
    for (const c10::Argument& argument : op.schema().arguments()) {
        const auto found =
            std::ranges::find(given, argument.name(), [](const auto& one) { return one.first; });
        const auto standard = argument.default_value();
        TORCH_CHECK(found != given.end() || standard, op.schema().name(),
                    " has another argument: ", argument.name());
        stack.push_back(found != given.end() ? found->second : *standard);
    }
    return stack;
}

std::function<void()> boxed(const c10::OperatorHandle& op, const torch::jit::Stack& arguments) {
    return [op, arguments] {
        torch::jit::Stack stack = arguments;
        op.callBoxed(&stack);
    };
}

c10::OperatorHandle needed(const char* name) {
    const auto op = findOperator(name);
    TORCH_CHECK(op.has_value(), "PyTorch " TORCH_VERSION " has no ", name);
    return *op;
}

std::function<void()> plainProduct(std::int64_t size, at::ScalarType type, const char* precision,
                                   const at::Device& device) {
    at::globalContext().setFloat32MatmulPrecision(precision);
    const at::Tensor a = randomMatrix(size, type, device);
    const at::Tensor b = randomMatrix(size, type, device);
    at::Tensor c = at::empty_like(a);
    return [a, b, c]() mutable { at::mm_out(c, a, b); };
}

// The second matrix lies by columns, as both of these want it.
std::function<void()> int8Product(std::int64_t size, const at::Device& device) {
    const auto op = needed("aten._int_mm.default");
    return boxed(op, stackOf(op, {{"self", randomMatrix(size, at::kChar, device)},
                                  {"mat2", randomMatrix(size, at::kChar, device).t()}}));
}

std::function<void()> fp8Product(std::int64_t size, const at::Device& device) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 5)
    const auto op = needed("aten._scaled_mm.default");
    const at::Tensor one = at::ones({}, at::TensorOptions(at::kFloat).device(device));
    const auto type = at::kFloat8_e4m3fn;
    return boxed(op, stackOf(op, {{"self", randomMatrix(size, type, device)},
                                  {"mat2", randomMatrix(size, type, device).t()},
                                  {"scale_a", one},
                                  {"scale_b", one},
                                  {"out_dtype", static_cast<std::int64_t>(at::kBFloat16)},
                                  {"use_fast_accum", true}}));
#else
    (void)size, (void)device;
    TORCH_CHECK(false, "PyTorch " TORCH_VERSION " multiplies no 8-bit floats here");
#endif
}

void measureProducts(const RoofOptions& options) {
    struct Product {
        const char* type;
        std::function<std::function<void()>(std::int64_t)> make;
    };
    const auto plain = [&](at::ScalarType type, const char* precision) {
        return [&options, type, precision](std::int64_t size) {
            return plainProduct(size, type, precision, options.device);
        };
    };
    const std::vector<Product> products{
        {"fp64_tensor", plain(at::kDouble, "highest")},
        {"fp32", plain(at::kFloat, "highest")},
        {"tf32", plain(at::kFloat, "high")},
        {"bf16", plain(at::kBFloat16, "highest")},
        {"fp16", plain(at::kHalf, "highest")},
        {"fp8", [&](std::int64_t size) { return fp8Product(size, options.device); }},
        {"int8", [&](std::int64_t size) { return int8Product(size, options.device); }}};
    for (const Product& product : products) {
        for (const std::int64_t size : options.productSizes) {
            measureOne({{"operation", "product"}, {"type", product.type}, {"size", size}}, options,
                       false, [&] { return product.make(size); });
        }
    }
}

}  // namespace

int runRoofTask(const Json& request) {
    const at::NoGradGuard noGradients;
    const RoofOptions options = roofOptionsOf(request);
    if (!options.device.is_cuda()) {
        say({{"event", "failed"},
             {"message", "measuring a roof needs a GPU; this machine has none"}});
        return 1;
    }
    const c10::cuda::CUDAGuard guard(options.device);
    measureMemory(options);
    measureProducts(options);
    return 0;
}

#else

int runRoofTask(const Json&) {
    say({{"event", "failed"},
         {"message",
          "PyTorch " TORCH_VERSION " here was built without CUDA; a roof is that of a GPU"}});
    return 1;
}

#endif

}  // namespace kinetoscope::bench::libtorch
