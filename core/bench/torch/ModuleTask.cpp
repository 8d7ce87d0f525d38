// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/bench/operators/InputParser.h"
#include "core/bench/torch/ModuleRunner.h"
#include "core/bench/torch/OperatorTrace.h"
#include "core/bench/torch/Protocol.h"
#include "core/bench/torch/Tensors.h"
#include "core/bench/torch/TorchSwitches.h"
#include "core/capture/kinetoscope.h"

namespace kinetoscope::bench::libtorch {

using Json = nlohmann::json;

namespace {

using Clock = std::chrono::steady_clock;

// A point in time of the device's work: an event on a GPU, the clock elsewhere.
class Mark {
public:
    void record(const at::Device& device) {
#ifdef KINETOSCOPE_TORCH_CUDA
        if (device.is_cuda()) {
            m_event.record(at::cuda::getCurrentCUDAStream(device.index()));
            return;
        }
#endif
        (void)device;
        m_time = Clock::now();
    }

    // Milliseconds, after a synchronization.
    [[nodiscard]] double until(const Mark& end, const at::Device& device) const {
#ifdef KINETOSCOPE_TORCH_CUDA
        if (device.is_cuda()) {
            return static_cast<double>(m_event.elapsed_time(end.m_event));
        }
#endif
        (void)device;
        return std::chrono::duration<double, std::milli>(end.m_time - m_time).count();
    }

private:
    Clock::time_point m_time;
#ifdef KINETOSCOPE_TORCH_CUDA
    mutable at::cuda::CUDAEvent m_event{cudaEventDefault};
#endif
};

// Seen by whatever records: PyTorch's own profiler, and kscope.
class Range {
public:
    explicit Range(const char* name) : m_function(at::RecordScope::USER_SCOPE) {
        if (m_function.isActive()) {
            m_function.before(name);
        }
        if (isRecorded()) {
            kinetoscope_range_push(name);
        }
    }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;
    ~Range() {
        if (isRecorded()) {
            kinetoscope_range_pop();
        }
    }

private:
    // Looked up once: it takes a microsecond, which the times would include.
    static bool isRecorded() {
        static const bool found = kinetoscope_find_("kinetoscope_inject_range_push") != nullptr;
        return found;
    }

    at::RecordFunction m_function;
};

at::Tensor gathered(const ModuleRunner& runner, const ModuleRunner::Outputs& outputs) {
    return runner.gather ? runner.gather(outputs) : outputs.output;
}

bool hasBackward(const ModuleRunner& runner, const at::Tensor& output) {
    return !runner.parameters.empty() && !runner.forwardOnly && output.defined() &&
           output.requires_grad();
}

struct Times {
    double forwardMs = 0.0;
    std::optional<double> backwardMs;
};

// One step of training: only forward and backward are timed.
Times trainOnce(const ModuleRunner& runner, const at::Device& device) {
    Mark marks[4];
    marks[0].record(device);
    const ModuleRunner::Outputs outputs = [&] {
        const Range range("## forward ##");
        return runner.forward();
    }();
    marks[1].record(device);
    const at::Tensor output = gathered(runner, outputs);
    const bool backward = hasBackward(runner, output);
    const at::Tensor gradient = backward ? at::randn_like(output) : at::Tensor();
    marks[2].record(device);
    if (backward) {
        const Range range("## backward ##");
        output.backward(gradient);
    }
    marks[3].record(device);
    const at::NoGradGuard noGradients;
    for (const at::Tensor& parameter : runner.parameters) {
        if (backward && parameter.grad().defined()) {
            parameter.mutable_grad().zero_();
        }
    }
    synchronize(device);
    Times times{marks[0].until(marks[1], device), std::nullopt};
    if (backward) {
        times.backwardMs = marks[2].until(marks[3], device);
    }
    return times;
}

// One --input: a tensor of random values, or the value itself.
struct InputMaker {
    at::Device device;

