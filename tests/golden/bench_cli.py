#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kscope bench, metrics and results as a user would:
bench_cli.py KSCOPE FAKE_CUDA FAKE_CUPTI INJECT_LIBRARY. PyTorch and the GPU are stand-ins."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PLANS = pathlib.Path(__file__).parent / "plans"
KSCOPE, FAKE_CUDA, FAKE_CUPTI, INJECT = (sys.argv.pop(1) for _ in range(4))

# What PyTorch's own profiler writes where there is no GPU.
CPU_TRACE = {"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10.0 * i,
                              "dur": 5.0, "args": {"Input Dims": [[4, 8], []]}} for i in range(100)]}

# Stands in for PyTorch: launches by the fake driver, and a range around them as emit_nvtx makes it.
TORCH = f"""
import contextlib, ctypes, os, types
driver = ctypes.CDLL({FAKE_CUDA!r})
driver.cuInit(0)

@contextlib.contextmanager
def emit_nvtx(record_shapes):
    global marking
    marking = record_shapes
    yield

def launch(name, shapes):
    recorder = ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]) if marking else None
    if recorder:
        recorder.kinetoscope_inject_range_push(f"aten::{{name}}, op_id = 7, sizes = {{shapes}}".encode())
    driver.fakeLaunch(names.setdefault(name, name.encode()), 7)
    if recorder:
        recorder.kinetoscope_inject_range_pop()

marking = False
names = {{}}  # a launch keeps the pointer
cuda = types.SimpleNamespace(synchronize=lambda: None, is_available=lambda: "NO_GPU" not in os.environ)

class CpuProfile:
    def __init__(self, record_shapes):
        pass
    def __enter__(self):
        return self
    def __exit__(self, *_):
        pass
    def export_chrome_trace(self, path):
        with open(path, "w") as file:
            file.write({json.dumps(CPU_TRACE)!r})

profiler = types.SimpleNamespace(profile=CpuProfile)
autograd = types.SimpleNamespace(profiler=types.SimpleNamespace(emit_nvtx=emit_nvtx))
"""

MODULE = """
import torch

def get_args():
    return [[4, 8]]

def benchmark_compiled_module(args, times=10, repeat=10):
    for _ in range(times * repeat):
        torch.launch("mm", [args[0], []])
    print("0.000250")
    return 0.00025
"""


