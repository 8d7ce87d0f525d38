#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the printing functions of PyTorch's older Python tools beside kscope and compares what they print byte for byte.

usage: python_tools.py KSCOPE FOLDER [KSCOPE_TORCH]   (exit 77: without the tools' texts, numpy or tabulate)

FOLDER holds the texts of the tools, each with the path of its file in the first line and its code between fences. Only
the functions that print are taken of them; times come from what kscope measured."""

import ast
import collections
import contextlib
import gzip
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types

try:
    import numpy
    import tabulate
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)
if tuple(map(int, tabulate.__version__.split(".")[:2])) < (0, 9):
    print("skipped: tabulate before 0.9 aligns columns in another way")
    sys.exit(77)

ROOT = pathlib.Path(__file__).parents[2]
TRACES = [ROOT / "resources/sample.json.gz", *sorted((ROOT / "tests/data/traces").glob("*.json.gz"))]
OPERATORS = """Operator: aten.add.Tensor
cnt: 3, ((T([8, 16], f16), T([8, 16], f16)), {})
cnt: 2, ((T([8, 16], f16, stride=(0, 0)), 1), {'alpha': 2})
Operator: aten.index_put.default
cnt: 1, ((T([8, 16], f16), [T([4], i64)], T([4, 16], f16), True), {})
Operator: aten._unsafe_view.default
cnt: 5, ((T([8, 16], f16), [128]), {})
Operator: aten.convolution.default
cnt: 1, ((T([2, 3, 8, 8], f16), T([4, 3, 3, 3], f16), None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1), {})
Operator: aten.div_.Scalar
cnt: 1, ((T([4], f16), 2), {})
Operator: aten.mul.Tensor
cnt: 1, ((T([64], f16), T([64], f16)), {})
"""
LOWERED = ["aten.add.Tensor", "aten.index_put.default", "aten._unsafe_view.default", "aten.convolution.default",
           "aten.mul.Tensor"]


def functions(folder, path, names, space):
    """The named functions, classes and assignments of a tool, made in `space`, without decorators."""
    for file in sorted(folder.glob("*.txt")):
        text = file.read_text(errors="replace")
        if path not in text.split("\n", 1)[0].replace("\\", "/"):
            continue
        fences = [part for part in text.split("```")[1:] if part.strip()]
        for node in ast.parse(fences[0]).body:
            targets = [target.id for target in getattr(node, "targets", []) if isinstance(target, ast.Name)]
            if getattr(node, "name", None) in names or set(targets) & set(names):
                node.decorator_list = []
                exec(compile(ast.Module([node], []), path, "exec"), space)  # noqa: S102
        return space
    sys.exit(f"{folder} has no {path}")


def printed(function, *arguments, **named):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        function(*arguments, **named)
    return out.getvalue(), err.getvalue()


class Comparison:
    def __init__(self, kscope, tools):
        self.kscope, self.tools, self.faults, self.count = kscope, tools, [], 0
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def run(self, *words):
        return subprocess.run([self.kscope, *map(str, words)], cwd=self.folder, text=True, capture_output=True,
                              env={**os.environ, "KINETOSCOPE_RESULTS": str(self.folder / "results")})

    def kept(self):
        newest = max((self.folder / "results").glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
        return json.loads(newest.read_text())

    def same(self, what, ours, theirs):
        self.count += 1
        if ours != theirs:
            lines = zip(ours.splitlines() + [""], theirs.splitlines() + [""])
            one, other = next(((a, b) for a, b in lines if a != b), ("(more lines)", ""))
            self.faults.append(f"{what}:\n  here  {one!r}\n  there {other!r}")


def averages(path):
    """What the profiler's averages hold of the device, from the trace's own text."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
        events = json.load(file)["traceEvents"]
    names = ("kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation", "cuda_sync")
    ours = [event for event in events if event.get("ph") == "X" and event.get("cat", "").lower() in names]
    ours.sort(key=lambda event: (event["ts"], -event["dur"]))
    sums = collections.OrderedDict()
    for event in ours:
        entry = sums.setdefault(event["name"], [0, 0])
        entry[0] += round(event["dur"] * 1000)
        entry[1] += 1
    return [types.SimpleNamespace(is_legacy=False, device_type="CUDA", key=name, count=count, self_cuda_time_total=ns / 1000)
            for name, (ns, count) in sums.items()]


def tables(comparison):
    space = functions(comparison.tools, "_inductor/wrapper_benchmark.py", ["ProfileEvent", "parse_profile_event_list"],
                      {"defaultdict": collections.defaultdict, "DeviceType": types.SimpleNamespace(CPU="CPU"),
                       "ProfileEvent": lambda **fields: types.SimpleNamespace(**fields)})
    space["ProfileEvent"] = lambda **fields: types.SimpleNamespace(**fields)
    for path in TRACES:
        for wall, runs in (("12.5", 4), ("0.3", 1)):
            theirs, _ = printed(space["parse_profile_event_list"], "net", averages(path), float(wall), runs)
            ours = comparison.run("report", "--compat", "--wall-ms", wall, "--runs", runs, "--name", "net", path).stdout
            start = ours.index("\n  == ") if "\n  == " in ours else ours.index("\nPercent of time")
            end = ours.index("\n", ours.index("Output for tabulate")) + 1
            comparison.same(f"tables of {path.name}", ours[start:end], theirs)


def fastrnns(comparison):
    space = functions(comparison.tools, "benchmarks/fastrnns/bench.py",
                      ["BenchResult", "fit_str", "to_str", "print_header", "pretty_print", "print_stderr",
                       "print_json_oss_format", "print_json_pep_format"],
                      {"json": json, "sys": sys, "namedtuple": collections.namedtuple})
    small = ["--inputSize", 8, "--hiddenSize", 8, "--seqLength", 4, "--miniBatch", 2, "--nloops", 5, "--warmup", 2,
             "--device", "cpu"]
    command = ["bench", "modules", "--compat", "--group", "rnns", "--rnns", "aten", "py", *small]

    def results():
        """As the tool has them, from the loops that were kept: 32-bit floating seconds."""
        groups = {}
        for group in comparison.kept()["items"]:
            for direction, key in (("forward", group["key"]), ("backward", f"{group['key']}-backward")):
                groups[key] = {}
                for runner in group["parts"]:
                    times = [one["samples_ns"] for one in runner["series"] if one["name"] == direction]
                    seconds = numpy.array(times[0]) / 1e9
                    groups[key][runner["name"]] = {"avg": float(numpy.float32(seconds.mean())), "info": seconds.astype("float32"),
                                                   "std": float(numpy.std(seconds, ddof=1))}
        return groups

    ours = comparison.run(*command, "--print-json", "oss").stdout
    comparison.same("fastrnns oss", ours, printed(space["print_json_oss_format"], results())[0])
    ours = comparison.run(*command, "--print-json", "pep").stdout
    comparison.same("fastrnns pep", ours, printed(space["print_json_pep_format"], results())[0])
    ours = comparison.run(*command, "--sep", ",").stderr.splitlines()
    found = results()
    header = ours.index("Benchmarking LSTMs...") + 1
    comparison.same("fastrnns header", ours[header], space["print_header"](sep=","))
    for line, name in zip(ours[header + 1:], ("aten", "py")):
        forward, backward = found["lstm"][name], found["lstm-backward"][name]
        row = space["BenchResult"](name, forward["avg"], forward["std"], "None", backward["avg"], backward["std"], "None")
        comparison.same(f"fastrnns line of {name}", line, space["pretty_print"](row, sep=","))


class Operator(str):
    """Prints and compares as PyTorch's does."""


class Numbers(numpy.ndarray):
    """As much of a tensor as the tool asks for."""


def operatorbench(comparison):
    (comparison.folder / "inputs.txt").write_text(OPERATORS)
    ours = comparison.run("bench", "operators", "--compat", "--inp-file", "inputs.txt", "--dtype", "float32", "--device", "cpu",
                          "--measure-nvfuser", "True", "--implementations", "jit").stdout
    kept = {one["name"]: one for one in comparison.kept()["items"]}
    calls = {}
    for line in OPERATORS.splitlines():
        if line.startswith("Operator: "):
            name = line[10:]
            calls[name] = []
        else:
            calls[name].append(((name, len(calls[name])), {}))

    def measured(operator, arguments, *_):
        times = {one["name"]: float(numpy.median(one["repeats_ns"]))
                 for one in kept[str(operator)]["parts"][arguments[1]]["series"] if one.get("repeats_ns")}
        return [times["eager"], float("nan"), times["nvfuser"]]

    class Loader:
        def __init__(self, _):
            pass

        def get_all_ops(self):
            return [Operator(name) for name in calls]

        def get_inputs_for_operator(self, operator, **_):
            return iter(calls[str(operator)])

    torch = types.SimpleNamespace(
        float16="f16", float32="f32", float64=numpy.float64, Tensor=Numbers,
        tensor=lambda values, dtype=None: numpy.array(values, dtype=numpy.float64),
        quantile=numpy.quantile, _ops=types.SimpleNamespace(OpOverload=type("OpOverload", (), {})),
        ops=types.SimpleNamespace(aten=types.SimpleNamespace(_unsafe_view=types.SimpleNamespace(
            default=Operator("aten._unsafe_view.default")))))
    space = functions(comparison.tools, "microbenchmarks/operatorbench.py", ["skip_operator", "benchmark"],
                      {"torch": torch, "OperatorInputsLoader": Loader, "microbenchmark": measured,
                       "decompositions": set(LOWERED), "lowerings": set(), "tree_map_only": None})
    file = next(comparison.folder.glob("timings_*.txt"))
    here = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory() as there:
        os.chdir(there)
        theirs, _ = printed(space["benchmark"], "torchbench", "all", "float32", 15, False, 3, True, "cpu", "inputs.txt", 0, False)
        os.chdir(here)
        comparison.same("operatorbench file", file.read_text(), pathlib.Path(there, file.name).read_text())
    comparison.same("operatorbench lines", ours, theirs)


def main():
    tools = pathlib.Path(sys.argv[2])
    if not tools.is_dir():
        print(f"skipped: no {tools}")
        return 77
    comparison = Comparison(os.path.abspath(sys.argv[1]), tools)
    tables(comparison)
    if len(sys.argv) > 3 and os.path.exists(sys.argv[3]):
        fastrnns(comparison)
        operatorbench(comparison)
    print("\n".join(comparison.faults) or f"{comparison.count} texts are the same byte for byte")
    return 1 if comparison.faults else 0


sys.exit(main())
