// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/Tensors.h"

namespace kinetoscope::bench::libtorch {

namespace {

at::Tensor orderedElements(std::int64_t count, const operators::ValueRange& range) {
    const auto options = at::TensorOptions(at::kDouble);
    const bool up = range.kind == operators::ValueRange::Kind::Ascending;
    if (up) {
        // The first offset is `low`; the last one stays below the end where it can.
        return at::linspace(range.low, range.high, count + 1, options).slice(0, 0, count).floor();
    }
    return at::linspace(range.high, range.low, count, options).floor();
}

at::Tensor elements(std::int64_t count, operators::InputType type,
                    const operators::ValueRange& range, const at::Device& device) {
    const auto wanted = at::TensorOptions(scalarType(type)).device(device);
    if (range.kind != operators::ValueRange::Kind::Uniform) {
        return orderedElements(count, range).to(wanted);
    }
    if (operators::isFloating(type)) {
        // Half types have no generator on every device.
        const auto single = type == operators::InputType::F64 ? at::kDouble : at::kFloat;
        at::Tensor values = at::empty({count}, at::TensorOptions(single).device(device));
        return values.uniform_(range.low, range.high).to(wanted);
    }
    if (type == operators::InputType::C32 || type == operators::InputType::C64 ||
        type == operators::InputType::C128) {
        const auto single = type == operators::InputType::C128 ? at::kDouble : at::kFloat;
        at::Tensor parts = at::empty({count, 2}, at::TensorOptions(single).device(device));
        return at::view_as_complex(parts.uniform_(range.low, range.high)).to(wanted);
    }
    const auto low = static_cast<std::int64_t>(range.low);
    const auto high = static_cast<std::int64_t>(range.high);
    return at::randint(low, high, {count}, at::TensorOptions(at::kLong).device(device)).to(wanted);
}

at::Tensor cloneTensor(const at::Tensor& tensor) {
    if (tensor.defined() && tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
        return tensor;  // a copy would no longer promote like a number
    }
    if (!tensor.defined() || !tensor.has_storage() || tensor.layout() != at::kStrided) {
        return tensor.defined() ? tensor.clone() : tensor;
    }
    // All of the memory that the strides reach, so that overlaps stay overlaps.
    std::int64_t reach = tensor.numel() == 0 ? 0 : 1;
    for (std::int64_t i = 0; i < tensor.dim() && reach > 0; ++i) {
        reach += (tensor.size(i) - 1) * tensor.stride(i);
    }
    const at::Tensor flat = tensor.as_strided({reach}, {1}).clone();
    return flat.as_strided(tensor.sizes(), tensor.strides(), 0);
}

void collect(const c10::IValue& value, std::vector<at::Tensor>& found) {
    if (value.isTensor()) {
        found.push_back(value.toTensor());
    } else if (value.isList()) {
        for (const c10::IValue& item : value.toListRef()) {
            collect(item, found);
        }
    } else if (value.isTuple()) {
        for (const c10::IValue& item : value.toTupleRef().elements()) {
            collect(item, found);
        }
    }
}

c10::IValue cloneValue(const c10::IValue& value) {
    if (value.isTensor()) {
        return cloneTensor(value.toTensor());
    }
    if (value.isTensorList()) {
        c10::List<at::Tensor> copies;
        for (const at::Tensor& item : value.toTensorVector()) {
            copies.push_back(cloneTensor(item));
        }
        return copies;
    }
    return value;
}

}  // namespace

at::ScalarType scalarType(operators::InputType type) {
    switch (type) {
        case operators::InputType::Bf16:
            return at::kBFloat16;
        case operators::InputType::F64:
            return at::kDouble;
        case operators::InputType::F32:
            return at::kFloat;
        case operators::InputType::F16:
            return at::kHalf;
        case operators::InputType::C32:
            return at::kComplexHalf;
        case operators::InputType::C64:
            return at::kComplexFloat;
        case operators::InputType::C128:
            return at::kComplexDouble;
        case operators::InputType::I8:
            return at::kChar;
        case operators::InputType::I16:
            return at::kShort;
        case operators::InputType::I32:
            return at::kInt;
        case operators::InputType::I64:
            return at::kLong;
        case operators::InputType::B8:
            return at::kBool;
        case operators::InputType::U8:
            return at::kByte;
    }
    return at::kFloat;
}

at::Tensor makeTensor(const operators::TensorInput& input, const operators::ValueRange& range,
                      const at::Device& device) {
    const at::Tensor flat = elements(input.storageElements(), input.type, range, device);
    return input.strides ? flat.as_strided(input.shape, *input.strides) : flat.view(input.shape);
}

torch::jit::Stack cloneStack(const torch::jit::Stack& stack) {
    torch::jit::Stack copies;
    copies.reserve(stack.size());
    for (const c10::IValue& value : stack) {
        copies.push_back(cloneValue(value));
    }
    return copies;
}

std::vector<at::Tensor> tensorsOf(const torch::jit::Stack& stack) {
    std::vector<at::Tensor> found;
    for (const c10::IValue& value : stack) {
        collect(value, found);
    }
    return found;
}

at::Device benchDevice(const std::string& name) {
    at::Device device(name);
    if (device.is_cuda() && !device.has_index()) {
        device.set_index(0);
    }
    return device;
}

void synchronize(const at::Device& device) {
#ifdef KINETOSCOPE_TORCH_CUDA
    if (device.is_cuda()) {
        c10::cuda::device_synchronize();
    }
#else
    (void)device;
#endif
}

}  // namespace kinetoscope::bench::libtorch
