#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over all sources: lint_all.py SINGLE UNITY, two build folders configured for clang.

Most of its time goes into headers that all files share, so files are checked a dozen at a time, as
UNITY's compile commands join them. Where that does not compile, because two files use one name
for something of their own, their files are checked one by one as in SINGLE.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

TIDY = ["clang-tidy-16", "--quiet", "--warnings-as-errors=*"]
OURS = re.compile(r"^(core|widgets|app)/")


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


def check(single: pathlib.Path, unity: pathlib.Path, path: pathlib.Path) -> str:
    if not path.is_relative_to(unity):
        return tidy(unity, path)
    found = tidy(unity, path, "--checks=-bugprone-suspicious-include")  # that is what it is made of
    if "[clang-diagnostic-error]" not in found:
        return found
    return "".join(tidy(single, member) for member in members(path))


def main() -> int:
    single, unity = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    paths = sorted(set(sources(unity, pathlib.Path.cwd())))
    failed = False
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        for path, found in zip(paths, pool.map(lambda path: check(single, unity, path), paths)):
            if found:
                failed = True
                print(f"{path}:\n{found}", flush=True)
    print(f"clang-tidy: {len(paths)} translation units, {'findings' if failed else 'clean'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
