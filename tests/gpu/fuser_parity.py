#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares TorchScript's LSTM of kscope bench modules under each fuser with the same LSTM run from Python, each in a
process of its own, in turn: fuser_parity.py KSCOPE. Prints milliseconds of a forward pass (median of 30, the least of
three processes: most of it is the host's time, which others on the machine stretch) and kernels of a pass forward and
backward. Exit 1 when kernels differ by more than 1 %, times by more than a quarter, or `te` does not fuse."""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
from typing import List, Tuple

import torch
from torch import Tensor

FUSERS = ["te", "old", "none", "default"]
STEPS, BATCH, SIZE, WARMUP, LOOPS, ROUNDS = 100, 64, 512, 10, 30, 3


def cell(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tuple[Tensor, Tensor]:
    gates = torch.mm(x, w_ih.t()) + torch.mm(hx, w_hh.t()) + b_ih + b_hh
    ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
    cy = torch.sigmoid(forgetgate) * cx + torch.sigmoid(ingate) * torch.tanh(cellgate)
    return torch.sigmoid(outgate) * torch.tanh(cy), cy


def layer(x: Tensor, hx: Tensor, cx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    inputs = x.unbind(0)
    outputs: List[Tensor] = []
    for step in range(len(inputs)):
        hx, cx = cell(inputs[step], hx, cx, w_ih, w_hh, b_ih, b_hh)
        outputs += [hx]
    return torch.stack(outputs), hx, cx


def switch(fuser):
    """What PyTorch's own RNN benchmark sets for a fuser of this name."""
    if fuser == "default":
        return
    torch._C._jit_set_profiling_executor(fuser == "te")
    torch._C._get_graph_executor_optimize(fuser == "te")
    if fuser != "old":
        torch._C._jit_override_can_fuse_on_cpu(False)
    torch._C._jit_override_can_fuse_on_gpu(fuser != "none")
    torch._C._jit_set_texpr_fuser_enabled(fuser == "te")


def measure(fuser):
    switch(fuser)
    script = torch.jit.script(cell) and torch.jit.script(layer)
    torch.manual_seed(17)
    x = torch.randn(STEPS, BATCH, SIZE, device="cuda")
    hx, cx = torch.randn(2, BATCH, SIZE, device="cuda")
    weights = [torch.randn(4 * SIZE, *rest, device="cuda").mul_(SIZE ** -0.5).requires_grad_()
               for rest in ((SIZE,), (SIZE,), (), ())]

    def train():
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        output = script(x, hx, cx, *weights)[0]
        end.record()
        output.backward(torch.ones_like(output))
        torch.cuda.synchronize()
        return begin.elapsed_time(end)

    for _ in range(WARMUP):
        train()
    forward = statistics.median(train() for _ in range(LOOPS))
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        train()
    kernels = sum(event.count for event in profile.key_averages()
                  if event.device_type == torch.autograd.DeviceType.CUDA and "Mem" not in event.key)
    return {"ms": forward, "kernels": kernels}


def measure_ours(kscope, fuser, folder, *options):
    result = folder / "result.json"
    subprocess.run([kscope, "bench", "modules", "--group", "rnns", "--rnns", "jit", "--fuser", fuser, "--warmup", str(WARMUP),
                    "--nloops", str(LOOPS), "--seqLength", str(STEPS), "--miniBatch", str(BATCH), "--inputSize", str(SIZE),
                    "--hiddenSize", str(SIZE), "--profile", "--trace-folder", str(folder), "--json", "-o", str(result), "--no-save", *options],
                   check=True, capture_output=True)
    trace = json.loads((folder / "tmp_chrome_trace.json").read_text())
    runner = json.loads(result.read_text())["items"][0]["parts"][0]
    return {"ms": runner["series"][0]["summary"]["median_ns"] / 1e6,
            "kernels": sum(event.get("cat") == "kernel" for event in trace["traceEvents"])}


def least(measure_once):
    return min((measure_once() for _ in range(ROUNDS)), key=lambda found: found["ms"])


def from_python(fuser):
    done = subprocess.run([sys.executable, __file__, "--python", fuser], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def from_kscope(kscope, fuser, *options):
    with tempfile.TemporaryDirectory() as folder:
        return measure_ours(kscope, fuser, pathlib.Path(folder), *options)


def main():
    kscope, good, found = sys.argv[1], True, {}
    print(f"{'fuser':10} {'Python ms':>10} {'kernels':>8} {'kscope ms':>10} {'kernels':>8}")
    for fuser in FUSERS:
        theirs, ours = least(lambda: from_python(fuser)), least(lambda: from_kscope(kscope, fuser))
        found[fuser] = ours
        print(f"{fuser:10} {theirs['ms']:10.3f} {theirs['kernels']:8} {ours['ms']:10.3f} {ours['kernels']:8}", flush=True)
        good &= abs(ours["ms"] / theirs["ms"] - 1) < 0.25 and abs(ours["kernels"] / theirs["kernels"] - 1) < 0.01
    for size in ("32", "512"):
        ours = least(lambda: from_kscope(kscope, "te", "--cuda-pointwise-block-size", size))
        print(f"te, pointwise blocks of {size}: {ours['ms']:.3f} ms, {ours['kernels']} kernels")
    good &= found["te"]["kernels"] < 0.7 * found["none"]["kernels"]
    return 0 if good else 1


if __name__ == "__main__":
    if sys.argv[1] == "--python":
        print(json.dumps(measure(sys.argv[2])))
    else:
        sys.exit(main())
