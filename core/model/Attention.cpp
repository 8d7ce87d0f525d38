// SPDX-License-Identifier: Apache-2.0
// Attention of queries, keys and values, as PyTorch itself has it.
#include "core/model/AttentionPlaces.h"

#include <algorithm>

namespace kinetoscope::model {

namespace {

/// One attention: B · H of these.
struct Sequences {
    Amount batch;
    Amount heads;
    Amount queries;
    Amount keys;
    Amount size;
    Amount valueSize;
};

std::size_t at(int place) {
    return static_cast<std::size_t>(place);
}

bool isPartly(const OperatorCall& call, const Places& where) {
    return where.used >= 0 && call.isTensor(at(where.used));
}

bool isPaged(const OperatorCall& call, const Places& where) {
    return where.table >= 0 && call.isTensor(at(where.table));
}

// The lengths of packed sequences are known only if all are the same: that of the longest. Of pages
// only the longest length is known: that of all if there is one, or if all queries are as long,
// because a sequence's queries are among its keys.
Sequences packed(const OperatorCall& call, const Places& where, const Tensor& query,
                 const Tensor& key, const Tensor& value) {
    const auto longest = call.integer(at(where.longest));
    const auto longestKey = call.integer(at(where.longest + 1));
    const Tensor& ends = call.tensor(at(where.sequences));
    Sequences found{.batch = Amount::untold(),
                    .heads = query.size(-2),
                    .queries = Amount::untold(),
                    .keys = Amount::untold(),
                    .size = query.size(-1),
                    .valueSize = value.size(-1)};
    if (!longest || !longestKey || ends.sizes.size() != 1 || ends.sizes.front() < 2) {
        return found;
    }
    const Amount batch = Amount::ofSize(ends.sizes.front() - 1);
    const Amount tokens = query.elements() / (query.size(-1) * query.size(-2));
    const Amount keyTokens = key.elements() / (key.size(-1) * key.size(-2));
    const bool fits = isPaged(call, where) ? batch == Amount(1) || *longest == *longestKey
                                           : !isPartly(call, where) &&
                                                 batch * Amount::ofSize(*longestKey) == keyTokens;
    if (fits && batch * Amount::ofSize(*longest) == tokens) {
        found.batch = batch;
        found.queries = Amount::ofSize(*longest);
        found.keys = Amount::ofSize(*longestKey);
    }
    return found;
}

Sequences sequencesOf(const OperatorCall& call, const Places& where) {
    const Tensor& query = call.tensor(at(where.query));
    const Tensor& key = call.tensor(at(where.query + 1));
    const Tensor& value = call.tensor(at(where.query + 2));
    if (where.sequences >= 0 && call.isTensor(at(where.sequences))) {
        return packed(call, where, query, key, value);
    }
    const bool headsFirst = where.order == Order::HeadsFirst;
    const bool four = query.sizes.size() == 4 && !isPartly(call, where) && !isPaged(call, where);
    return {.batch = four ? query.size(0) : Amount::untold(),
            .heads = query.size(headsFirst ? 1 : 2),
            .queries = query.size(headsFirst ? 2 : 1),
            .keys = key.size(headsFirst ? 2 : 1),
            .size = query.size(-1),
            .valueSize = value.size(-1)};
}

/// Which keys a query sees: those at most `before` its own place and at most `after` it.
struct Reach {
    std::int64_t shift = 0;  ///< of a query's own place among the keys
    std::int64_t before = -1;
    std::int64_t after = -1;  ///< -1: all
};

Reach reachOf(const OperatorCall& call, const Places& where, std::int64_t queries,
              std::int64_t keys) {
    Reach reach;
    Mask mask = where.mask;
    bool causal = where.causal >= 0 && call.isTrue(at(where.causal));
    if (mask == Mask::ByNumber) {  // 1: from the first key, 2: to the last one
        const std::int64_t number = call.integer(at(where.causal)).value_or(0);
        causal = number != 0;
        mask = number == 2 ? Mask::BottomRight : Mask::TopLeft;
    }
    if (mask == Mask::BottomRight) {
        reach.shift = keys - queries;
    }
    if (where.window >= 0) {
        reach.before = call.integer(at(where.window)).value_or(-1);
        reach.after = call.integer(at(where.window + 1)).value_or(-1);
    }
    if (causal) {
        reach.after = 0;
    }
    return reach;
}

// Pairs of a query and a key that it sees.
Amount pairs(const Reach& reach, Amount queries, Amount keys) {
    constexpr std::uint64_t kMax = std::uint64_t{1} << 24U;  // queries that are walked through
    if ((reach.before < 0 && reach.after < 0) || !queries.isTold() || !keys.isTold() ||
        queries.value() > kMax || keys.value() > kMax) {
        return queries * keys;
    }
    const auto last = static_cast<std::int64_t>(keys.value()) - 1;
    std::uint64_t sum = 0;
    for (std::int64_t query = 0; query < static_cast<std::int64_t>(queries.value()); ++query) {
        const std::int64_t own = query + reach.shift;
        const std::int64_t from =
            reach.before < 0 ? 0 : std::max<std::int64_t>(own - reach.before, 0);
        const std::int64_t to = reach.after < 0 ? last : std::min(own + reach.after, last);
        sum += to >= from ? static_cast<std::uint64_t>(to - from) + 1 : 0;
    }
    return sum;
}

// Forward: scores and their product with the values. Backward: the scores again, the gradients of
// scores and values, of queries and keys.
Amount flopsOf(const Sequences& all, Amount seen, bool backward) {
    const Amount sizes =
        backward ? Amount(3) * all.size + Amount(2) * all.valueSize : all.size + all.valueSize;
    return Amount(2) * all.batch * all.heads * seen * sizes;
}

// Of keys and values in pages only the lengths are known, and they are not written.
Amount pagedBytes(const OperatorCall& call, const Places& where, const Sequences& all) {
    const Tensor& key = call.tensor(at(where.query + 1));
    // Pages whose elements are grouped for vectors have their heads elsewhere.
    const Amount heads = key.sizes.size() > 4 ? Amount::untold() : key.size(-2);
    return call.tensor(at(where.query)).bytes() +
           bytesOf(all.batch * all.keys * heads * (all.size + all.valueSize), key.type);
}

Amount writtenBytes(const OperatorCall& call, const Places& where, const Sequences& all) {
    const Tensor& query = call.tensor(at(where.query));
    if (where.backward) {
        Amount bytes = 0;
        for (int i = 0; i < 3; ++i) {
            const Tensor& input = call.tensor(at(where.query + i));
            bytes += bytesOf(input.elements(), input.type);
        }
        return bytes;
    }
    const bool given = where.result >= 0 && call.isTensor(at(where.result));
    const DataType type = given ? call.tensor(at(where.result)).type : query.type;
    const Amount rows = all.batch * all.heads * all.queries;
    return bytesOf(rows * all.valueSize, type) +
           (where.scores ? bytesOf(rows, DataType::Float) : Amount(0));
}

}  // namespace

Work attentionWork(const OperatorCall& call, const OperatorModel& row, const Places& where) {
    const Sequences all = sequencesOf(call, where);
    const Amount every = all.queries * all.keys;
    Work work{.flops = Amount::untold(),
              .counted = 0,
              .bytes = 0,
              .type = call.tensor(at(where.query)).type,
              .matrix = true};
    if (!every.isTold()) {
        return work;
    }
    const Reach reach = reachOf(call, where, static_cast<std::int64_t>(all.queries.value()),
                                static_cast<std::int64_t>(all.keys.value()));
    work.flops = flopsOf(all, pairs(reach, all.queries, all.keys), where.backward);
    work.counted = row.counted.empty() ? Amount(0) : flopsOf(all, every, where.backward);
    work.bytes =
        (isPaged(call, where) ? pagedBytes(call, where, all) : readBytes(call, at(where.reads))) +
        writtenBytes(call, where, all);
    return work;
}

namespace {

// (query, key, value, dropout, causal, ...)
constexpr Places kSdpaFlash{.causal = 4};
// (query, key, value, bias, scores, dropout, causal, ...)
constexpr Places kSdpaEfficient{.reads = 4, .causal = 6};
// (gradient, query, key, value, result, scores, ends, ends, longest, longest, dropout, causal, ...)
constexpr Places kSdpaFlashBackward{
    .query = 1, .reads = 6, .causal = 11, .sequences = 6, .longest = 8, .backward = true};
// (gradient, query, key, value, bias, result, scores, seed, offset, dropout, mask, causal, ...)
constexpr Places kSdpaEfficientBackward{.query = 1, .reads = 7, .causal = 11, .backward = true};
// (gradient, query, key, value, result, scores, seed, offset, bias, ends, ends, longest, longest,
// dropout, causal, ...)
constexpr Places kCudnnBackward{
    .query = 1, .reads = 9, .causal = 14, .sequences = 9, .longest = 11, .backward = true};
// (query, key, value, bias, ends, ends, longest, longest, scores, dropout, causal, ...)
constexpr Places kCudnn{.reads = 4, .causal = 10, .sequences = 4, .longest = 6};
// (query, key, value, ends, ends, longest, longest, dropout, causal, debug, scale, window, window)
constexpr Places kFlash = flash({.causal = 8, .sequences = 3, .longest = 5, .window = 11});
// (gradient, query, key, value, result, scores, ends, ends, longest, longest, dropout, causal,
// seed, offset, scale, window, window)
constexpr Places kFlashBackward =
    flashBackward({.causal = 11, .sequences = 6, .longest = 8, .window = 15});
// (query, key, value, bias, ends, ends, longest, longest, dropout, mask, scores, ...)
constexpr Places kEfficient{.order = Order::HeadsSecond,
                            .mask = Mask::ByNumber,
                            .reads = 4,
                            .causal = 9,
                            .sequences = 4,
                            .longest = 6};
// (gradient, query, key, value, bias, result, ends, ends, longest, longest, scores, dropout, seed,
// offset, mask, ...)
constexpr Places kEfficientBackward{.order = Order::HeadsSecond,
                                    .mask = Mask::ByNumber,
                                    .query = 1,
                                    .reads = 6,
                                    .causal = 14,
                                    .sequences = 6,
                                    .longest = 8,
                                    .backward = true};
constexpr std::string_view kCountedFlash = "aten._scaled_dot_product_flash_attention";
constexpr std::string_view kCountedFlashBackward =
    "aten._scaled_dot_product_flash_attention_backward";
constexpr std::string_view kCountedEfficient = "aten._scaled_dot_product_efficient_attention";
constexpr std::string_view kCountedEfficientBackward =
    "aten._scaled_dot_product_efficient_attention_backward";
constexpr std::string_view kCountedCudnn = "aten._scaled_dot_product_cudnn_attention";
constexpr std::string_view kCountedCudnnBackward =
    "aten._scaled_dot_product_cudnn_attention_backward";

constexpr OperatorModel kAttentionRows[] = {
    {.name = "aten::_scaled_dot_product_flash_attention",
     .work = attention<kSdpaFlash>,
     .counted = kCountedFlash},
    {.name = "aten::_scaled_dot_product_flash_attention_backward",
     .work = attention<kSdpaFlashBackward>,
     .counted = kCountedFlashBackward},
    {.name = "aten::_flash_attention_forward", .work = attention<kFlash>, .counted = kCountedFlash},
    {.name = "aten::_flash_attention_backward",
     .work = attention<kFlashBackward>,
     .counted = kCountedFlashBackward},
    {.name = "aten::_scaled_dot_product_efficient_attention",
     .work = attention<kSdpaEfficient>,
     .counted = kCountedEfficient},
    {.name = "aten::_scaled_dot_product_efficient_attention_backward",
     .work = attention<kSdpaEfficientBackward>,
     .counted = kCountedEfficientBackward},
    {.name = "aten::_efficient_attention_forward",
     .work = attention<kEfficient>,
     .counted = kCountedEfficient},
    {.name = "aten::_efficient_attention_backward",
     .work = attention<kEfficientBackward>,
     .counted = kCountedEfficientBackward},
    {.name = "aten::_scaled_dot_product_cudnn_attention",
     .work = attention<kSdpaEfficient>,
     .counted = kCountedCudnn},
    {.name = "aten::_scaled_dot_product_cudnn_attention_backward",
     .work = attention<kCudnnBackward>,
     .counted = kCountedCudnnBackward},
    {.name = "aten::_cudnn_attention_forward", .work = attention<kCudnn>, .counted = kCountedCudnn},
    {.name = "aten::_cudnn_attention_backward",
     .work = attention<kCudnnBackward>,
     .counted = kCountedCudnnBackward},
};

}  // namespace

std::span<const OperatorModel> attentionModels() {
    return kAttentionRows;
}

}  // namespace kinetoscope::model
