// SPDX-License-Identifier: Apache-2.0
// Updates of many tensors at a time: foreach operators and fused optimizers. The profiler writes
// sizes of lists of up to 30 tensors; those of longer ones come from the gradients.
#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/Threads.h"
#include "core/model/LaunchedCalls.h"
#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

namespace {

Amount listElements(const OperatorCall& call, std::size_t place) {
    const std::vector<Tensor>* list = call.list(place);
    Amount sum = list == nullptr ? Amount::untold() : Amount(0);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        sum += (*list)[i].distinct();
    }
    return sum;
}

bool isList(const OperatorCall& call, std::size_t place) {
    return place < call.arguments.size() &&
           call.arguments[place].kind == Argument::Kind::TensorList;
}

// Every list among the first places is read; the first is written, or as much elsewhere.
Work foreach (const OperatorCall& call, const OperatorModel& row) {
    const Amount elements = listElements(call, 0);
    Amount moved = elements;
    for (std::size_t place = 0; place < row.inputs; ++place) {
        moved += isList(call, place) ? listElements(call, place) : Amount(0);
    }
    return simpleWork(elements * row.operations, bytesOf(moved, call.listType), call.listType);
}

Work foreachFilled(const OperatorCall& call, const OperatorModel& /*row*/) {
    return simpleWork(0, bytesOf(listElements(call, 0), call.listType), call.listType);
}

// (where to, where from)
Work foreachCopy(const OperatorCall& call, const OperatorModel& /*row*/) {
    return simpleWork(0, bytesOf(listElements(call, 0) + listElements(call, 1), call.listType),
                      call.listType);
}

// A number for each tensor.
Work foreachNorm(const OperatorCall& call, const OperatorModel& row) {
    const std::vector<Tensor>* list = call.list(0);
    const Amount elements = listElements(call, 0);
    return simpleWork(elements * row.operations,
                      bytesOf(elements + (list == nullptr ? 0 : list->size()), call.listType),
                      call.listType);
}

// (parameters, gradients, states, ...): all lists up to `inputs` are read, and all but the
// gradients written.
Work fused(const OperatorCall& call, const OperatorModel& row) {
    Amount moved = 0;
    for (std::size_t place = 0; place < row.inputs; ++place) {
        const bool any = isList(call, place) && (place < 2 || call.list(place) != nullptr);
        moved += any ? listElements(call, place) * (place == 1 ? 1 : 2) : Amount(0);
    }
    return simpleWork(listElements(call, 0) * row.operations, bytesOf(moved, call.listType),
                      call.listType);
}

constexpr OperatorModel elementwise(std::string_view name, unsigned operations, unsigned inputs) {
    return {.name = name, .work = foreach, .operations = operations, .inputs = inputs};
}

constexpr OperatorModel kOptimizersRows[] = {
    elementwise("aten::_foreach_add", 1, 2),
    elementwise("aten::_foreach_sub", 1, 2),
    elementwise("aten::_foreach_mul", 1, 2),
    elementwise("aten::_foreach_div", 1, 2),
    elementwise("aten::_foreach_maximum", 1, 2),
    elementwise("aten::_foreach_minimum", 1, 2),
    elementwise("aten::_foreach_clamp_min", 1, 2),
    elementwise("aten::_foreach_clamp_max", 1, 2),
    elementwise("aten::_foreach_pow", 1, 2),
    elementwise("aten::_foreach_lerp", 3, 2),
    elementwise("aten::_foreach_addcmul", 3, 3),
    elementwise("aten::_foreach_addcdiv", 3, 3),
    elementwise("aten::_foreach_sqrt", 1, 1),
    elementwise("aten::_foreach_rsqrt", 2, 1),
    elementwise("aten::_foreach_neg", 1, 1),
    elementwise("aten::_foreach_abs", 1, 1),
    elementwise("aten::_foreach_sign", 1, 1),
    elementwise("aten::_foreach_exp", 1, 1),
    elementwise("aten::_foreach_log", 1, 1),
    elementwise("aten::_foreach_reciprocal", 1, 1),
    elementwise("aten::_amp_foreach_non_finite_check_and_unscale_", 1, 1),
    {.name = "aten::_foreach_zero_", .work = foreachFilled},
    {.name = "aten::_foreach_copy_", .work = foreachCopy},
    {.name = "aten::_foreach_norm", .work = foreachNorm, .operations = 2},
    {.name = "aten::_foreach_max", .work = foreachNorm, .operations = 1},
    {.name = "aten::_fused_adam", .work = fused, .operations = 13, .inputs = 5},
    {.name = "aten::_fused_adamw", .work = fused, .operations = 14, .inputs = 5},
    {.name = "aten::_fused_sgd", .work = fused, .operations = 5, .inputs = 3},
    {.name = "aten::_fused_adagrad", .work = fused, .operations = 6, .inputs = 3},
};

