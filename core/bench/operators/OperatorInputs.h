// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/operators/InputParser.h"

namespace kinetoscope::bench::operators {

/// An operator overload and the calls recorded of it, equal ones merged, in the order of the file.
struct OperatorEntry {
    std::string name;  ///< "aten.add.Tensor"
    std::vector<OperatorCall> calls;

    /// The largest number of 64 bits where there are more; the same goes for merged calls.
    [[nodiscard]] std::int64_t count() const;
};

struct OperatorInputs {
    std::vector<OperatorEntry> operators;  ///< in the order of the file
    std::vector<InputProblem> problems;    ///< one for each line that was left out

    /// nullptr for an operator without inputs.
    [[nodiscard]] const OperatorEntry* find(std::string_view name) const;
};

/// Reads lines "Operator: aten.…" and, below each, "cnt: N, (args, kwargs)". Lines that are neither
/// are left out and listed. Without `merge` each line is a call of its own, equal ones too.
[[nodiscard]] OperatorInputs readOperatorInputs(std::string_view text, bool merge = true);

/// The lines that readOperatorInputs() reads.
[[nodiscard]] std::string formatOperator(const OperatorEntry& entry);

/// The calls `first` to `first + most - 1`.
[[nodiscard]] OperatorEntry selectCalls(const OperatorEntry& entry, std::size_t first,
                                        std::size_t most);

/// Floating tensors and type arguments become `type`; f16 leaves all as recorded.
void castCall(OperatorCall& call, InputType type);

/// The same for any type.
void setFloatingTypes(OperatorCall& call, InputType type);

/// Tensors of four dimensions become dense with channels last.
void makeChannelsLast(OperatorCall& call);

/// Divides sizes by the first size of the largest tensor, where they are multiples of it, so that a
/// test takes less time. For convolutions only the batch becomes 1. The result may be no valid
/// call. False when nothing changed.
[[nodiscard]] bool shrinkCall(std::string_view name, OperatorCall& call);

inline constexpr std::array<const char*, 3> kOperatorSuites{"timm", "huggingface", "torchbench"};

/// The recorded inputs that come with the program. Fails for an unknown name.
[[nodiscard]] Result<std::string> operatorSuite(std::string_view name);

/// Whether Inductor of PyTorch 2.11 has a lowering or a decomposition for the overload; true for
/// one that PyTorch 2.11 does not have.
[[nodiscard]] bool hasInductorImpl(std::string_view name);

}  // namespace kinetoscope::bench::operators
