// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope {

/// What launched each GPU operation.
///
/// API call and GPU operation share `correlation` in one file. Where several calls do, it is the
/// last one that began no later than the operation, else the first.
///
/// The launching operator is the cpu_op with the same External id; when the API call is known, it
/// must enclose that call in time (old files wrote wrong ids), and of several the innermost counts.
/// Otherwise it is the innermost cpu_op that encloses the API call on its thread.
class LaunchLinks {
public:
    explicit LaunchLinks(const Trace& trace);

    /// kNoSlice when the file has no such call.
    [[nodiscard]] SliceId apiCall(GpuOpId operation) const { return m_apiCall[operation]; }
    /// kNoSlice when nothing tells.
    [[nodiscard]] SliceId launchingOperator(GpuOpId operation) const {
        return m_operator[operation];
    }
    /// The API call launched several operations at once, or the operation names its CUDA graph.
    [[nodiscard]] bool isGraphLaunch(GpuOpId operation) const { return m_isGraph[operation]; }

private:
    void linkApiCalls(const Trace& trace);
    void linkExternalIds(const Trace& trace);
    void linkEnclosing(const Trace& trace);
    void findGraphs(const Trace& trace);

    std::vector<SliceId> m_apiCall;
    std::vector<SliceId> m_operator;
    std::vector<bool> m_isGraph;
};

}  // namespace kinetoscope
