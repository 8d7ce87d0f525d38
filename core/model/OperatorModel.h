// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/OperatorCall.h"

namespace kinetoscope::model {

/// The necessary work of a call.
struct Work {
    Amount flops;                       ///< operations that have to be done
    Amount counted;                     ///< what PyTorch's FlopCounterMode counts of them
    Amount bytes;                       ///< distinct elements read once, and written once
    DataType type = DataType::Unknown;  ///< of the arithmetic
    bool matrix = false;                ///< products: what tensor cores do
    bool bytesOnly = false;             ///< generated code: how much it computes is unknown

    [[nodiscard]] bool isTold() const {
        return flops.isTold() && counted.isTold() && bytes.isTold();
    }
};

/// Type of an elementwise or reduced result.
enum class Outcome : std::uint8_t {
    Promoted,  ///< of all inputs together
    Floating,  ///< the same, but integers become Float
    First,     ///< of the first input
    Sum,       ///< the same, but integers become Int64
    Truth,     ///< Bool
    Index,     ///< Int64
    WithIndex  ///< of the first input, and Int64 beside it
};

/// A row of the table of operators.
struct OperatorModel {
    /// "aten::mm"; with "*" at the end all names that start like this. A name with a further "_" at
    /// the end is the same in place.
    std::string_view name;
    Work (*work)(const OperatorCall& call, const OperatorModel& row);
    unsigned operations = 0;  ///< of each element that the function counts
    unsigned inputs = 1;      ///< places of arguments that are read; behind them stands the result
    /// Under which name FlopCounterMode counts it, e.g. "aten.convolution".
    std::string_view counted = {};
    Outcome outcome = Outcome::Promoted;
    /// Usually all its tensors have one type: the kernel's name has it if the trace does not.
    bool oneType = false;
    /// A backward operator whose only arguments are gradients: those of its forward operator are
    /// used.
    bool byForward = false;
};

/// The rows by what they are about.
[[nodiscard]] std::span<const OperatorModel> productModels();
[[nodiscard]] std::span<const OperatorModel> convolutionModels();
[[nodiscard]] std::span<const OperatorModel> attentionModels();
[[nodiscard]] std::span<const OperatorModel> recurrentModels();
[[nodiscard]] std::span<const OperatorModel> elementwiseModels();
[[nodiscard]] std::span<const OperatorModel> reductionModels();
[[nodiscard]] std::span<const OperatorModel> normModels();
[[nodiscard]] std::span<const OperatorModel> lossModels();
[[nodiscard]] std::span<const OperatorModel> movingModels();
[[nodiscard]] std::span<const OperatorModel> indexModels();
[[nodiscard]] std::span<const OperatorModel> poolingModels();
[[nodiscard]] std::span<const OperatorModel> paddingModels();
[[nodiscard]] std::span<const OperatorModel> optimizerModels();
[[nodiscard]] std::span<const OperatorModel> libraryModels();
[[nodiscard]] std::span<const OperatorModel> libraryAttentionModels();
namespace serving {
/// Norms, activations, caches and products of vLLM and SGLang.
[[nodiscard]] std::span<const OperatorModel> servingModels();
/// Products in which every row has a matrix of its own.
[[nodiscard]] std::span<const OperatorModel> expertModels();
/// Products with packed weights, and unpacking these.
[[nodiscard]] std::span<const OperatorModel> quantizedModels();
/// Those of AMD's GPUs.
[[nodiscard]] std::span<const OperatorModel> aiterModels();
}  // namespace serving

/// All rows in one place.
class OperatorTable {
public:
    [[nodiscard]] static const OperatorTable& builtin();

    /// Null if there is no row. Sets `inPlace` for the row of the name without its last "_".
    [[nodiscard]] const OperatorModel* find(std::string_view name, bool& inPlace) const;
    [[nodiscard]] std::span<const OperatorModel* const> rows() const;

private:
    OperatorTable();
    struct Index;
    std::vector<const OperatorModel*> m_byName;    ///< by name
    std::vector<const OperatorModel*> m_prefixes;  ///< those that end in "*"
    std::vector<const OperatorModel*> m_rows;      ///< all, by family
};

/// The work of a call; nothing without a row, or if the trace has too little.
[[nodiscard]] std::optional<Work> workOf(OperatorCall& call, const OperatorModel* row);

// Building blocks of several families.

/// Of `count` elements of the type that the arithmetic is done in.
[[nodiscard]] Work simpleWork(Amount flops, Amount bytes, DataType type);
/// A product: counted like its flops where `counted`.
[[nodiscard]] Work productWork(Amount flops, Amount bytes, DataType type, bool counted);
/// Bytes of the tensors among the first `places` arguments; lists too.
[[nodiscard]] Amount readBytes(const OperatorCall& call, std::size_t places);
/// The last argument from `place` on that is a tensor: a result that was given. Null without.
[[nodiscard]] const Tensor* givenResult(const OperatorCall& call, std::size_t place);
/// The sizes of all tensors together, as elementwise operators stretch them; nothing where they do
/// not fit.
[[nodiscard]] std::optional<Sizes> broadcast(const Sizes& a, const Sizes& b);
/// Type of the result of an operator of these inputs, by PyTorch's rules.
[[nodiscard]] DataType promoted(const OperatorCall& call, std::size_t inputs);

}  // namespace kinetoscope::model
