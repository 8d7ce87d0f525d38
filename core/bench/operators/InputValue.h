// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kinetoscope::bench::operators {

/// Element types as recorded inputs abbreviate them.
enum class InputType : std::uint8_t {
    Bf16,
    F64,
    F32,
    F16,
    C32,
    C64,
    C128,
    I8,
    I16,
    I32,
    I64,
    B8,
    U8,
};

/// "f16".
[[nodiscard]] std::string_view inputTypeName(InputType type);
[[nodiscard]] std::optional<InputType> inputType(std::string_view name);
[[nodiscard]] bool isFloating(InputType type);

/// T([8, 256], f16, stride=(256, 1)); without strides it is contiguous.
struct TensorInput {
    std::vector<std::int64_t> shape;
    InputType type = InputType::F32;
    std::optional<std::vector<std::int64_t>> strides;

    [[nodiscard]] std::int64_t elements() const;
    /// Elements of memory that shape and strides reach.
    [[nodiscard]] std::int64_t storageElements() const;

    friend bool operator==(const TensorInput&, const TensorInput&) = default;
};

/// ST([4, 4], f32, torch.sparse_coo, True, nnz=3).
struct SparseInput {
    std::vector<std::int64_t> shape;
    InputType type = InputType::F32;
    std::string layout;
    bool coalesced = false;
    std::int64_t nonzero = 0;

    friend bool operator==(const SparseInput&, const SparseInput&) = default;
};

struct InputValue;

struct InputList {
    std::vector<InputValue> items;
    bool tuple = false;

    friend bool operator==(const InputList&, const InputList&) = default;
};

/// A name of module torch, without "torch." ("strided", "preserve_format").
struct TorchName {
    std::string name;

    friend bool operator==(const TorchName&, const TorchName&) = default;
};

/// One argument. std::monostate is None.
struct InputValue {
    std::variant<std::monostate, bool, std::int64_t, double, std::string, TorchName, InputType,
                 TensorInput, SparseInput, InputList>
        data;

    friend bool operator==(const InputValue&, const InputValue&) = default;
};

/// One recorded call of an operator.
struct OperatorCall {
    std::int64_t count = 0;  ///< how often it was recorded
    std::vector<InputValue> args;
    std::vector<std::pair<std::string, InputValue>> kwargs;
    std::size_t line = 0;  ///< where it stands first, from 1
};

/// "((T([8, 256], f16), 1), {'keepdim': True})": as recorded inputs spell it.
[[nodiscard]] std::string formatCall(const OperatorCall& call);
[[nodiscard]] std::string formatValue(const InputValue& value);
/// As Python prints it: "1.0", "1e-05", "inf".
[[nodiscard]] std::string formatFloat(double value);

}  // namespace kinetoscope::bench::operators
