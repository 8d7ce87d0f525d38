// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/replay/InnerLaunches.h"
#include "core/replay/TracedInput.h"
#include "core/replay/TracedLaunches.h"

namespace kinetoscope::replay {

/// Makes inputs of a bench of calls. Everything it refers to must outlive it.
class CallInputs {
public:
    static constexpr std::size_t kDims = 0;  ///< "Input Dims", among the texts of a call

    CallInputs(const trace::Trace& trace, InnerLaunches inner, const std::vector<Launch>& launches,
               const std::vector<Call>& calls, const std::stop_token& stop)
        : m_trace(trace),
          m_inner(std::move(inner)),
          m_launches(launches),
          m_calls(calls),
          m_stop(stop) {}

    /// Fails with the reason why calls with these arguments cannot be measured.
    [[nodiscard]] Result<bench::results::TracedOperator> of(const Group& group) const;

private:
    [[nodiscard]] trace::SliceId sliceOf(std::size_t launch) const {
        return m_trace.gpuOperations()[m_launches[launch].operation].slice;
    }
    void addInner(const Group& group, bench::results::TracedCall& traced) const;
    [[nodiscard]] const Call& middleCall(const Group& group) const;
    [[nodiscard]] bool crossesLink(const Call& call) const;
    [[nodiscard]] model::DataType listTypeOf(const model::OperatorCall& arguments,
                                             const Call& call) const;
    [[nodiscard]] Scalars scalarsOf(const Call& call) const;

    const trace::Trace& m_trace;
    InnerLaunches m_inner;
    const std::vector<Launch>& m_launches;
    const std::vector<Call>& m_calls;
    const std::stop_token& m_stop;
};

}  // namespace kinetoscope::replay
