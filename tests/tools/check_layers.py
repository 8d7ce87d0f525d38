#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the include table of ARCHITECTURE.md: check_layers.py ROOT; exit 1 and one line per breach."""

import pathlib
import re
import sys

# folder: (folders of ours it may include beside itself, third-party header prefixes it may include)
LAYERS = {
    "core/base": ([], ["fmt/", "tl/"]),
    "core/trace": (["core/base"], []),
    "core/json": (["core/base"], ["fmt/", "nlohmann/"]),
    "core/stream": (["core/base", "core/json", "core/trace"], ["fmt/", "nlohmann/"]),
    "core/capture": (["core/base", "core/stream"], ["fmt/", "dlfcn.h", "link.h", "poll.h", "pthread.h"]),
    "core/import": (["core/base", "core/json", "core/trace", "core/stream"],
                    ["fmt/", "nlohmann/", "isa-l", "zlib.h", "zstd.h"]),
    "core/query": (["core/base", "core/json", "core/trace"], ["fmt/", "nlohmann/", "re2/"]),
    "core/analysis": (["core/base", "core/json", "core/trace", "core/query"], ["fmt/", "nlohmann/", "re2/"]),
    "core/export": (["core/base", "core/json", "core/trace", "core/stream", "core/import", "core/query",
                     "core/analysis"],
                    ["fmt/", "nlohmann/", "isa-l", "zlib.h"]),
    "core/bench/torch": (["core/base", "core/json", "core/bench", "core/capture"], ["fmt/", "nlohmann/", "torch/", "ATen/", "c10/"]),
    "core/metrics": (["core/base"], ["fmt/"]),
    "core/bench": (["core/base", "core/json", "core/capture", "core/export", "core/metrics"], ["fmt/", "nlohmann/", "pwd.h", "zlib.h"]),
    "core/compare": (["core/base", "core/json", "core/trace", "core/import", "core/query", "core/analysis",
                      "core/export", "core/bench"], ["fmt/", "nlohmann/", "re2/"]),
    "widgets/style": (["core/base", "core/trace"], ["Q"]),
    "widgets/session": (["core/"], ["Q"]),
    "widgets/models": (["core/", "widgets/session"], ["Q"]),
    "widgets/timeline": (["core/base", "core/trace", "core/query", "core/analysis",
                          "widgets/session", "widgets/style"], ["Q", "fmt/"]),
    "widgets/plots": (["core/base", "core/trace", "core/query", "core/analysis", "core/export", "core/bench", "core/compare",
                       "widgets/session", "widgets/style", "widgets/timeline"], ["Q", "qcustomplot.h"]),
    "widgets/panels": (["core/base", "core/trace", "core/query", "core/analysis", "core/export",
                        "core/bench", "core/compare", "core/metrics", "widgets/session", "widgets/models", "widgets/timeline", "widgets/plots",
                        "widgets/style"], ["Q", "fmt/"]),
    "app/kscope": (["core/"], ["fmt/", "CLI/", "nlohmann/", "malloc.h"]),
    "app/kscope-torch": (["core/base", "core/json", "core/bench"], ["fmt/", "nlohmann/"]),
    "app/kinetoscope": (["core/", "widgets/"], ["Q", "CLI/"]),
}
# Headers of the system that any folder may use where the standard library has nothing.
SYSTEM = re.compile(r"^(cxxabi|sys/[a-z_]+|unistd|fcntl|dlfcn|poll|spawn|immintrin|emmintrin|cpuid|csignal|signal)(\.h)?$")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
OURS = re.compile(r"^(core|widgets|app)/")


def folder_of(path: str) -> str:
    """The longest folder of the table that holds the path, else its first two parts."""
    parts = path.split("/")
    nested = "/".join(parts[:3])
    return nested if nested in LAYERS and len(parts) > 3 else "/".join(parts[:2])


def breaches(root: pathlib.Path):
    for top in ("core", "widgets", "app"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            name = path.relative_to(root).as_posix()
            folder = folder_of(name)
            if folder not in LAYERS:
                yield f"{name}: folder {folder} is not in the include table"
                continue
            own, third = LAYERS[folder]
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                quote, header = match.groups()
                where = f"{name}:{number}"
                if OURS.match(header):
                    target = folder_of(header)
                    if target == folder:
                        if folder == "widgets/panels" and not panel_may_include(name, header):
                            yield f"{where}: panels never include each other ({header})"
                    elif not any(header.startswith(prefix.rstrip("/") + "/") for prefix in own):
                        yield f"{where}: {folder} may not include {header}"
                elif quote == '"' and not header.endswith(".moc"):
                    yield f"{where}: include by the full path, not {header}"
                elif not is_standard(header) and not any(header.startswith(p) for p in third):
                    yield f"{where}: {folder} may not include <{header}>"


def panel_may_include(name: str, header: str) -> bool:
    """Own header, the interface, the registry's list and shared parts that are no panel."""
    stem = pathlib.PurePath(header).stem
    own = pathlib.PurePath(name).stem
    return (stem == own or not stem.endswith("Panel") or stem == "Panel"
            or own.startswith("PanelRegistry"))


def is_standard(header: str) -> bool:
    return re.fullmatch(r"[a-z_0-9]+", header) is not None or SYSTEM.match(header) is not None


def main() -> int:
    found = list(breaches(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "layers: every include is in the table")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
