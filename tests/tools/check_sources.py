#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Licence lines and sizes of the tracked sources: check_sources.py ROOT; exit 1 on a breach."""

import pathlib
import re
import subprocess
import sys

MOST_LINES = 600
SOURCES = (".h", ".cpp", ".py", ".cmake", ".sh")
SPDX = re.compile(r"SPDX-License-Identifier: (\S+)")
# What links QCustomPlot is GPL, and so are its tests and benchmarks.
WINDOW = re.compile(r"^(widgets/|app/kinetoscope/|tests/widgets/|tests/bench/(F|Panel|Window))")

# One folder reads and writes JSON documents, within its limits.
JSON = re.compile(r"\b[Jj]son::(parse|accept|sax_parse|from_\w+)\(|\.dump\(")
JSON_USERS = re.compile(r"^(core/(?!json/)|widgets/|app/)")

# Qt switches the window to the user's locale, in which these read and compare otherwise.
LOCALE = re.compile(r"(?<![\w.>])((std)?::)?(strto(d|f|ld)|sto(d|f|ld)|atof|[fs]?scanf|strn?casecmp|setlocale|to(lower|upper)"
                    r"|is(alnum|alpha|blank|digit|graph|lower|print|punct|space|upper|xdigit))\(|#include <cctype>")
PROGRAM = re.compile(r"^(core|widgets|app)/")



def tracked(root: pathlib.Path):
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root,
                             capture_output=True, text=True)
    if listing.returncode == 0:
        return [name for name in listing.stdout.splitlines() if (root / name).is_file()]
    return [p.relative_to(root).as_posix() for p in root.rglob("*")
            if p.is_file() and not re.search(r"/(build|\.git)/", p.as_posix())]


def breaches(root: pathlib.Path):
    for name in tracked(root):
        path = root / name
        if path.suffix not in SOURCES and path.name not in ("CMakeLists.txt", "dev", "run"):
            continue
        if name.startswith("tests/golden/plans"):
            continue  # files that a compiler left, as it wrote them
        text = path.read_text()
        licence = SPDX.search("\n".join(text.splitlines()[:3]))
        expected = "GPL-3.0-or-later" if WINDOW.match(name) else "Apache-2.0"
        if not licence:
            yield f"{name}: no SPDX line at the top"
        elif licence.group(1) != expected:
            yield f"{name}: licence is {licence.group(1)}, should be {expected}"
        if path.suffix in (".h", ".cpp") and text.count("\n") > MOST_LINES:
            yield f"{name}: {text.count(chr(10))} lines, more than {MOST_LINES}"
        if path.suffix in (".h", ".cpp") and JSON_USERS.match(name) and JSON.search(text):
            yield f"{name}: parses or writes JSON itself; core/json does it within limits"
        if path.suffix in (".h", ".cpp") and PROGRAM.match(name) and LOCALE.search(text):
            yield f"{name}: depends on the locale; core/base has WholeNumber.h and Ascii.h"
        # The header for recorded programs is C as well, and has a guard.
        if path.suffix == ".h" and "#pragma once" not in text and "#ifndef KINETOSCOPE_H" not in text:
            yield f"{name}: no #pragma once"


def main() -> int:
    found = list(breaches(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "sources: licence lines and sizes are right")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
