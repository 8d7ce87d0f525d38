// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan/KernelArguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace kinetoscope::bench::plan {

namespace {

// More than any GPU has; keeps sums of sizes far from overflow.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 44;

struct DataType {
    std::int64_t bytes;
    bool floating;
};

std::optional<DataType> dataType(const std::string& name) {
    static const std::unordered_map<std::string, DataType> kTypes{
        {"float64", {8, true}},         {"float32", {4, true}},         {"float16", {2, true}},
        {"bfloat16", {2, true}},        {"float8_e4m3fn", {1, true}},   {"float8_e5m2", {1, true}},
        {"float8_e4m3fnuz", {1, true}}, {"float8_e5m2fnuz", {1, true}}, {"int64", {8, false}},
        {"int32", {4, false}},          {"int16", {2, false}},          {"int8", {1, false}},
        {"uint64", {8, false}},         {"uint32", {4, false}},         {"uint16", {2, false}},
        {"uint8", {1, false}},          {"bool", {1, false}},           {"complex64", {8, true}},
        {"complex128", {16, true}}};
    const auto found = kTypes.find(name);
    return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

// Bytes that a scalar of a Triton type takes in the parameter block; 0: unknown.
std::uint32_t scalarBytes(std::string_view type) {
    if (type == "i64" || type == "u64" || type == "fp64") {
        return 8;
    }
    if (type == "i1" || type == "i32" || type == "u1" || type == "u32" || type == "fp32") {
        return 4;
    }
    if (type == "i16" || type == "u16" || type == "fp16" || type == "bf16") {
        return 2;
    }
    return type == "i8" || type == "u8" ? 1 : 0;
}

Result<BufferPlan> bufferOf(const metrics::KernelArgument& argument, const std::string& parameter) {
    const auto type = dataType(argument.dtype);
    if (!type) {
        return fail(
            fmt::format("{} has type {}, which is not understood", parameter, argument.dtype));
    }
    BufferPlan buffer{parameter,      argument.dtype,  1, 1, type->bytes, type->floating, false,
                      argument.shape, argument.strides};
    bool tooLarge = false;
    for (std::size_t i = 0; i < argument.shape.size(); ++i) {
        std::int64_t reach = 0;
        const std::int64_t last = std::max<std::int64_t>(argument.shape[i] - 1, 0);
        tooLarge = tooLarge || __builtin_mul_overflow(last, argument.strides[i], &reach) ||
                   __builtin_add_overflow(buffer.elements, reach, &buffer.elements) ||
                   __builtin_mul_overflow(buffer.numel, argument.shape[i], &buffer.numel);
    }
    if (tooLarge || buffer.elements > kMaxBytes / type->bytes) {
        return fail(fmt::format("{} is larger than 16 TiB, more than any GPU holds", parameter));
    }
    buffer.elements = buffer.numel == 0 ? 0 : buffer.elements;
    buffer.random = type->floating && !argument.zeroed;
    return buffer;
}

const metrics::PyValue* keyed(const metrics::PyValue* dict, std::string_view name,
                              std::size_t index) {
    if (dict == nullptr) {
        return nullptr;
    }
    if (const metrics::PyValue* byName = dict->find(name); byName != nullptr) {
        return byName;
    }
    for (const auto& [key, value] : dict->entries) {
        if (key.asInt() == static_cast<std::int64_t>(index)) {
            return &value;
        }
    }
    return nullptr;
}

bool isMutated(const metrics::KernelSource& source, const std::string& parameter) {
    if (parameter.starts_with("in_out_ptr")) {
        return true;
    }
    const metrics::PyValue* names = source.inductorMeta("mutated_arg_names");
    return names != nullptr &&
           std::any_of(names->items.begin(), names->items.end(),
                       [&](const metrics::PyValue& n) { return n.text == parameter; });
}

// get_args' values, and behind them what the run() call of older sources adds.
std::vector<metrics::KernelArgument> allArguments(const metrics::KernelSource& source) {
    std::vector<metrics::KernelArgument> arguments = source.arguments;
    if (source.runCall) {
        for (const metrics::PyValue& value : source.runCall->items) {
            metrics::KernelArgument argument;
            argument.value = value;
            arguments.push_back(std::move(argument));
        }
    }
    return arguments;
}

class Planner {
public:
    explicit Planner(const metrics::KernelSource& source) : m_source(source) {}

    [[nodiscard]] Result<ArgumentPlan> run() {
        const auto arguments = allArguments(m_source);
        std::size_t next = 0;
        for (std::size_t i = 0; i < m_source.parameters.size(); ++i) {
            const metrics::KernelParameter& parameter = m_source.parameters[i];
            if (parameter.constexprMarked) {
                continue;
            }
            if (next == arguments.size()) {
                return fail(fmt::format("get_args returns no value for {}", parameter.name));
            }
            if (const auto done = add(parameter.name, i, arguments[next++]); !done) {
                return tl::unexpected(done.error());
            }
        }
        for (; next < arguments.size(); ++next) {
            const auto value = arguments[next].value.asInt();
            if (arguments[next].tensor || !value) {
                return fail("get_args returns more tensors than the kernel has parameters");
            }
            m_plan.launcherArguments.push_back(*value);
        }
        return std::move(m_plan);
    }

private:
    [[nodiscard]] Result<void> add(const std::string& name, std::size_t index,
                                   const metrics::KernelArgument& argument) {
        const metrics::PyValue* type = keyed(m_source.tritonMeta("signature"), name, index);
        const bool constant = keyed(m_source.tritonMeta("constants"), name, index) != nullptr;
        if (const auto value = argument.value.asInt(); value && !argument.tensor) {
            m_plan.integers[name] = *value;
        }
        if (constant || (type != nullptr && type->text == "constexpr")) {
            return {};
        }
        if (type == nullptr) {
            return fail(fmt::format("the signature has no type for {}", name));
        }
        return type->text.starts_with('*') ? pointer(name, argument)
                                           : scalar(name, type->text, argument);
    }

    [[nodiscard]] Result<void> pointer(const std::string& name,
                                       const metrics::KernelArgument& argument) {
        if (!argument.tensor) {
            return fail(fmt::format("get_args returns no tensor for {}", name));
        }
        auto buffer = bufferOf(argument, name);
        if (!buffer) {
            return tl::unexpected(buffer.error());
        }
        buffer->mutated = isMutated(m_source, name);
        m_plan.parameters.push_back(
            {ParameterPlan::Kind::Buffer, name, m_plan.buffers.size(), 0, 8});
        m_plan.buffers.push_back(std::move(*buffer));
        return {};
    }

    [[nodiscard]] Result<void> scalar(const std::string& name, const std::string& type,
                                      const metrics::KernelArgument& argument) {
        const std::uint32_t size = scalarBytes(type);
        if (size == 0) {
            return fail(fmt::format("{} has type {}, which is not understood", name, type));
        }
        std::uint64_t bits = 0;
        if (const auto number = argument.value.asInt(); number && !type.starts_with("fp")) {
            bits = static_cast<std::uint64_t>(*number);
        } else if (const auto real = argument.value.asNumber(); real && type == "fp32") {
            bits = std::bit_cast<std::uint32_t>(static_cast<float>(*real));
        } else if (real && type == "fp64") {
            bits = std::bit_cast<std::uint64_t>(*real);
        } else {
            return fail(fmt::format("get_args returns no value of type {} for {}", type, name));
        }
        m_plan.parameters.push_back({ParameterPlan::Kind::Value, name, 0, bits, size});
        return {};
    }

    const metrics::KernelSource& m_source;
    ArgumentPlan m_plan;
};

}  // namespace

Result<ArgumentPlan> planArguments(const metrics::KernelSource& source) {
    if (!source.argumentsError.empty()) {
        return fail(source.argumentsError);
    }
    return Planner(source).run();
}

std::optional<double> kernelGigabytes(const metrics::KernelSource& source) {
    if (const metrics::PyValue* value = source.inductorMeta("kernel_num_gb"); value != nullptr) {
        return value->asNumber();
    }
    const auto inPlace = std::count_if(
        source.parameters.begin(), source.parameters.end(),
        [](const metrics::KernelParameter& p) { return p.name.starts_with("in_out_ptr"); });
    double bytes = 0.0;
    std::int64_t index = 0;
    for (const metrics::KernelArgument& argument : source.arguments) {
        if (const auto type = dataType(argument.dtype); argument.tensor && type) {
            double numel = 1.0;
            for (const std::int64_t extent : argument.shape) {
                numel *= static_cast<double>(extent);
            }
            bytes += numel * static_cast<double>(type->bytes) * (index < inPlace ? 2.0 : 1.0);
        }
        ++index;
    }
    return bytes / 1e9;
}

}  // namespace kinetoscope::bench::plan
