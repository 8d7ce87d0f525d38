#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unpacks the built packages and starts what is in them: check_package.py FOLDER…; exit 1 on a fault.

The .debs of a folder belong together; an archive and a wheel are each whole. Lintian, desktop-file-validate and
appstreamcli have the last word."""

import gzip
import os
import pathlib
import re
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
    for sample in ("ddp_gpt_rank0.json.gz", "nccl_hang_rank1.pickle", "memory_snapshot.pickle", "jax.xplane.pb"):
        one(root, "**/share/kinetoscope/samples/" + sample)
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


# What Red Hat 8, the oldest system that counts, has.
NEWEST = {"GLIBC": (2, 28), "GLIBCXX": (3, 4, 25), "CXXABI": (1, 3, 11), "GCC": (8, 0, 0)}
# What every system has; all else comes along.
SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.\d+|ld-linux-x86-64\.so\.2")


def elf_files(root: pathlib.Path):
    return [p for p in sorted(root.rglob("*")) if p.is_file() and not p.is_symlink() and p.read_bytes()[:4] == b"\x7fELF"]


def check_oldest(root: pathlib.Path) -> str:
    """No ELF file asks for a newer symbol, or for a library that is nowhere; what was found, for people."""
    files = elf_files(root)
    there = {path.name for path in files}
    newest = dict.fromkeys(NEWEST, (0,))
    for path in files:
        for name, version in re.findall(r"\*UND\*.*\((GLIBC|GLIBCXX|CXXABI|GCC)_([0-9.]+)\)", run("objdump", "-T", path)):
            number = tuple(map(int, version.split(".")))
            if number > NEWEST[name]:
                raise SystemExit(f"{path.name}: asks for {name}_{version}, which older systems do not have")
            newest[name] = max(newest[name], number)
        if "GLIBC_PRIVATE" in run("readelf", "-V", path):
            raise SystemExit(f"{path.name}: asks for glibc's private symbols")
        dynamic = run("readelf", "-d", path)
        for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
            if name not in there and not SYSTEM.fullmatch(name):
                raise SystemExit(f"{path.name}: needs {name}, which is not in the archive")
        for places in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
            if not all(place.startswith("$ORIGIN") for place in places.split(":")):
                raise SystemExit(f"{path.name}: looks for libraries in {places}")
    return f"{len(files)} ELF files, " + ", ".join(f"{n} up to {'.'.join(map(str, v))}" for n, v in newest.items() if v != (0,))


def check_archive(archive):
    with tempfile.TemporaryDirectory() as folder:
        run("tar", "-xzf", archive, "-C", folder)
        root = pathlib.Path(folder)
        check_tree(root)
        check_window(root)
        print(f"{archive.name}: {check_oldest(root)}")
        # Moved, and started by a link in PATH.
        moved = root / "elsewhere"
        one(root, "kinetoscope-*").rename(moved)
        (root / "kinetoscope").symlink_to("elsewhere/bin/kinetoscope")
        if "Qt 6.8" not in run(root / "kinetoscope", "--version", env={"PATH": "/usr/bin:/bin"}):
            raise SystemExit("the moved window does not start with its own Qt")
        if "window and Qt" not in run(moved / "bin/kscope", "doctor"):
            raise SystemExit("the moved kscope does not know the window")


WHEEL_TEST = """
import kinetoscope, sys
report = kinetoscope.report(sys.argv[1])
kernels = kinetoscope.kernels(sys.argv[1])
assert report["gpus"] and len(kernels) == len(report["kernels"]) > 0
assert kinetoscope.program().startswith(sys.prefix), kinetoscope.program()
"""


def check_wheel(wheel):
    sample = pathlib.Path(__file__).resolve().parents[2] / "resources/sample.json.gz"
    if "-manylinux_2_28_x86_64" not in wheel.name:
        raise SystemExit(f"{wheel.name}: is not for glibc 2.28")
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
            print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB, works")
            checked += 1
    return 0 if checked else 1


if __name__ == "__main__":
    sys.exit(main())
