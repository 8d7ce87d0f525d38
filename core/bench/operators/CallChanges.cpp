// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <ranges>

#include "core/bench/operators/OperatorInputs.h"

namespace kinetoscope::bench::operators {

namespace {

template <class Change>
void visitValues(InputValue& value, const Change& change) {
    change(value);
    if (auto* list = std::get_if<InputList>(&value.data)) {
        for (InputValue& item : list->items) {
            visitValues(item, change);
        }
    }
}

template <class Change>
void visitValues(OperatorCall& call, const Change& change) {
    for (InputValue& value : call.args) {
        visitValues(value, change);
    }
    for (auto& [name, value] : call.kwargs) {
        visitValues(value, change);
    }
}

// Dense strides whose order is that of `strides`; sizes with stride 0 keep it.
std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t>& shape,
                                       const std::vector<std::int64_t>& strides) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });
    std::vector<std::int64_t> dense(shape.size(), 0);
    std::int64_t step = 1;
    for (const std::size_t axis : std::views::reverse(order)) {
        if (strides[axis] != 0) {
            dense[axis] = step;
            step *= std::max<std::int64_t>(shape[axis], 1);
        }
    }
    return dense;
}

void setShape(TensorInput& tensor, std::vector<std::int64_t> shape) {
    if (shape == tensor.shape) {
        return;
    }
    if (tensor.strides) {
        tensor.strides = denseStrides(shape, *tensor.strides);
    }
    tensor.shape = std::move(shape);
}

const TensorInput* largestTensor(OperatorCall& call) {
    const TensorInput* largest = nullptr;
    visitValues(call, [&](InputValue& value) {
        const auto* tensor = std::get_if<TensorInput>(&value.data);
        if (tensor != nullptr && !tensor->shape.empty() &&
            (largest == nullptr || tensor->elements() > largest->elements())) {
            largest = tensor;
        }
    });
    return largest;
}

// Input and gradient of a convolution share the batch; weights have none.
bool shrinkBatch(OperatorCall& call, std::size_t tensors) {
    bool changed = false;
    for (std::size_t i = 0; i < std::min(tensors, call.args.size()); ++i) {
        auto* tensor = std::get_if<TensorInput>(&call.args[i].data);
        if (tensor != nullptr && tensor->shape.size() > 2 && tensor->shape.front() > 1) {
            std::vector<std::int64_t> shape = tensor->shape;
            shape.front() = 1;
            setShape(*tensor, std::move(shape));
            changed = true;
        }
    }
    return changed;
}

}  // namespace

void castCall(OperatorCall& call, InputType type) {
    if (type != InputType::F16) {
        setFloatingTypes(call, type);
    }
}

void setFloatingTypes(OperatorCall& call, InputType type) {
    visitValues(call, [&](InputValue& value) {
        if (auto* tensor = std::get_if<TensorInput>(&value.data)) {
            tensor->type = isFloating(tensor->type) ? type : tensor->type;
        } else if (std::holds_alternative<InputType>(value.data)) {
            value.data = type;
        }
    });
}

void makeChannelsLast(OperatorCall& call) {
    visitValues(call, [](InputValue& value) {
        auto* tensor = std::get_if<TensorInput>(&value.data);
        if (tensor == nullptr || tensor->shape.size() != 4) {
            return;
        }
        const auto& size = tensor->shape;
        tensor->strides = {size[1] * size[2] * size[3], 1, size[1] * size[3], size[1]};
    });
}

bool shrinkCall(std::string_view name, OperatorCall& call) {
    if (name.find("convolution") != std::string_view::npos) {
        return shrinkBatch(call, name.find("backward") != std::string_view::npos ? 2 : 1);
    }
    const TensorInput* largest = largestTensor(call);
    const std::int64_t by = largest != nullptr ? largest->shape.front() : 0;
    if (by <= 1) {
        return false;
    }
    const auto smaller = [by](std::int64_t size) { return size % by == 0 ? size / by : size; };
    visitValues(call, [&](InputValue& value) {
        if (auto* tensor = std::get_if<TensorInput>(&value.data)) {
            std::vector<std::int64_t> shape = tensor->shape;
            std::transform(shape.begin(), shape.end(), shape.begin(), smaller);
            setShape(*tensor, std::move(shape));
        } else if (auto* list = std::get_if<InputList>(&value.data)) {
            for (InputValue& item : list->items) {
                if (auto* size = std::get_if<std::int64_t>(&item.data); size && *size >= by) {
                    *size = smaller(*size);
                }
            }
        }
    });
    return true;
}

}  // namespace kinetoscope::bench::operators
