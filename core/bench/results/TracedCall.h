// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bench/operators/InputValue.h"

namespace kinetoscope::bench::results {

/// One GPU operation of a call.
struct LaunchedKernel {
    std::string name;
    double timeNs = 0.0;
};

/// How a measured call ran in the trace it was taken from.
struct TracedCall {
    /// Union of the GPU operations that are launched inside of a call: the median over the calls.
    double timeNs = 0.0;
    double totalNs = 0.0;  ///< the same of what all its calls launched themselves, added up
    std::vector<LaunchedKernel> kernels;  ///< launched inside of one call, in their order
    /// Arguments missing in a trace, with their substitutes: "approximate='none'".
    std::vector<std::string> assumed;
};

/// Calls of one operator with the same arguments.
struct TracedOperator {
    std::string name;              ///< "aten.sum": a trace does not record the overload
    operators::OperatorCall call;  ///< counted
    bool product = false;          ///< of matrices
    TracedCall traced;
};

/// Work of a trace that is not measured, and why.
struct LeftOutCall {
    std::string name;    ///< of the operator, else of the kernel
    std::string shapes;  ///< "[[64, 256], [256]]"; empty if unknown
    std::int64_t count = 0;
    double totalNs = 0.0;
    std::string reason;
};

/// The source of a bench's inputs.
struct TraceOrigin {
    std::string path;
    std::string device;    ///< as the trace names its GPU; empty where it does not
    double totalNs = 0.0;  ///< of all GPU work in it
    std::vector<LeftOutCall> leftOut;
};

/// The names in their order.
[[nodiscard]] std::vector<std::string> namesOf(const std::vector<LaunchedKernel>& kernels);
[[nodiscard]] double totalNs(const std::vector<LaunchedKernel>& kernels);

/// How long a call took in the trace, beside the bench.
enum class TraceTime : std::uint8_t { Same, Longer, Shorter };
/// "same", "longer", "shorter".
[[nodiscard]] const char* traceTimeName(TraceTime time);

/// Same: within 10 % of what the bench measured, which is `coldNs` with nothing in the cache and,
/// where it is known (above 0), `warmNs` with everything there; or between the two.
[[nodiscard]] TraceTime traceTime(double traceNs, double coldNs, double warmNs);

}  // namespace kinetoscope::bench::results
