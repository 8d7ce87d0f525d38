#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills all metric tables from a training step that Inductor compiles on a GPU: metric_tables.py KSCOPE. Holds the
counters against those that the program itself reads, and kernel_metadata against the sources. Prints the rows of each
table and how long the program took with and without. Exit 1 where a table stays empty or a figure differs."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROGRAM = """
import json, torch
from torch._inductor import metrics

class Block(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(size, 8, batch_first=True)
        self.first, self.second = torch.nn.LayerNorm(size), torch.nn.LayerNorm(size)
        self.up, self.down = torch.nn.Linear(size, 4 * size), torch.nn.Linear(4 * size, size)

    def forward(self, x):
        y = self.first(x)
        x = x + self.attention(y, y, y)[0]
        x = x + self.down(torch.nn.functional.gelu(self.up(self.second(x))))
        return x + x.softmax(-1) * x.mean(1, keepdim=True)

model = torch.nn.Sequential(Block(512), Block(512)).cuda()
step = torch.compile(model)
x = torch.randn(8, 192, 512, device="cuda")
loss = step(x).square().mean()
loss.backward()
print(json.dumps({name: value if isinstance(value, int) else sum(v[1] if isinstance(v, tuple) else v for v in value)
                  for name, value in vars(metrics).items()
                  if name in ("generated_kernel_count", "ir_nodes_pre_fusion", "num_bytes_accessed", "nodes_num_elem",
                              "num_comprehensive_padding", "num_matches_for_scatter_upon_const_tensor")}))
"""
TABLES = ["slow_fusion", "graph_stats", "persistent_red_perf", "fusion_failure_due_to_indexing_mismatch",
          "kernel_metadata", "counters", "nodes"]


def run(command, folder, **more):
    start = time.monotonic()
    ended = subprocess.run(command, cwd=folder, text=True, capture_output=True,
                           env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"), **more})
    if ended.returncode != 0:
        sys.exit(f"{command[0]}: exit code {ended.returncode}\n{ended.stderr[-3000:]}")
    return json.loads(ended.stdout.splitlines()[-1]), time.monotonic() - start, ended.stderr


def rows(folder, table):
    path = folder / "tables" / f"metric_table_{table}.csv"
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def main():
    kscope, faults = os.path.abspath(sys.argv[1]), []
    with tempfile.TemporaryDirectory() as name:
        plain, recorded = pathlib.Path(name, "plain"), pathlib.Path(name, "recorded")
        for folder in (plain, recorded):
            folder.mkdir()
            (folder / "program.py").write_text(PROGRAM)
        _, without, _ = run([sys.executable, "program.py"], plain)
        command = [kscope, "metrics", "record", "-o", "tables", "--", sys.executable, "program.py"]
        seen, with_tables, log = run(command, recorded)
        counters = rows(recorded, "counters")
        for counter, value in seen.items():
            mine = [row for row in counters if row["counter"] == counter]
            if not mine or float(mine[-1]["after"]) != value or sum(float(row["delta"]) for row in mine) != value:
                faults.append(f"{counter}: the program reads {value}, the table has {mine[-1:]}")
        kernels = rows(recorded, "kernel_metadata")
        for row in kernels:
            text = pathlib.Path(row["kernel_path"]).read_text()
            if int(row["num_load"]) != text.count("tl.load") or not row["kernel_args_num_gb"] and row["kernel_category"] != "foreach":
                faults.append(f"kernel_metadata: {row}")
        print(f"{'table':42}{'rows':>6}")
        for table in TABLES:
            count = len(rows(recorded, table))
            print(f"{table:42}{count:6}")
            # Whether a fusion is slower than its parts is up to the machine.
            if count == 0 and table != "slow_fusion":
                faults.append(f"{table} has no rows")
        for row in rows(recorded, "slow_fusion")[:2] + rows(recorded, "persistent_red_perf")[:2]:
            print({key: value[-40:] for key, value in row.items() if value})
        subprocess.run([kscope, "metrics", "record", "-o", "old", "--original", "--metric-tables", "persistent_red_perf", "--",
                        sys.executable, "program.py"], cwd=recorded, check=True, capture_output=True,
                       env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(recorded / "other_cache")})
        original = (recorded / "old/metric_table_persistent_red_perf.csv").read_text().splitlines()
        print(f"--original: {original[0]} ({len(original) - 1} rows)")
        print(f"seconds without {without:.1f}, with all tables {with_tables:.1f}")
        print(log.strip())
    print("\n".join(faults) if faults else "all counters are those that the program reads")
    return 1 if faults else 0


sys.exit(main())
