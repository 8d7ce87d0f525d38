// SPDX-License-Identifier: Apache-2.0
#include "core/replay/CallInputs.h"

#include <algorithm>

#include "core/base/Threads.h"
#include "core/model/OperatorModel.h"
#include "core/query/Intervals.h"

namespace kinetoscope::replay {

using bench::results::TracedOperator;

namespace {

constexpr std::size_t kInputTypes = 1;
constexpr std::size_t kConcreteInputs = 2;

}  // namespace

Result<TracedOperator> CallInputs::of(const Group& group) const {
    if (group.texts[kDims].empty()) {
        return fail("the trace has no shapes; record it with record_shapes=True");
    }
    if (group.texts[kConcreteInputs].empty() &&
        group.texts[kInputTypes].find("\"Scalar") != std::string::npos) {
        return fail("the trace does not have the values of its arguments (Concrete Inputs)");
    }
    const Call& middle = middleCall(group);
    if (crossesLink(middle)) {
        return fail("a copy from or to the host: a trace does not say where tensors are");
    }
    model::OperatorCall call = model::makeOperatorCall(group.name, group.texts);
    call.listType = listTypeOf(call, middle);
    TracedOperator made;
    const std::size_t colons = group.name.find("::");
    made.name = group.name.substr(0, colons) + "." + group.name.substr(colons + 2);
    auto input = benchInput(call, static_cast<std::int64_t>(group.calls.size()), scalarsOf(middle));
    if (!input) {
        return tl::unexpected(input.error());
    }
    made.call = std::move(*input);
    const model::OperatorModel* row =
        model::OperatorTable::builtin().find(group.name, call.inPlace);
    made.product =
        std::ranges::any_of(model::productModels(), [row](const auto& one) { return &one == row; });
    made.traced.totalNs = static_cast<double>(group.totalNs);
    addInner(group, made.traced);
    return made;
}

// Running a call again runs its inner ones, too.
void CallInputs::addInner(const Group& group, bench::results::TracedCall& traced) const {
    std::vector<std::pair<TimeNs, trace::SliceId>> times;
    for (const std::size_t i : group.calls) {
        throwIfStopped(m_stop);
        query::UnionLength busy;
        for (const trace::SliceId slice : m_inner.of(m_calls[i].owner)) {
            busy.add(m_trace.span(slice));
        }
        times.emplace_back(busy.total(), m_calls[i].owner);
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    traced.timeNs = static_cast<double>(middle->first);
    for (const trace::SliceId slice : m_inner.of(middle->second)) {
        traced.kernels.push_back(
            {std::string(m_trace.name(slice)), static_cast<double>(m_trace.duration(slice))});
    }
}

// The call of the median time; of two in the middle the longer.
const Call& CallInputs::middleCall(const Group& group) const {
    std::vector<std::size_t> calls = group.calls;
    const auto middle = calls.begin() + static_cast<std::ptrdiff_t>(calls.size() / 2);
    std::ranges::nth_element(calls, middle, {}, [&](std::size_t i) { return m_calls[i].timeNs; });
    return m_calls[*middle];
}

bool CallInputs::crossesLink(const Call& call) const {
    for (std::size_t i = call.begin; i < call.end; ++i) {
        const std::string_view name = m_trace.name(sliceOf(i));
        if (name.find("HtoD") != std::string_view::npos ||
            name.find("DtoH") != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

// A trace has no type of the tensors in a list: the kernels' names have it, else they are like
// the first argument. Indices are a list, too.
model::DataType CallInputs::listTypeOf(const model::OperatorCall& arguments,
                                       const Call& call) const {
    if (arguments.name.find("::index") != std::string::npos ||
        arguments.name.find("::_index") != std::string::npos) {
        return model::DataType::Int64;
    }
    model::DataType type = model::DataType::Unknown;
    TimeNs longest = -1;
    for (std::size_t i = call.begin; i < call.end; ++i) {
        const trace::SliceId slice = sliceOf(i);
        if (m_trace.duration(slice) > longest) {
            longest = m_trace.duration(slice);
            type = model::elementTypeOfKernel(m_trace.name(slice));
        }
    }
    return type == model::DataType::Unknown ? arguments.tensor(0).type : type;
}

// Kernels that take a number of the program have one of these in their names.
Scalars CallInputs::scalarsOf(const Call& call) const {
    for (std::size_t i = call.begin; i < call.end; ++i) {
        const std::string_view name = m_trace.name(sliceOf(i));
        if (name.find("UnaryFunctor") != std::string_view::npos ||
            name.find("CUDAFunctorOn") != std::string_view::npos) {
            return Scalars::Numbers;
        }
    }
    return Scalars::Tensors;
}

}  // namespace kinetoscope::replay
