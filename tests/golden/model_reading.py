#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One call of every operator that kscope models, with the work that its definition makes of it.

usage: model_reading.py KSCOPE SOURCES DATA

The expected figures are worked out here from the sizes. SOURCES are the files of core/model: each
row of their tables must have a case. DATA has recordings with what PyTorch's FlopCounterMode counted
of them, and what Nsight Compute measured of single kernels.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SIZE = {"float": 4, "double": 8, "c10::Half": 2, "c10::BFloat16": 2, "long int": 8, "int": 4, "bool": 1,
        "signed char": 1, "short int": 2, "c10::Float8_e4m3fn": 1, "unsigned char": 1, "c10::complex<float>": 8}
F, H, B, I, L8 = "float", "c10::Half", "c10::BFloat16", "long int", "int"


def product(sizes):
    all_of_them = 1
    for size in sizes:
        all_of_them *= size
    return all_of_them


class Tensor:
    def __init__(self, sizes, kind=F, strides=None):
        self.sizes, self.kind = list(sizes), kind
        self.strides = strides
        if strides is None:
            self.strides = [product(sizes[i + 1:]) for i in range(len(sizes))]

    @property
    def n(self):
        return product(self.sizes)

    @property
    def bytes(self):
        return self.n * SIZE[self.kind]


class Value(str):
    pass


class Values(str):
    pass


NONE = None
cases = []


def case(name, arguments, flops, bytes_moved, counted=0, kernel="some_kernel", extra=None, forward=None, kernels=None):
    """`forward`: the operator whose arguments these are; `name` has none and is its backward. `kernels`: of the call."""
    cases.append({"name": name, "arguments": arguments, "flops": flops, "bytes": bytes_moved, "counted": counted,
                  "kernel": kernel, "extra": extra or {}, "forward": forward, "kernels": kernels})


def T(*sizes, kind=F, strides=None):
    return Tensor(sizes, kind, strides)


def V(value):
    return Value(value)


def total(*tensors):
    return sum(t.bytes for t in tensors)


# Products.
a, b, c = T(64, 32, kind=B), T(32, 128, kind=B), T(64, 128, kind=B)
mnk = 2 * 64 * 128 * 32
case("aten::mm", [a, b], mnk, total(a, b, c), mnk)
case("aten::mm", [a, b, c], mnk, total(a, b, c), mnk)  # a given result is not read
bias = T(128, kind=B)
case("aten::addmm", [bias, a, b, V("1"), V("1")], mnk, total(bias, a, b, c), mnk)
case("aten::_addmm_activation", [bias, a, b, V("1"), V("1"), V("True")], mnk, total(bias, a, b, c))
x, y, z = T(4, 64, 32), T(4, 32, 16), T(4, 64, 16)
bmnk = 2 * 4 * 64 * 16 * 32
case("aten::bmm", [x, y], bmnk, total(x, y, z), bmnk)
stretched = T(4, 64, 16, strides=[0, 16, 1])  # one matrix for the whole batch
case("aten::baddbmm", [stretched, x, y, V("1"), V("1")], bmnk, 64 * 16 * 4 + total(x, y, z), bmnk)
case("aten::addbmm", [T(64, 16), x, y, V("1"), V("1")], bmnk, 64 * 16 * 4 * 2 + total(x, y))
vector = T(32, kind=B)
case("aten::mv", [a, vector], 2 * 64 * 32, total(a, vector) + 64 * 2)
case("aten::addmv", [T(64, kind=B), a, vector, V("1"), V("1")], 2 * 64 * 32, total(a, vector) + 64 * 4)
case("aten::dot", [T(500), T(500)], 1000, 4000 + 4)
case("aten::vdot", [T(500), T(500)], 1000, 4000 + 4)
case("aten::addr", [T(8, 5), T(8), T(5)], 2 * 40, 160 + 32 + 20 + 160)
case("aten::linear", [T(2, 10, 32), T(16, 32), T(16)], 2 * 20 * 32 * 16,
     4 * (640 + 512 + 16 + 320))
case("aten::matmul", [T(3, 1, 8, 32), T(5, 32, 4)], 2 * 15 * 8 * 4 * 32, 4 * (768 + 640 + 480))
f8 = "c10::Float8_e4m3fn"
case("aten::_scaled_mm", [T(64, 32, kind=f8), T(32, 128, kind=f8, strides=[1, 32]), T(), T(), NONE, NONE,
                          V("15"), V("True")],
     mnk, 64 * 32 + 32 * 128 + 8 + 64 * 128 * 2, mnk)
groups = T(4, kind=L8)
case("aten::_grouped_mm", [T(64, 32, kind=B), T(4, 32, 128, kind=B), groups, NONE, NONE], mnk,
     2 * (64 * 32 + 4 * 32 * 128 + 64 * 128) + 16)
case("aten::_scaled_grouped_mm", [T(64, 32, kind=f8), T(4, 32, 128, kind=f8), T(64), T(4, 128), groups, NONE,
                                  NONE, V("15"), V("False")], mnk,
     64 * 32 + 4 * 32 * 128 + 4 * (64 + 512) + 16 + 64 * 128 * 2)
i8 = "signed char"
case("aten::_int_mm", [T(64, 32, kind=i8), T(32, 128, kind=i8)], mnk, 64 * 32 + 32 * 128 + 64 * 128 * 4)
case("aten::_weight_int4pack_mm", [a, T(16, 1, 32, 4, kind="int"), V("32"), T(1, 128, 2, kind=B)], mnk,
     a.bytes + 16 * 32 * 4 * 4 + 512 + c.bytes)
