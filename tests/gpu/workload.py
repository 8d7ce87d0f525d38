#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""workload.py MODE [--profile OUT.json] [--count N] [--rounds N] [--sessions N]

Modes: loop (N launches of a tiny kernel), train (a small model), compiled (the same, compiled),
large (the same with so much data that the GPU never waits), graph (a training step as a CUDA
graph), ranks (under torchrun: a step and an all-reduce on each GPU). Every session's measured part
stands in an NVTX range "measured"; --profile records each with a torch.profiler of its own, into
OUT.json, OUT.json.1 and so on."""

import argparse
import os
import time

import torch


def training(mode, count):
    rows = 65536 if mode == "large" else 256
    model = torch.nn.Sequential(torch.nn.Linear(512, 1024), torch.nn.GELU(), torch.nn.LayerNorm(1024),
                                torch.nn.Linear(1024, 512)).cuda()
    data = torch.randn(rows, 512, device="cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, capturable=mode == "graph")
    forward = torch.compile(model) if mode == "compiled" else model

    def step():
        optimizer.zero_grad()
        forward(data).square().mean().backward()
        optimizer.step()
        if mode == "ranks":
            torch.distributed.all_reduce(data)
    if mode == "graph":
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(3):
                step()
        side.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        step = graph.replay

    def run():
        for _ in range(count):
            step()
    return run


def steps(mode, count):
    if mode == "loop":
        small = torch.zeros(32, device="cuda")

        def run():
            for _ in range(count):
                small.add_(1.0)
        return run
    if mode == "ranks":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        torch.distributed.init_process_group("nccl")
    return training(mode, count)


def session(run, arguments, path):
    profile = None
    if path:
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
        profile.export_chrome_trace(path)
        print(f"saved {(time.clock_gettime_ns(time.CLOCK_MONOTONIC) - last) / 1e9:.4f}")
    print(f"last {last}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode")
    parser.add_argument("--profile")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(0)
    run = steps(arguments.mode, arguments.count)
    for _ in range(2):
        run()
    torch.cuda.synchronize()
    for number in range(arguments.sessions):
        path = arguments.profile and arguments.profile + (f".{number}" if number else "")
        session(run, arguments, path)
    if arguments.mode == "ranks":
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
