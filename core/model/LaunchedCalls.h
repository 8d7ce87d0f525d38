// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/Window.h"
#include "core/base/Result.h"
#include "core/model/OperatorModel.h"
#include "core/query/LaunchLinks.h"
#include "core/trace/Trace.h"

namespace kinetoscope::model {

/// Why the work of a call is not known.
enum class Missing : std::uint8_t {
    Nothing,   ///< it is known
    Operator,  ///< unknown which operator launched it
    Graph,     ///< replayed by a CUDA graph, whose launch has no shapes
    Row,       ///< the table has no row of that name
    Shapes,    ///< the trace lacks its shapes, or some of them
};
[[nodiscard]] std::string_view missingText(Missing missing);

/// All calls of one operator with the same arguments have one of these.
struct CallShape {
    NameId name = kEmptyName;
    const OperatorModel* row = nullptr;
    std::optional<Work> work;  ///< nothing: the trace has too little
    std::string shapes;        ///< "[[4096, 1024], [1024, 4096]]"
    std::string types;         ///< "bf16, bf16"
    /// The call itself, where the sizes of its lists are missing.
    std::shared_ptr<const OperatorCall> untold = nullptr;
};

inline constexpr std::uint32_t kNoShape = 0xffffffff;

/// One call of an operator, with the GPU operations that it launched itself.
struct LaunchedCall {
    trace::SliceId slice = trace::kNoSlice;  ///< of the operator; kNoSlice if unknown
    NameId name = kEmptyName;                ///< of the operator, else of the kernel
    std::uint32_t shape = kNoShape;          ///< in LaunchedCalls::shapes
    std::uint32_t begin = 0;                 ///< its operations in LaunchedCalls::operations
    std::uint32_t end = 0;
    std::int32_t gpu = 0;
    TimeNs timeNs = 0;    ///< union of the operations
    TimeNs kernelNs = 0;  ///< sum of the kernels
    Missing missing = Missing::Nothing;
    bool tensorCores = false;   ///< a kernel's name says that Float is multiplied by tensor cores
    bool overLink = false;      ///< a copy from or to the host, another GPU, or a collective
    std::uint8_t products = 0;  ///< of calls whose shapes come from their forward operator
};

struct LaunchedCalls {
    std::vector<CallShape> shapes;
    std::vector<LaunchedCall> calls;         ///< in the order of the file
    std::vector<trace::GpuOpId> operations;  ///< call by call, each by start
    TimeNs kernelNs = 0;                     ///< of all kernels in the window, summed
    TimeNs modelledNs = 0;                   ///< of those whose work is known
    TimeNs bytesOnlyNs = 0;                  ///< of those of which only the bytes are
    /// The same for a work: nothing where it is not known.
    [[nodiscard]] const Work* workOf(const LaunchedCall& call) const;
};

struct CallOptions {
    analysis::WindowChoice window = {};         ///< GPU operations that start in it count
    const query::LaunchLinks* links = nullptr;  ///< of the trace; null: found out here
    unsigned threads = 0;                       ///< 0: as many as there are processors
    std::stop_token stop = {};
};

/// The call that launched each GPU operation of the window, and its work. Arguments are read from
/// the trace's text, each distinct text once. Fails if the file has changed since it was read, if
/// there is no such window, and when stopped.
[[nodiscard]] Result<LaunchedCalls> findLaunchedCalls(const trace::Trace& trace,
                                                      const CallOptions& options = {});

/// The profiler writes no sizes of lists of more than 30 tensors. Those of optimizers are as long
/// as the list of gradients that the backward pass before accumulated, whose sizes it writes: calls
/// take them if their kernels have exactly the blocks that these sizes need. Part of
/// findLaunchedCalls().
[[nodiscard]] Result<void> tellByGradients(const trace::Trace& trace, LaunchedCalls& all,
                                           const std::stop_token& stop);

/// Those of `all`, which cover the whole trace, whose GPU operations start in the window, with
/// these operations only. Fails if there is no such window.
[[nodiscard]] Result<LaunchedCalls> callsInWindow(const trace::Trace& trace,
                                                  const LaunchedCalls& all,
                                                  const analysis::WindowChoice& window);

/// For each operator of a backward pass, or what it calls, its forward operator; kNoSlice for
/// others and where the trace has no arrow between them. By place in `slices`.
[[nodiscard]] std::vector<trace::SliceId> forwardOperators(
    const trace::Trace& trace, const std::vector<trace::SliceId>& slices);

/// The module around each call: "Linear_0", for backward work that of its forward operator;
/// kEmptyName where the trace has none. By place in `calls`.
[[nodiscard]] std::vector<NameId> modulesOf(const trace::Trace& trace, const LaunchedCalls& calls);

}  // namespace kinetoscope::model
