#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads docs/seeds.md: seeds_table.py KSCOPE ROOT BUILD. Every command in it has to exist with its options, every test by its
name, every verdict has to be one of five, and what differs has to say why."""

import functools
import pathlib
import re
import shlex
import subprocess
import sys

KSCOPE, ROOT, BUILD = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
VERDICTS = ("exact", "equal in substance", "different", "partly", "missing")


def whole_help(command):
    return subprocess.run([KSCOPE, *command, "--help"], capture_output=True, text=True).stdout


@functools.cache
def help_of(command):
    run = subprocess.run([KSCOPE, *command, "--help"], capture_output=True, text=True)
    # A word that leads nowhere is left over, and --help is then that of the command before.
    good = run.returncode == 0 and run.stdout != (whole_help(command[:-1]) if command else "")
    return set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", run.stdout)) if good else None


def faults_of(text):
    words = shlex.split(text)[1:]
    command = []
    while words and re.fullmatch(r"[a-z]+", words[0]) and len(command) < 2 and not (command and command[0] not in
                                                                                   ("bench", "metrics", "results")):
        command.append(words.pop(0))
    known = help_of(tuple(command))
    if known is None:
        return [f"there is no 'kscope {' '.join(command)}'"]
    if "--" in words:
        words = words[:words.index("--")]
    return [f"'kscope {' '.join(command)}' has no {word}" for word in words
            if re.fullmatch(r"--?[A-Za-z][\w-]*", word) and word not in known]


def tests():
    run = subprocess.run(["ctest", "-N", "--test-dir", BUILD], capture_output=True, text=True, check=True)
    return set(re.findall(r"Test +#\d+: (\w+)", run.stdout))


def main():
    names, faults, rows = tests(), [], 0
    for number, line in enumerate((ROOT / "docs/seeds.md").read_text().splitlines(), 1):
        if not line.startswith("| ") or line.startswith(("| Item", "| ---")):
            continue
        rows += 1
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) != 5:
            faults.append(f"line {number}: {len(cells)} cells instead of 5")
            continue
        _, here, verdict, why, covered = (cell.strip("| ") for cell in cells)
        found = [fault for text in re.findall(r"`(kscope [^`]+)`", here + why) for fault in faults_of(text)]
        if verdict not in VERDICTS:
            found.append(f"'{verdict}' is not a verdict")
        if verdict in VERDICTS[2:] and not why:
            found.append("does not say why")
        found += [f"there is no test {name}" for name in re.findall(r"`(\w+)`", covered) if name not in names]
        faults += [f"line {number}: {fault}" for fault in found]
    print("\n".join(faults) if faults else f"{rows} rows, every command and test is there")
    return 1 if faults or rows < 93 else 0


sys.exit(main())
