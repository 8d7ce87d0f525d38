#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kscope metrics record as a user would: metrics_cli.py KSCOPE. Inductor is a small stand-in that refuses integers
in its rows as the real one does; with $KINETOSCOPE_TEST_PYTHON, a Python with PyTorch 2, the real one runs as well."""

import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

KSCOPE = os.path.abspath(sys.argv.pop(1))
TORCH_PYTHON = os.environ.get("KINETOSCOPE_TEST_PYTHON")

STAND_IN = {
    "torch/__init__.py": "",
    "torch/version.py": "__version__ = '2.99'\n",
    "torch/_guards.py": """
class CompileContext:
    @staticmethod
    def current_compile_id():
        return "3/1"
""",
    "torch/_inductor/__init__.py": "",
    "torch/_inductor/metrics.py": """
import os
generated_kernel_count = num_bytes_accessed = 0
nodes_num_elem, node_runtimes, cpp_outer_loop_fused_inner_counts = [], [], []
REGISTERED_METRIC_TABLES = {}

def get_benchmark_name():
    return "net"

def enabled_metric_tables():
    return set(os.environ["TORCHINDUCTOR_ENABLED"].split())

def get_metric_table(name):
    return REGISTERED_METRIC_TABLES[name]

def log_kernel_metadata(name, path, text):
    raise AssertionError("size_hints missing!")

class MetricTable:
    def __init__(self, name, columns):
        self.table_name, self.column_names = name, columns
        REGISTERED_METRIC_TABLES[name] = self

    def add_row(self, row_fn):
        raise AssertionError("expected all row values to be str, float, or None")

MetricTable("graph_stats", ["graph_id", "num_nodes_before_fusion", "num_nodes_after_fusion"])
MetricTable("slow_fusion", ["kernel1_path"])
""",
    "torch/_inductor/graph.py": """
class GraphLowering:
    def count_bytes(self):
        raise ValueError("no bytes today")
""",
    "torch/_inductor/compile_fx.py": """
import logging
from torch._inductor import metrics
from torch._inductor.graph import GraphLowering
inductor_metrics_log = logging.getLogger("inductor_metrics")

def _compile_fx_inner(graph, is_backward=False, graph_id=None):
    metrics.generated_kernel_count += 2
    metrics.get_metric_table("graph_stats").add_row(lambda: {
        "graph_id": graph_id, "num_nodes_before_fusion": 7, "num_nodes_after_fusion": 3})
    metrics.get_metric_table("slow_fusion").add_row(lambda: 1 / 0)
    metrics.log_kernel_metadata("triton_0", "/k.py", graph)
    if inductor_metrics_log.isEnabledFor(logging.INFO):
        size, nodes, times = GraphLowering().count_bytes()
        metrics.num_bytes_accessed += 64
        metrics.nodes_num_elem += [("op0", 16)]
        metrics.node_runtimes += [("op0", 0.5)]
        inductor_metrics_log.info("nobody wants to read this")
    if graph == "fails":
        raise RuntimeError("does not compile")
""",
}

PROGRAM = """
import os, sys
print(sys.argv[1:])
from torch._inductor import metrics
metrics.generated_kernel_count += 1  # before any region
from torch._inductor import compile_fx
kernel = "@triton_heuristics.pointwise(size_hints={'x': 8})\\n@triton.jit\\ndef triton_(a):\\n    pass\\n"
compile_fx._compile_fx_inner(kernel, graph_id=0)
if os.fork() == 0:
    compile_fx._compile_fx_inner(kernel, is_backward=True, graph_id=1)
    os._exit(0)
os.wait()
try:
    compile_fx._compile_fx_inner("fails", graph_id=2)
except RuntimeError as error:
    print(error)
