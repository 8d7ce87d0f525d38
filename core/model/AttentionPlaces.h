// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/model/OperatorModel.h"

namespace kinetoscope::model {

enum class Order : std::uint8_t {
    HeadsFirst,   ///< [batch, heads, sequence, size]
    HeadsSecond,  ///< [batch, sequence, heads, size]; packed: [tokens, heads, size]
};
enum class Mask : std::uint8_t { TopLeft, BottomRight, ByNumber };

/// Where an operator of attention has what; -1: nowhere. Tensors before `query` are gradients.
struct Places {
    Order order = Order::HeadsFirst;
    Mask mask = Mask::TopLeft;
    int query = 0;  ///< keys and values follow
    int reads = 3;  ///< arguments that are read
    int causal = -1;
    int sequences = -1;  ///< ends of packed sequences of queries; those of keys follow
    int longest = -1;    ///< longest sequence of queries; that of keys follows
    int window = -1;     ///< keys before the query's own; those after it follow
    int used = -1;       ///< how many keys of each sequence count: not known from shapes
    int table = -1;      ///< which pages of the cache hold the keys of each sequence
    int result = -1;     ///< where one may be given
    bool backward = false;
    bool scores = true;  ///< writes a number for each query, Float
};

/// The places of a function of FlashAttention.
[[nodiscard]] constexpr Places flash(Places places) {
    places.order = Order::HeadsSecond;
    places.mask = Mask::BottomRight;
    return places;
}
/// Of its backward function: (gradient, query, key, value, result, scores, ..).
[[nodiscard]] constexpr Places flashBackward(Places places) {
    places.query = 1;
    places.reads = 6;
    places.backward = true;
    return flash(places);
}

/// Counted is every pair of a query and a key; necessary are only the pairs that a causal mask or a
/// window leaves.
[[nodiscard]] Work attentionWork(const OperatorCall& call, const OperatorModel& row,
                                 const Places& where);
template <Places where>
Work attention(const OperatorCall& call, const OperatorModel& row) {
    return attentionWork(call, row, where);
}

}  // namespace kinetoscope::model
