#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares results of kscope's operator bench with the same operators timed from Python by Triton's do_bench, in one
session: operator_parity.py RESULT.json…. Eager and Inductor's code both run as CUDA graphs. Where a process's tensors lie
changes kernels of 10 µs by up to a tenth, so medians are taken over the results, each of its own processes, and
over as many captures with new tensors from Python. Exit 1 when a bar is missed."""

import json
import pathlib
import statistics
import sys

import torch
from triton.testing import do_bench

RESULTS = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
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


def first_samples(name):
    """The first sample of each result, None where there is none."""
    for result in RESULTS:
        samples = [s for o in result["items"] if o["name"] == name for s in o["parts"] if s.get("series")]
        yield samples[0] if samples else None


def ours(samples, kind):
    found = [one for sample in samples for one in sample["series"] if one["name"] == kind]
    times = [one["time_ns"] / 1e3 for one in found if "time_ns" in one]
    if len(times) < len(samples):
        raise ValueError(next((one["reason"] for one in found if "reason" in one), "it is not in the result"))
    return times


def theirs(text, op, kind):
    """One figure a result: the code captured anew, on tensors at other addresses."""
    kept = []
    for _ in RESULTS:
        # The text comes from kscope's own inputs, which its parser has read.
        args, kwargs = eval(text, {"__builtins__": {}, "T": make, "torch": torch, **TYPES})
        torch._dynamo.reset()
        function = op if kind == "eager" else torch.compile(lambda *a, **k: op(*a, **k), fullgraph=True)
        graph = graphed(function, args, kwargs)
        kept.append((graph, args, torch.empty(1 << 20, device="cuda")))
        yield 1e3 * do_bench(lambda: graph.replay(), return_mode="median")


def main() -> int:
    missed = 0
    print(f"{'operator':42} {'kind':9} {'python us':>10} {'kscope us':>10}  medians of {len(RESULTS)}")
    for name in OPERATORS:
        samples = list(first_samples(name))
        for kind in ("eager", "inductor"):
            try:
                if None in samples or len({sample["input"] for sample in samples}) > 1:
                    raise ValueError("not every result has the same first sample")
                mine = ours(samples, kind)
            except ValueError as error:
                print(f"{name:42} {kind:9} not measured: {error}")
                missed += 1
                continue
            other = list(theirs(samples[0]["input"], overload(name), kind))
            a, b = statistics.median(other), statistics.median(mine)
            bad = abs(b - a) > max(PART * a, MICROSECONDS)
            missed += bad
            print(f"{name:42} {kind:9} {a:10.2f} {b:10.2f}  {min(other):.2f}..{max(other):.2f} {min(mine):.2f}..{max(mine):.2f}"
                  f" {'MISSED' if bad else ''}", flush=True)
    print(f"{missed} bars missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
