#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares kscope with what PyTorch's own scripts printed for recorded traces, and the plan of a
compiler cache with the launches that were recorded while its kernels ran.

usage: reference_answers.py KSCOPE_BINARY MATERIAL_FOLDER   (exit 77: there is no such folder)
"""
import gzip
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

SKIPPED = 77
# Wall time of one run in ms, as the module's own run without a profiler measured it.
MODULES = {"0": "0.32707", "1": "0.19417"}


def kscope(binary, *arguments, command=("report",)):
    return subprocess.run([binary, *command, *arguments], capture_output=True, text=True,
                          check=True).stdout


def recorded(material, module):
    return material / "traces" / f"inductor_module{module}.json.gz"


def modules_of(material):
    """Those whose trace is there; each of them has its answers."""
    return {module: wall for module, wall in MODULES.items() if recorded(material, module).exists()}


def utilization_faults(binary, traces):
    answers = json.loads((traces / "seed_answers.json").read_text())
    for name, answer in answers.items():
        wall_ms = answer["wall_s"] * 1000 / answer["nruns"]
        compat = json.loads(kscope(binary, "--json", "--wall-ms", repr(wall_ms), "--runs",
                                   str(answer["nruns"]),
                                   traces / answer.get("file", f"{name}.json.gz")))["compat"]
        for ours, theirs in (("utilization", "seed_gpu_utilization"),
                             ("mm_conv_utilization", "seed_mm_conv_utilization")):
            if abs(compat[ours] - answer[theirs]) > 1e-6:
                yield f"{name}: {ours} {compat[ours]}, expected {answer[theirs]}"


def printed_tables(text):
    start = text.index("  == ")
    return text[start:text.index("\n", text.index("Output for tabulate"))]


def module_faults(binary, material):
    for module, wall_ms in modules_of(material).items():
        ours = printed_tables(kscope(binary, "--compat", "--runs", "100", "--wall-ms", wall_ms,
                                     recorded(material, module)))
        theirs = printed_tables(
            (material / "inductor/mlp_train_reference" / f"module{module}-p.txt").read_text())
        theirs = theirs.replace("CUDA is busy", "GPU is busy")
        for line, (one, other) in enumerate(zip(ours.splitlines(), theirs.splitlines()), 1):
            if one != other:
                yield f"module {module}, line {line}: {one!r}, expected {other!r}"
        if ours.count("\n") != theirs.count("\n"):
            yield f"module {module}: {ours.count(chr(10))} lines, expected {theirs.count(chr(10))}"


def operator_faults(binary, material):
    for module in modules_of(material):
        ours = kscope(binary, "--operators", recorded(material, module))
        text = (material / "inductor/mlp_train_reference" / f"module{module}-p.txt").read_text()
        theirs = text[text.index("-----"):text.index("\n\n\n  == ") + 1]
        for line, (one, other) in enumerate(zip(ours.splitlines(), theirs.splitlines()), 1):
            if one != other:
                yield f"operators of module {module}, line {line}: {one!r}, expected {other!r}"
        if ours.count("\n") != theirs.count("\n"):
            yield f"operators of module {module}: {ours.count(chr(10))} lines"


def launches_of(path):
    """What the profiler saw of each Triton kernel: grid, threads, registers and shared bytes."""
    return {(event["name"], tuple(event["args"]["grid"]), event["args"]["block"][0],
             event["args"]["registers per thread"], event["args"]["shared memory"])
            for event in json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
            if event.get("cat") == "kernel" and event["name"].startswith("triton_")}


def plan_faults(binary, material):
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(material / "inductor/mlp_train_cache.tar.gz") as archive:
            archive.extractall(folder)
        kernels = json.loads(kscope(binary, "--plan", "--json", folder,
                                    command=("bench", "kernels")))["kernels"]
    planned = {(kernel["name"], tuple(config["grid"]), config["threads"], config["registers"],
                config["shared_bytes"]) for kernel in kernels for config in kernel["configs"]}
    for module in modules_of(material):
        launches = launches_of(recorded(material, module))
        if not launches:
            yield f"module {module}: no kernels of Triton"
        for launch in sorted(launches - planned):
            yield f"module {module}: recorded {launch}, planned otherwise"


def main():
    binary, material = sys.argv[1], pathlib.Path(sys.argv[2])
    if not material.is_dir():
        print(f"skipped: {material} is not there")
        return SKIPPED
    faults = [*utilization_faults(binary, material / "traces"), *module_faults(binary, material),
              *operator_faults(binary, material), *plan_faults(binary, material)]
    if not modules_of(material):
        faults.append(f"{material}: no module is there")
    print("\n".join(faults) if faults else "compat figures and plans equal the reference answers")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