class BenchCli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def kscope(self, *arguments, **environment):
        return subprocess.run([KSCOPE, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder.name,
                              env={**os.environ, "KINETOSCOPE_RESULTS": self.folder.name + "/results", **environment})

    def module(self, text=MODULE):
        folder = pathlib.Path(self.folder.name)
        (folder / "torch.py").write_text(TORCH)
        (folder / "output_code.py").write_text(text)
        return {"PYTHONPATH": self.folder.name, "KINETOSCOPE_CUPTI": FAKE_CUPTI, "KINETOSCOPE_INJECT": INJECT}

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

    def test_a_worker_takes_several_folders(self):
        for indices in ("0", "5,0,2,1"):
            run = self.kscope("bench", "worker", "--indices", indices, "--", PLANS / "cache", PLANS / "autotuned")
            self.assertNotEqual(run.returncode, 2, run.stderr)
            self.assertIn(json.loads(run.stdout.splitlines()[0])["event"], ("failed", "gpu", "waiting"))

    def test_wrong_input_ends_in_one_line(self):
        self.one_line(self.kscope("bench", "kernels", "--plan", "/nonexistent"), 2)
        self.one_line(self.kscope("bench", "kernels", "--method", "guess", PLANS), 2)
        self.one_line(self.kscope("bench", "kernels", "--json", "--csv", PLANS), 2)
        self.one_line(self.kscope("bench"), 2)
        for value in ("nan", "-nan", "inf", "0x1p1", "1e400", "-1", "3s", " 3", ""):
            for option in ("kernels --time-limit=", "kernels --max-width=", "operators --time-limit="):
                bench, option = option.split()
                self.one_line(self.kscope("bench", bench, option + value, "--plan", *[PLANS] * (bench == "kernels")), 2)
        self.one_line(self.kscope("results", "show"), 2)

    def test_results_that_cannot_be_read_are_named(self):
        folder = pathlib.Path(self.folder.name)
        (folder / "file").write_text("no folder")
        for command in ("list", "show"):
            run = self.kscope("results", command, KINETOSCOPE_RESULTS=str(folder / "file"))
            self.one_line(run, 2)
            self.assertIn("Not a directory", run.stderr)
        kept = folder / "results"
        kept.mkdir()
        self.assertEqual(self.kscope("results", "list").stdout, "no saved results\n")
        (kept / "link.json").symlink_to("nowhere")
        (kept / "folder.json").mkdir()
        (kept / "other.json").write_text("{}")
        run = self.kscope("results", "list")
        self.assertEqual(run.returncode, 0)
        for name in ("link.json", "folder.json", "other.json"):
            self.assertIn(name, run.stderr)
        self.assertEqual(run.stderr.count("warning"), 3)

    def test_module_without_options_gives_the_wall_seconds(self):
        run = self.kscope("bench", "module", "--python", sys.executable, "output_code.py", **self.module())
        self.assertEqual((run.returncode, run.stdout), (0, "0.000250\n"), run.stderr)
        old = MODULE.replace("(args, times", "(times").replace("args[0]", "[4, 8]")
        run = self.kscope("bench", "module", "--python", sys.executable, "output_code.py", **self.module(old))
        self.assertEqual((run.returncode, run.stdout), (0, "0.000250\n"), run.stderr)

    def test_module_is_profiled(self):
        run = self.kscope("bench", "module", "-p", "-o", "trace.json", "--name", "net", "--python", sys.executable,
                          "output_code.py", **self.module())
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stdout.splitlines()
        self.assertEqual(lines[:4], ["0.000250", "0.000250", "Profiling result for a compiled module of benchmark net:",
                                     "Chrome trace for the profile is written to trace.json"])
        rows = {tuple(line.split()[i] for i in (0, 6, -1)): line for line in lines[7:10]}
        self.assertIn(("aten::mm", "200.000us", "[]]"), rows)
        self.assertRegex(rows[("aten::mm", "200.000us", "[]]")], r" 100 +\[\[4, 8\], \[\]\]  $")
        self.assertIn("Self CUDA time total: 200.000us", lines)
        self.assertIn("mm                        0.002        1  0.80%", lines)
        self.assertEqual(lines[-1], "Output for tabulate: net, 0.00%, 0.00%, 0.00%, 0.00%, 0.80%, 0.80%, 0.250ms")
        events = json.loads((pathlib.Path(self.folder.name) / "trace.json").read_text())["traceEvents"]
        self.assertEqual(sum(e.get("cat") == "kernel" for e in events), 100)
        self.assertEqual(len([e for e in events if e.get("cat") == "cpu_op"
                              and e["args"]["Input Dims"] == [[4, 8], []]]), 100)

    def test_module_is_profiled_without_a_gpu(self):
        text = MODULE + """
if __name__ == "__main__":
    from torch._inductor.wrapper_benchmark import compiled_module_main
    compiled_module_main('tiny net', benchmark_compiled_module)
"""
        run = self.kscope("bench", "module", "-p", "-o", "cpu.json", "--python", sys.executable, "output_code.py",
                          NO_GPU="1", **self.module(text))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("PyTorch has no GPU here", run.stderr)
        self.assertIn("Profiling result for a compiled module of benchmark tiny net:", run.stdout)
        self.assertRegex(run.stdout, r"aten::mm +100\.00%")
        self.assertEqual(json.loads((pathlib.Path(self.folder.name) / "cpu.json").read_text()), CPU_TRACE)
        self.assertEqual(list(pathlib.Path(self.folder.name).glob("*.part")), [])

    def test_two_kernels_in_a_source_are_said(self):
        source = next((PLANS / "cache/inductor_cache").glob("*/*.py")).read_text()
        at = source.index("@triton_heuristics.")
        folder = pathlib.Path(self.folder.name) / "cache"
        folder.mkdir()
        (folder / "two.py").write_text(source + "\n\n" + source[at:])
        run = self.kscope("bench", "kernels", "--plan", "--json", folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("two.py': holds 2 kernels; only ", json.loads(run.stdout)["problems"][0])

    def test_a_kernel_without_a_binary_says_so_in_compat_lines(self):
        source = next((PLANS / "cache/inductor_cache").glob("*/*.py"))
        folder = pathlib.Path(self.folder.name) / "cache"
        folder.mkdir()
        (folder / source.name).write_text(source.read_text())
        run = self.kscope("bench", "kernels", "--compat", folder, KINETOSCOPE_CUDA=FAKE_CUDA)
        self.assertIn("not run: its binary is not in the given folders", run.stdout)
        self.assertNotIn("No kernel with benchmark functionality found", run.stdout)
        self.assertFalse((pathlib.Path(self.folder.name) / "results").exists())

    def test_module_kernels_are_those_of_the_caches(self):
        sources = sorted((PLANS / "cache/inductor_cache").glob("*/*.py"))
        chosen = [sources[1], sources[0]]
        text = "".join(f"k{i} = async_compile.triton('k{i}', '''\n{path.read_text()}\n''', device_str='cuda')\n"
                       for i, path in enumerate(chosen))
        text += "lost = async_compile.triton('lost', '''\n@triton_heuristics.pointwise()\ndef lost(): pass\n''')\n"
        self.module(text.replace("\\n", "\\\\n"))
        run = self.kscope("bench", "module", "-k", "--plan", "--json", "--cache", PLANS / "cache", "output_code.py")
        self.assertEqual(run.returncode, 0, run.stderr)
        plan = json.loads(run.stdout)
        self.assertEqual([k["key"] for k in plan["kernels"]], [chosen[0].stem, chosen[1].stem, ""])
        self.assertEqual([k["reason"] is None for k in plan["kernels"]], [True, True, False])
        self.assertIn("1 of 3 kernels are not in the caches", run.stderr)

    def test_module_errors_end_in_one_line(self):
        environment = self.module("x = 1\n")
        module = ("bench", "module", "--python", sys.executable)
        self.one_line(self.kscope(*module, "nowhere.py"), 2)
        self.one_line(self.kscope(*module, "-k", "-p", "output_code.py"), 2)
        self.one_line(self.kscope(*module, "--plan", "output_code.py"), 2)
        self.one_line(self.kscope(*module, "-k", "--cache", "/nonexistent", "output_code.py"), 2)
        self.one_line(self.kscope("bench", "module", "--python", "/no/python", "output_code.py"), 2)
        run = self.kscope(*module, "output_code.py", **environment)
        self.assertEqual(run.returncode, 1)
        self.assertIn("has no benchmark_compiled_module", run.stderr)

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
