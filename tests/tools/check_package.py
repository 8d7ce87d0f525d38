#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unpacks the built packages and starts what is in them: check_package.py FOLDER…; exit 1 on a fault.

The .debs of a folder belong together; an archive and a wheel are each whole. Lintian, desktop-file-validate and
appstreamcli have the last word."""

import gzip
import os
import pathlib
import subprocess
import sys
import tempfile


def run(*command, **extra):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **extra)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def one(root: pathlib.Path, pattern: str) -> pathlib.Path:
    found = sorted(root.glob(pattern))
    if not found:
        raise SystemExit(f"{root.name}: nothing matches {pattern}")
    return found[0]


def check_tree(root: pathlib.Path):
    sample = one(root, "**/sample.json.gz")
    kscope = one(root, "**/bin/kscope")
    if "GPU" not in run(kscope, "report", sample):
        raise SystemExit("the packaged kscope reports no GPU in the sample")
    if "libkinetoscope-inject.so" not in run(kscope, "doctor"):
        raise SystemExit("the packaged kscope does not find its recorder")
    one(root, "**/LICENSES/Apache-2.0.txt")
    one(root, "**/share/kinetoscope/source/app/kscope-torch/main.cpp")
    for page in root.glob("**/man1/*.gz"):
        said = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", page], capture_output=True, text=True)
        if said.returncode != 0 or said.stderr or "NAME" not in gzip.decompress(page.read_bytes()).decode():
            raise SystemExit(f"{page.name}: {said.stderr}")
    one(root, "**/man1/kscope-report.1.gz")
    for script in ("bash-completion/completions/kscope", "zsh/vendor-completions/_kscope",
                   "fish/vendor_completions.d/kscope.fish"):
        one(root, "**/share/" + script)


def check_window(root: pathlib.Path):
    picture = root / "window.png"
    run(one(root, "**/bin/kinetoscope"), "--screenshot", picture, one(root, "**/sample.json.gz"),
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    if picture.stat().st_size < 20_000:
        raise SystemExit("the packaged window draws an empty picture")
    run("desktop-file-validate", one(root, "**/share/applications/*.desktop"))
    run("appstreamcli", "validate", "--no-net", one(root, "**/share/metainfo/*.xml"))
    one(root, "**/share/icons/hicolor/**/*.svg")
    mime = one(root, "**/share/mime/packages/*.xml")
    run("update-mime-database", mime.parent.parent)
    if "*.kscope\n" not in (mime.parent.parent / "globs2").read_text():
        raise SystemExit("captures have no MIME type")


def check_debs(packages):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for package in packages:
            depends = run("dpkg-deb", "-f", package, "Depends")
            if "libc6" not in depends:
                raise SystemExit(f"{package.name}: no dependencies were found ({depends})")
            run("dpkg-deb", "-x", package, root)
            run("lintian", "--fail-on", "error", package)
        check_tree(root)
        check_window(root)
        if any(package.name.startswith("kscope-torch") for package in packages):
            if "PyTorch" not in run(one(root, "**/bin/kscope"), "about").split("kscope-torch")[1].split("\n")[0]:
                raise SystemExit("the packaged kscope-torch does not start")


def check_archive(archive):
    with tempfile.TemporaryDirectory() as root:
        run("tar", "-xzf", archive, "-C", root)
        check_tree(pathlib.Path(root))


WHEEL_TEST = """
import kinetoscope, sys
report = kinetoscope.report(sys.argv[1])
kernels = kinetoscope.kernels(sys.argv[1])
assert report["gpus"] and len(kernels) == len(report["kernels"]) > 0
assert kinetoscope.program().startswith(sys.prefix), kinetoscope.program()
"""


def check_wheel(wheel):
    sample = pathlib.Path(__file__).resolve().parents[2] / "resources/sample.json.gz"
    with tempfile.TemporaryDirectory() as root:
        run(sys.executable, "-m", "venv", root)
        run(f"{root}/bin/pip", "install", "--no-index", "--no-deps", wheel)
        run(f"{root}/bin/python", "-c", WHEEL_TEST, sample, cwd=root)
        if "GPU" not in run(f"{root}/bin/kscope", "report", sample):
            raise SystemExit("the kscope of the wheel reports no GPU in the sample")
        if f"{root}/lib/kinetoscope/libkinetoscope-inject.so" not in run(f"{root}/bin/kscope", "doctor"):
            raise SystemExit("the kscope of the wheel does not find its recorder")
        if "--python" not in run(f"{root}/bin/kscope", "torch", "build", "--help"):
            raise SystemExit("the kscope of the wheel builds no kscope-torch")
        one(pathlib.Path(root), "share/kinetoscope/source/CMakeLists.txt")


def main() -> int:
    checked = 0
    for folder in map(pathlib.Path, sys.argv[1:]):
        debs = sorted(folder.glob("*.deb"))
        if debs:
            check_debs(debs)
        for archive in folder.glob("*.tar.gz"):
            check_archive(archive)
        for wheel in folder.glob("*.whl"):
            check_wheel(wheel)
        for package in [*debs, *folder.glob("*.tar.gz"), *folder.glob("*.whl")]:
            print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB, works unpacked")
            checked += 1
    return 0 if checked else 1


if __name__ == "__main__":
    sys.exit(main())
