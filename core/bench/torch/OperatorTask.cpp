// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "core/bench/operators/OperatorInputs.h"
#include "core/bench/run/GpuLock.h"
#include "core/bench/torch/Agreement.h"
#include "core/bench/torch/Implementations.h"
#include "core/bench/torch/OperatorStack.h"
#include "core/bench/torch/Profile.h"
#include "core/bench/torch/Protocol.h"
#include "core/bench/torch/Timing.h"

namespace kinetoscope::bench::libtorch {

using Json = nlohmann::json;

namespace {

struct OperatorOptions {
    at::Device device{at::kCPU};
    std::vector<std::string> implementations;
    std::size_t repeats = 3;
    TimingOptions timing;
    bool accuracy = false;
    bool shrink = false;
    std::uint64_t seed = 0;
    Json packages;  ///< per sample: {"path": …} or {"reason": …}
    Json noGraph;   ///< what is known not to be capturable: [{"index", "name", "reason"}]
};

// A failed capture. It leaves PyTorch's random number generator unusable, so that another process
// has to continue.
struct Uncapturable {
    std::string name;
    std::string reason;
};

OperatorOptions optionsOf(const Json& request) {
    OperatorOptions options;
    options.device = benchDevice(request.value("device", "cpu"));
    options.implementations =
        request.value("implementations", std::vector<std::string>{"eager", "jit"});
    options.repeats = request.value("repeats", std::size_t{3});
    options.timing.warmUpMs = request.value("warm_up_ms", options.timing.warmUpMs);
    options.timing.measureMs = request.value("measure_ms", options.timing.measureMs);
    options.accuracy = request.value("accuracy", false);
    options.shrink = request.value("shrink", false);
    options.seed = request.value("seed", std::uint64_t{0});
    options.packages = request.value("packages", Json::array());
    options.noGraph = request.value("no_graph", Json::array());
    return options;
}

bool startsWithAny(std::string_view name, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return name.starts_with(beginning); });
}

// Uninitialised memory has no values to compare.
bool hasValues(std::string_view operatorName) {
    return !startsWithAny(operators::baseName(operatorName), {"empty", "new_empty"});
}

// One call with everything that runs it.
class Sample {
public:
    Sample(std::string_view name, const operators::OperatorCall& call, std::size_t index,
           const c10::OperatorHandle& op, const OperatorOptions& options)
        : m_name(name), m_call(&call), m_index(index), m_op(op), m_options(options) {}

    // Fails with why this call cannot run here.
    [[nodiscard]] Result<void> prepare(const Json& package) {
        auto built = build();
        if (!built) {
            return tl::unexpected(built.error());
        }
        m_stack = std::move(*built);
        for (const std::string& name : m_options.implementations) {
            add(name, package);
        }
        const std::string error = runOnce(m_implementations.front(), m_expected);
        if (!error.empty()) {
            return fail(error);
        }
        return {};
    }

