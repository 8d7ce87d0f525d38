// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/metrics/GetArgs.h"
#include "core/metrics/PyValue.h"

namespace kinetoscope::metrics {

struct KernelParameter {
    std::string name;
    bool constexprMarked = false;  ///< annotated tl.constexpr
};

/// The contents of one generated kernel's file. Nothing of it was executed.
struct KernelSource {
    std::string path;
    std::string key;        ///< file name without ".py"
    std::string name;       ///< of the function under the decorator
    std::string heuristic;  ///< the decorator after "triton_heuristics."
    std::string category;   ///< see kernelCategory()

    PyValue decorator;  ///< the whole call; sizeHints and the others are found in it
    std::vector<KernelParameter> parameters;
    std::string functionText;   ///< decorators and function, without what follows
    std::size_t bodyStart = 0;  ///< offset of "def " in functionText

    std::size_t kernelsInFile = 1;          ///< the first of them is this one
    bool hasBenchmark = false;              ///< get_args and call are both there
    std::vector<KernelArgument> arguments;  ///< in the order of get_args' result
    std::string argumentsError;             ///< why `arguments` could not be read; else empty
    std::optional<PyValue> runCall;         ///< the call of NAME.run(...) inside call()

    /// Of inductor_meta or triton_meta; null when it is missing.
    [[nodiscard]] const PyValue* inductorMeta(std::string_view key) const;
    [[nodiscard]] const PyValue* tritonMeta(std::string_view key) const;
    [[nodiscard]] std::string_view body() const {
        return std::string_view(functionText).substr(bodyStart);
    }

    /// Owns what `decorator` and the other values view into.
    std::shared_ptr<const std::string> text;
};

/// The category by the decorator that the text holds: foreach, persistent_reduction, pointwise,
/// reduction, split_scan or template when exactly one of them occurs, else unknown.
[[nodiscard]] std::string kernelCategory(std::string_view sourceText);

/// Reads one generated kernel. Fails with one line if there is no decorated kernel in it or the
/// decorator cannot be read. `path` is only for naming.
[[nodiscard]] Result<KernelSource> parseKernelSource(std::string text, std::string path);

/// Whether a file may hold one kernel: has a triton_heuristics decorator outside of strings'
/// reach, that is at the start of a line, and is not a module with kernels embedded.
[[nodiscard]] bool looksLikeKernelSource(std::string_view text);

/// A kernel embedded in a compiled module.
struct EmbeddedKernel {
    std::string name;
    std::string path;  ///< from the "# kernel path:" comment; may be empty
    std::string text;
};

/// The kernels that a compiled module hands to async_compile.triton, in order.
[[nodiscard]] Result<std::vector<EmbeddedKernel>> embeddedKernels(std::string_view moduleText);

}  // namespace kinetoscope::metrics
