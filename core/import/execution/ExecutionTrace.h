// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
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

    /// Of the operator with this record function id; null where none has it, or it is damaged. Safe
    /// to call from any thread.
    [[nodiscard]] std::shared_ptr<const Inputs> inputs(std::int64_t recordFunction) const;
    /// Nodes that have such an id.
    [[nodiscard]] std::size_t operators() const { return m_nodes.size(); }
    [[nodiscard]] bool isDamaged() const { return m_damaged; }

private:
    [[nodiscard]] std::shared_ptr<const Inputs> readInputs(std::int64_t recordFunction) const;

    wire::WholeText m_whole;
    std::unordered_map<std::int64_t, std::string_view> m_nodes;  // the JSON of each "inputs"
    bool m_damaged = false;

    // What was asked for last: many operators may have one id.
    mutable std::mutex m_lastMutex;
    mutable std::int64_t m_lastId = 0;
    mutable std::shared_ptr<const Inputs> m_last;
};

/// Whether a file with this start is one.
[[nodiscard]] bool isExecutionTrace(std::string_view head);

}  // namespace kinetoscope::import::execution
