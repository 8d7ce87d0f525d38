#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Libraries to link against in place of this machine's glibc, so that what is linked runs with an older one.

    make_link_libraries.py OLDEST FOLDER COMPILER…        (OLDEST: 2.28)

glibc keeps every symbol that it ever had, under the version that it came or changed with. FOLDER gets libraries of the same
names and symbols, each symbol in its newest version that OLDEST has too, without any code: what a program asks for that came
later is missing when it is linked, not when it is started. What this machine's headers and static libraries need all the
same, compat.cpp and start.cpp have; libc.so brings them along."""

import collections
import pathlib
import re
import subprocess
import sys

# address, flags, section, size, version ("(GLIBC_2.2.5)" where it is not the default), name
SYMBOL = re.compile(r"^[0-9a-f]{16} (.{7}) (\S+)\s+([0-9a-f]+)\s+\(?GLIBC_([0-9.]+)\)?\s+(\S+)$")
Symbol = collections.namedtuple("Symbol", "version data size weak thread")
# Until 2.34 they were apart from libc.so.6; needed at run time, empty to a linker.
EMPTY = ("libpthread.so.0", "libdl.so.2", "librt.so.1")


def number(version):
    return tuple(map(int, version.split(".")))


def symbols(library, oldest):
    """By name, in the newest version that `oldest` has."""
    found = {}
    text = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
    for match in filter(None, map(SYMBOL.match, text.splitlines())):
        flags, section, size, version, name = match.groups()
        if section == "*UND*" or number(version) > number(oldest) or flags[6] not in "FO " or section == "*ABS*":
            continue
        symbol = Symbol(version, flags[6] == "O", int(size, 16), flags[1] == "w" or flags[0] == "w", section in (".tbss", ".tdata"))
        if name not in found or number(found[name].version) < number(version):
            found[name] = symbol
    return found


def assembly(found):
    lines = [".text"]
    for i, (name, symbol) in enumerate(sorted(found.items())):
        kind = "tls_object" if symbol.thread else "object" if symbol.data else "function"
        section = ".tbss" if symbol.thread else ".bss" if symbol.data else ".text"
        flags = {".tbss": '"awT",@nobits', ".bss": '"aw",@nobits', ".text": '"ax",@progbits'}[section]
        lines += [f".section {section},{flags}", f".{'weak' if symbol.weak else 'globl'} entry_{i}", f".type entry_{i},@{kind}",
                  ".balign 32" if symbol.data else "", f"entry_{i}:", f".zero {max(symbol.size, 1) if symbol.data else 1}",
                  f".size entry_{i},{symbol.size if symbol.data else 1}", f".symver entry_{i},{name}@@GLIBC_{symbol.version}"]
    return "\n".join([*lines, '.section .note.GNU-stack,"",@progbits', ""])


def version_script(found):
    """All versions, each after the one before it; the entries' own names stay inside."""
    versions = sorted({symbol.version for symbol in found.values()}, key=number) or ["2.2.5"]
    nodes, before = [], ""
    for version in versions:
        inside = "" if before else " local: entry_*;"
        nodes.append(f"GLIBC_{version} {{{inside} }}{before};")
        before = f" GLIBC_{version}"
    return "\n".join(nodes) + "\n"


def make_library(folder, compiler, name, found):
    base = folder / name
    source, script = base.with_name(name + ".s"), base.with_name(name + ".map")
    source.write_text(assembly(found))
    script.write_text(version_script(found))
    subprocess.run([*compiler, "-shared", "-nostdlib", "-fno-lto", f"-Wl,-soname,{name}", f"-Wl,--version-script={script}", "-o", base, source],
                   check=True)


def path_of(compiler, name):
    said = subprocess.run([*compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
    if said == name:
        raise SystemExit(f"make_link_libraries.py: '{name}': {compiler[0]} finds no such file; install libc6-dev")
    return said


def main():
    oldest, folder, compiler = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("libc.so.6", "libm.so.6"):
        make_library(folder, compiler, name, symbols(path_of(compiler, name), oldest))
    for name in EMPTY:
        make_library(folder, compiler, name, {})
        (folder / (name.split(".so")[0] + ".so")).write_text(f"INPUT({folder / name})\n")
    archive = folder / "libcompat.a"
    archive.unlink(missing_ok=True)
    for source in sorted(pathlib.Path(__file__).parent.glob("*.cpp")):
        compiled = folder / (source.stem + ".o")
        subprocess.run([*compiler, "-std=c++20", "-c", "-O2", "-fPIC", "-fno-lto", "-fvisibility=hidden", "-Wall", "-Wextra", "-o", compiled,
                        source], check=True)
        subprocess.run(["ar", "rcsD", archive, compiled], check=True)
    loader = path_of(compiler, "ld-linux-x86-64.so.2")
    (folder / "libc.so").write_text(f"GROUP({folder / 'libc.so.6'} {archive} {path_of(compiler, 'libc_nonshared.a')} AS_NEEDED({loader}))\n")
    (folder / "libm.so").write_text(f"INPUT({folder / 'libm.so.6'})\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
