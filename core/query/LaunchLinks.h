// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::query {

class LaunchIds;

/// What launched each GPU operation.
///
/// API call and GPU operation share their launch id in one file, see LaunchIds. Where several calls
/// do, it is the last one that began no later than the operation, else the first. Kernels without
/// an id belong to launches without kernels, see linkOrphans().
///
/// The launching operator is the cpu_op with the same External id; when the API call is known, it
/// must enclose that call in time (old files wrote wrong ids), and of several the innermost counts.
/// Not where External ids are launch ids.
/// Otherwise it is the innermost cpu_op that encloses the API call on its thread.
class LaunchLinks {
public:
    explicit LaunchLinks(const trace::Trace& trace);

    /// kNoSlice when the file has no such call.
    [[nodiscard]] trace::SliceId apiCall(trace::GpuOpId operation) const {
        return m_apiCall[operation];
    }
    /// kNoSlice if unknown.
    [[nodiscard]] trace::SliceId launchingOperator(trace::GpuOpId operation) const {
        return m_operator[operation];
    }
    /// The API call launched several operations, or the operation names its CUDA graph.
    [[nodiscard]] bool isGraphLaunch(trace::GpuOpId operation) const {
        return m_isGraph[operation];
    }

private:
    void linkApiCalls(const trace::Trace& trace, const LaunchIds& ids);
    void linkExternalIds(const trace::Trace& trace, const LaunchIds& ids);
    void linkEnclosing(const trace::Trace& trace);
    void findGraphs(const trace::Trace& trace);

    std::vector<trace::SliceId> m_apiCall;
    std::vector<trace::SliceId> m_operator;
    std::vector<bool> m_isGraph;
};

}  // namespace kinetoscope::query
