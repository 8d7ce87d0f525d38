#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same training step, eager and compiled, recorded: bert_twins.py OUT. Writes eager.json.gz, compiled.json.gz and
graphs.json.gz (compiled with CUDA graphs), four steps each, and prints the mean milliseconds of a step without a profiler."""
import pathlib
import sys
import time

import torch
from torch import nn

OUT = pathlib.Path(sys.argv[1])
STEPS, WARM = 4, 8
BATCH, WORDS, WIDTH, LAYERS, VOCABULARY = 8, 128, 256, 4, 4096


class Bert(nn.Module):
    """Embeddings, a stack of encoder layers and a prediction of every word."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(WORDS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0.1, activation="gelu", batch_first=True)
            for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens):
        hidden = self.norm(self.words(tokens) + self.places.weight)
        for layer in self.layers:
            hidden = layer(hidden)
        return self.head(hidden)


def recorded(name, compiled):
    torch.manual_seed(1)
    model = Bert().cuda()
    run = compiled(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    tokens = torch.randint(VOCABULARY, (BATCH, WORDS), device="cuda")

    def step():
        with torch.autocast("cuda", torch.bfloat16):
            loss = nn.functional.cross_entropy(run(tokens).flatten(0, 1), tokens.flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        torch.cuda.synchronize()

    for _ in range(WARM):
        step()
    start = time.perf_counter()
    for _ in range(20):
        step()
    wall = (time.perf_counter() - start) / 20
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    schedule = torch.profiler.schedule(wait=1, warmup=3, active=STEPS)
    with torch.profiler.profile(activities=activities, schedule=schedule, record_shapes=True) as profile:
        for _ in range(4 + STEPS):
            step()
            profile.step()
    profile.export_chrome_trace(str(OUT / f"{name}.json.gz"))
    print(f"{name}: {wall * 1e3:.3f} ms a step without a profiler", flush=True)


OUT.mkdir(parents=True, exist_ok=True)
recorded("eager", lambda model: model)
recorded("compiled", torch.compile)
recorded("graphs", lambda model: torch.compile(model, mode="reduce-overhead"))
