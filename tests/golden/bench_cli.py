#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kscope bench, metrics and results as a user would: bench_cli.py KSCOPE."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PLANS = pathlib.Path(__file__).parent / "plans"
KSCOPE = sys.argv.pop(1)


class BenchCli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def kscope(self, *arguments, **environment):
        return subprocess.run([KSCOPE, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder.name,
                              env={**os.environ, "KINETOSCOPE_RESULTS": self.folder.name + "/results", **environment})

    def one_line(self, run, code):
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertTrue(run.stderr.startswith("kscope: "))

    def test_plan_is_a_document(self):
        run = self.kscope("bench", "kernels", "--plan", "--json", PLANS / "cache", PLANS / "autotuned")
        self.assertEqual(run.returncode, 0, run.stderr)
        plan = json.loads(run.stdout)
        self.assertEqual(plan["schema"], "kinetoscope.plan/1")
        self.assertEqual([len(k["configs"]) for k in plan["kernels"]], [1, 2, 1, 1, 1, 1])
        gelu = plan["kernels"][1]
        self.assertEqual(gelu["gb"], 0.100663296)
        self.assertEqual([p.get("buffer", p.get("value")) for p in gelu["configs"][0]["parameters"]],
                         ["in_out_ptr0", "in_ptr0", 16777216, 0, 0])

    def test_plan_table_names_every_kernel(self):
        run = self.kscope("bench", "kernels", "--plan", PLANS / "cache", COLUMNS="200")
        for name in ("triton_poi_fused_add_clone_sin_t_0", "triton_tem_fused_mm_0", "triton_spl_fused_cumsum_0"):
            self.assertIn(name, run.stdout)
        self.assertIn("64 × 64 × 1", run.stdout)

    def test_wrong_input_ends_in_one_line(self):
        self.one_line(self.kscope("bench", "kernels", "--plan", "/nonexistent"), 2)
        self.one_line(self.kscope("bench", "kernels", "--method", "guess", PLANS), 2)
        self.one_line(self.kscope("bench", "kernels", "--json", "--csv", PLANS), 2)
        self.one_line(self.kscope("bench"), 2)
        self.one_line(self.kscope("results", "show"), 2)

    def test_metadata_is_appended_below_one_header(self):
        for _ in range(2):
            run = self.kscope("metrics", "kernels", "--name", "net", PLANS / "cache")
            self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("5 generated kernels", run.stdout)
        lines = (pathlib.Path(self.folder.name) / "metric_table_kernel_metadata.csv").read_text().splitlines()
        self.assertEqual(len(lines), 11)
        self.assertTrue(all(line.startswith("net,triton_") for line in lines[1:]))
        shown = self.kscope("metrics", "show", "metric_table_kernel_metadata.csv", COLUMNS="300")
        self.assertEqual(shown.stdout.count("split_scan"), 2)

    def test_tables_are_chosen_by_option_or_environment(self):
        self.one_line(self.kscope("metrics", "kernels", "--metric-tables", "nonsense", PLANS), 2)
        self.one_line(self.kscope("metrics", "kernels", PLANS, KINETOSCOPE_METRIC_TABLES="nonsense"), 2)
        run = self.kscope("metrics", "kernels", "--metric-tables", "graph_stats", PLANS / "cache")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(os.listdir(self.folder.name), [])


if __name__ == "__main__":
    unittest.main()
