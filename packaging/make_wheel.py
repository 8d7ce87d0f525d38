#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A wheel of kscope, its recorder and the module `kinetoscope`: make_wheel.py TREE VERSION OUT_FOLDER.

TREE is what `cmake --install` made of a build whose libraries are linked statically (the preset archive). The programs
go where pip puts scripts, the rest beside them as in TREE, so that kscope finds it by its own path. Prints the wheel's path."""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

MODULE = pathlib.Path(__file__).parent / "kinetoscope"
# What of TREE is taken, and the part of a wheel that it becomes.
PARTS = (("bin/kscope", "scripts/kscope"), ("lib/kinetoscope", "data/lib/kinetoscope"),
         ("share/kinetoscope", "data/share/kinetoscope"), ("include/kinetoscope.h", "data/include/kinetoscope.h"),
         ("share/man/man1", "data/share/man/man1"), ("share/bash-completion", "data/share/bash-completion"),
         ("share/zsh", "data/share/zsh"), ("share/fish", "data/share/fish"))
METADATA = """Metadata-Version: 2.1
Name: kinetoscope
Version: {version}
Summary: Figures of GPU traces: PyTorch profiler traces of any size, recordings, benches, comparisons
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Description-Content-Type: text/markdown

The program `kscope`, its recorder, and a module that returns what it says:

    import kinetoscope
    kinetoscope.kernels("trace.json.gz")
"""


def needed_glibc(paths):
    """The newest version of glibc whose symbols the ELF files use, as in manylinux's names."""
    versions = {(2, 17)}
    for path in paths:
        if path.read_bytes()[:4] == b"\x7fELF":
            symbols = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
            versions.update((int(a), int(b)) for a, b in re.findall(r"\bGLIBC_(\d+)\.(\d+)", symbols))
    return "{}_{}".format(*max(versions))


def content(tree):
    """Names in the wheel, below kinetoscope-VERSION.data where they begin with it, and files."""
    for source in sorted(MODULE.glob("*.py")):
        yield f"kinetoscope/{source.name}", source
    for name, part in PARTS:
        found = tree / name
        for file in [found] if found.is_file() else sorted(p for p in found.rglob("*") if p.is_file()):
            inside = "" if found.is_file() else f"/{file.relative_to(found).as_posix()}"
            yield f"DATA/{part}{inside}", file
    for licence in sorted(tree.glob("share/doc/*/LICENSES/*.txt")):
        yield f"INFO/licenses/{licence.name}", licence


class Wheel:
    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, executable=False):
        entry = zipfile.ZipInfo(name)  # of 1980: the same content is the same wheel
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def finish(self, info):
        self.add_text(f"{info}/RECORD", "\n".join([*self.record, f"{info}/RECORD,,", ""]))
        self.zip.close()

    def add_text(self, name, text):
        self.add(name, text.encode())


def make(tree, version, out):
    files = list(content(tree))
    if not any(name.endswith("/scripts/kscope") for name, _ in files):
        raise SystemExit(f"make_wheel.py: '{tree}': there is no bin/kscope in it; give what cmake --install made")
    tag = f"py3-none-manylinux_{needed_glibc(path for _, path in files)}_x86_64"
    base = f"kinetoscope-{version}"
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{base}-{tag}.whl"
    wheel = Wheel(path)
    for name, file in files:
        name = name.replace("DATA/", f"{base}.data/", 1).replace("INFO/", f"{base}.dist-info/", 1)
        wheel.add(name, file.read_bytes(), "/scripts/" in name)
    wheel.add_text(f"{base}.dist-info/METADATA", METADATA.format(version=version))
    wheel.add_text(f"{base}.dist-info/WHEEL",
                   f"Wheel-Version: 1.0\nGenerator: make_wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n")
    wheel.finish(f"{base}.dist-info")
    return path


if __name__ == "__main__":
    print(make(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])))
