#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over all sources: lint_all.py SINGLE UNITY, two build folders configured for clang.

Most of its time goes into headers that all files share, so files are checked a dozen at a time, as
UNITY's compile commands join them. Where that does not compile cleanly, because two files use one
name for something of their own, their files are checked one by one as in SINGLE. What was clean is
remembered in UNITY/clean and not checked again until it, a header or a check changes.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

TIDY = ["clang-tidy-16", "--quiet", "--warnings-as-errors=*"]
# PyTorch 1.13's headers do not compile with clang in C++20: what includes them is left out.
OURS = re.compile(r"^(core|widgets|app)/(?!bench/torch/|kscope-torch/)")


def sources(build: pathlib.Path, root: pathlib.Path):
    """Files of our own that the build folder compiles, generated ones left out."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        base = build if path.is_relative_to(build) else root
        if OURS.match(str(path.relative_to(base))) and "autogen" not in str(path):
            yield path


def members(unity: pathlib.Path):
    return [pathlib.Path(name) for name in re.findall(r'#include "(.*)"', unity.read_text())]


def tidy(build: pathlib.Path, path: pathlib.Path, *options: str) -> str:
    """What clang-tidy complains about; empty when all is well."""
    command = [*TIDY, *options, "-p", str(build), str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


class Clean:
    """Remembers what was clean by a sum over all text that clang-tidy saw."""

    def __init__(self, build: pathlib.Path):
        self.folder = build / "clean"
        self.folder.mkdir(exist_ok=True)
        self.commands = {entry["file"]: entry for entry in
                         json.loads((build / "compile_commands.json").read_text())}
        version = subprocess.run([TIDY[0], "--version"], capture_output=True, check=True).stdout
        self.base = version + pathlib.Path(".clang-tidy").read_bytes() + pathlib.Path(__file__).read_bytes()

    def mark(self, path: pathlib.Path) -> pathlib.Path | None:
        """The file that is there if the source was clean; None when it cannot be told."""
        entry = self.commands[str(path)]
        command = shlex.split(entry["command"])
        command[command.index("-o"):command.index("-o") + 2] = []
        done = subprocess.run([*command, "-M"], cwd=entry["directory"], capture_output=True, text=True)
        if done.returncode != 0:
            return None
        total = hashlib.sha256(self.base + entry["command"].encode())
        for name in done.stdout.replace("\\\n", " ").split(":", 1)[1].split():
            total.update((pathlib.Path(entry["directory"]) / name).read_bytes())
        return self.folder / total.hexdigest()


def check(single: pathlib.Path, unity: pathlib.Path, clean: Clean, path: pathlib.Path) -> str:
    mark = clean.mark(path)
    if mark and mark.exists():
        return ""
    found = findings(single, unity, path)
    if mark and not found:
        mark.touch()
    return found


def findings(single: pathlib.Path, unity: pathlib.Path, path: pathlib.Path) -> str:
    if not path.is_relative_to(unity):
        return tidy(unity, path)
    found = tidy(unity, path, "--checks=-bugprone-suspicious-include")  # that is what it is made of
    if "[clang-diagnostic-" not in found:
        return found
    return "".join(tidy(single, member) for member in members(path))


def main() -> int:
    single, unity = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    paths = sorted(set(sources(unity, pathlib.Path.cwd())))
    clean = Clean(unity)
    failed = False
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        for path, found in zip(paths, pool.map(lambda path: check(single, unity, clean, path), paths)):
            if found:
                failed = True
                print(f"{path}:\n{found}", flush=True)
    print(f"clang-tidy: {len(paths)} translation units, {'findings' if failed else 'clean'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