constexpr std::string_view kGradient = "torch::autograd::AccumulateGrad";
constexpr std::string_view kListKernel = "multi_tensor_apply";
constexpr std::uint64_t kChunk = 65536;  // elements that one block of such a kernel takes

/// The gradients of one backward pass, as the lists of an optimizer have them.
struct Pass {
    std::vector<Tensor> gradients;
    Amount elements;
    Amount blocks;  ///< of a kernel that takes them all

    void add(const Tensor& gradient) {
        gradients.push_back(gradient);
        elements += gradient.elements();
        blocks += gradient.elements() / kChunk;
    }
    /// One type, and a tensor so large that it takes several blocks: a list of as many numbers has
    /// fewer.
    [[nodiscard]] bool tells(std::uint64_t blocksOfKernels, DataType type) const {
        return blocks.isTold() && blocks.value() == blocksOfKernels &&
               blocks.value() > gradients.size() &&
               std::ranges::all_of(
                   gradients, [type](const Tensor& gradient) { return gradient.type == type; });
    }
};

/// A gradient that was accumulated, or a call whose lists are unknown.
struct ListEvent {
    trace::SliceId slice = trace::kNoSlice;
    std::optional<std::uint32_t> call = {};  ///< in LaunchedCalls::calls; nothing: a gradient
};

bool takesLists(const OperatorModel* row) {
    return std::ranges::any_of(kOptimizersRows,
                               [row](const OperatorModel& one) { return &one == row; });
}

// By start; empty if nothing is missing, or nothing can supply it.
std::vector<ListEvent> listEvents(const trace::Trace& trace, const LaunchedCalls& all) {
    std::vector<ListEvent> events;
    for (std::uint32_t i = 0; i < all.calls.size(); ++i) {
        const LaunchedCall& call = all.calls[i];
        if (call.missing == Missing::Shapes && call.shape != kNoShape &&
            all.shapes[call.shape].untold != nullptr && takesLists(all.shapes[call.shape].row)) {
            events.push_back({call.slice, i});
        }
    }
    std::vector<bool> isGradient(trace.names().size());
    bool any = false;
    for (NameId name = 0; !events.empty() && name < isGradient.size(); ++name) {
        isGradient[name] = trace.text(name) == kGradient;
        any |= isGradient[name];
    }
    if (!any) {
        return {};
    }
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (isGradient[trace.nameId(slice)]) {
            events.push_back({slice});
        }
    }
    std::ranges::stable_sort(events, {},
                             [&](const ListEvent& one) { return trace.start(one.slice); });
    return events;
}

std::uint64_t blocksOf(const trace::Trace& trace, const LaunchedCalls& all,
                       const LaunchedCall& call) {
    std::uint64_t blocks = 0;
    for (std::uint32_t i = call.begin; i < call.end; ++i) {
        const trace::GpuOperation& operation = trace.gpuOperations()[all.operations[i]];
        if (trace.name(operation.slice).find(kListKernel) != std::string_view::npos) {
            blocks += operation.grid[0];
        }
    }
    return blocks;
}

// Lists that an optimizer of these settings leaves empty.
bool isEmptyList(const OperatorCall& call, std::size_t place) {
    const auto is = [&](std::string_view name) { return call.name.starts_with(name); };
    return is("aten::_fused_adam") ? place == 4 && !call.isTrue(11)  // amsgrad
           : is("aten::_fused_sgd")
               ? place == 2 && (call.value(4) == "0." || call.value(4) == "0.0")  // momentum
               : false;
}

