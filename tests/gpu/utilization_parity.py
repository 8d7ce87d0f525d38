#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds both utilisations of kscope report --compat against torch._functorch.benchmark_utils on the traces that this
writes on a GPU, of ResNet-50 and of a BERT: utilization_parity.py KSCOPE. Exit 1 when a figure differs at all."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile

import torch
from torch._functorch import benchmark_utils


def convolutions(inputs, outputs, stride, size):
    return torch.nn.Sequential(torch.nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
                               torch.nn.BatchNorm2d(outputs))


class Bottleneck(torch.nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.path = torch.nn.Sequential(convolutions(inputs, width, 1, 1), torch.nn.ReLU(),
                                        convolutions(width, width, stride, 3), torch.nn.ReLU(),
                                        convolutions(width, 4 * width, 1, 1))
        same = stride == 1 and inputs == 4 * width
        self.skip = torch.nn.Identity() if same else convolutions(inputs, 4 * width, stride, 1)

    def forward(self, x):
        return torch.relu(self.path(x) + self.skip(x))


def resnet50():
    layers, inputs = [convolutions(3, 64, 2, 7), torch.nn.ReLU(), torch.nn.MaxPool2d(3, 2, 1)], 64
    for width, blocks in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for block in range(blocks):
            layers.append(Bottleneck(inputs, width, 2 if block == 0 and width > 64 else 1))
            inputs = 4 * width
    return torch.nn.Sequential(*layers, torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(inputs, 1000))


def bert():
    layer = torch.nn.TransformerEncoderLayer(768, 12, 3072, activation="gelu", batch_first=True)
    return torch.nn.Sequential(torch.nn.Embedding(30522, 768), torch.nn.TransformerEncoder(layer, 12))


MODELS = {"resnet50": (resnet50, lambda: torch.randn(32, 3, 224, 224, device="cuda")),
          "bert": (bert, lambda: torch.randint(0, 30522, (16, 128), device="cuda"))}


def main():
    kscope, differ = sys.argv[1], False
    print(f"{'model':10}{'utilization':>22}{'mm/conv':>22}{'here':>22}{'mm/conv':>22}")
    with tempfile.TemporaryDirectory() as folder:
        for name, (make, data) in MODELS.items():
            model, inputs = make().cuda().train(), data()
            runs = 3

            def step(batch):
                model(batch).square().mean().backward()

            path = os.path.join(folder, f"{name}.json")
            seconds = benchmark_utils.dump_chrome_trace(step, inputs, path, contextlib.nullcontext(),
                                                        [torch.profiler.ProfilerActivity.CUDA], num_runs=runs,
                                                        devices=["cuda"])
            theirs = benchmark_utils.compute_utilization(path, seconds)
            # Theirs is of all runs together; ours takes the wall time of one.
            run = subprocess.run([kscope, "report", "--compat", "--json", "--wall-ms", repr(seconds * 1e3 / runs), "--runs",
                                  str(runs), path], capture_output=True, text=True, check=True)
            report = json.loads(run.stdout)
            ours = (report["utilization"], report["mm_conv_utilization"])
            print(f"{name:10}" + "".join(f"{value:22.16f}" for value in (*theirs, *ours)))
            differ |= any(abs(a - b) > 1e-12 for a, b in zip(theirs, ours)) or not theirs[0] > 0
    print("they differ" if differ else "they agree")
    return 1 if differ else 0


sys.exit(main())
