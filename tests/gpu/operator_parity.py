#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a result of kscope's operator bench with the same operators timed from Python by Triton's do_bench, in one
session: operator_parity.py RESULT.json. Eager and Inductor's code both run as CUDA graphs. Exit 1 when a bar is missed."""

import json
import pathlib
import sys

import torch
from triton.testing import do_bench

RESULT = json.loads(pathlib.Path(sys.argv[1]).read_text())
OPERATORS = ["aten.mm.default", "aten.addmm.default", "aten.bmm.default", "aten.add.Tensor", "aten.mul.Tensor",
             "aten.gelu.default", "aten.gelu_backward.default", "aten.native_layer_norm.default",
             "aten.native_layer_norm_backward.default", "aten.sum.dim_IntList"]
PART, MICROSECONDS = 0.05, 1.0
TYPES = {"f16": torch.float16, "f32": torch.float32, "i64": torch.int64, "b8": torch.bool}


def make(shape, dtype, stride=None):
    if stride is None:
        return torch.empty(shape, dtype=dtype, device="cuda").uniform_(-9, 9)
    elements = 1 + sum((n - 1) * s for n, s in zip(shape, stride))
    return torch.empty(elements, dtype=dtype, device="cuda").uniform_(-9, 9).as_strided(shape, stride)


def graphed(function, args, kwargs):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side), torch.no_grad():
        for _ in range(3):
            function(*args, **kwargs)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph), torch.no_grad():
        function(*args, **kwargs)
    return graph


def overload(name):
    found = torch.ops
    for part in name.split("."):
        found = getattr(found, part)
    return found


def main() -> int:
    missed = 0
    print(f"{'operator':42} {'kind':9} {'python us':>10} {'kscope us':>10}  first sample of {RESULT['suite']}")
    for name in OPERATORS:
        samples = [s for o in RESULT["operators"] if o["name"] == name for s in o["samples"] if s["implementations"]]
        if not samples:
            print(name, "was not measured")
            missed += 1
            continue
        sample = samples[0]
        ours = {one["name"]: one for one in sample["implementations"]}
        # The text comes from kscope's own inputs, which its parser has read.
        args, kwargs = eval(sample["input"], {"__builtins__": {}, "T": make, "torch": torch, **TYPES})
        op = overload(name)
        compiled = torch.compile(lambda *a, **k: op(*a, **k), fullgraph=True)
        for kind, function in (("eager", op), ("inductor", compiled)):
            torch._dynamo.reset()
            if kind not in ours or ours[kind]["time_ns"] is None:
                print(f"{name:42} {kind:9} not measured: {ours.get(kind, {}).get('reason')}")
                missed += 1
                continue
            graph = graphed(function, args, kwargs)
            theirs = 1e3 * do_bench(lambda: graph.replay(), return_mode="median")
            mine = ours[kind]["time_ns"] / 1e3
            bad = abs(mine - theirs) > max(PART * theirs, MICROSECONDS)
            missed += bad
            print(f"{name:42} {kind:9} {theirs:10.2f} {mine:10.2f} {'MISSED' if bad else ''}", flush=True)
    print(f"{missed} bars missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
