#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""workload.py MODE [--profile OUT.json] [--count N] [--rounds N]

Modes: loop (N launches of a tiny kernel), train (a small model), compiled (the same, compiled).
The measured part stands in an NVTX range "measured"; --profile records it with torch.profiler."""

import argparse
import time

import torch


def steps(mode, count):
    if mode == "loop":
        small = torch.zeros(32, device="cuda")

        def run():
            for _ in range(count):
                small.add_(1.0)
        return run
    model = torch.nn.Sequential(torch.nn.Linear(512, 1024), torch.nn.GELU(), torch.nn.LayerNorm(1024),
                                torch.nn.Linear(1024, 512)).cuda()
    data = torch.randn(256, 512, device="cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    forward = torch.compile(model) if mode == "compiled" else model

    def run():
        for _ in range(count):
            optimizer.zero_grad()
            forward(data).square().mean().backward()
            optimizer.step()
    return run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode")
    parser.add_argument("--profile")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(0)
    run = steps(arguments.mode, arguments.count)
    for _ in range(2):
        run()
    torch.cuda.synchronize()
    profile = None
    if arguments.profile:
        profile = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA])
        profile.__enter__()
    torch.cuda.nvtx.range_push("measured")
    for _ in range(arguments.rounds):
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        print(f"us {(time.perf_counter() - start) / arguments.count * 1e6:.4f}", flush=True)
    torch.cuda.nvtx.range_pop()
    last = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    if profile:
        profile.__exit__(None, None, None)
        profile.export_chrome_trace(arguments.profile)
        print(f"saved {(time.clock_gettime_ns(time.CLOCK_MONOTONIC) - last) / 1e9:.4f}")
    print(f"last {last}")


if __name__ == "__main__":
    main()
