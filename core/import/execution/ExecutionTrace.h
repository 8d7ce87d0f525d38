// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/Result.h"
#include "core/import/wire/WholeText.h"

/// The execution trace of PyTorch's ExecutionTraceObserver: operators with their tensors and
/// without times. A node is the operator of a Kineto trace with the same record function id.
namespace kinetoscope::import::execution {

/// Inputs of an operator, as JSON in Kineto's form.
struct Inputs {
    std::string dims;
    std::string types;
    std::string values;
    std::string strides;
};

class ExecutionTrace {
public:
    /// Fails, naming the file, if it is not an execution trace, and when stopped. Of a damaged one,
    /// everything before the damage is read.
    [[nodiscard]] static Result<std::shared_ptr<const ExecutionTrace>> read(
        const std::string& path, const std::stop_token& stop);

    /// Of the operator with this record function id; false where none has it, or it is damaged.
    [[nodiscard]] bool inputs(std::int64_t recordFunction, Inputs& inputs) const;
    /// Nodes that have such an id.
    [[nodiscard]] std::size_t operators() const { return m_nodes.size(); }
    [[nodiscard]] bool isDamaged() const { return m_damaged; }

private:
    wire::WholeText m_whole;
    std::unordered_map<std::int64_t, std::string_view> m_nodes;  // the JSON of each "inputs"
    bool m_damaged = false;
};

/// Whether a file with this start is one.
[[nodiscard]] bool isExecutionTrace(std::string_view head);

}  // namespace kinetoscope::import::execution
