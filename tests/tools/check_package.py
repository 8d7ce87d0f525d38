#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unpacks the built packages and starts what is in them: check_package.py FOLDER…; exit 1 on a fault."""

import os
import pathlib
import subprocess
import sys
import tempfile


def run(*command, **extra):
    done = subprocess.run(command, capture_output=True, text=True, **extra)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def one(root: pathlib.Path, pattern: str) -> pathlib.Path:
    found = sorted(root.glob(pattern))
    if not found:
        raise SystemExit(f"{root.name}: nothing matches {pattern}")
    return found[0]


def check_tree(root: pathlib.Path, window: bool):
    sample = one(root, "**/sample.json.gz")
    report = run(one(root, "**/bin/kscope"), "report", sample)
    if "GPU" not in report:
        raise SystemExit("the packaged kscope reports no GPU in the sample")
    one(root, "**/LICENSES/Apache-2.0.txt")
    if window:
        picture = root / "window.png"
        run(one(root, "**/bin/kinetoscope"), "--screenshot", picture, sample,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        if picture.stat().st_size < 20_000:
            raise SystemExit("the packaged window draws an empty picture")
        one(root, "**/share/applications/*.desktop")
        one(root, "**/share/icons/hicolor/**/*.svg")


def main() -> int:
    checked = 0
    for folder in map(pathlib.Path, sys.argv[1:]):
        for package in sorted(folder.glob("*.deb")) + sorted(folder.glob("*.tar.gz")):
            with tempfile.TemporaryDirectory() as root:
                if package.suffix == ".deb":
                    depends = run("dpkg-deb", "-f", package, "Depends")
                    if "libc6" not in depends:
                        raise SystemExit(f"{package.name}: no dependencies were found ({depends})")
                    run("dpkg-deb", "-x", package, root)
                else:
                    run("tar", "-xzf", package, "-C", root)
                check_tree(pathlib.Path(root), package.name.startswith("kinetoscope"))
            print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB, works unpacked")
            checked += 1
    return 0 if checked else 1


if __name__ == "__main__":
    sys.exit(main())