    [[nodiscard]] Json measure() {
        Json implementations = Json::object();
        for (Implementation& one : m_implementations) {
            implementations[one.name] = Json::object();
            check(one, implementations[one.name]);
        }
        std::vector<std::size_t> order(m_implementations.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        bool moved = m_options.repeats > 1;
        for (std::size_t repeat = 0; repeat < m_options.repeats; ++repeat) {
            moved = moved && (repeat == 0 || move());
            if (repeat == 0 || moved) {
                prepareWorks(implementations);
            }
            std::ranges::shuffle(order, m_random);
            for (const std::size_t i : order) {
                measureOne(m_implementations[i], m_works[i],
                           implementations[m_implementations[i].name]);
            }
        }
        for (const Implementation& one : m_implementations) {
            if (one.run && moved) {
                implementations[one.name]["moved"] = true;
            }
        }
        return implementations;
    }

    /// What each implementation launches.
    [[nodiscard]] Json kernels() {
        Json implementations = Json::object();
        for (Implementation& one : m_implementations) {
            Json ignored;
            check(one, ignored);
            if (one.run) {
                torch::jit::Stack values;
                Json& found = implementations[one.name]["kernels"];
                one.reason = errorOf([&] {
                    found = launchedKernels([&] { values = m_stack; }, [&] { one.run(values); },
                                            m_options.device);
                });
            }
        }
        return implementations;
    }

private:
    [[nodiscard]] Result<torch::jit::Stack> build() const {
        at::manual_seed(m_options.seed);
        Result<torch::jit::Stack> built = torch::jit::Stack();
        const std::string error =
            errorOf([&] { built = buildStack(m_op, m_name, *m_call, m_options.device); });
        return error.empty() ? std::move(built) : fail(error);
    }

    // The same arguments elsewhere in memory, on which times of short kernels depend; false if
    // there is no room. The old memory stays allocated, or the allocator would return it again.
    [[nodiscard]] bool move() {
        const std::size_t kept = (m_options.device.is_cuda() ? std::size_t{8} : 1) << 28U;
        constexpr std::int64_t kMaxPadding = std::int64_t{32} << 20U;
        std::size_t bytes = 0;
        for (const at::Tensor& tensor : tensorsOf(m_stack)) {
            bytes += tensor.defined() ? tensor.nbytes() : 0;
        }
        if (bytes * m_options.repeats > kept) {
            return false;
        }
        // Small tensors and large ones lie in different pools of the allocator.
        constexpr std::int64_t kSmall = 512;
        for (const std::int64_t most : {std::int64_t{512}, kMaxPadding / kSmall}) {
            const std::int64_t pieces =
                std::uniform_int_distribution<std::int64_t>(1, most)(m_random);
            const std::string error = errorOf([&] {
                m_kept.push_back({at::empty(
                    {pieces * kSmall}, at::TensorOptions(at::kByte).device(m_options.device))});
            });
            if (!error.empty()) {
                return false;
            }
        }
        auto built = build();
        if (!built) {
            return false;
        }
        m_kept.push_back(std::exchange(m_stack, std::move(*built)));
        return true;
    }

    void prepareWorks(Json& implementations) {
        for (TimedWork& work : m_works) {
            m_left.push_back(std::move(work));
        }
        m_works.clear();
        for (Implementation& one : m_implementations) {
            m_works.push_back(workOf(one));
            if (one.run) {
                start(one.name, m_works.back(), implementations[one.name]);
            }
        }
    }

    void add(const std::string& name, const Json& package) {
        if (name == "eager") {
            m_implementations.push_back(eagerImplementation(m_op));
        } else if (name == "inductor") {
            m_implementations.push_back(packageImplementation(
                package.value("path", ""), package.value("reason", "no package was compiled")));
        } else {
            m_implementations.push_back(scriptImplementation(m_op, m_stack, name));
        }
    }

    // With the same random numbers and unchanged arguments each time.
    [[nodiscard]] std::string runOnce(const Implementation& one, std::vector<at::Tensor>& results) {
        return errorOf([&] {
            torch::jit::Stack stack = m_options.accuracy ? cloneStack(m_stack) : m_stack;
            at::manual_seed(m_options.seed);
            one.run(stack);
            synchronize(m_options.device);
            results = tensorsOf(stack);
        });
    }

    // Runs it once, and again with profiled types; compares when asked to.
    void check(Implementation& one, Json& json) {
        if (!one.run) {
            return;
        }
        std::vector<at::Tensor> results;
        for (int i = 0; i < 2 && one.reason.empty(); ++i) {
            one.reason = runOnce(one, results);
        }
        if (!one.reason.empty()) {
            one.run = nullptr;
            return;
        }
        if (!m_options.accuracy || one.name == "eager") {
            return;
        }
        if (!hasValues(m_name)) {
            json["accuracy"] = {{"reason", "its results are uninitialised memory"}};
            return;
        }
        const Agreement found = agreement(results, m_expected);
        json["accuracy"] = {{"cosine", found.cosine},
                            {"max_abs", found.maxAbsolute},
                            {"same", found.same()},
                            {"difference", found.difference}};
    }

    [[nodiscard]] TimedWork workOf(const Implementation& one) {
        auto values = std::make_shared<torch::jit::Stack>();
        return TimedWork([this, values] { *values = m_stack; },
                         [run = one.run, values] { run(*values); }, m_options.device);
    }

    // Why this implementation is known not to be capturable; nothing when it was not tried.
    [[nodiscard]] std::optional<std::string> knownReason(const std::string& name) const {
        for (const Json& one : m_options.noGraph) {
            if (one.value("index", m_index + 1) == m_index && one.value("name", "") == name) {
                return one.value("reason", "");
            }
        }
        return std::nullopt;
    }

    void start(const std::string& name, TimedWork& work, Json& json) const {
        if (!json.contains("repeats_ns")) {
            json["repeats_ns"] = Json::array();
        }
        if (const auto known = knownReason(name)) {
            json["graph_reason"] = *known;
        } else if (const std::string reason = work.captureGraph(); !reason.empty()) {
            throw Uncapturable{name, reason};
        }
        json["graph"] = work.graph();
    }

    void measureOne(Implementation& one, TimedWork& work, Json& json) {
        std::vector<double> samples;
        if (one.run) {
            one.reason = errorOf([&] { samples = work.measure(m_options.timing); });
        }
        if (!one.reason.empty()) {
            one.run = nullptr;
            json["reason"] = one.reason;
            json.erase("repeats_ns");
            return;
        }
        json["repeats_ns"].push_back(samples);
    }

    std::string m_name;
    const operators::OperatorCall* m_call;
    std::size_t m_index;
    c10::OperatorHandle m_op;
    const OperatorOptions& m_options;
    torch::jit::Stack m_stack;
    std::vector<Implementation> m_implementations;
    std::vector<at::Tensor> m_expected;
    std::vector<TimedWork> m_works;         // of each implementation
    std::vector<TimedWork> m_left;          // at earlier places, their graphs' memory too
    std::vector<torch::jit::Stack> m_kept;  // arguments at earlier places
    std::mt19937_64 m_random{std::random_device{}()};
};

// A call as recorded, or a smaller one if that was requested and runs.
Json measureCall(const operators::OperatorEntry& entry, std::size_t index,
                 const c10::OperatorHandle& op, const OperatorOptions& options) {
    const Json package = index < options.packages.size() ? options.packages[index] : Json::object();
    std::vector<operators::OperatorCall> tries;
    if (operators::OperatorCall small = entry.calls[index];
        options.shrink && operators::shrinkCall(entry.name, small)) {
        tries.push_back(std::move(small));
    }
    tries.push_back(entry.calls[index]);
    std::string reason;
    for (const operators::OperatorCall& call : tries) {
        Sample sample(entry.name, call, index, op, options);
        const auto ready = sample.prepare(package);
        if (ready) {
            return {{"input", operators::formatCall(call)}, {"implementations", sample.measure()}};
        }
        reason = ready.error().message;
    }
    return {{"input", operators::formatCall(entry.calls[index])}, {"reason", reason}};
}

// After such an error nothing runs any more in this process.
bool isLost(const Json& result) {
    const std::string reason = result.value("reason", "");
    return reason.find("CUDA error") != std::string::npos;
}

// False if another process has to continue.
bool measureSample(const operators::OperatorEntry& entry, std::size_t index,
                   const c10::OperatorHandle& op, const OperatorOptions& options) {
    Json result;
    std::string error;
    try {
        error = errorOf([&] { result = measureCall(entry, index, op, options); });
    } catch (const Uncapturable& failed) {
        say({{"event", "uncapturable"},
             {"index", index},
             {"name", failed.name},
             {"reason", failed.reason}});
        return false;
    }
    if (!error.empty()) {
        result = {{"reason", error}};
    }
    result["event"] = "result";
    result["index"] = index;
    say(result);
    return !isLost(result);
}

void measureOperator(const operators::OperatorEntry& entry, const OperatorOptions& options,
                     std::size_t first) {
    const auto op = findOperator(entry.name);
    for (std::size_t i = first; i < entry.calls.size(); ++i) {
        say({{"event", "start"}, {"index", i}});
        if (!op) {
            say({{"event", "result"}, {"index", i}, {"reason", op.error().message}});
        } else if (!measureSample(entry, i, *op, options)) {
            say({{"event", "again"}});
            return;
        }
    }
}

// Errors are ignored: a call that does not run was reported when it was measured.
Json kernelsOf(const operators::OperatorEntry& entry, std::size_t index,
               const OperatorOptions& options) {
    const auto op = findOperator(entry.name);
    Json implementations = Json::object();
    (void)errorOf([&] {
        Sample sample(entry.name, entry.calls[index], index, op.value(), options);
        const Json package =
            index < options.packages.size() ? options.packages[index] : Json::object();
        if (sample.prepare(package)) {
            implementations = sample.kernels();
        }
    });
    return implementations;
}

}  // namespace

int runKernelsTask(const Json& request) {
    const at::NoGradGuard noGradients;
    OperatorOptions options = optionsOf(request);
    const Json packages = request.value("packages", Json::array());
    const operators::OperatorInputs inputs =
        operators::readOperatorInputs(request.value("inputs", ""), false);
    for (std::size_t i = 0; i < inputs.operators.size(); ++i) {
        options.packages = i < packages.size() ? packages[i] : Json::array();
        const operators::OperatorEntry& entry = inputs.operators[i];
        for (std::size_t k = 0; k < entry.calls.size(); ++k) {
            say({{"event", "kernels"},
                 {"operator", i},
                 {"index", k},
                 {"implementations", kernelsOf(entry, k, options)}});
        }
    }
    return 0;
}

int runOperatorTask(const Json& request) {
    const at::NoGradGuard noGradients;
    const OperatorOptions options = optionsOf(request);
    const operators::OperatorInputs inputs =
        operators::readOperatorInputs(request.value("inputs", ""), false);
    for (const operators::OperatorEntry& entry : inputs.operators) {
        measureOperator(entry, options, request.value("first", std::size_t{0}));
    }
    return 0;
}

}  // namespace kinetoscope::bench::libtorch