    c10::IValue operator()(const operators::TensorInput& tensor) const {
        const bool floating = operators::isFloating(tensor.type);
        return makeTensor(
            tensor, {operators::ValueRange::Kind::Uniform, floating ? -1.0 : 0.0, 2.0 - floating},
            device);
    }
    c10::IValue operator()(std::monostate) const { return {}; }
    c10::IValue operator()(bool value) const { return value; }
    c10::IValue operator()(std::int64_t value) const { return value; }
    c10::IValue operator()(double value) const { return value; }
    c10::IValue operator()(const std::string& value) const { return value; }
    c10::IValue operator()(const auto&) const {
        TORCH_CHECK(false, "only tensors, numbers, texts, True, False and None are made");
    }
};

FileInputs fileInputs(const Json& request, const at::Device& device) {
    FileInputs inputs;
    for (const std::string& text : request.value("inputs", std::vector<std::string>())) {
        const auto parsed = operators::parseNamedValue(text);
        c10::IValue value;
        const std::string error =
            errorOf([&] { value = std::visit(InputMaker{device}, parsed.value.data); });
        TORCH_CHECK(error.empty(), "--input ", text, ": ", error);
        if (parsed.name.empty()) {
            inputs.values.push_back(std::move(value));
        } else {
            inputs.named[parsed.name] = std::move(value);
        }
    }
    return inputs;
}

ModuleRunner makeRunner(const Json& request, const std::string& name, const at::Device& device) {
    const std::string group = request.value("group", "");
    const auto seed = request.value("seed", std::uint64_t{17});
    if (group == "file") {
        at::manual_seed(seed);
        return fileRunner(name, request.value("function", "forward"), fileInputs(request, device),
                          device);
    }
    if (name.starts_with("resnet")) {
        return cnnRunner(name, request.value("images", std::int64_t{32}), device, seed);
    }
    RnnSizes sizes;
    sizes.seqLength = request.value("seq_length", sizes.seqLength);
    sizes.numLayers = request.value("num_layers", sizes.numLayers);
    sizes.inputSize = request.value("input_size", sizes.inputSize);
    sizes.hiddenSize = request.value("hidden_size", sizes.hiddenSize);
    sizes.miniBatch = request.value("mini_batch", sizes.miniBatch);
    return rnnRunner(name, sizes, device, seed);
}

// Output and gradients of one run from one seed.
std::vector<at::Tensor> answers(const ModuleRunner& runner, bool hidden, std::uint64_t seed) {
    const ModuleRunner::Outputs outputs = runner.forward();
    // A runner without a sequence is compared through the last hidden state.
    const at::Tensor output = hidden ? outputs.others.front()[0] : gathered(runner, outputs);
    std::vector<at::Tensor> found{output.detach()};
    at::manual_seed(seed);
    output.backward(at::randn(output.sizes()).to(output.device()));
    for (const at::Tensor& parameter : runner.parameters) {
        found.push_back(parameter.grad().clone());
        const at::NoGradGuard noGradients;
        parameter.mutable_grad().zero_();
    }
    return found;
}

// The largest difference from the reference; of values beyond 1 relative to the largest.
Json agreementWith(const ModuleRunner& runner, const ModuleRunner& reference, bool hidden,
                   const std::string& name, std::uint64_t seed) {
    constexpr double kTolerance = 1e-3;
    const auto ours = answers(runner, false, seed);
    const auto theirs = answers(reference, hidden, seed);
    double largest = 0.0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const at::Tensor expected = theirs[i].to(at::kDouble);
        const double scale = std::max(1.0, expected.abs().max().item<double>());
        const double difference =
            (ours[i].to(at::kDouble) - expected).abs().max().item<double>() / scale;
        // A NaN is the largest difference there is.
        largest = difference <= largest ? largest : difference;
    }
    return {{"with", name}, {"max_rel", largest}, {"same", largest < kTolerance}};
}

void sayNotes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
        say({{"event", "note"}, {"message", note}});
    }
}

Json measured(const ModuleRunner& runner, const Json& request, const at::Device& device) {
    for (std::int64_t i = request.value("warmup", std::int64_t{10}); i > 0; --i) {
        (void)trainOnce(runner, device);
    }
    Json forward = Json::array();
    Json backward = Json::array();
    for (std::int64_t i = request.value("nloops", std::int64_t{100}); i > 0; --i) {
        const Times times = trainOnce(runner, device);
        forward.push_back(times.forwardMs);
        if (times.backwardMs) {
            backward.push_back(*times.backwardMs);
        }
    }
    return {{"forward_ms", forward}, {"backward_ms", backward}};
}

// As benchmark_utilization: seeded, five warm-ups, timed without the profiler, then recorded.
Json profiled(const ModuleRunner& runner, const Json& request, const at::Device& device) {
    const auto runs = request.value("runs", std::int64_t{1});
    const std::string path = request.value("trace", "");
    const auto work = [&] {
        for (std::int64_t i = 0; i < runs; ++i) {
            (void)trainOnce(runner, device);
        }
    };
    at::manual_seed(1337);
    for (int i = 0; i < 5; ++i) {
        (void)trainOnce(runner, device);
    }
    at::manual_seed(1337);
    const auto start = Clock::now();
    work();
    const double wallMs = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    at::manual_seed(1337);
    if (device.is_cuda()) {
        // This process runs below kscope record, which writes the trace.
        kinetoscope_start();
        work();
        synchronize(device);
        kinetoscope_stop();
    } else {
        const auto written = traceOperators(work, path);
        TORCH_CHECK(written.has_value(), written ? "" : written.error().message);
    }
    return {{"trace", path}, {"runs", runs}, {"wall_ms", wallMs}};
}

Json agreementOf(Json request, const std::string& name, const std::string& reference,
                 const at::Device& device) {
    // Norms in a loop make rounding grow by some percent with every step.
    constexpr std::int64_t kMaxNormSteps = 10;
    if (name.find("layernorm") != std::string::npos) {
        request["seq_length"] = std::min(request.value("seq_length", kMaxNormSteps), kMaxNormSteps);
    }
    // Rounded inputs would hide errors, and a trace keeps the switch as it was when it was made.
    const bool before = at::globalContext().allowTF32CuDNN();
    at::globalContext().setAllowTF32CuDNN(false);
    Json found =
        agreementWith(makeRunner(request, name, device), makeRunner(request, reference, device),
                      name == "jit_simple", reference, request.value("seed", std::uint64_t{17}));
    at::globalContext().setAllowTF32CuDNN(before);
    return found;
}

Json runRunner(const Json& request, const at::Device& device) {
    const std::string name = request.value("name", "");
    Json result{{"event", "result"}};
    if (const std::string reference = request.value("reference", ""); !reference.empty()) {
        result["accuracy"] = agreementOf(request, name, reference, device);
    }
    ModuleRunner runner = makeRunner(request, name, device);
    runner.forwardOnly |= !request.value("backward", true);
    result["note"] = runner.note;
    if (request.contains("trace")) {
        result["profile"] = profiled(runner, request, device);
    } else {
        result.update(measured(runner, request, device));
    }
    return result;
}

}  // namespace

int runModuleTask(const Json& request) {
    const at::Device device = benchDevice(request.value("device", "cpu"));
    sayNotes(setSwitches(request));
    Json result;
    const std::string error = errorOf([&] { result = runRunner(request, device); });
    say(error.empty() ? result : Json{{"event", "result"}, {"reason", error}});
    return 0;
}

}  // namespace kinetoscope::bench::libtorch
