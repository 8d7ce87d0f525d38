#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same training step, eager and compiled, recorded: bert_twins.py KSCOPE OUT. Writes eager.json.gz, compiled.json.gz and
graphs.json.gz (compiled with CUDA graphs), four steps each, and prints the mean milliseconds of a step without a profiler
and what `kscope advise` says of the host. Exit 1 unless the host leads the findings of the eager step, with less to save in
each of its twins."""
import json
import pathlib
import subprocess
import sys
import time

import torch
from torch import nn

KSCOPE, OUT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
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
    return host_finding(OUT / f"{name}.json.gz")


def host_finding(path):
    """What the host costs a step, in nanoseconds, and whether that is the first finding."""
    advice = json.loads(subprocess.run([KSCOPE, "advise", "--json", path], check=True, capture_output=True).stdout)
    path.with_suffix(".advice.json").write_text(json.dumps(advice, indent=1))
    found = [one for one in advice["findings"] if one["rule"] == "host-bound" and not one["abstained"]]
    if not found:
        print("    no finding host-bound")
        return 0, False
    figures = ", ".join(f"{line['label']} {line['value']}" for line in found[0]["evidence"])
    print(f"    {found[0]['title']}: saves {found[0]['saves_ns'] / 1e3:.1f} of {found[0]['step_ns'] / 1e3:.1f} µs; {figures}")
    return found[0]["saves_ns"], advice["findings"][0] is found[0]


OUT.mkdir(parents=True, exist_ok=True)
eager, leads = recorded("eager", lambda model: model)
compiled, _ = recorded("compiled", torch.compile)
graphs, _ = recorded("graphs", lambda model: torch.compile(model, mode="reduce-overhead"))
holds = leads and compiled < eager and graphs < eager
print("the host leads the eager step's findings, and there is less to save in its twins" if holds else "MISSED")
sys.exit(not holds)
