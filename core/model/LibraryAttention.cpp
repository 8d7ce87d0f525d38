// SPDX-License-Identifier: Apache-2.0
// Attention of libraries: FlashAttention 2 and 3, as they are and in vLLM and SGLang, xFormers,
// AITER, DeepSpeed.
#include "core/model/AttentionPlaces.h"

namespace kinetoscope::model {

namespace {

// (query, key, value, dropout, scale, causal, window, window, ...)
constexpr Places kLibrary = flash({.causal = 5, .window = 6});
// (gradient, query, key, value, result, scores, dq, dk, dv, dropout, scale, causal, window, window)
constexpr Places kLibraryBackward = flashBackward({.causal = 11, .window = 12});
// (query, key, value, ends, ends, longest, longest, dropout, scale, causal, window, window, ...)
constexpr Places kLibraryPacked = flash({.causal = 9, .sequences = 3, .longest = 5, .window = 10});
// (gradient, query, key, value, result, scores, dq, dk, dv, ends, ends, longest, longest, dropout,
// scale, causal, window, window, ...)
constexpr Places kLibraryPackedBackward =
    flashBackward({.causal = 15, .sequences = 9, .longest = 11, .window = 16});

// FlashAttention 3: (query, key, value, new key, new value, qv, result, ends, ends, new ends, used,
// used, longest, longest, pages, .. scale, causal, window, window, ..)
constexpr Places kThird = flash({.causal = 24,
                                 .sequences = 7,
                                 .longest = 12,
                                 .window = 25,
                                 .used = 11,
                                 .table = 14,
                                 .result = 6});
// (gradient, query, key, value, result, scores, dq, dk, dv, ends, ends, used, used, longest,
// longest, scale, causal, window, window, ..)
constexpr Places kThirdBackward =
    flashBackward({.causal = 16, .sequences = 9, .longest = 13, .window = 17, .used = 12});
// vLLM: (query, key, value, result, ends, ends, used, padding, pages, slopes, longest, longest,
// dropout, scale, zero, causal, window, window, ..)
constexpr Places kServed = flash({.causal = 15,
                                  .sequences = 4,
                                  .longest = 10,
                                  .window = 16,
                                  .used = 6,
                                  .table = 8,
                                  .result = 3});
// FlashAttention before 2.7, an autograd function of which a trace has no tuples: as without a
// window. (query, key, value, dropout, scale, causal, ..)
constexpr Places kFunction = flash({.causal = 5});
// (query, key, value, ends, ends, longest, longest, dropout, scale, causal, ..)
constexpr Places kPackedFunction = flash({.causal = 9, .sequences = 3, .longest = 5});
// Backward of both: beside the three, the result, its gradient and the scores are read.
template <Places where>
Work functionBackward(const OperatorCall& call, const OperatorModel& row) {
    Places backward = where;
    backward.backward = true;
    Work work = attentionWork(call, row, backward);
    const Tensor& query = call.tensor(0);
    const Amount rows = query.elements() / query.size(-1);
    work.bytes +=
        bytesOf(rows * call.tensor(2).size(-1) * 2, query.type) + bytesOf(rows, DataType::Float);
    return work;
}
// xFormers: (query, key, value, bias, ends, ends, longest, longest, dropout, mask, scores, ..)
constexpr Places kCutlass{.order = Order::HeadsSecond,
                          .mask = Mask::ByNumber,
                          .reads = 4,
                          .causal = 9,
                          .sequences = 4,
                          .longest = 6,
                          .used = 12};
// (gradient, query, key, value, bias, result, ends, ends, longest, longest, scores, dropout, seed,
// offset, mask, ..)
constexpr Places kCutlassBackward{.order = Order::HeadsSecond,
                                  .mask = Mask::ByNumber,
                                  .query = 1,
                                  .reads = 11,
                                  .causal = 14,
                                  .sequences = 6,
                                  .longest = 8,
                                  .backward = true};

// AITER: (gradient, query, key, value, result, scores, dropout, scale, causal, window, window, ..)
constexpr Places kAiterBackward = flashBackward({.causal = 8, .window = 9});
// Packed, with further numbers in later versions: (query, key, value, ends, ends, longest, longest,
// .. dropout, scale, .. whether to clear, causal, window, window, ..)
constexpr Places kAiterPacked = flash({.sequences = 3, .longest = 5});
// (query, pages of keys, of values, ends, pages of each sequence, which, longest, longest, ..)
constexpr Places kAiterPaged = flash({.sequences = 3, .longest = 6, .table = 5});
// (gradient, query, key, value, result, scores, ends, ends, longest, longest, ..)
constexpr Places kAiterPackedBackward = flashBackward({.sequences = 6, .longest = 8});

// Of its arguments that are true or false the second is whether it is causal.
template <Places where>
Work aiterPacked(const OperatorCall& call, const OperatorModel& row) {
    Places found = where;
    bool first = true;
    for (std::size_t i = 0; i < call.arguments.size() && found.causal < 0; ++i) {
        const bool isTruth = call.value(i) == "True" || call.value(i) == "False";
        if (isTruth && !first) {
            found.causal = static_cast<int>(i);
            found.window = found.causal + 1;
        }
        first = first && !isTruth;
    }
    if (found.causal < 0) {
        return productWork(Amount::untold(), 0, DataType::Unknown, false);
    }
    return attentionWork(call, row, found);
}

// DeepSpeed: (query, key, value [.., sequence, heads, size], bias, bias), without a mask.
Work evoformer(const OperatorCall& call, const OperatorModel& /*row*/) {
    const Tensor& query = call.tensor(0);
    const Amount scores = bytesOf(query.elements() / query.size(-1), DataType::Float);
    return productWork(Amount(4) * query.elements() * call.tensor(1).size(-3),
                       readBytes(call, 5) + query.bytes() + scores, query.type, false);
}

constexpr OperatorModel kLibraryAttentionRows[] = {
    {.name = "flash_attn::_flash_attn_forward", .work = attention<kLibrary>},
    {.name = "flash_attn::_flash_attn_backward", .work = attention<kLibraryBackward>},
    {.name = "flash_attn::_flash_attn_varlen_forward", .work = attention<kLibraryPacked>},
    {.name = "flash_attn::_flash_attn_varlen_backward", .work = attention<kLibraryPackedBackward>},
    {.name = "flash_attn_3::fwd", .work = attention<kThird>},
    {.name = "flash_attn_3::bwd", .work = attention<kThirdBackward>},
    {.name = "sgl_kernel::fwd", .work = attention<kThird>},
    {.name = "_vllm_fa3_C::fwd", .work = attention<kThird>},
    {.name = "_vllm_fa2_C::varlen_fwd", .work = attention<kServed>},
    {.name = "FlashAttnFunc", .work = attention<kFunction>},
    {.name = "FlashAttnVarlenFunc", .work = attention<kPackedFunction>},
    {.name = "FlashAttnFuncBackward", .work = functionBackward<kFunction>, .byForward = true},
    {.name = "FlashAttnVarlenFuncBackward",
     .work = functionBackward<kPackedFunction>,
     .byForward = true},
    {.name = "xformers::efficient_attention_forward_cutlass", .work = attention<kCutlass>},
    {.name = "xformers::efficient_attention_backward_cutlass", .work = attention<kCutlassBackward>},
    {.name = "aiter::_flash_attn_forward", .work = attention<kLibrary>},
    {.name = "aiter::mha_fwd", .work = attention<kLibrary>},
    {.name = "aiter::mha_bwd", .work = attention<kAiterBackward>},
    {.name = "aiter::fmha_v3_fwd", .work = attention<kLibrary>},
    {.name = "aiter::fmha_v3_bwd", .work = attention<kAiterBackward>},
    {.name = "aiter::_flash_attn_backward", .work = attention<kLibraryBackward>},
    {.name = "aiter::mha_varlen_fwd", .work = aiterPacked<kAiterPacked>},
    {.name = "aiter::fmha_v3_varlen_fwd", .work = aiterPacked<kAiterPacked>},
    {.name = "aiter::mha_varlen_bwd", .work = aiterPacked<kAiterPackedBackward>},
    {.name = "aiter::fmha_v3_varlen_bwd", .work = aiterPacked<kAiterPackedBackward>},
    {.name = "aiter::mha_batch_prefill", .work = aiterPacked<kAiterPaged>},
    {.name = "EvoformerFusedAttention", .work = evoformer},
};

}  // namespace

std::span<const OperatorModel> libraryAttentionModels() {
    return kLibraryAttentionRows;
}

}  // namespace kinetoscope::model