metrics.generated_kernel_count += 10  # after all
sys.exit(3)
"""

REAL = """
import json, torch
from torch._inductor import metrics
model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.LayerNorm(32), torch.nn.Softmax(-1))
torch.compile(model)(torch.randn(8, 16)).sum().backward()
print(json.dumps({"generated_kernel_count": metrics.generated_kernel_count,
                  "generated_cpp_vec_kernel_count": metrics.generated_cpp_vec_kernel_count,
                  "num_bytes_accessed": metrics.num_bytes_accessed,
                  "nodes_num_elem": sum(size for _, size in metrics.nodes_num_elem),
                  "ir_nodes_pre_fusion": metrics.ir_nodes_pre_fusion}))
"""


class MetricsRecord(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        for name, text in {**STAND_IN, "program.py": PROGRAM}.items():
            file = self.path / "python" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        (self.path / "tmp").mkdir()

    def environment(self, **more):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TORCHINDUCTOR_")}
        return {**clean, "PYTHONPATH": str(self.path / "python"), "TMPDIR": str(self.path / "tmp"), **more}

    def kscope(self, *words, **more):
        return subprocess.run([KSCOPE, *map(str, words)], cwd=self.path, env=self.environment(**more),
                              capture_output=True, text=True, timeout=300)

    def record(self, *options, program="program.py", words=()):
        return self.kscope("metrics", "record", "-o", "out", *options, "--", sys.executable,
                           self.path / "python" / program, *words)

    def table(self, name):
        with open(self.path / "out" / f"metric_table_{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_tables_of_all_processes(self):
        run = self.record(words=("--purge", "record", "--", "-o"))
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertEqual(run.stdout, "['--purge', 'record', '--', '-o']\ndoes not compile\n")
        self.assertEqual([row["graph_id"] for row in self.table("graph_stats")], ["0", "1", "2"])
        self.assertEqual(self.table("graph_stats")[0], {"model_name": "net", "graph_id": "0",
                                                         "num_nodes_before_fusion": "7", "num_nodes_after_fusion": "3"})
        self.assertEqual(self.table("kernel_metadata")[0]["kernel_name"], "triton_0")
        self.assertIn("PyTorch 2.99, compiled regions: 3, processes: 2", run.stderr)
        self.assertIn("ZeroDivisionError", run.stderr)
        self.assertIn("no bytes today", run.stderr)
        self.assertIn("has no metric table persistent_red_perf", run.stderr)
        self.assertNotIn("nobody wants", run.stderr)
        self.assertEqual(list((self.path / "tmp").iterdir()), [])

    def test_counters_before_and_after_each_region(self):
        self.record()
        rows = [row for row in self.table("counters") if row["counter"] == "generated_kernel_count"]
        self.assertEqual([(row["kind"], row["before"], row["after"], row["delta"]) for row in rows],
                         [("forward", "0", "3", "3"), ("backward", "3", "5", "2"), ("forward", "3", "5", "2"),
                          ("rest", "5", "15", "10")])
        self.assertEqual({row["compile_id"] for row in rows[:3]}, {"3/1"})
        self.assertEqual(len({row["process"] for row in rows}), 2)
        self.assertEqual(len(self.table("counters")), 4 * 10)
        sizes = [row for row in self.table("counters") if row["counter"] == "nodes_num_elem"]
        self.assertEqual([(row["after"], row["entries"]) for row in sizes[:3]], [("16", "1"), ("32", "2"), ("32", "2")])
        self.assertEqual([(row["node"], row["num_elem"], row["runtime_ms"]) for row in self.table("nodes")],
                         [("op0", "16", "0.500000")] * 3)

    def test_chosen_tables_and_name(self):
        run = self.record("--metric-tables", "graph_stats, counters", "--name", "mine")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertEqual({file.name for file in (self.path / "out").iterdir()},
                         {"metric_table_graph_stats.csv", "metric_table_counters.csv"})
        self.assertEqual({row["model_name"] for row in self.table("graph_stats")}, {"mine"})

    def test_rows_are_appended_and_purged(self):
        self.record("--metric-tables", "graph_stats")
        self.record("--metric-tables", "graph_stats")
        self.assertEqual(len(self.table("graph_stats")), 6)
        self.record("--metric-tables", "graph_stats", "--purge")
        self.assertEqual(len(self.table("graph_stats")), 3)

    def test_what_inductor_needs_is_switched_on(self):
        (self.path / "python" / "show.py").write_text(
            "import os\nfor name, value in sorted(os.environ.items()):\n"
            "    if name.startswith('TORCHINDUCTOR_'): print(name[14:], value)\n")
        self.assertEqual(self.record(program="show.py").stdout.split("\n"),
                         ["AUTOGRAD_CACHE 0", "BENCHMARK_FUSION 1", "BENCHMARK_KERNEL 1", "FX_GRAPH_CACHE 0",
                          "MULTI_KERNEL 1", ""])
        run = self.kscope("metrics", "record", "--use-caches", "--metric-tables", "slow_fusion", "--", sys.executable,
                          self.path / "python" / "show.py", TORCHINDUCTOR_BENCHMARK_FUSION="0")
        self.assertEqual(run.stdout, "BENCHMARK_FUSION 0\n")

    def test_own_sitecustomize_still_runs(self):
        (self.path / "python" / "sitecustomize.py").write_text("print('here')\n")
        self.assertTrue(self.record().stdout.startswith("here\n"))

    def test_nothing_compiled_is_told(self):
        (self.path / "python" / "quiet.py").write_text("print('hello')\n")
        run = self.record(program="quiet.py")
        self.assertEqual((run.returncode, run.stdout), (0, "hello\n"))
        self.assertIn("nothing was recorded", run.stderr)
        self.assertFalse(list((self.path / "out").iterdir()))

    def test_rows_of_a_killed_program_stay(self):
        (self.path / "python" / "long.py").write_text(
            PROGRAM.split("if os.fork")[0] + "print('compiled', flush=True)\nimport time\ntime.sleep(60)\n")
        run = subprocess.Popen([KSCOPE, "metrics", "record", "-o", "out", "--", sys.executable,
                                self.path / "python" / "long.py"], cwd=self.path, env=self.environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while "compiled" not in run.stdout.readline():
            time.sleep(0.01)
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=30)
        self.assertEqual(run.returncode, 128 + signal.SIGTERM)
        self.assertEqual(len(self.table("graph_stats")), 1)

    def test_bad_use(self):
        for words in (["record"], ["record", "--"], ["record", "--", "/nonexistent/program"], ["record", "-x", "--", "true"]):
            run = self.kscope("metrics", *words)
            self.assertIn(run.returncode, (1, 2), words)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        (self.path / "file").write_text("")
        self.assertEqual(self.kscope("metrics", "record", "-o", "file/x", "--", "true").returncode, 1)

    @unittest.skipUnless(TORCH_PYTHON, "no Python with PyTorch 2")
    def test_counters_are_those_that_the_program_sees(self):
        (self.path / "real.py").write_text(REAL)
        run = subprocess.run([KSCOPE, "metrics", "record", "-o", "out", "--", TORCH_PYTHON, "real.py"], cwd=self.path,
                             env={**self.environment(), "PYTHONPATH": ""}, capture_output=True, text=True, timeout=600)
        self.assertEqual(run.returncode, 0, run.stderr)
        seen = json.loads(run.stdout)
        rows = self.table("counters")
        self.assertEqual({row["kind"] for row in rows}, {"forward", "backward"})
        for counter, value in seen.items():
            mine = [row for row in rows if row["counter"] == counter]
            self.assertEqual(int(mine[-1]["after"]), value, counter)
            self.assertEqual(sum(int(row["delta"]) for row in mine), value, counter)
        self.assertGreater(seen["num_bytes_accessed"], 0)
        self.assertEqual(len(self.table("graph_stats")), 2)
        self.assertEqual(sum(int(row["num_elem"]) for row in self.table("nodes")), seen["nodes_num_elem"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
