// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as recorded inputs. Problems lie inside of the text, what was read can be
// written and read again, and changes of calls do no harm.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/bench/operators/OperatorInputs.h"
#include "core/bench/operators/ValueRanges.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::operators;

namespace {

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void checkProblems(const OperatorInputs& inputs, std::string_view text) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const InputProblem& problem : inputs.problems) {
        require(problem.line >= 1 && problem.line <= lines && !problem.message.empty());
        require(problem.column >= 1 && problem.column <= text.size() + 1);
    }
}

void checkWriting(const OperatorEntry& entry) {
    const std::string written = formatOperator(entry);
    const OperatorInputs again = readOperatorInputs(written, false);
    require(again.problems.empty() && again.operators.size() == 1);
    require(formatOperator(again.operators.front()) == written);
}

// As kscope-torch asks before it makes values.
void askRanges(const std::string& name, const OperatorCall& call) {
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        if (const auto* tensor = std::get_if<TensorInput>(&call.args[i].data)) {
            (void)valueRange(name, call, i, 0, *tensor);
        }
        const auto* list = std::get_if<InputList>(&call.args[i].data);
        for (std::size_t item = 0; list != nullptr && item < list->items.size(); ++item) {
            if (const auto* tensor = std::get_if<TensorInput>(&list->items[item].data)) {
                (void)valueRange(name, call, i, item, *tensor);
            }
        }
    }
}

void changeCalls(const OperatorEntry& entry) {
    for (OperatorCall call : entry.calls) {
        askRanges(entry.name, call);
        castCall(call, InputType::Bf16);
        makeChannelsLast(call);
        (void)shrinkCall(entry.name, call);
        askRanges(entry.name, call);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const OperatorInputs inputs = readOperatorInputs(text, false);
    checkProblems(inputs, text);
    for (const OperatorEntry& entry : inputs.operators) {
        checkWriting(entry);
        changeCalls(entry);
    }
    const ValueOrProblem value = parseInputValue(text);
    require(!value.problem || value.problem->column <= size + 1);
    return 0;
}