std::optional<Work> workByGradients(OperatorCall call, const CallShape& shape, const Pass& pass) {
    for (std::size_t place = 0; place < call.arguments.size(); ++place) {
        Argument& argument = call.arguments[place];
        if (argument.kind == Argument::Kind::TensorList && argument.tensors.empty() &&
            !isEmptyList(call, place)) {
            argument.tensors = pass.gradients;
        }
    }
    return workOf(call, shape.row);
}

/// Goes through what happened by time.
class ListTeller {
public:
    ListTeller(const trace::Trace& trace, LaunchedCalls& all) : m_trace(trace), m_all(all) {}

    void addGradient(trace::SliceId slice) {
        if (m_ended) {
            m_gradients.clear();
            m_ended = false;
        }
        m_gradients.push_back(slice);
    }

    [[nodiscard]] Result<void> tell(LaunchedCall& call) {
        m_ended = true;
        const std::uint64_t blocks = blocksOf(m_trace, m_all, call);
        const auto pass = passOf(blocks, m_all.shapes[call.shape].untold->listType);
        if (!pass) {
            return tl::unexpected(pass.error());
        }
        if (*pass == nullptr) {
            return {};
        }
        const auto [place, isNew] = m_told.try_emplace(
            {call.shape, *pass}, static_cast<std::uint32_t>(m_all.shapes.size()));
        if (isNew) {
            CallShape shape = m_all.shapes[call.shape];
            shape.work = workByGradients(*shape.untold, shape, **pass);
            m_all.shapes.push_back(std::move(shape));
        }
        if (m_all.shapes[place->second].work) {
            call.shape = place->second;
            call.missing = Missing::Nothing;
        }
        return {};
    }

private:
    /// The last pass, if none before had as many gradients for kernels of as many blocks; null if
    /// that is unknown.
    [[nodiscard]] Result<const Pass*> passOf(std::uint64_t blocks, DataType type) {
        const auto key = std::tuple(m_gradients.size(), blocks, type);
        if (!m_passes.contains(key) && m_passes.size() < kMaxPasses) {
            auto read = readPass();
            if (!read) {
                return tl::unexpected(read.error());
            }
            const bool tells = read->tells(blocks, type);
            m_passes.emplace(key, tells ? std::optional(std::move(*read)) : std::nullopt);
        }
        const auto known = m_passes.find(key);
        return known == m_passes.end() || !known->second ? nullptr : &*known->second;
    }

    [[nodiscard]] Result<Pass> readPass() const {
        std::vector<std::uint64_t> offsets;
        offsets.reserve(m_gradients.size());
        for (const trace::SliceId slice : m_gradients) {
            offsets.push_back(m_trace.offset(slice));
        }
        std::ranges::sort(offsets);
        Pass pass;
        const auto read =
            m_trace.eventText()->arguments(offsets, kCallKeys, [&](std::size_t, auto values) {
                CallTexts texts;
                std::ranges::copy(values, texts.begin());
                pass.add(makeOperatorCall(kGradient, texts).tensor(0));
            });
        return read ? Result<Pass>(std::move(pass)) : tl::unexpected(read.error());
    }

    static constexpr std::size_t kMaxPasses = 64;  // a program has a few optimizers

    const trace::Trace& m_trace;
    LaunchedCalls& m_all;
    std::vector<trace::SliceId> m_gradients;  ///< of the last backward pass
    bool m_ended = false;                     ///< an optimizer has come after it
    /// By number of gradients, blocks and type.
    std::map<std::tuple<std::size_t, std::uint64_t, DataType>, std::optional<Pass>> m_passes;
    std::map<std::pair<std::uint32_t, const Pass*>, std::uint32_t> m_told;  ///< shapes
};

}  // namespace

std::span<const OperatorModel> optimizerModels() {
    return kOptimizersRows;
}

Result<void> tellByGradients(const trace::Trace& trace, LaunchedCalls& all,
                             const std::stop_token& stop) {
    ListTeller teller(trace, all);
    for (const ListEvent& event : listEvents(trace, all)) {
        throwIfStopped(stop);
        if (!event.call) {
            teller.addGradient(event.slice);
        } else if (auto told = teller.tell(all.calls[*event.call]); !told) {
            return told;
        }
    }
    return {};
}

}  // namespace kinetoscope::model