case("aten::_weight_int8pack_mm", [a, T(128, 32, kind=i8), bias], mnk, a.bytes + 4096 + bias.bytes + c.bytes)
meta = T(64, 2, kind=L8)
half = T(64, 16, kind=B)  # of 32 columns half are kept
case("aten::_sparse_semi_structured_mm", [half, meta, b], mnk // 2, total(half, meta, b, c))
case("aten::_sparse_semi_structured_addmm", [bias, half, meta, b], mnk // 2, total(bias, half, meta, b, c))
case("aten::_sparse_semi_structured_linear", [a, T(128, 16, kind=B), T(128, 2, kind=L8), bias], mnk // 2,
     a.bytes + 128 * 16 * 2 + 128 * 2 * 4 + bias.bytes + c.bytes)

# Convolutions: 2-D with stride, padding and groups; 3-D; dilated; transposed; backward.
xi = T(2, 8, 10, 12, kind=H)
w = T(16, 4, 3, 3, kind=H)
out = T(2, 16, 5, 6, kind=H)  # stride 2, padding 1, two groups
conv = 2 * 2 * 16 * 30 * 4 * 9
forward = [V("[2, 2]"), V("[1, 1]"), V("[1, 1]")]
wb = T(16, kind=H)
case("aten::convolution", [xi, w, wb] + forward + [V("False"), V("[0, 0]"), V("2")], conv,
     total(xi, w, wb, out), conv)
case("aten::_convolution", [xi, w, NONE] + forward + [V("False"), V("[0, 0]"), V("2")], conv,
     total(xi, w, out), conv)
case("aten::convolution_overrideable", [xi, w, NONE] + forward + [V("False"), V("[0, 0]"), V("2")], conv,
     total(xi, w, out), conv)
case("aten::cudnn_convolution", [xi, w, V("[1, 1]"), V("[2, 2]"), V("[1, 1]"), V("2")], conv,
     total(xi, w, out), conv)
x3, w3, o3 = T(1, 4, 6, 7, 8), T(5, 4, 3, 3, 3), T(1, 5, 2, 3, 4)  # dilation 2: reaches 5
conv3 = 2 * 5 * 24 * 4 * 27
case("aten::cudnn_convolution", [x3, w3, V("[0, 0, 0]"), V("[1, 1, 1]"), V("[2, 2, 2]"), V("1")], conv3,
     total(x3, w3, o3), conv3)
xt, wt = T(2, 6, 5, 5), T(6, 4, 3, 3)
ot = T(2, 4, 10, 10)  # (5 - 1) * 2 - 2 + 2 + 1 + 1
convt = 2 * 2 * 25 * 6 * 4 * 9
case("aten::cudnn_convolution_transpose",
     [xt, wt, V("[1, 1]"), V("[1, 1]"), V("[2, 2]"), V("[1, 1]"), V("1")], convt, total(xt, wt, ot), convt)
case("aten::convolution", [xt, wt, NONE, V("[2, 2]"), V("[1, 1]"), V("[1, 1]"), V("True"), V("[1, 1]"),
                           V("1")], convt, total(xt, wt, ot), convt)
fused = [xi, w, wb, V("[2, 2]"), V("[1, 1]"), V("[1, 1]"), V("2")]
case("aten::cudnn_convolution_relu", fused, conv, total(xi, w, wb, out))
case("aten::miopen_convolution_relu", fused, conv, total(xi, w, wb, out))
added = [xi, w, out, V("1"), wb, V("[2, 2]"), V("[1, 1]"), V("[1, 1]"), V("2")]
case("aten::cudnn_convolution_add_relu", added, conv, total(xi, w, wb, out, out))
case("aten::miopen_convolution_add_relu", added, conv, total(xi, w, wb, out, out))
for name in ("aten::miopen_convolution", "aten::miopen_depthwise_convolution"):
    case(name, [xi, w, wb, V("[1, 1]"), V("[2, 2]"), V("[1, 1]"), V("2")], conv, total(xi, w, wb, out), conv)
case("aten::miopen_convolution_transpose",
     [xt, wt, NONE, V("[1, 1]"), V("[1, 1]"), V("[2, 2]"), V("[1, 1]"), V("1")], convt, total(xt, wt, ot),
     convt)
depth = T(8, 1, 3, 3, kind=H)
do = T(2, 8, 10, 12, kind=H)
dflops = 2 * 2 * 8 * 120 * 9
case("aten::_conv_depthwise2d", [xi, depth, V("[3, 3]"), NONE, V("[1, 1]"), V("[1, 1]"), V("[1, 1]")], dflops,
     total(xi, depth, do), dflops)
case("aten::conv_depthwise3d", [x3, T(4, 1, 3, 3, 3), V("[3, 3, 3]"), NONE, V("[1, 1, 1]"), V("[1, 1, 1]"),
                                V("[1, 1, 1]")], 2 * 4 * 336 * 27, 4 * (1344 + 108 + 1344), 2 * 4 * 336 * 27)
full = T(16, 8, 3, 3, kind=H)
fo = T(2, 16, 10, 12, kind=H)
ff = 2 * 2 * 16 * 120 * 8 * 9
case("aten::_slow_conv2d_forward", [xi, full, V("[3, 3]"), NONE, V("[1, 1]"), V("[1, 1]")], ff,
     total(xi, full, fo), ff)
s3 = 2 * 5 * 4 * 5 * 6 * 4 * 27
case("aten::slow_conv3d_forward", [x3, w3, V("[3, 3, 3]"), NONE, V("[1, 1, 1]"), V("[0, 0, 0]")], s3,
     4 * (1344 + 540 + 5 * 120), s3)
case("aten::slow_conv_dilated2d", [xi, full, V("[3, 3]"), NONE, V("[1, 1]"), V("[2, 2]"), V("[2, 2]")], ff,
     total(xi, full, fo), ff)
case("aten::slow_conv_dilated3d", [x3, w3, V("[3, 3, 3]"), NONE, V("[1, 1, 1]"), V("[0, 0, 0]"),
                                   V("[2, 2, 2]")], conv3, total(x3, w3, o3), conv3)
case("aten::slow_conv_transpose2d", [xt, wt, V("[3, 3]"), NONE, V("[2, 2]"), V("[1, 1]"), V("[1, 1]"),
                                     V("[1, 1]")], convt, total(xt, wt, ot), convt)
t3 = T(6, 2, 2, 2, 2)
case("aten::slow_conv_transpose3d", [T(1, 6, 2, 2, 2), t3, V("[2, 2, 2]"), NONE, V("[2, 2, 2]"),
                                     V("[0, 0, 0]"), V("[0, 0, 0]"), V("[1, 1, 1]")], 2 * 8 * 6 * 2 * 8,
     4 * (48 + 96 + 2 * 64), 2 * 8 * 6 * 2 * 8)
backward = forward + [V("False"), V("[0, 0]"), V("2")]
# The counter takes the weight's gradient for that of a convolution without groups.
case("aten::convolution_backward", [out, xi, w, V("[16]")] + backward + [V("[True, True, True]")],
     2 * conv + out.n, total(out, w, xi, xi, w) + 32, conv + 2 * conv)
case("aten::convolution_backward", [out, xi, w, V("[0]")] + backward + [V("[True, False, False]")],
     conv, total(out, w, xi), conv)

# Attention. q [batch, heads, sequence, size].
q, k, v = T(2, 4, 16, 8, kind=B), T(2, 4, 16, 8, kind=B), T(2, 4, 16, 8, kind=B)
pairs, seen = 16 * 16, 16 * 17 // 2
full_flops, causal_flops = 2 * 8 * pairs * 16, 2 * 8 * seen * 16
fb, cb = 2 * 8 * pairs * 40, 2 * 8 * seen * 40
lse = T(2, 4, 16)
moved = total(q, k, v, q) + lse.bytes
seed = [NONE, NONE]
case("aten::_scaled_dot_product_flash_attention", [q, k, v, V("0."), V("True"), V("False"), NONE],
     causal_flops, moved, full_flops)
case("aten::_scaled_dot_product_efficient_attention", [q, k, v, NONE, V("True"), V("0."), V("False"), NONE],
     full_flops, moved, full_flops)
case("aten::_scaled_dot_product_cudnn_attention", [q, k, v, NONE, V("True"), V("0."), V("True"), V("False"),
                                                   NONE], causal_flops, moved, full_flops)
case("aten::_cudnn_attention_forward",
     [q, k, v, NONE, NONE, NONE, V("16"), V("16"), V("True"), V("0."), V("True"), V("False"), NONE],
     causal_flops, moved, full_flops)
back = total(q, q, k, v, q) + lse.bytes + total(q, k, v)
case("aten::_scaled_dot_product_flash_attention_backward",
     [q, q, k, v, q, lse, NONE, NONE, V("16"), V("16"), V("0."), V("True"), NONE, NONE, NONE], cb, back, fb)
case("aten::_scaled_dot_product_efficient_attention_backward",
     [q, q, k, v, NONE, q, lse, NONE, NONE, V("0."), V("[True, True, True, False]"), V("False"), NONE], fb,
     back, fb)
for name in ("aten::_scaled_dot_product_cudnn_attention_backward", "aten::_cudnn_attention_backward"):
    case(name, [q, q, k, v, q, lse, NONE, NONE, NONE, NONE, NONE, V("16"), V("16"), V("0."), V("True"), NONE],
         cb, back, fb)
# [batch, sequence, heads, size]; four queries heads for each of keys; a window of three keys.
fq, fk = T(2, 16, 4, 8, kind=H), T(2, 16, 2, 8, kind=H)
window = sum(min(i, 2) + 1 for i in range(16))
case("aten::_flash_attention_forward",
     [fq, fk, fk, NONE, NONE, V("16"), V("16"), V("0."), V("True"), V("False"), NONE, V("2"), V("0")],
     2 * 8 * window * 16, total(fq, fk, fk, fq) + 2 * 4 * 16 * 4, full_flops)
case("aten::_flash_attention_backward",
     [fq, fq, fk, fk, fq, lse, NONE, NONE, V("16"), V("16"), V("0."), V("False"), NONE, NONE, NONE, NONE,
      NONE], fb, total(fq, fq, fk, fk, fq) + lse.bytes + total(fq, fk, fk), fb)
# Three packed sequences of the same length.
pq, ends = T(30, 4, 8, kind=H), T(4, kind=L8)
case("aten::_flash_attention_forward",
     [pq, pq, pq, ends, ends, V("10"), V("10"), V("0."), V("False"), V("False"), NONE, NONE, NONE],
     2 * 12 * 100 * 16, 4 * pq.bytes + 12 * 10 * 4, 2 * 12 * 100 * 16)
# More keys than queries: a causal mask of number 2 leaves the last ones.
ek = T(2, 20, 4, 8, kind=H)
bottom = sum(i + 1 + 4 for i in range(16))
case("aten::_efficient_attention_forward",
     [fq, ek, ek, NONE, NONE, NONE, V("16"), V("20"), V("0."), V("2"), V("True")], 2 * 8 * bottom * 16,
     total(fq, ek, ek, fq) + 8 * 16 * 4, 2 * 8 * 320 * 16)
case("aten::_efficient_attention_backward",
     [fq, fq, ek, ek, NONE, fq, NONE, NONE, V("16"), V("20"), lse, V("0."), NONE, NONE, V("1"), V("False")],
     2 * 8 * seen * 40, total(fq, fq, ek, ek, fq) + total(fq, ek, ek), 2 * 8 * 320 * 40)
case("flash_attn::_flash_attn_forward", [fq, fk, fk, V("0."), V("0.3"), V("True"), V("-1"), V("-1")],
     causal_flops, total(fq, fk, fk, fq) + 512)
case("flash_attn::_flash_attn_backward",
     [fq, fq, fk, fk, fq, lse, fq, fk, fk, V("0."), V("0.3"), V("True"), V("-1"), V("-1")], cb,
     total(fq, fq, fk, fk, fq) + lse.bytes + total(fq, fk, fk))
case("flash_attn::_flash_attn_varlen_forward",
     [pq, pq, pq, ends, ends, V("10"), V("10"), V("0."), V("0.3"), V("True"), V("-1"), V("-1")],
     2 * 12 * 55 * 16, 4 * pq.bytes + 480)
case("flash_attn::_flash_attn_varlen_backward",
     [pq, pq, pq, pq, pq, T(4, 30), pq, pq, pq, ends, ends, V("10"), V("10"), V("0."), V("0.3"), V("True"),
      V("-1"), V("-1")], 2 * 12 * 55 * 40, 8 * pq.bytes + 480)

# Recurrent layers: an LSTM of one layer, 5 steps, batch 3, 8 inputs, 16 hidden.
steps = 15
weights = [T(64, 8), T(64, 16), T(64), T(64)]
matrices = 64 * 24
state = T(1, 3, 16)
li, lo = T(5, 3, 8), T(5, 3, 16)
rnn = [li, weights, V("4"), NONE, state, state]
lw = sum(t.bytes for t in weights)
case("aten::_cudnn_rnn", rnn + [V("2"), V("16"), V("0"), V("1"), V("False"), V("0."), V("True"), V("False"),
                                V("[]"), NONE], 2 * steps * matrices, total(li, lo) + lw + 4 * state.bytes)
case("aten::_cudnn_rnn_backward",
     rnn + [lo, lo, NONE, NONE, V("2"), V("16"), V("0"), V("1"), V("False"), V("0."), V("True"), V("False"),
            V("[]"), NONE, NONE, V("[True, False, False, True]")], 2 * 2 * steps * matrices,
     total(li, lo, lo, li) + 2 * lw)
case("aten::miopen_rnn", [li, weights, V("4"), state, state, V("2"), V("16"), V("1"), V("False"), V("0."),
                          V("True"), V("False"), V("[]"), NONE], 2 * steps * matrices,
     total(li, lo) + lw + 4 * state.bytes)
case("aten::miopen_rnn_backward",
     rnn + [lo, lo, NONE, NONE, V("2"), V("16"), V("1"), V("False"), V("0."), V("True"), V("False"), V("[]"),
            NONE, NONE, V("[True, False, False, False]")], 2 * steps * matrices, total(li, lo, lo, li) + lw)
gates = T(3, 64)
case("aten::_thnn_fused_lstm_cell", [gates, gates, T(3, 16), T(64), T(64)], 4 * 192,
     4 * (192 * 2 + 48 + 128 + 192 + 96))
gru = T(3, 48)
case("aten::_thnn_fused_gru_cell", [gru, gru, T(3, 16), T(48), T(48)], 4 * 144, 4 * (288 + 48 + 96 + 144 + 96))

# Elementwise: names by operations for each element.
e, n = T(8, 128), 1024
small = T(8, 128, kind=H)
ops = lambda text: [(word.split(":")[0], int(word.split(":")[1])) for word in text.split()]
for name, each in ops("""abs:1 neg:1 sign:1 sgn:1 floor:1 ceil:1 round:1 trunc:1 frac:2 relu:1 square:1
        conj_physical:1 bitwise_not:1 nan_to_num:1 exp:1 exp2:1 expm1:1 log:1 log2:1 log10:1 log1p:1 sqrt:1 rsqrt:2
        reciprocal:1 sin:1 cos:1 tan:1 asin:1 acos:1 atan:1 sinh:1 cosh:1 tanh:1 asinh:1 acosh:1 atanh:1 erf:1
        erfc:1 erfinv:1 lgamma:1 digamma:1 sinc:3 logit:3 sigmoid:3 silu:4 gelu:5 mish:4 hardswish:4
        hardsigmoid:3 hardtanh:2 elu:3 leaky_relu:2 softplus:3 softshrink:2 hardshrink:1 threshold:1 angle:1
        special_entr:2 i0:1"""):
    case("aten::" + name, [small], each * n, 2 * small.bytes)
for name in "logical_not isnan isinf isfinite isposinf isneginf signbit".split():
    case("aten::" + name, [e], n, e.bytes + n)
case("aten::exp", [T(8, 128, kind=I)], n, 12 * n)  # integers become Float
case("aten::relu_", [small], n, 2 * small.bytes)
case("aten::log_sigmoid_forward", [e], 4 * n, 3 * e.bytes)
case("aten::clamp", [e, V("0."), V("1.")], 2 * n, 2 * e.bytes)
row = T(128)
for name, each in ops("""add:1 sub:1 rsub:1 mul:1 div:1 true_divide:1 floor_divide:2 remainder:3 fmod:3 pow:1 atan2:1
        maximum:1 minimum:1 fmax:1 fmin:1 hypot:4 copysign:1 xlogy:2 heaviside:1 bitwise_and:1 bitwise_or:1
        bitwise_xor:1 bitwise_left_shift:1 bitwise_right_shift:1 __and__:1 __or__:1 __xor__:1 __lshift__:1
        __rshift__:1 _prelu_kernel:2 threshold_backward:1 sigmoid_backward:3 tanh_backward:3 gelu_backward:9
        silu_backward:6 mish_backward:8 hardswish_backward:4 hardsigmoid_backward:1 hardtanh_backward:1
        softplus_backward:3 softshrink_backward:1 hardshrink_backward:1 leaky_relu_backward:2 clamp_min:1
        clamp_max:1"""):
    case("aten::" + name, [e, row], each * n, 2 * e.bytes + row.bytes)
for name in "eq ne lt le gt ge logical_and logical_or logical_xor".split():
    case("aten::" + name, [small, row], n, small.bytes + row.bytes + n)
case("aten::add", [small, row, V("1")], n, small.bytes + row.bytes + 4 * n)  # Half and Float: Float
case("aten::add_", [small, row, V("1")], n, 2 * small.bytes + row.bytes)
case("aten::mul", [T(8, 128, kind=B), T(kind="double"), T(8, 128, kind=B)], n, 2 * 2 * n + 8)
case("aten::add", [T(8, 128, kind=I), V("0.5"), V("1")], n, 8 * n + 4 * n)
case("aten::masked_fill_", [e, T(8, 128, kind="bool"), V("0.")], 0, 2 * e.bytes + n)
case("aten::masked_fill", [e, T(8, 128, kind="bool"), V("0.")], 0, 2 * e.bytes + n)
case("aten::elu_backward", [e, V("1."), V("1"), V("1"), V("False"), e], 3 * n, 3 * e.bytes)
for name, each in ops("log_sigmoid_backward:4 addcmul:3 addcdiv:3 lerp:3"):
    case("aten::" + name, [e, e, e], each * n, 4 * e.bytes)
case("aten::where", [T(8, 128, kind="bool"), small, T(kind=H)], 0, n + 2 * small.bytes + 2)

# Reductions over [8, 128].
for name in "sum nansum mean prod".split():
    case("aten::" + name, [e, V("[1]"), V("False"), NONE], n, e.bytes + 32)
case("aten::sum", [T(8, 128, kind="int"), NONE], n, 4 * n + 8)  # whole; integers become Int64
case("aten::sum", [small, V("[0]"), V("True"), V("6")], n, small.bytes + 128 * 4)
for name, each in ops("amax:1 amin:1 var:4 std:4 logsumexp:3"):
    case("aten::" + name, [e, V("[1]"), V("False")], each * n, e.bytes + 32)
for name in ("max", "min"):
    case("aten::" + name, [e, V("1"), V("False")], n, e.bytes + 8 * 12)
    case("aten::" + name, [e], n, e.bytes + 4)
case("aten::max", [e, row], n, 2 * e.bytes + row.bytes)
for name in ("argmax", "argmin"):
    case("aten::" + name, [e, V("1"), V("False")], n, e.bytes + 64)
for name in ("any", "all"):
    case("aten::" + name, [e, V("1"), V("False")], n, e.bytes + 8)
for name in ("var_mean", "std_mean"):
    case("aten::" + name, [e, V("[1]"), V("1"), V("False")], 4 * n, e.bytes + 64)
for name in ("norm", "linalg_vector_norm"):
    case("aten::" + name, [e, V("2"), V("[1]"), V("False")], 2 * n, e.bytes + 32)
case("aten::count_nonzero", [e, V("[1]")], n, e.bytes + 64)
for name in "cumsum cumprod _cumsum".split():
    case("aten::" + name, [e, V("1"), NONE], n, 2 * e.bytes)
for name in "logcumsumexp _logcumsumexp".split():
    case("aten::" + name, [e, V("1")], 3 * n, 2 * e.bytes)
case("aten::sort", [e, V("1"), V("False")], 0, 2 * e.bytes + 8 * n)
case("aten::argsort", [e, V("1"), V("False")], 0, e.bytes + 8 * n)
case("aten::topk", [e, V("4"), V("-1"), V("True"), V("True")], n, e.bytes + 32 * 12)
case("aten::multinomial", [e, V("2"), V("True")], n, e.bytes + 16 * 8)
case("aten::kthvalue", [e, V("3"), V("1"), V("False")], n, e.bytes + 8 * 12)
for name in ("median", "mode"):
    case("aten::" + name, [e, V("1"), V("False")], 0, e.bytes + 8 * 12)
for name in ("_softmax", "_log_softmax"):
    case("aten::" + name, [small, V("1"), V("True")], 5 * n, small.bytes + 4 * n)
    case("aten::" + name + "_backward_data", [e, e, V("1"), V("5")], 4 * n, 2 * e.bytes + 2 * n)
case("aten::_masked_softmax", [e, T(8, 128, kind="bool"), V("1"), NONE], 5 * n, 2 * e.bytes + n)

# Norms.
nb = T(128)
case("aten::native_layer_norm", [e, V("[128]"), nb, nb, V("1e-05")], 8 * n, 2 * e.bytes + 2 * nb.bytes + 64)
stat = T(8, 1)
case("aten::native_layer_norm_backward", [e, e, V("[128]"), stat, stat, nb, nb, V("[True, True, True]")],
     12 * n, 3 * e.bytes + 2 * stat.bytes + 3 * nb.bytes)
case("aten::_fused_rms_norm", [e, V("[128]"), nb, V("1e-05")], 5 * n, 2 * e.bytes + nb.bytes + 32)
case("aten::_fused_rms_norm_backward", [e, e, V("[128]"), stat, nb, V("[True, True]")], 9 * n,
     3 * e.bytes + stat.bytes + 2 * nb.bytes)
p = T(2, 6, 4, 4)
ch = T(6)
case("aten::native_group_norm", [p, ch, ch, V("2"), V("6"), V("16"), V("3"), V("1e-05")], 8 * 192,
     2 * p.bytes + 2 * ch.bytes + 2 * 6 * 4)
case("aten::native_group_norm_backward",
     [p, p, T(2, 3), T(2, 3), ch, V("2"), V("6"), V("16"), V("3"), V("[True, True, False]")], 12 * 192,
     3 * p.bytes + 48 + 2 * ch.bytes)
for name in "native_batch_norm _native_batch_norm_legit cudnn_batch_norm miopen_batch_norm".split():
    case("aten::" + name, [p, ch, ch, ch, ch, V("True"), V("0.1"), V("1e-05")], 8 * 192,
         2 * p.bytes + 8 * ch.bytes)
case("aten::native_batch_norm", [p, ch, ch, ch, ch, V("False"), V("0.1"), V("1e-05")], 4 * 192,
     2 * p.bytes + 4 * ch.bytes)
case("aten::native_batch_norm_backward",
     [p, p, ch, ch, ch, ch, ch, V("True"), V("1e-05"), V("[True, True, True]")], 12 * 192,
     3 * p.bytes + 5 * ch.bytes)
for name in ("cudnn_batch_norm_backward", "miopen_batch_norm_backward"):
    case("aten::" + name, [p, p, ch, ch, ch, ch, ch, V("1e-05")], 12 * 192, 3 * p.bytes + 5 * ch.bytes)
case("aten::batch_norm_stats", [p, V("1e-05")], 4 * 192, p.bytes + 2 * ch.bytes)
case("aten::batch_norm_elemt", [p, ch, ch, ch, ch, V("1e-05")], 4 * 192, 2 * p.bytes + 4 * ch.bytes)
case("aten::batch_norm_backward_reduce", [p, p, ch, ch, ch, V("True"), V("True"), V("True")], 5 * 192,
     2 * p.bytes + 7 * ch.bytes)
case("aten::batch_norm_backward_elemt", [p, p, ch, ch, ch, ch, ch, T(1)], 6 * 192,
     3 * p.bytes + 5 * ch.bytes + 4)

# Losses of 8 places with 128 classes.
target = T(8, kind=I)
for name in ("nll_loss_forward", "nll_loss2d_forward"):
    case("aten::" + name, [e, target, NONE, V("1"), V("-100")], 16, 8 * 4 + 64 + 8)
for name in ("nll_loss_backward", "nll_loss2d_backward"):
    case("aten::" + name, [T(), e, target, NONE, V("1"), V("-100"), T()], 16, 4 + 64 + 8 * 4 + 4)
for name, each in ops("mse_loss:3 smooth_l1_loss:4 huber_loss:4"):
    case("aten::" + name, [e, e, V("1")], each * n, 2 * e.bytes + 4)
    case("aten::" + name + "_backward", [T(), e, e, V("1")], each * n, 3 * e.bytes + 4)
case("aten::binary_cross_entropy", [e, e, NONE, V("0")], 6 * n, 3 * e.bytes)
case("aten::binary_cross_entropy_backward", [T(), e, e, NONE, V("1")], 5 * n, 3 * e.bytes + 4)

# Copies: a stretched source counts once.
case("aten::copy_", [small, T(8, 128, strides=[0, 1]), V("False")], 0, small.bytes + 512)
case("aten::_copy_from", [e, small, V("False")], 0, e.bytes + small.bytes)
for name in "clone contiguous _to_copy flip roll tril triu pixel_shuffle channel_shuffle bernoulli".split():
    case("aten::" + name, [e], 0, 2 * e.bytes)
listed = "void multi_tensor_kernel<float>()"
for name in ("cat", "_cat", "stack"):
    case("aten::" + name, [[T(4, 8), T(2, 8)], V("0")], 0, 2 * 48 * 2,
         kernel="void CatArrayBatchedCopy<OpaqueType<2u>, 2>()")
for name in ("aten::split_with_sizes_copy", "fsdp::split_with_sizes_copy"):
    case(name, [e, V("[4, 4]"), V("0")], 0, 2 * e.bytes)
for name in "fill_ zero_ normal_ uniform_ random_ exponential_ bernoulli_ geometric_ log_normal_ cauchy_".split():
    case("aten::" + name, [e], 0, e.bytes)
for name in "arange linspace randperm eye".split():
    case("aten::" + name, [V("10"), T(10, kind=I)], 0, 80)
case("aten::native_dropout", [small, V("0.1"), V("True")], 2 * n, 2 * small.bytes + n)
case("aten::native_dropout_backward", [small, T(8, 128, kind="bool"), V("1.1")], 2 * n, 2 * small.bytes + n)
case("record_param_comms", [[T(1000)]], 0, 2 * 1000 * 2,
     extra={"Collective name": "allreduce", "In msg nelems": 1000, "Out msg nelems": 1000,
            "dtype": "BFloat16"})

# Places named by others.
index = T(5, kind=I)
case("aten::index_select", [e, V("0"), index], 0, 2 * 5 * 128 * 4 + 40)
case("aten::embedding", [T(1000, 16), T(2, 5, kind=I)], 0, 2 * 160 * 4 + 80)
case("aten::embedding_dense_backward", [T(2, 5, 16), T(2, 5, kind=I), V("1000"), V("-1"), V("False")], 160,
     640 + 80 + 640)
for name in ("_embedding_bag", "_embedding_bag_forward_only"):
    case("aten::" + name, [T(1000, 16), T(10, kind=I), T(3, kind=I)], 160, 4 * (160 + 48) + 80 + 24)
case("aten::gather", [e, V("1"), T(8, 3, kind=I), V("False")], 0, 2 * 24 * 4 + 192)
case("aten::take", [e, index], 0, 2 * 20 + 40)
case("aten::scatter_", [e, V("1"), T(8, 3, kind=I), T(8, 3)], 0, 96 + 192 + 96)
for name in ("scatter_add_", "scatter_reduce_"):
    case("aten::" + name, [e, V("1"), T(8, 3, kind=I), T(8, 3)], 24, 96 + 192 + 2 * 96)
case("aten::scatter_add", [e, V("1"), T(8, 3, kind=I), T(8, 3)], 24, 2 * e.bytes + 96 + 192 + 2 * 96)
case("aten::index_add_", [e, V("0"), index, T(5, 128), V("1")], 640, 2560 + 40 + 2 * 2560)
case("aten::index_copy_", [e, V("0"), index, T(5, 128)], 0, 2560 + 40 + 2560)
case("aten::index", [e, [index]], 0, 2 * 640 * 4 + 40)
for name in ("index_put_", "_index_put_impl_"):
    case("aten::" + name, [e, [index], T(5, 128), V("False")], 0, 40 + 2560 + 2560)
case("aten::index_put_", [e, [index], T(5, 128), V("True")], 640, 40 + 2560 + 2 * 2560)
case("aten::bucketize", [e, T(10), V("False"), V("False")], 0, e.bytes + 40 + 8 * n)
case("aten::searchsorted", [T(10), e, V("True")], 0, e.bytes + 40 + 4 * n)

# Pictures.
pic = T(2, 3, 9, 9)
case("aten::max_pool2d_with_indices", [pic, V("[3, 3]"), V("[2, 2]"), V("[1, 1]"), V("[1, 1]"), V("False")],
     150 * 9, pic.bytes + 150 * 12)
case("aten::max_pool2d_with_indices", [pic, V("[2, 2]"), V("[]"), V("[0, 0]"), V("[1, 1]"), V("True")],
     150 * 4, pic.bytes + 150 * 12)
vol = T(1, 2, 4, 4, 4)
case("aten::max_pool3d_with_indices", [vol, V("[2, 2, 2]"), V("[2, 2, 2]"), V("[0]"), V("[1]"), V("False")],
     16 * 8, vol.bytes + 16 * 12)
case("aten::avg_pool2d", [pic, V("[3, 3]"), V("[3, 3]"), V("[0, 0]"), V("False")], 54 * 9, pic.bytes + 216)
case("aten::avg_pool3d", [vol, V("[2, 2, 2]"), V("[2, 2, 2]"), V("[0]"), V("False")], 16 * 8, vol.bytes + 64)
pg = T(2, 3, 5, 5)
for name in ("max_pool2d_with_indices_backward", "max_pool3d_with_indices_backward"):
    case("aten::" + name, [pg, pic, V("[3, 3]"), V("[2, 2]"), V("[1, 1]"), V("[1, 1]"), V("False"),
                           T(2, 3, 5, 5, kind=I)], 150, pg.bytes + pic.bytes + 1200)
for name in ("avg_pool2d_backward", "avg_pool3d_backward"):
    case("aten::" + name, [pg, pic, V("[3, 3]"), V("[2, 2]"), V("[1, 1]")], 150, pg.bytes + pic.bytes)
for name in ("_adaptive_avg_pool2d", "_adaptive_avg_pool3d"):
    case("aten::" + name, [pic, V("[1, 1]")], 486, pic.bytes + 24)
    case("aten::" + name + "_backward", [T(2, 3, 1, 1), pic], 6, 24 + pic.bytes)
for name, each in ops("""upsample_nearest1d:0 upsample_nearest2d:0 upsample_nearest3d:0 _upsample_nearest_exact2d:0
        upsample_linear1d:3 upsample_bilinear2d:7 upsample_trilinear3d:15 upsample_bicubic2d:35"""):
    case("aten::" + name, [pic, V("[18, 18]")], each * 1944, pic.bytes + 1944 * 4)
for name, each in ops("upsample_nearest2d_backward:1 upsample_bilinear2d_backward:8"):
    case("aten::" + name, [T(2, 3, 18, 18), V("[18, 18]"), V("[2, 3, 9, 9]")], each * 1944,
         1944 * 4 + pic.bytes)
wave = T(4, 256, kind="c10::complex<float>")
case("aten::_fft_c2c", [wave, V("[1]"), V("0"), V("True")], 5 * 8 * 1024, 2 * wave.bytes)

# Lists of tensors: 100 elements.
tensors = [T(10, 5), T(50)]
for name, each in ops("add:1 sub:1 mul:1 div:1 maximum:1 minimum:1 clamp_min:1 clamp_max:1 pow:1 lerp:3"):
    case("aten::_foreach_" + name, [tensors, tensors, V("1")], each * 100, 3 * 400, kernel=listed)
for name, each in ops("addcmul:3 addcdiv:3"):
    case("aten::_foreach_" + name, [tensors, tensors, tensors, V("1")], each * 100, 4 * 400, kernel=listed)
for name, each in ops("sqrt:1 rsqrt:2 neg:1 abs:1 sign:1 exp:1 log:1 reciprocal:1"):
    case("aten::_foreach_" + name, [tensors], each * 100, 2 * 400, kernel=listed)
case("aten::_foreach_add_", [tensors, V("1")], 100, 2 * 400, kernel=listed)
case("aten::_amp_foreach_non_finite_check_and_unscale_", [tensors, T(1), T(1)], 100, 2 * 400, kernel=listed)
case("aten::_foreach_zero_", [tensors], 0, 400, kernel=listed)
case("aten::_foreach_copy_", [tensors, tensors, V("False")], 0, 800, kernel=listed)
for name, each in ops("norm:2 max:1"):
    case("aten::_foreach_" + name, [tensors, V("2")], each * 100, 400 + 8, kernel=listed)
for name, each in ops("_fused_adam_:13 _fused_adamw_:14"):
    case("aten::" + name, [tensors, tensors, tensors, tensors, [], [T(), T()], V("0.1")], each * 100,
         7 * 400, kernel=listed)
case("aten::_fused_sgd_", [tensors, tensors, tensors, V("0.1")], 500, 5 * 400, kernel=listed)
case("aten::_fused_adagrad_", [tensors, tensors, tensors, [T(), T()], V("0.1")], 600, 5 * 400, kernel=listed)

# Inductor and the libraries of servers.
case("triton_poi_fused_add_0", [e, row, e, V("1024")], None, 2 * e.bytes + row.bytes)
case("triton_red_fused_sum_1", [e, row, V("8")], None, 123000, extra={"kernel_num_gb": 0.000123})
for name in ("_C::rms_norm", "sgl_kernel::rmsnorm"):
    case(name, [e, e, nb, V("1e-05")], 5 * n, 2 * e.bytes + nb.bytes)
for name in ("_C::fused_add_rms_norm", "sgl_kernel::fused_add_rmsnorm"):
    case(name, [e, e, nb, V("1e-05")], 6 * n, 4 * e.bytes + nb.bytes)
wide = T(8, 256)
for library in ("_C", "sgl_kernel"):
    for name, each in ops("silu_and_mul:5 gelu_and_mul:6 gelu_tanh_and_mul:6"):
        case(f"{library}::{name}", [e, wide], each * n, e.bytes + wide.bytes)
f8e = T(8, 128, kind=f8)
case("_C::static_scaled_fp8_quant", [f8e, e, T(1)], n, n + e.bytes + 4)
for name in ("_C::dynamic_scaled_fp8_quant", "_C::dynamic_per_token_scaled_fp8_quant"):
    case(name, [f8e, e, T(1)], 2 * n, n + e.bytes + 4)
case("_C::rotary_embedding", [T(5, kind=I), T(5, 64), T(5, 16), V("16"), T(100, 16), V("True")], 3 * 400,
     40 + 2 * 1600 + 5 * 16 * 4)
kv = T(5, 2, 16, kind=H)
cache = T(10, 8, 2, 16, kind=H)
case("_C_cache_ops::reshape_and_cache_flash", [kv, kv, cache, cache, T(5, kind=I)], 0, 4 * kv.bytes + 40)
case("_C::cutlass_scaled_mm", [c, T(64, 32, kind=f8), T(32, 128, kind=f8), T(64), T(128), NONE], mnk,
     c.bytes + 64 * 32 + 32 * 128 + 4 * 192)
case("sgl_kernel::fp8_scaled_mm", [T(64, 32, kind=f8), T(32, 128, kind=f8), T(64), T(128), V("15"), NONE], mnk,
     c.bytes + 64 * 32 + 32 * 128 + 4 * 192)

# Attention of libraries. FlashAttention 3: fixed lengths, packed ones, and pages of one sequence.
none = [NONE]
third = lambda causal, window=("-1", "-1"): [NONE, V("0.1"), V(causal), V(window[0]), V(window[1]), V("0")]
for name in ("flash_attn_3::fwd", "sgl_kernel::fwd", "_vllm_fa3_C::fwd"):
    case(name, [fq, fk, fk] + 17 * none + 2 * none + third("True"), causal_flops, total(fq, fk, fk, fq) + 512)
case("flash_attn_3::fwd", [pq, pq, pq, NONE, NONE, NONE, pq, ends, ends, NONE, NONE, NONE, V("10"), V("10")] +
     8 * none + third("True"), 2 * 12 * 55 * 16, 4 * pq.bytes + 480)
one, longer, pages = T(2, kind=L8), T(6, 4, 8, kind=H), T(50, 16, 2, 8, kind=H)
last = sum(94 + i + 1 for i in range(6))  # six queries at the end of a hundred keys
case("_vllm_fa3_C::fwd", [longer, pages, pages, NONE, NONE, NONE, longer, one, NONE, NONE, NONE, T(1, kind=L8),
                          V("6"), V("100"), T(1, 7, kind=L8)] + 7 * none + third("True"), 2 * 4 * last * 16,
     2 * longer.bytes + 100 * 2 * 16 * 2 + 4 * 6 * 4)
case("flash_attn_3::bwd", [fq, fq, fk, fk, fq, lse, fq, fk, fk] + 6 * none + [V("0.1"), V("True"), V("-1"), V("-1")],
     cb, total(fq, fq, fk, fk, fq) + lse.bytes + total(fq, fk, fk))
case("_vllm_fa2_C::varlen_fwd", [pq, pq, pq, pq, ends, ends, NONE, NONE, NONE, NONE, V("10"), V("10"), V("0."),
                                 V("0.1"), V("False"), V("True"), V("-1"), V("-1")], 2 * 12 * 55 * 16,
     4 * pq.bytes + 480)
case("FlashAttnFunc", [fq, fk, fk, V("0."), V("0.1"), V("True")], causal_flops, total(fq, fk, fk, fq) + 512)
case("FlashAttnVarlenFunc", [pq, pq, pq, ends, ends, V("10"), V("10"), V("0."), V("0.1"), V("True")],
     2 * 12 * 55 * 16, 4 * pq.bytes + 480)
case("xformers::efficient_attention_forward_cutlass",
     [fq, ek, ek, NONE, NONE, NONE, NONE, NONE, V("0."), V("2"), V("True")], 2 * 8 * bottom * 16,
     total(fq, ek, ek, fq) + 8 * 16 * 4)
case("xformers::efficient_attention_backward_cutlass",
     [fq, fq, ek, ek, NONE, fq, NONE, NONE, V("16"), V("20"), lse, V("0."), NONE, NONE, V("1"), V("False")],
     2 * 8 * seen * 40, total(fq, fq, ek, ek, fq) + lse.bytes + total(fq, ek, ek))
for name in ("aiter::_flash_attn_forward", "aiter::mha_fwd"):
    case(name, [fq, fk, fk, V("0."), V("0.3"), V("True"), V("-1"), V("-1")], causal_flops,
         total(fq, fk, fk, fq) + 512)

# vLLM and SGLang.
for name, each in ops("mul_and_silu:5 fatrelu_and_mul:2 swigluoai_and_mul:6"):
    case("_C::" + name, [e, wide], each * n, e.bytes + wide.bytes)
for name, each in ops("gelu_new:8 gelu_fast:8 gelu_quick:5"):
    case("_C::" + name, [e, e], each * n, 2 * e.bytes)
case("_C::silu_and_mul_quant", [f8e, wide, T(1)], 6 * n, n + wide.bytes + 4)
case("_C::rms_norm_static_fp8_quant", [f8e, e, nb, T(1), V("1e-05")], 6 * n, n + e.bytes + nb.bytes + 4)
case("_C::fused_add_rms_norm_static_fp8_quant", [f8e, e, e, nb, T(1), V("1e-05")], 7 * n,
     n + 3 * e.bytes + nb.bytes + 4)
for name in ("_C::rms_norm_dynamic_per_token_quant", "_C::rms_norm_per_block_quant"):
    case(name, [f8e, e, nb, T(8, 1), V("1e-05"), NONE, NONE], 7 * n, n + e.bytes + nb.bytes + 32)
    case(name, [f8e, e, nb, T(8, 1), V("1e-05"), NONE, e], 7 * n, n + 3 * e.bytes + nb.bytes + 32)
case("_C::static_scaled_int8_quant", [T(8, 128, kind=i8), e, T(1), NONE], n, n + e.bytes + 4)
case("_C::dynamic_scaled_int8_quant", [T(8, 128, kind=i8), e, T(8, 1), NONE], 2 * n, n + e.bytes + 32)
case("_C::scaled_fp4_quant", [T(8, 64, kind="unsigned char"), small, T(128, 4, kind=L8), T(1)], 2 * n,
     512 + small.bytes + 2048 + 4)
case("_C::cutlass_scaled_mm_azp", [c, T(64, 32, kind=i8), T(32, 128, kind=i8), T(64), T(128), T(128, kind=L8), NONE,
                                   NONE], mnk, c.bytes + 64 * 32 + 32 * 128 + 4 * 192 + 512)
u8 = "unsigned char"
for name in ("_C::cutlass_scaled_fp4_mm", "sgl_kernel::cutlass_scaled_fp4_mm"):
    case(name, [c, T(64, 16, kind=u8), T(128, 16, kind=u8), T(64, 4, kind=f8), T(128, 4, kind=f8), T(1)], mnk,
         c.bytes + 1024 + 2048 + 256 + 512 + 4)
packed, scales = T(2, 256, kind=L8), T(1, 128, kind=B)
marlin = [V("64"), V("128"), V("32"), V("True"), V("False"), V("True"), V("False")]
case("_C::marlin_gemm", [a, NONE, packed, NONE, scales] + 5 * none + [T(10, kind=L8), V("7")] + marlin, mnk,
     total(a, packed, scales, c) + 40)
for name in ("_C::gptq_marlin_gemm", "sgl_kernel::gptq_marlin_gemm"):
    case(name, [a, NONE, packed, scales] + 4 * none + [T(10, kind=L8), V("7")] + marlin, mnk,
         total(a, packed, scales, c) + 40)
case("_C::awq_gemm", [a, T(32, 16, kind=L8), scales, T(1, 16, kind=L8), V("8")], mnk,
     total(a, T(32, 16, kind=L8), scales, T(1, 16, kind=L8), c))
quarter = T(4, 128, kind=L8)
for name in ("_C::gptq_gemm", "sgl_kernel::gptq_gemm"):
    case(name, [a, quarter, T(1, 16, kind=L8), scales, T(32, kind=L8), V("True"), V("4")], mnk,
         total(a, quarter, T(1, 16, kind=L8), scales, T(32, kind=L8), c))
case("_C::machete_mm", [a, quarter, V("7"), NONE, scales, NONE, V("32"), NONE, NONE, NONE], mnk,
     total(a, quarter, scales, c))
for name in ("_C::dsv3_fused_a_gemm", "sgl_kernel::dsv3_fused_a_gemm"):
    case(name, [c, a, b], mnk, total(a, b, c))
case("_C_cache_ops::reshape_and_cache", [kv, kv, cache, cache, T(5, kind=I)], 0, 4 * kv.bytes + 40)
case("_C_cache_ops::concat_and_cache_mla", [T(5, 32, kind=B), T(5, 8, kind=B), T(10, 4, 40, kind="unsigned char"),
                                            T(5, kind=I)], 0, 5 * 40 * 2 + 40 + 5 * 40)
case("_moe_C::topk_softmax", [T(5, 2), T(5, 2, kind=L8), T(5, 2, kind=L8), T(5, 16)], 5 * 80, 120 + 320)
case("sgl_kernel::topk_softmax", [T(5, 2), T(5, 2, kind=L8), T(5, 16), V("True")], 5 * 80, 80 + 320)
case("_moe_C::moe_sum", [T(5, 2, 16), T(5, 16)], 160, 640 + 320)
for name in ("_C_custom_ar::all_reduce", "sgl_kernel::all_reduce"):
    case(name, [V("1"), e, e, V("0"), V("0")], 0, 2 * e.bytes)
tokens, gate, down = T(3, 16, kind=B), T(4, 24, 16, kind=B), T(4, 16, 12, kind=B)
routed = [T(3, 2), T(3, 2, kind=L8)]
for name in ("vllm::inplace_fused_experts", "vllm::outplace_fused_experts"):  # six choices of four experts
    case(name, [tokens, gate, down] + routed, 2 * 6 * (24 * 16 + 16 * 12),
         2 * tokens.bytes + 48 + gate.bytes + down.bytes)
case("sgl_kernel::gemma_rmsnorm", [e, e, nb, V("1e-05")], 6 * n, 2 * e.bytes + nb.bytes)
case("sgl_kernel::gemma_fused_add_rmsnorm", [e, e, nb, V("1e-05")], 7 * n, 4 * e.bytes + nb.bytes)
case("sgl_kernel::apply_rope_pos_ids_cos_sin_cache",
     [T(5, 4, 16), T(5, 1, 16), T(5, 4, 16), T(5, 1, 16), T(100, 16), T(5, kind=I), V("False")], 3 * 400,
     2 * 1600 + 40 + 5 * 16 * 4)
case("sgl_kernel::int8_scaled_mm", [T(64, 32, kind=i8), T(32, 128, kind=i8), T(64), T(128), V("15"), NONE], mnk,
     c.bytes + 64 * 32 + 32 * 128 + 4 * 192)
case("sgl_kernel::fp8_blockwise_scaled_mm", [T(64, 32, kind=f8), T(32, 128, kind=f8), T(64, 1), T(1, 1), V("15")],
     mnk, c.bytes + 64 * 32 + 32 * 128 + 4 * 65)
for name in ("sgl_per_token_group_quant_fp8", "sgl_per_token_group_quant_int8", "sgl_per_tensor_quant_fp8",
             "sgl_per_token_quant_fp8"):
    case("sgl_kernel::" + name, [small, T(8, 128, kind=i8), T(8, 1)], 2 * n, small.bytes + n + 32)
for name in ("merge_state", "merge_state_v2"):
    case("sgl_kernel::" + name, [T(5, 4, 8), T(5, 4), T(5, 4, 8), T(5, 4), T(5, 4, 8), T(5, 4)], 5 * 160,
         3 * (640 + 80))

# Norms, caches and quantization of newer versions.
case("_C::silu_and_mul_per_block_quant", [f8e, wide, T(8, 1), V("128"), NONE, V("False")], 7 * n, n + wide.bytes + 32)
case("_C::silu_and_mul_nvfp4_quant", [T(8, 64, kind=u8), T(8, 8, kind=f8), wide, T(1)], 7 * n,
     512 + 64 + wide.bytes + 4)
case("_C::rms_norm_weightless", [e, e, V("1e-05")], 4 * n, 2 * e.bytes)
case("_C::fused_add_rms_norm_weightless", [e, e, V("1e-05")], 5 * n, 4 * e.bytes)
# Five tokens of four heads of queries, two of keys and two of values; sixteen numbers each.
case("_C::fused_qk_norm_rope", [T(5, 128, kind=B), V("4"), V("2"), V("2"), V("16"), V("1e-06"), T(16, kind=B), T(16, kind=B),
                                T(100, 16, kind=B), V("True"), T(5, kind=I)], 8 * 5 * 6 * 16,
     2 * 5 * 6 * 16 * 2 + 64 + 5 * 8 + 5 * 16 * 2)
for name in ("per_token_group_fp8_quant", "per_token_group_fp8_quant_packed", "per_token_group_quant_int8"):
    case("_C::" + name, [small, f8e, T(8, 1), V("128")], 2 * n, small.bytes + n + 32)
case("_C::merge_attn_states", [T(5, 4, 8), NONE, T(5, 4, 8), T(4, 5), T(5, 4, 8), T(4, 5)], 5 * 160, 3 * 640 + 2 * 80)
case("_C::apply_repetition_penalties_", [T(2, 100), T(2, 100, kind="bool"), T(2, 100, kind="bool"), T(2)], 400,
     2 * 800 + 2 * 200 + 8)
for name in ("_C::fp32_router_gemm", "sgl_kernel::dsv3_router_gemm"):
    case(name, [c, a, T(128, 32, kind=B)], mnk, total(a, b, c))
case("_C_cache_ops::concat_mla_q", [T(5, 4, 32, kind=B), T(5, 4, 8, kind=B), T(5, 4, 40, kind=B)], 0, 2 * 5 * 4 * 40 * 2)
case("_C_cache_ops::convert_fp8", [f8e, small, V("1."), V("fp8")], n, n + small.bytes)
case("sgl_kernel::scaled_fp4_quant", [T(8, 64, kind=u8), small, T(128, 4, kind=L8), T(1)], 2 * n,
     512 + small.bytes + 2048 + 4)
# Newer ones of vLLM give the input first, and the results at the end or not at all.
case("_C::scaled_fp4_quant", [small, T(1), V("True"), T(8, 64, kind=u8), T(128, 4, kind=L8)], 2 * n,
     small.bytes + 4 + 512 + 2048)
case("_C::scaled_fp4_quant", [small, T(1), V("True")], 2 * n, small.bytes + 4 + n // 2 + n // 16)
case("_C::marlin_gemm", [a, c, packed, NONE, scales] + 5 * none + [T(10, kind=L8), V("7")] + marlin, mnk,
     total(a, packed, scales, c) + 40)  # a given result counts once
case("sgl_kernel::mscclpp_allreduce", [V("1"), e, e, V("512"), V("8")], 0, 2 * e.bytes)
case("sgl_kernel::shuffle_rows", [T(3, 16, kind=B), T(6, kind=L8), T(6, 16, kind=B)], 0, 2 * 6 * 16 * 2 + 24)
case("sgl_kernel::apply_shuffle_mul_sum", [T(6, 16, kind=B), T(3, 16, kind=B), T(6, kind=L8), T(6, kind=B)], 2 * 96,
     (96 + 48) * 2 + 24 + 12)

# Packed weights: torchao, GGML, AWQ, AllSpark, and int4 by fp8.
case("torchao::quant_llm_linear", [V("3"), V("2"), a, T(128, 24, kind=u8), bias, V("1")], mnk,
     total(a, bias, c) + 128 * 24)
case("torchao::marlin_24_gemm", [a, T(1, 256, kind=L8), T(1, 256, kind="short int"), T(1, 128, kind=B), T(64, kind=L8), V("4"), V("64"),
                                 V("128"), V("32")], mnk // 2, total(a, c) + 1024 + 512 + 256 + 256)
case("torchao::marlin_qqq_gemm", [T(64, 32, kind=i8), T(2, 256, kind=L8), T(64, 1), T(1, 128), T(0, kind=H), T(32, kind=L8),
                                  V("64"), V("128"), V("32")], mnk, 2048 + 2048 + 256 + 512 + 128 + c.bytes)
for result, size in ((V("6"), 4), (NONE, 2)):
    case("torchao::rowwise_scaled_linear_cutlass_s8s4", [T(4, 16, 32, kind=i8), T(4, 16, kind=B), T(128, 16, kind=i8), bias,
                                                         bias, result], mnk, 2048 + 128 + 2048 + 512 + 64 * 128 * size)
case("torchao::rowwise_scaled_linear_sparse_cutlass_f8f8", [T(64, 32, kind=f8), T(64), T(128, 16, kind=f8),
                                                            T(128, 16, kind=u8), T(128), NONE, V("15")], mnk // 2,
     2048 + 256 + 2048 + 2048 + 512 + c.bytes)
case("torchao::mx_fp8_bf16", [T(64, 32, kind=f8), T(32, 128, kind=f8), T(64, kind=u8), T(128, kind=u8)], mnk,
     2048 + 4096 + 192 + c.bytes)
case("torchao::mx_fp4_bf16", [T(64, 16, kind=u8), T(16, 128, kind=u8), T(128, kind=u8), T(256, kind=u8)], mnk,
     1024 + 2048 + 384 + c.bytes)
tiled = T(16, 1, 32, 1, kind=L8)  # of [128, 32], two tiles of sixteen columns in one
case("torchao::unpack_tensor_core_tiled_layout", [tiled, V("2")], 0, 2048 + 128 * 32 * 4)
case("torchao::dequantize_tensor_core_tiled_layout", [tiled, T(1, 128, 2, kind=B), V("32"), V("2")], 2 * 128 * 32,
     2048 + 512 + 128 * 32 * 2)
eighth = T(32, 16, kind=L8)
for name, more in (("_C::awq_dequantize", [V("0"), V("0"), V("0")]), ("sgl_kernel::awq_dequantize", [])):
    case(name, [eighth, scales, T(1, 16, kind=L8)] + more, 2 * 32 * 128, total(eighth, scales) + 64 + 32 * 128 * 2)
ggml = T(128, 18, kind=u8)  # a block of 32 columns in 18 bytes
for kind, size in ((V("6"), 4), (NONE, 2)):
    case("_C::ggml_dequantize", [ggml, V("2"), V("128"), V("32"), kind], 128 * 32, 128 * 18 + 128 * 32 * size)
for name in ("_C::ggml_mul_mat_vec_a8", "_C::ggml_mul_mat_a8"):
    case(name, [ggml, a, V("2"), V("128")], mnk, 128 * 18 + total(a, c))
case("_C::allspark_w8a16_gemm", [a, T(32, 128, kind=u8), scales, NONE, V("128"), V("-1"), V("132"), V("80")], mnk,
     total(a, scales, c) + 4096)
case("_C::cutlass_w4a8_mm", [T(64, 32, kind=f8), quarter, T(1, 128, 8, kind=f8), V("32"), T(128), T(64, 1), NONE, NONE], mnk,
     2048 + 2048 + 1024 + 512 + 256 + c.bytes)

# Experts: six rows by four of eight experts at most, or by all four there are.
for experts in (4, 8):
    share = min(6, experts)
    heavy, light = T(experts, 24, 16, kind=B), T(experts, 24, 2, kind=B)
    for name in ("sglang::inplace_fused_experts", "sglang::outplace_fused_experts"):
        case(name, [tokens, heavy, T(experts, 16, 12, kind=B)] + routed, 2 * 6 * (24 * 16 + 16 * 12),
             2 * tokens.bytes + 48 + share * (24 * 16 + 16 * 12) * 2)
    half4 = T(experts, 24, 8, kind=u8)
    case("_moe_C::moe_wna16_gemm", [tokens, T(3, 2, 24, kind=B), half4, light, NONE, NONE, T(64, kind=L8), T(4, kind=L8),
                                    T(1, kind=L8), V("2"), V("16"), V("32"), V("32"), V("4")], 2 * 6 * 24 * 16,
         tokens.bytes + 6 * 24 * 2 + share * (24 * 8 + 24 * 2 * 2) + 276)
    tiles = T(experts, 1, 48, kind=L8)
    numbers = [V("7"), V("3"), V("24"), V("16"), V("True"), V("False"), V("True"), V("False")]
    moe = [T(64, kind=L8), T(4, kind=L8), T(1, kind=L8), T(3, 2), V("8"), V("2"), V("False")]
    moved = tokens.bytes + share * (48 * 4 + 24 * 2 * 2) + 40 + 276 + 24 + 6 * 24 * 2
    case("sgl_kernel::moe_wna16_marlin_gemm", [tokens, NONE, tiles, light] + 3 * none + [T(10, kind=L8)] + moe +
         [V("False")] + numbers, 2 * 6 * 24 * 16, moved)
    case("_moe_C::moe_wna16_marlin_gemm", [tokens, T(6, 24, kind=B), tiles, NONE, light] + 5 * none + [T(10, kind=L8)] + moe +
         numbers + [V("-1"), V("-1"), V("-1")], 2 * 6 * 24 * 16, moved)
    rows8, weights8 = T(6, 16, kind=f8), T(experts, 16, 24, kind=f8)
    out8, by_expert, sizes3 = T(6, 24, kind=B), T(experts, 1, 24), T(experts, 3, kind=L8)
    moved = 6 * 16 + 24 + share * (16 * 24 + 24 * 4) + experts * 12 + out8.bytes
    for name in ("_C::cutlass_moe_mm", "_C::cutlass_w4a8_moe_mm", "sgl_kernel::cutlass_w4a8_moe_mm"):
        case(name, [out8, rows8, weights8, T(6, 1), by_expert, sizes3], 2 * 6 * 24 * 16, moved)
    case("sgl_kernel::fp8_blockwise_scaled_grouped_mm", [out8] + 5 * [T(experts, kind=I)] +
         [rows8, weights8, T(6, 1), by_expert, sizes3], 2 * 6 * 24 * 16, moved + 5 * experts * 8)
    case("_C::cutlass_mxfp8_grouped_mm", [rows8, weights8, T(6, 1), by_expert, out8, sizes3], 2 * 6 * 24 * 16, moved)
    for name in ("_C::cutlass_fp4_group_mm", "_C::cutlass_mxfp4_group_mm", "sgl_kernel::cutlass_fp4_group_mm"):
        case(name, [out8, T(6, 8, kind=u8), T(experts, 24, 8, kind=u8), T(6, 1, kind=f8), T(experts, 24, 1, kind=f8), sizes3],
             2 * 6 * 24 * 16, 6 * 8 + 6 + share * (24 * 8 + 24) + experts * 12 + out8.bytes)
# DeepSpeed: two sequences of twenty, four heads of eight.
row5 = T(1, 2, 20, 4, 8, kind=B)
case("EvoformerFusedAttention", [row5, row5, row5, T(1, 2, 1, 1, 20, kind=B), NONE], 4 * 2 * 4 * 20 * 20 * 8,
     4 * row5.bytes + 80 + 2 * 4 * 20 * 4)

# Padding and the like.
pic = T(2, 3, 8, 10, kind=H)
for name, sizes, pads, result in (("1d", (2, 3, 10), "[1, 2]", 2 * 3 * 13), ("2d", (2, 3, 8, 10), "[1, 2, 3, 0]", 6 * 11 * 13),
                                  ("3d", (2, 3, 4, 8, 10), "[1, 1, 2, 2, 0, 3]", 6 * 7 * 12 * 12)):
    for kind in ("reflection", "replication"):
        x5 = T(*sizes, kind=H)
        case(f"aten::{kind}_pad{name}", [x5, V(pads)], 0, x5.bytes + 2 * result)
        case(f"aten::{kind}_pad{name}_backward", [T(result, kind=H), x5, V(pads)], result, 2 * result + x5.bytes)
case("aten::native_channel_shuffle", [pic, V("3")], 0, 2 * pic.bytes)
case("aten::glu", [pic, V("-1")], 4 * 240, pic.bytes + 480)
case("aten::glu_backward", [T(2, 3, 8, 5, kind=H), pic, V("-1")], 8 * 240, 480 + 2 * pic.bytes)
case("aten::im2col", [pic, V("[3, 2]"), V("[1, 2]"), V("[1, 0]"), V("[2, 1]")], 0, pic.bytes + 2 * 2 * 3 * 6 * 4 * 8)
case("aten::col2im", [T(2, 18, 32, kind=H), V("[8, 10]"), V("[3, 2]"), V("[1, 2]"), V("[1, 0]"), V("[2, 1]")], 1152,
     2 * 1152 + pic.bytes)
case("aten::grid_sampler_2d", [pic, T(2, 5, 6, 2, kind=H), V("0"), V("0"), V("False")], 8 * 180, 240 + 2 * 5 * 180)
case("aten::grid_sampler_3d", [T(2, 3, 4, 8, 10), T(2, 5, 6, 7, 3), V("0"), V("0"), V("False")], 16 * 1260,
     4 * (1260 + 9 * 1260))
case("aten::_prelu_kernel_backward", [pic, pic, T(1, 3, 1, 1, kind=H)], 3 * 480, 4 * pic.bytes + 6)
case("aten::_weight_norm_interface", [w, T(16, 1, 1, 1, kind=H), V("0")], 3 * w.n, 2 * w.bytes + 32 + 64)
case("aten::_weight_norm_interface_backward", [w, w, T(16, 1, 1, 1, kind=H), T(16, 1, 1, 1), V("0")], 6 * w.n,
     3 * w.bytes + 32 + 64 + 32)
case("aten::upsample_nearest1d_backward", [T(2, 3, 20, kind=H), V("[20]"), V("[2, 3, 10]")], 120, 240 + 120)
case("aten::upsample_linear1d_backward", [T(2, 3, 20, kind=H), V("[20]"), V("[2, 3, 10]")], 480, 240 + 120)
case("aten::upsample_nearest3d_backward", [T(1, 2, 4, 4, 4), V("[4, 4, 4]"), V("[1, 2, 2, 2, 2]")], 128, 512 + 64)
case("aten::upsample_trilinear3d_backward", [T(1, 2, 4, 4, 4), V("[4, 4, 4]"), V("[1, 2, 2, 2, 2]")], 16 * 128, 512 + 64)
for name, each in (("_upsample_nearest_exact2d", 1), ("upsample_bicubic2d", 36)):
    case(f"aten::{name}_backward", [pic, V("[8, 10]"), V("[2, 3, 4, 5]")], each * 480, pic.bytes + 240)
case("aten::adaptive_max_pool2d", [pic, V("[2, 5]")], 480, pic.bytes + 60 * 2 + 60 * 8)
case("aten::adaptive_max_pool2d_backward", [T(2, 3, 2, 5, kind=H), pic, T(2, 3, 2, 5, kind=I)], 60, 120 + pic.bytes + 480)
# Sixteen numbers have nine of their transform to themselves.
case("aten::_fft_r2c", [T(6, 16), V("[1]"), V("0"), V("True")], 96 * 4 * 5 // 2, 96 * 4 + 54 * 8)
case("aten::_fft_r2c", [T(6, 16), V("[1]"), V("0"), V("False")], 96 * 4 * 5 // 2, 96 * 4 + 96 * 8)
case("aten::_fft_c2r", [T(6, 9, kind="c10::complex<float>"), V("[1]"), V("0"), V("16")], 96 * 4 * 5 // 2, 54 * 8 + 96 * 4)

# AITER, of AMD's GPUs.
for name in ("rmsnorm", "rms_norm_cu"):
    case("aiter::" + name, [e, e, nb, V("1e-06")], 5 * n, 2 * e.bytes + nb.bytes)
for name in ("rms_norm", "rmsnorm2d_fwd", "rmsnorm2d_fwd_ck"):
    case("aiter::" + name, [e, nb, V("1e-06"), V("0")], 5 * n, 2 * e.bytes + nb.bytes)
case("aiter::layernorm2d_fwd", [e, nb, nb, V("1e-06")], 8 * n, 2 * e.bytes + 2 * nb.bytes)
case("aiter::fused_add_rms_norm_cu", [e, e, nb, V("1e-06")], 6 * n, 4 * e.bytes + nb.bytes)
for name in ("add_rmsnorm", "rmsnorm2d_fwd_with_add", "rmsnorm2d_fwd_with_add_ck"):
    case("aiter::" + name, [e, e, e, e, nb, V("1e-06")], 6 * n, 4 * e.bytes + nb.bytes)
case("aiter::layernorm2d_fwd_with_add", [e, e, e, e, nb, nb, V("1e-06")], 9 * n, 4 * e.bytes + 2 * nb.bytes)
for name in ("rmsnorm_quant", "rmsnorm2d_fwd_with_dynamicquant", "rmsnorm2d_fwd_with_dynamicquant_ck"):
    case("aiter::" + name, [f8e, e, T(8, 1), nb, V("1e-06")], 7 * n, n + e.bytes + 32 + nb.bytes)
for name in ("add_rmsnorm_quant", "rmsnorm2d_fwd_with_add_dynamicquant", "rmsnorm2d_fwd_with_add_dynamicquant_ck"):
    case("aiter::" + name, [f8e, e, e, e, T(8, 1), nb, V("1e-06")], 8 * n, n + 3 * e.bytes + 32 + nb.bytes)
case("aiter::rmsnorm2d_fwd_with_smoothquant", [f8e, e, T(128), T(8, 1), nb, V("1e-06")], 8 * n,
     n + e.bytes + 512 + 32 + nb.bytes)
case("aiter::rmsnorm2d_fwd_with_add_smoothquant", [f8e, e, e, e, T(128), T(8, 1), nb, V("1e-06")], 9 * n,
     n + 3 * e.bytes + 512 + 32 + nb.bytes)
for name, each in ops("silu_and_mul:5 gelu_and_mul:6 gelu_tanh_and_mul:6"):
    case("aiter::" + name, [e, wide], each * n, e.bytes + wide.bytes)
case("aiter::scaled_silu_and_mul", [f8e, wide, T(1)], 6 * n, n + wide.bytes + 4)
for name, each in ops("static_per_tensor_quant:1 dynamic_per_tensor_quant:2 dynamic_per_token_scaled_quant:2"):
    case("aiter::" + name, [f8e, e, T(8, 1)], each * n, n + e.bytes + 32)
case("aiter::dynamic_per_group_scaled_quant_fp4", [T(8, 64, kind=u8), small, T(8, 4, kind=u8)], 2 * n,
     512 + small.bytes + 32)
turned = T(5, 1, 4, 16, kind=B)
case("aiter::rope_cached_positions_2c_fwd_impl",
     [turned, turned, turned, turned, T(100, 1, 1, 8, kind=B), T(100, 1, 1, 8, kind=B), T(5, 1, kind=I), V("0"), V("True")],
     3 * 640, 4 * turned.bytes + 40 + 2 * 5 * 8 * 2)
case("sgl_kernel::rotary_embedding", [T(5, kind=I), T(5, 64), T(5, 16), V("16"), T(100, 16), V("True")], 3 * 400,
     40 + 2 * 1600 + 5 * 16 * 4)
for name in ("aiter::reshape_and_cache", "aiter::reshape_and_cache_flash", "sglang::store_cache"):
    case(name, [kv, kv, cache, cache, T(5, kind=I)], 0, 4 * kv.bytes + 40)
bt, bt8 = T(128, 32, kind=B), T(128, 32, kind=f8)  # a column of the result in each row
case("aiter::gemm_a16w16", [a, bt, NONE, V("15")], mnk, total(a, bt, c))
case("aiter::_gemm_a16w16_asm", [a, bt, c, NONE, V("1")], mnk, total(a, bt, c))
a8, scales8 = T(64, 32, kind=f8), [T(64, 1), T(1, 128)]
moved8 = 64 * 32 + 128 * 32 + 4 * 192 + c.bytes
for name in ("gemm_a8w8_ck", "gemm_a8w8_asm", "_gemm_a8w8_asm", "gemm_a8w8_bpreshuffle_ck", "gemm_a8w8_bpreshuffle_cktile",
             "gemm_a8w8_blockscale_ck", "gemm_a8w8_blockscale_cktile", "gemm_a8w8_blockscale_bpreshuffle_ck",
             "gemm_a8w8_blockscale_bpreshuffle_cktile", "flatmm_a8w8_blockscale_asm", "_flatmm_a8w8_blockscale_asm"):
    case("aiter::" + name, [a8, bt8] + scales8 + [c], mnk, moved8)
for name in ("gemm_a8w8_bpreshuffle", "gemm_a8w8_blockscale"):
    case("aiter::" + name, [a8, bt8] + scales8 + [NONE, V("15")], mnk, moved8)
case("aiter::_gemm_a8w8_blockscale_bpreshuffle_asm", [a8, bt8, c] + scales8 + [NONE, V("-1")], mnk, moved8)
for name in ("gemm_a4w4", "_gemm_a4w4_asm"):
    case("aiter::" + name, [T(64, 16, kind=u8), T(128, 16, kind=u8), T(64, 1, kind=u8), T(128, 1, kind=u8), c], mnk,
         64 * 16 + 128 * 16 + 192 + c.bytes)
for name, rest in (("LLMM1", [V("4")]), ("wvSplitK", [V("304")])):
    case("_rocm_C::" + name, [bt, a] + rest, mnk, total(bt, a, c))
case("_rocm_C::wvSplitKQ", [bt8, a8, T(128, 64, kind=B), T(1), T(1), V("304")], mnk, 64 * 32 + 128 * 32 + c.bytes + 8)
# Six rows: three tokens by two experts each, of four.
w13, w2 = T(4, 24, 16, kind=f8), T(4, 16, 12, kind=f8)
lists = [T(64, kind=L8), T(64), T(4, kind=L8), T(1, kind=L8)]
for name in ("fmoe", "fmoe_g1u1", "fmoe_g1u1_tkw1", "fmoe_g1u1_a16", "fmoe_int8_g1u0", "fmoe_int8_g1u0_a16",
             "fmoe_fp8_blockscale_g1u1"):
    case("aiter::" + name, [tokens, T(3, 16, kind=f8), w13, w2] + lists + [V("2"), T(3, 1), T(4, 24), T(4, 16)],
         2 * 6 * (24 * 16 + 16 * 12), tokens.bytes + 48 + w13.n + w2.n)
case("aiter::ck_moe_stage1", [T(3, 16, kind=f8), w13, w2, lists[0], lists[2], lists[3], T(3, 2, 12, kind=B), V("2")],
     2 * 6 * 24 * 16, 48 + w13.n + 144)
case("aiter::ck_moe_stage2", [T(3, 2, 12, kind=f8), w13, w2, lists[0], lists[2], lists[3], tokens, V("2")],
     2 * 6 * 16 * 12, 72 + w2.n + tokens.bytes)
case("aiter::moe_sum", [T(5, 2, 16), T(5, 16)], 160, 640 + 320)
case("aiter::topk_softmax", [T(5, 2), T(5, 2, kind=L8), T(5, 2, kind=L8), T(5, 16)], 5 * 80, 120 + 320)
case("aiter::moe_sorting_fwd", [T(3, 2, kind=L8), T(3, 2)] + lists + [tokens, V("4"), V("32")], 0, 24 + 24 + 256 + 256 + 16 + 4
     + tokens.bytes)
for name in ("_C_custom_ar::qr_all_reduce", "sgl_kernel::qr_all_reduce"):
    case(name, [V("1"), e, e, V("0"), V("False")], 0, 2 * e.bytes)
# Attention of AITER: fixed and packed lengths, whose numbers differ by version, and pages.
aiter_window = [V("0."), V("0.3"), V("True"), V("-1"), V("-1")]
case("aiter::fmha_v3_fwd", [fq, fk, fk] + aiter_window + [V("True"), V("False")], causal_flops, total(fq, fk, fk, fq) + 512)
for name in ("mha_bwd", "fmha_v3_bwd"):
    case("aiter::" + name, [fq, fq, fk, fk, fq, lse] + aiter_window + [V("False")], cb,
         total(fq, fq, fk, fk, fq) + lse.bytes + total(fq, fk, fk))
case("aiter::_flash_attn_backward", [fq, fq, fk, fk, fq, lse, fq, fk, fk] + aiter_window, cb,
     total(fq, fq, fk, fk, fq) + lse.bytes + total(fq, fk, fk))
before, since = [V("0."), V("0.3")], [V("0"), V("0."), V("0.3"), V("0.")]
for name in ("mha_varlen_fwd", "fmha_v3_varlen_fwd"):
    for numbers in (before, since):
        case("aiter::" + name, [pq, pq, pq, ends, ends, V("10"), V("10")] + numbers +
             [V("False"), V("True"), V("-1"), V("-1"), V("True"), V("False")], 2 * 12 * 55 * 16, 4 * pq.bytes + 480)
for name in ("mha_varlen_bwd", "fmha_v3_varlen_bwd"):
    case("aiter::" + name, [pq, pq, pq, pq, pq, T(4, 30), ends, ends, V("10"), V("10")] + before +
         [V("False"), V("True"), V("-1"), V("-1"), V("False")], 2 * 12 * 55 * 40, 8 * pq.bytes + 480)
# Three sequences of ten, without anything before them, in pages of one token; another tool's own figure for such a call
# (15 of 1024, 32 heads of 128) is 128.849 GFLOP, with half of the pairs for the mask: 0.1 % less.
paged = lambda queries, spare, kept, length, heads, others, size: [
    T(queries, heads, size, kind=B), T(spare, others, size, kind=B), T(spare, others, size, kind=B),
    T(kept + 1, kind=L8), T(kept + 1, kind=L8), T(queries + 99, kind=L8), V(str(length)), V(str(length)), V("0."),
    V("0.088"), V("0."), V("False"), V("True"), V("-1"), V("-1"), V("0"), V("False")]
case("aiter::mha_batch_prefill", paged(30, 500, 3, 10, 4, 2, 8), 2 * 12 * 55 * 16,
     2 * 30 * 32 * 2 + 2 * 30 * 16 * 2 + 12 * 10 * 4)
served = 2 * 15 * 32 * (1024 * 1025 // 2) * 256
assert abs(served / 128.84901888e9 - 1) < 0.01
case("aiter::mha_batch_prefill", paged(15360, 835874, 15, 1024, 32, 8, 128), served,
     2 * 15360 * 4096 * 2 + 2 * 15360 * 1024 * 2 + 15 * 32 * 1024 * 4)

# TransformerEngine: [n, k] and [m, k], a layer, and one with a norm before.
case("tex_ts::te_gemm_ts", [T(128, 32, kind=u8), T(1), V("0"), V("6"), V("1"), T(64, 32, kind=u8), T(1), V("0"), V("6"),
                            V("0"), c, T(), V("5"), T(), T(), V("5")], mnk, 4096 + 2048 + c.bytes)
weight = T(128, 32, kind=B)
case("_Linear", [weight, a, bias, V("True")], mnk, total(weight, a, bias, c))
case("_LayerNormLinear", [a, T(32, kind=B), T(32, kind=B), weight, bias], mnk + 8 * a.n,
     total(a, T(64, kind=B), weight, bias, c))

# Whole blocks, and backward: as many products as kernels that multiply; arguments of the forward operator.
w1, w2b = T(256, 32, kind=B), T(32, 128, kind=B)
norms = [a, T(32, kind=B), T(32, kind=B)]
case("_LayerNormMLP", norms + [w1, NONE, w2b, NONE], 2 * 64 * (256 * 32 + 32 * 128) + 8 * a.n, total(a, a, w1, w2b))
gemm, other = "nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_TNT", "cast_transpose"
case("_LinearBackward", [weight, a, bias], mnk, total(c, a, weight), forward="_Linear", kernels=[other, gemm])
case("_LinearBackward", [weight, a, bias], 2 * mnk, total(c, a, weight, a, weight), forward="_Linear", kernels=[gemm, gemm])
case("_LayerNormLinearBackward", [a, T(32, kind=B), T(32, kind=B), weight, bias], 2 * mnk + 12 * a.n,
     total(c, a, weight, a, weight), forward="_LayerNormLinear", kernels=[gemm, other, gemm])
case("_LayerNormMLPBackward", norms + [w1, NONE, w2b, NONE], 4 * 64 * (256 * 32 + 32 * 128) + 12 * a.n,
     2 * total(a, a, w1, w2b), forward="_LayerNormMLP", kernels=4 * [gemm])
case("LinearWithGradAccumulationAndAsyncCommunicationBackward", [a, weight, bias, V("True")], mnk, total(c, a, weight),
     forward="LinearWithGradAccumulationAndAsyncCommunication", kernels=["cutlass_80_wmma_tensorop_bf16_gemm"])
case("FlashAttnFuncBackward", [fq, fk, fk, V("0."), V("0.1"), V("True")], cb,
     total(fq, fk, fk, fq, fq) + 512 + total(fq, fk, fk), forward="FlashAttnFunc")
case("FlashAttnVarlenFuncBackward", [pq, pq, pq, ends, ends, V("10"), V("10"), V("0."), V("0.1"), V("True")],
     2 * 12 * 55 * 40, 8 * pq.bytes + 480, forward="FlashAttnVarlenFunc")

# FBGEMM. Three tables of rows of 16; twelve places in six bags.
xq, wq = T(64, 32, kind=f8), T(128, 32, kind=f8)
case("fbgemm::f8f8bf16_rowwise", [xq, wq, T(64), T(128), NONE, V("True")], mnk, 2048 + 4096 + 4 * 192 + c.bytes)
case("fbgemm::f8f8bf16_blockwise", [xq, wq, T(1, 1), T(1, 1), V("128")], mnk, 2048 + 4096 + 8 + c.bytes)
case("fbgemm::f8f8bf16_tensorwise", [xq, wq, V("0.5")], mnk, 2048 + 4096 + c.bytes)
case("fbgemm::f8f8bf16", [xq, wq, T(1)], mnk, 2048 + 4096 + 4 + c.bytes)
case("fbgemm::quantize_fp8_per_row", [small], 2 * n, small.bytes + n + 32)
case("fbgemm::quantize_fp8_per_tensor", [small], 2 * n, small.bytes + n + 4)
tables = [T(48000, kind=H), T(0, kind=H), T(0, kind=H), T(3, kind=L8), T(3, kind=I), T(4, kind=L8), V("48"), V("16"),
          T(12, kind=I), T(7, kind=I), V("0")]
case("fbgemm::split_embedding_codegen_forward_unweighted_cuda", tables + [T(12, kind=L8), T(6, kind=L8), V("0")],
     12 * 16, 12 * 16 * 2 + 6 * 16 * 4 + 96 + 56)
case("fbgemm::split_embedding_codegen_forward_weighted_cuda", tables + [T(12), T(12, kind=L8), T(6, kind=L8), V("1")],
     2 * 12 * 16, 12 * 16 * 2 + 6 * 16 * 2 + 96 + 56 + 48)
case("fbgemm::asynchronous_complete_cumsum", [T(10, kind=I)], 10, 80 + 88)
for name in ("permute_pooled_embs", "permute_pooled_embs_auto_grad"):
    case("fbgemm::" + name, [e, T(3, kind=I)], 0, 2 * e.bytes)

# bitsandbytes, Mamba, Liger, torchvision.
case("bitsandbytes::gemv_4bit", [T(1, 32, kind=H), T(2048, 1, kind=u8), V("[128, 32]"), T(64), T(16), V("64")],
     2 * 32 * 128, 64 + 2048 + 256 + 64 + 128 * 2)
case("bitsandbytes::dequantize_4bit", [T(2048, 1, kind=u8), T(64), V("64"), V("nf4"), V("[128, 32]"), V("5")], 4096,
     2048 + 256 + 8192)
case("bitsandbytes::dequantize_blockwise", [T(4096, kind=u8), T(16), T(256), V("256"), V("6")], 4096,
     4096 + 64 + 1024 + 4 * 4096)
case("bitsandbytes::int8_linear_matmul", [T(64, 32, kind=i8), T(128, 32, kind=i8)], mnk, 2048 + 4096 + 64 * 128 * 4)
cx = T(2, 6, 40, kind=H)
case("DaoAILab::_causal_conv1d_fwd_cpp", [cx, T(6, 4, kind=H), T(6, kind=H), NONE, NONE, cx, NONE, V("True")],
     2 * 480 * 4, 2 * cx.bytes + 48 + 12)
scan = [cx, cx, T(6, 8), T(2, 1, 8, 40, kind=H), T(2, 1, 8, 40, kind=H), T(6), cx]
for name in ("_C::selective_scan_fwd", "SelectiveScanFn"):
    case(name, scan + [NONE, V("True")], 9 * 480 * 8, 4 * cx.bytes + 192 + 2 * 1280 + 24)
case("LigerRMSNormFunction", [small, T(128, kind=H), V("1e-05")], 5 * n, 2 * small.bytes + 256)
case("LigerSiLUMulFunction", [small, small], 5 * n, 3 * small.bytes)
case("LigerSiLUMulFunctionBackward", [small], 10 * n, 5 * small.bytes)
# Apex and Megatron: beside the result mean and deviation of eight rows.
case("FusedLayerNormAffineFunction", [small, T(128, kind=H), T(128, kind=H), V("[128]"), V("1e-05"), V("False")], 8 * n,
     2 * small.bytes + 512 + 2 * 32)
case("FusedRMSNormAffineFunction", [small, T(128, kind=H), V("[128]"), V("1e-05"), V("False")], 5 * n,
     2 * small.bytes + 256 + 32)
case("ScaledSoftmax", [small, V("0.125")], 6 * n, 2 * small.bytes)
case("ScaledMaskedSoftmax", [small, T(8, 128, kind="bool"), V("0.125")], 6 * n, 2 * small.bytes + n)
for name in ("ScaledSoftmaxBackward", "ScaledMaskedSoftmaxBackward"):
    case(name, [small], 5 * n, 3 * small.bytes)
case("torchvision::deform_conv2d", [T(2, 8, 10, 12), T(16, 8, 3, 3), T(2, 18, 8, 10), NONE, T(16)],
     2 * 2 * 16 * 80 * 72, 4 * (1920 + 1152 + 2880 + 16 + 2560))
case("torchvision::roi_align", [T(1, 8, 50, 50), T(3, 5), V("0.25"), V("7"), V("7"), V("2"), V("True")],
     8 * 3 * 8 * 49 * 4, 60 + 4 * (3 * 8 * 49 * 17))


def arguments_of(one):
    dims, types, values, strides = [], [], [], []
    for argument in one["arguments"]:
        values.append(str(argument) if isinstance(argument, Value) else "")
        if isinstance(argument, Tensor):
            dims.append(argument.sizes), types.append(argument.kind), strides.append(argument.strides)
        elif isinstance(argument, list):
            dims.append([t.sizes for t in argument]), types.append("TensorList")
            strides.append([t.strides for t in argument])
        else:
            dims.append([]), strides.append([])
            types.append("" if argument is None else
                         "ScalarList" if str(argument).startswith("[") else "Scalar")
    return {"Input Dims": dims, "Input type": types, "Concrete Inputs": values, "Input Strides": strides,
            **one["extra"]}


def trace_of(one):
    name, arguments, forward = one["name"], arguments_of(one), one.get("forward")
    events = []
    if forward:
        events = [{"ph": "X", "cat": "cpu_op", "name": forward, "pid": 1, "tid": 1, "ts": -30, "dur": 10,
                   "args": {"External id": 2, **arguments}},
                  {"ph": "s", "id": 5, "pid": 1, "tid": 1, "ts": -30, "cat": "fwdbwd", "name": "fwdbwd"},
                  {"ph": "f", "id": 5, "pid": 1, "tid": 1, "ts": -1, "cat": "fwdbwd", "name": "fwdbwd", "bp": "e"},
                  {"ph": "X", "cat": "cpu_op", "name": "autograd::engine::evaluate_function: " + name, "pid": 1, "tid": 1,
                   "ts": -1, "dur": 60, "args": {"External id": 3}}]
        arguments = {"Input Dims": [[64, 128]], "Input type": [B], "Concrete Inputs": [""], "Input Strides": [[128, 1]]}
    events += [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 0, "dur": 50,
                "args": {"External id": 1, **arguments}}]
    kernels = one.get("kernels") or [one["kernel"]]
    for i, kernel in enumerate(kernels):  # ten microseconds together
        begin, end = 10 * i // len(kernels), 10 * (i + 1) // len(kernels)
        events += [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10 + 5 * i,
                    "dur": 5, "args": {"External id": 1, "correlation": 7 + i}},
                   {"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 7, "ts": 20 + begin, "dur": end - begin,
                    "args": {"External id": 1, "correlation": 7 + i, "device": 0, "stream": 7}}]
    return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H200"}], "traceEvents": events}


def rows_of(sources):
    names = set()
    for path in pathlib.Path(sources).rglob("*.cpp"):
        names |= set(re.findall(r'(?:\.name = |\b(?:unary|binary|ternary|elementwise|activation|once|product|fp4Product)\()"([^"]+)"',
                                path.read_text(encoding="utf-8")))
    return names


def covers(case_name, row):
    return (case_name.startswith(row[:-1]) if row.endswith("*") else
            case_name == row or case_name == row + "_")


def reported(kscope, *words):
    done = subprocess.run([kscope, "report", "--roofline", *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"kscope {words[:3]} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def check_counted(kscope, data, failures):
    with open(os.path.join(data, "flops_facts.json"), encoding="utf-8") as file:
        facts = json.load(file)
    for name, counted in facts.items():
        path = os.path.join(data, f"flops_{name}.json.gz")
        for by in ("operator", "shape", "kernel", "module"):
            roofline = json.loads(reported(kscope, "--by", by, "--json", path))["roofline"]
            if roofline["counted"] != counted:
                failures.append(f'{name} by {by}: {roofline["counted"]} was counted, not {counted}')
            rows = sum(row["flops_counted"] for row in roofline["rows"])
            if abs(rows - sum(counted.values())) > len(roofline["rows"]) * 1000:  # shares are rounded
                failures.append(f"{name} by {by}: the rows sum to {rows}, not {sum(counted.values())}")
            if roofline["coverage"] < 0.95:
                failures.append(f'{name} by {by}: only {roofline["coverage"]} of kernel time is modelled')
            for row in roofline["rows"]:
                if (row["efficiency"] or 0) > 1 and not row["note"]:
                    failures.append(f'{name} by {by}: {row["name"]} is above the roof, and no note says why')


# Kernels that move far more than the caches hold, with the calls that launched them.
LARGE = {"big + 1: 2^26 f32": ("aten::add", [T(2**26), V("1"), V("1")]),
         "big.half(): 2^26 f32 -> f16": ("aten::copy_", [T(2**26, kind=H), T(2**26), V("False")]),
         "big.sum(): 2^26 f32 (one kernel listed of possibly two)": ("aten::sum", [T(2**26), NONE]),
         "a.sum(0): 4096x2048 f32": ("aten::sum", [T(4096, 2048), V("[0]"), V("False"), NONE])}


def check_measured(kscope, data, folder, failures):
    with open(os.path.join(data, "ncu_measured.json"), encoding="utf-8") as file:
        measured = {one["operation"]: one["dram_read_bytes"] + one["dram_write_bytes"] for one in json.load(file)}
    for operation, (name, arguments) in LARGE.items():
        path = os.path.join(folder, "large.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(trace_of({"name": name, "arguments": arguments, "kernel": "k", "extra": {}}), file)
        row = json.loads(reported(kscope, "--json", path))["roofline"]["rows"][0]
        ratio = row["bytes"] / measured[operation]
        if not 0.95 <= ratio <= 1.05:
            failures.append(f"{operation}: {row['bytes']} bytes are {ratio:.3f} of the measured ones")


def check_counters(kscope, folder, failures):
    """Two launches of 100 and 60 µs; the counters tell the traffic of the first from begin to end."""
    traced = trace_of({"name": "aten::relu", "arguments": [T(2**20)], "kernel": "relu", "extra": {}})
    call, launch, kernel = traced["traceEvents"]
    kernel["ts"], kernel["dur"] = 100, 100
    second = [json.loads(json.dumps(event)) for event in (call, launch, kernel)]
    for event, ts in zip(second, (60, 70, 300)):
        event["ts"] = ts
        event["args"].update({"External id": 2})
        if "correlation" in event["args"]:
            event["args"]["correlation"] = 8
    second[2]["dur"] = 60
    # 40 + 20 GB/s until 150 µs, then 100 + 20, in samples of 10 µs that end within the second launch.
    counters = [{"ph": "C", "name": "DRAM bandwidth (GB/s)", "pid": 0, "ts": ts,
                 "args": {"read": 40 if ts < 150 else 100, "write": 20}} for ts in range(90, 330, 10)]
    traced["traceEvents"] += second + counters
    path = os.path.join(folder, "counters.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(traced, file)
    row = json.loads(reported(kscope, "--by", "kernel", "--json", path))["roofline"]["rows"][0]
    measured = (50 * 60 + 50 * 120) * 1000 + 60 * 120 * 1000  # the last sample lasts
    wanted = {"measured_count": 2, "measured_bytes": measured, "measured_gb_per_s": measured / 160e3,
              "modelled_by_measured": 2 * 2 * 2**22 / measured, "bytes": 2 * 2 * 2**22}
    for key, value in wanted.items():
        if abs(row[key] - value) > 1e-6 * value:
            failures.append(f"with counters {key} is {row[key]}, not {value}")
    if "Measured GB/s" not in reported(kscope, "--by", "kernel", path):
        failures.append("the text by kernel does not say what was measured")
    if "Measured GB/s" in reported(kscope, path):
        failures.append("the text by operator has a column of what was measured, of which it has nothing")


ODD_SIZES = [[], [0], [7], [3, 5], [2, 3, 4], [2, 3, 4, 5], [-1], [2**63 - 1], [2**32, 2**32, 2**32], [[2, 3], [4]], [[]]]
ODD_TYPES = ["float", "c10::BFloat16", "", "Scalar", "ScalarList", "TensorList", "long int"]
ODD_VALUES = ["", "True", "0", "-1", str(2**63 - 1), "nan", "[]", "[0, 0]", "[-1, -1]", "[True, False]", "[[1]]", "x"]


def odd_arguments(dice):
    count = dice.choice([0, 1, 1, 2, 3, 4, 9, 30])

    def some(values, many):
        return [dice.choice(values) for _ in range(many)]

    return dice.choice([{}, {"Input Dims": some(ODD_SIZES, count)},
                        {"Input Dims": some(ODD_SIZES, count), "Input type": some(ODD_TYPES, count),
                         "Concrete Inputs": some(ODD_VALUES, dice.choice([count, 1])),
                         "Input Strides": some(ODD_SIZES, dice.choice([count, 0]))}])


def check_odd_calls(kscope, sources, folder):
    """Each operator with arguments that it never has: none, too few, sizes of no tensor; the report is made."""
    dice = random.Random(22)
    names = [row.replace("*", "x") for row in sorted(rows_of(sources)) for _ in range(12)]
    events = []
    for number, row in enumerate(names, 1):
        one = {"name": row if "::" in row else "aten::" + row, "arguments": [], "kernel": "k", "extra": {}}
        for event in trace_of(one)["traceEvents"]:
            arguments = {} if event["cat"] == "cpu_op" else {**event["args"], "correlation": number}
            event["args"] = {**(arguments or odd_arguments(dice)), "External id": number}
            event["ts"] += 100 * number
            events.append(event)
    path = os.path.join(folder, "odd.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schemaVersion": 1, "traceEvents": events}, file)
    reported(kscope, "--json", path)


def check_untyped(kscope, folder, failures):
    """NVTX ranges have sizes without types: elementwise operators take that of their kernel, others none."""
    add = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<%s>, std::array<char*, 3ul> >(int)"
    for name, kernel, moved in (("aten::add", add % "float", 12), ("aten::add", add % "c10::Half", 6), ("aten::add", "some", None),
                                ("aten::where", add % "float", None), ("aten::mm", add % "float", None)):
        square = T(64, 64)
        traced = trace_of({"name": name, "arguments": [square, square, square], "kernel": kernel, "extra": {}})
        told = traced["traceEvents"][0]["args"]
        for key in ("Input type", "Concrete Inputs", "Input Strides"):
            told.pop(key, None)
        path = os.path.join(folder, "untyped.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(traced, file)
        rows = json.loads(reported(kscope, "--json", path))["roofline"]["rows"]
        found = rows[0]["bytes"] if rows else None
        if found != (moved and moved * square.n):
            failures.append(f"{name} without types by {kernel}: {found} bytes")


def check_shares(kscope, folder, failures):
    """A product by two kernels of 30 and 10 µs, after a memset of 20 µs that has no part in it."""
    square = Tensor([1024, 1024], B)
    traced = trace_of({"name": "aten::mm", "arguments": [square, square], "kernel": "long", "extra": {}})
    kernel = traced["traceEvents"][2]
    kernel["dur"] = 30
    short = {**kernel, "name": "short", "ts": 60, "dur": 10, "args": {**kernel["args"], "correlation": 8}}
    memset = {**kernel, "name": "Memset (Device)", "cat": "gpu_memset", "ts": 80, "dur": 20,
              "args": {**kernel["args"], "correlation": 9}}
    traced["traceEvents"] += [short, memset]
    path = os.path.join(folder, "shares.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(traced, file)
    rows = json.loads(reported(kscope, "--by", "kernel", "--json", path))["roofline"]["rows"]
    whole = 2 * 1024**3
    for name, flops in (("long", whole * 3 // 4), ("short", whole // 4), ("Memset (Device)", 0)):
        found = [row["flops"] for row in rows if row["name"] == name]
        if found != [flops]:
            failures.append(f"{name} has {found} operations of {whole}, not {flops}")


def roof_trace(device):
    """Five calls: bound by computing, memory, latency and a link, and one without a row."""
    f = Tensor([8192, 8192], B)
    calls = [("aten::mm", [f, f], "nvjet_tst", 1500),
             ("aten::relu", [Tensor([2**26])], "relu", 150),
             ("aten::relu", [Tensor([16])], "relu", 2),
             ("aten::copy_", [Tensor([1024]), Tensor([1024]), V("False")], "Memcpy HtoD (Pageable -> Device)", 10),
             ("aten::unknown", [f], "mystery", 338)]
    events = []
    for number, (name, arguments, kernel, length) in enumerate(calls):
        one = trace_of({"name": name, "arguments": arguments, "kernel": kernel, "extra": {}})["traceEvents"]
        for event in one:
            event["ts"] += 5000 * number
            event["args"].update({"External id": number + 1})
            if "correlation" in event["args"]:
                event["args"]["correlation"] = number + 1
        one[2]["dur"] = length
        if kernel.startswith("Memcpy"):
            one[2]["cat"] = "gpu_memcpy"
            one[2]["args"]["bytes"] = 4096
        events += one
    return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": device}], "traceEvents": events}


def check_roofs(kscope, folder, failures):
    def expect(what, is_value, wanted):
        if is_value != wanted:
            failures.append(f"{what} is {is_value}, not {wanted}")

    path = os.path.join(folder, "roofs.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(roof_trace("NVIDIA H200"), file)
    roofline = json.loads(reported(kscope, "--by", "shape", "--json", path))["roofline"]
    expect("coverage", round(roofline["coverage"], 6), round(1652 / 1990, 6))
    expect("what is not modelled", [(u["name"], u["reason"], u["kernel_ns"]) for u in roofline["uncovered"]],
           [("aten::unknown", "no row in the model", 338000)])
    rows = {(row["name"], row["bound"]): row for row in roofline["rows"]}
    expect("bounds", set(rows), {("aten::mm", "compute"), ("aten::relu", "memory"), ("aten::relu", "latency"),
                                 ("aten::copy_", "link")})
    mm = rows["aten::mm", "compute"]
    at_roof = 2 * 8192**3 / 989.5e12 * 1e9
    expect("time beyond the roof", mm["recoverable_ns"], round(1500000 - at_roof))
    expect("efficiency", round(mm["efficiency"], 9), round(at_roof / 1500000, 9))
    expect("TFLOP/s", round(mm["tflop_per_s"], 6), round(2 * 8192**3 / 1500e-6 / 1e12, 6))
    relu = rows["aten::relu", "memory"]
    expect("GB/s", round(relu["gb_per_s"], 6), round(2 * 2**28 / 150e-6 / 1e9, 6))
    expect("efficiency of memory", round(relu["efficiency"], 9), round(2 * 2**28 / 4800e9 / 150e-6, 9))
    expect("efficiency of a link", rows["aten::copy_", "link"]["efficiency"], None)
    expect("time beyond the roof of a link", rows["aten::copy_", "link"]["recoverable_ns"], None)
    expect("roof", (roofline["roofs"][0]["name"], roofline["roofs"][0]["memory_gb_per_s"]), ("H200 SXM", 4800))
    lines = reported(kscope, "--by", "shape", "--csv", path).splitlines()
    expect("lines of CSV", len(lines), 5)
    expect("columns", lines[0].split(","), list(roofline["rows"][0]))
    text = reported(kscope, "--by", "shape", path)
    for part in ("83.02 % of kernel time is modelled", "unknown 16.98 % (no row in the model)", "4800 GB/s"):
        if part not in text:
            failures.append(f"the text does not say '{part}'")
    markdown = reported(kscope, "--markdown", path)
    if "| `aten::mm` |" not in markdown:
        failures.append("the Markdown has no row of aten::mm")
    # A GPU that nobody knows, and a part of one, have no roof.
    for device in ("Nobody's GPU", "NVIDIA H200 MIG 1g.18gb"):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(roof_trace(device), file)
        unknown = json.loads(reported(kscope, "--json", path))["roofline"]
        expect(f"roof of {device}", unknown["roofs"][0]["name"], None)
        expect(f"efficiencies of {device}", {row["efficiency"] for row in unknown["rows"]}, {None})
        if "its roof is unknown" not in reported(kscope, path):
            failures.append(f"nothing says that {device} has no roof")
    # Products of Float have matrix cores of their own on some, those of doubles none on others.
    for device, kind, length, peak in (("AMD Instinct MI210", F, 1500, 45.3e12), ("Tesla V100-SXM2-32GB", "double", 5000, 7.8e12)):
        square = Tensor([2048, 2048], kind)
        one = trace_of({"name": "aten::mm", "arguments": [square, square], "kernel": "k", "extra": {}})
        one["deviceProperties"][0]["name"] = device
        one["traceEvents"][2]["dur"] = length
        with open(path, "w", encoding="utf-8") as file:
            json.dump(one, file)
        row = json.loads(reported(kscope, "--json", path))["roofline"]["rows"][0]
        expect(f"efficiency on {device}", round(row["efficiency"], 9), round(2 * 2048**3 / peak / (length * 1e-6), 9))
    # Sizes that no arithmetic could take are not told, and nothing else happens.
    for sizes in ([2**62, 2**62], [-5, 3], [10**18, 10**18, 10**18]):
        huge = {"name": "aten::relu", "arguments": [Tensor(sizes)], "kernel": "k", "extra": {}}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(trace_of(huge), file)
        uncovered = json.loads(reported(kscope, "--json", path))["roofline"]["uncovered"]
        expect(f"why {sizes} is not modelled", [row["reason"] for row in uncovered], ["shapes are not recorded"])
    refused = subprocess.run([kscope, "report", "--by", "shape", path], capture_output=True, text=True)
    expect("exit code of --by without --roofline", refused.returncode, 2)


# Multiprocessors (compute units), and fp16 operations of the tensor cores of each in a clock. Not H20, whose cores are
# held back, nor B300 and GB300, of which nobody says how many are in use.
UNITS = {
    1024: {"Tesla V100 SXM2": 80, "Tesla V100 PCIe": 80, "Tesla V100S PCIe": 80, "Tesla T4": 40, "Quadro RTX 6000": 72,
           "Quadro RTX 8000": 72, "A10": 72, "A40": 84, "A2": 10, "RTX A6000": 84, "RTX A5000": 64, "RTX A4000": 48, "L4": 58,
           "L40S": 142, "RTX 6000 Ada": 142, "RTX 5000 Ada": 100, "RTX PRO 6000 Blackwell Workstation": 188,
           "RTX PRO 6000 Blackwell Server": 188, "Instinct MI210": 104, "Instinct MI250, one die": 104,
           "Instinct MI250X, one die": 110},
    512: {"A10G": 80, "L40": 142},
    2048: {"A100 SXM4 40 GB": 108, "A100 SXM4 80 GB": 108, "A100 PCIe 40 GB": 108, "A100 PCIe 80 GB": 108, "A30": 56,
           "Instinct MI300X": 304, "Instinct MI300A": 228, "Instinct MI325X": 304},
    4096: {"H100 SXM5": 132, "H800": 132, "H100 PCIe": 114, "H100 NVL": 132, "H200 SXM": 132, "H200 NVL": 132,
           "GH200 96 GB": 132, "GH200 144 GB": 132, "Instinct MI350X": 256, "Instinct MI355X": 256},
    8192: {"B200": 148, "GB200": 148},
}


def check_gpus(path, failures):
    """Each figure has a source, and peak and clock of the table fit the GPU's units."""
    gpus = {gpu["name"]: gpu for gpu in json.loads(path.read_text(encoding="utf-8"))["gpus"]}
    for name, gpu in gpus.items():
        figures = {"tflop_per_s", "memory_gb_per_s", "l2_mib", "clock_mhz"}
        if not (figures <= set(gpu["sources"]) and set(gpu.get("checked", {})) <= figures):
            failures.append(f"{name}: sources {list(gpu['sources'])}, checked {list(gpu.get('checked', {}))}")
        for key, page in gpu.get("checked", {}).items():
            if not (page["title"] and page["url"].startswith("http")):
                failures.append(f"{name}: {key} was found on {page}")
    for operations, units in UNITS.items():
        for name, count in units.items():
            reckoned = count * operations * gpus[name]["clock_mhz"] / 1e6
            if abs(reckoned / gpus[name]["tflop_per_s"]["fp16"] - 1) > 0.02:
                failures.append(f"{name}: {count} units make {reckoned:.1f} TFLOP/s, not {gpus[name]['tflop_per_s']['fp16']}")


def main():
    kscope, sources, data = sys.argv[1:]
    failures = []
    rows = rows_of(sources)
    assert len(rows) > 200, f"only {len(rows)} rows were found in {sources}"
    for row in sorted(rows):
        if not any(covers(one["name"], row) for one in cases):
            failures.append(f"{row}: the table has this row, but no case is here")
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, one in enumerate(cases):
            paths.append(os.path.join(folder, f"{number:03}.json"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(trace_of(one), file)
        documents = json.loads(reported(kscope, "--json", *paths))
        check_measured(kscope, data, folder, failures)
        check_roofs(kscope, folder, failures)
        check_counters(kscope, folder, failures)
        check_untyped(kscope, folder, failures)
        check_shares(kscope, folder, failures)
        check_odd_calls(kscope, sources, folder)
    check_counted(kscope, data, failures)
    check_gpus(pathlib.Path(sources).parents[1] / "resources" / "gpus.json", failures)
    assert len(documents) == len(cases)
    for one, document in zip(cases, documents):
        roofline = document["roofline"]
        label = f'{one["name"]} {arguments_of(one)["Input Dims"]}'
        if len(roofline["rows"]) != 1:
            failures.append(f'{label}: {roofline["uncovered"]}')
            continue
        row = roofline["rows"][0]
        for key, wanted in (("flops", one["flops"]), ("flops_counted", one["counted"]),
                            ("bytes", one["bytes"]), ("time_ns", 10000), ("count", 1)):
            if row[key] != wanted:
                failures.append(f"{label}: {key} is {row[key]}, not {wanted}")
    for failure in failures:
        print(failure)
    print(f"{len(cases)} calls of {len(rows)} rows, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
