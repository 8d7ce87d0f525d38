#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the include table and finds cycles: check_layers.py ROOT [--write]; exit 1 and one line per breach.

--write puts the table into ARCHITECTURE.md."""

import pathlib
import re
import sys

# folder: (what lives there, folders of ours it may include beside itself, third-party headers). A folder
# that stands for others below it ends in a slash. ARCHITECTURE.md's table is made of this one.
LAYERS = {
    "core/base": ("`Result`, `StringPool`, `TimeNs`, `TimeSpan`, `Progress`, threads, processes", [], ["fmt/", "tl/", "malloc.h"]),
    "core/json": ("reading and writing JSON documents, with limits of depth and size",
                  ["base"], ["fmt/", "nlohmann/"]),
    "core/pickle": ("pickles as plain values, parsed without executing them", ["base"], ["fmt/"]),
    "core/sqlite": ("connections to SQLite databases, hardened for untrusted ones", ["base"],
                    ["fmt/", "sqlite3.h"]),
    "core/text": ("building blocks of all formats: tables, units, CSV, Markdown, printable names, output files",
                  ["base"], ["fmt/", "isa-l", "utf8proc.h", "zlib.h"]),
    "core/stats": ("quantiles, intervals, bootstrap, verdict: one of each", ["base"], []),
    "core/trace": ("`Trace` (immutable columns), `TraceBuilder`, `ImportLog` and the meaning of its issues, `EventText`",
                   ["base"], []),
    "core/stream": ("the capture file: chunks, records, and their events in Kineto's terms",
                    ["base", "json", "trace"], ["fmt/", "nlohmann/"]),
    "core/capture": ("starting a program to record, and code shared with the library inside it",
                     ["base", "stream"], ["pcre2.h", "fmt/", "link.h"]),
    "core/capture/counters": ("GPU sensors and hardware counters, sampled while a program is recorded",
                              ["base", "stream", "capture"], ["fmt/"]),
    "core/capture/inject": ("the library inside a recorded program", ["stream", "capture"],
                            ["fmt/", "link.h", "pthread.h"]),
    "core/import": ("the `Importer` interface and how a file is loaded", ["base", "trace", "import/source"], []),
    "core/import/scan": ("bytes, numbers, strings and brackets, vectorised where possible",
                         ["base"], ["emmintrin.h", "immintrin.h"]),
    "core/import/source": ("the text of a file: plain, gzip or zstd, read ahead in a sliding window",
                           ["base", "trace", "import/scan"], ["fmt/", "isa-l", "zlib.h", "zstd.h", "zstd_errors.h"]),
    "core/import/event": ("readers of single events, and what of them goes into columns",
                          ["base", "trace", "import/scan", "import/source"], ["fmt/"]),
    "core/import/repair": ("strict JSON from what tolerant readers accept", ["base", "json", "import/scan"], []),
    "core/import/chrome": ("Chrome traces: the document around the events, read by several threads",
                           ["base", "json", "trace", "stream", "import", "import/scan", "import/source",
                            "import/event", "import/repair", "import/wire"], ["fmt/"]),
    "core/import/capture": ("captures as traces, finished and growing",
                            ["base", "trace", "stream", "import", "import/source", "import/event"], ["fmt/"]),
    "core/import/wire": ("protobuf messages, read tolerantly, and their events in Kineto's terms",
                         ["base", "json", "trace", "import/scan", "import/source"], ["fmt/", "protozero/"]),
    "core/import/perfetto": ("Perfetto's packets: track events, GPU stages and counters, in any order",
                             ["base", "trace", "import", "import/source", "import/event", "import/wire"],
                             ["fmt/", "zlib.h", "zstd.h"]),
    "core/import/xplane": ("profiles of XLA (XPlane and its JSON): planes, lines and events as rows, streams as GPU operations",
                           ["base", "trace", "import", "import/scan", "import/source", "import/event", "import/chrome",
                            "import/wire"],
                           ["fmt/", "protozero/"]),
    "core/import/database": ("tables of SQLite databases as events: rows read in parallel, and again on demand",
                             ["base", "json", "sqlite", "trace", "import", "import/source", "import/event"],
                             ["fmt/"]),
    "core/import/nsys": ("Nsight Systems exports: tables, codes, processes and GPUs; reports through nsys itself",
                         ["base", "json", "sqlite", "trace", "stream", "capture", "import", "import/source",
                          "import/event", "import/database"], ["fmt/"]),
    "core/import/rocm": ("databases of ROCm's profilers: rocpd and rocmProfileData",
                         ["base", "json", "sqlite", "trace", "import/database"], ["fmt/"]),
    "core/import/execution": ("PyTorch's execution traces: operator inputs, joined to a trace of the same run",
                              ["base", "json", "trace", "import", "import/scan", "import/source", "import/event",
                               "import/wire"], ["fmt/", "nlohmann/"]),
    "core/import/proton": ("call trees of Triton's Proton, whose sums are laid out as slices",
                           ["base", "json", "trace", "import", "import/scan", "import/event", "import/chrome", "import/wire"],
                           ["fmt/"]),
    "core/import/rocprof": ("JSON of rocprofv3 and rocprofiler-sdk: records in Kineto's terms",
                            ["base", "trace", "import", "import/scan", "import/event", "import/chrome", "import/wire",
                             "import/database", "import/rocm"], ["fmt/"]),
    "core/import/load": ("`loadTrace`: choosing the importer and running it",
                         ["base", "pickle", "sqlite", "trace", "stream", "import/"], ["fmt/"]),
    "core/query": ("lanes, one item per pixel, row names and order, launches, unions of time, event details",
                   ["base", "json", "trace", "query/lanes"], ["fmt/", "nlohmann/"]),
    "core/query/lanes": ("nesting of a track's slices", ["base", "trace"], []),
    "core/query/find": ("slices by name, and lists of them filtered, counted and sorted", ["base", "trace", "query"],
                        ["fmt/", "re2/"]),
    "core/query/sql": ("SQL over traces: SQLite virtual tables, functions, limits, outputs",
                       ["base", "json", "text", "stats", "trace", "query", "query/find", "analysis", "memory", "ranks",
                        "bench/results", "compare", "sqlite"], ["fmt/", "nlohmann/", "sqlite3.h"]),
    "core/analysis": ("each figure of a report: one function from `Trace` to a plain struct",
                      ["base", "json", "text", "stats", "trace", "query"], ["fmt/", "nlohmann/", "re2/"]),
    "core/calltree": ("calls merged by their path, their callers and callees, and folded stacks",
                      ["base", "text", "trace", "query", "analysis"], ["fmt/"]),
    "core/model": ("FLOPs and bytes of operators, roofs of GPUs, and how close each call came to them",
                   ["base", "json", "text", "trace", "query", "analysis"], ["fmt/", "nlohmann/"]),
    "core/model/serving": ("operators of inference servers: norms and caches, experts, packed weights", ["model"], []),
    "core/report": ("all figures of a trace, and their text, JSON, CSV and Markdown",
                    ["base", "json", "text", "stats", "trace", "import/source", "query", "analysis", "model",
                     "ncu"], ["fmt/", "nlohmann/"]),
    "core/ncu": ("Nsight Compute results from its CSV, joined to the kernels of a trace",
                 ["base", "text", "trace", "import/source", "analysis", "metrics"], ["fmt/", "nlohmann/"]),
    "core/ranks/packed": ("compact encoding of times and spans", ["base"], []),
    "core/ranks/parts": ("building blocks of the job analysis: sequence alignment, spans, counted steps, work on all cores",
                         ["base", "trace", "query", "analysis"], []),
    "core/ranks": ("the ranks of one job: collectives, clocks, who waited for whom and why",
                   ["base", "json", "text", "stats", "trace", "stream", "query", "analysis", "model",
                    "ranks/packed", "ranks/parts"],
                   ["fmt/", "nlohmann/"]),
    "core/ranks/view": ("data behind pictures of a job: matrix, rows, busy time at several resolutions, wording",
                        ["base", "text", "stats", "query", "ranks", "ranks/parts"], ["fmt/"]),
    "core/ranks/compare": ("comparison of two jobs: steps, ranks, collectives, causes",
                           ["base", "json", "text", "stats", "ranks"], ["fmt/", "nlohmann/"]),
    "core/ranks/workers": ("processes that read a job's files together, coordinated only through a folder",
                           ["base", "text", "stream", "ranks"], ["fmt/"]),
    "core/path": ("dependency graph of a trace or job: critical paths of steps, and what-ifs",
                  ["base", "json", "text", "stats", "trace", "query", "query/find", "analysis", "model", "ranks"],
                  ["fmt/", "nlohmann/"]),
    "core/advise": ("findings: rules that say what to change first, with evidence and the saving by replay",
                    ["base", "json", "text", "stats", "trace", "query", "analysis", "model", "path", "ranks"],
                    ["fmt/", "nlohmann/"]),
    "core/flight": ("NCCL flight recorder dumps: which collective is stuck, who arrived and who did not",
                    ["base", "json", "pickle", "text", "import/source", "ranks"], ["fmt/", "nlohmann/"]),
    "core/memory": ("allocations over time, from snapshots and `[memory]` events: the peak, what held it, what was never freed",
                    ["base", "json", "pickle", "text", "trace", "import/source"], ["fmt/", "nlohmann/"]),
    "core/memory/view": ("data behind pictures of memory: blocks stacked over time", ["base", "memory"], []),
    "core/sidecar": ("user input about a trace, in a file next to it", ["base", "json", "text", "analysis"],
                     ["fmt/", "nlohmann/"]),
    "core/cut": ("a part of a trace as a smaller trace",
                 ["base", "json", "text", "trace", "import/event", "import/repair", "import/scan", "import/source", "query",
                  "analysis"], ["fmt/", "nlohmann/"]),
    "core/convert": ("a capture as a Chrome trace, any trace as Perfetto's packets",
                     ["base", "text", "trace", "stream", "import/"], ["fmt/", "protozero/"]),
    "core/metrics": ("metric tables, Inductor's compile log, generated kernels parsed without executing them",
                     ["base", "json", "text"], ["fmt/"]),
    "core/bench/plan": ("which kernels a cache holds and how each is launched", ["base", "json", "metrics"],
                        ["fmt/", "nlohmann/", "pwd.h"]),
    "core/bench/operators": ("recorded inputs of operators, and suites of them", ["base"], ["fmt/", "zlib.h"]),
    "core/bench/results": ("bench results of kernels, operators and modules: files, texts and streams",
                           ["base", "json", "text", "stats", "metrics", "bench/plan", "bench/operators"],
                           ["fmt/", "nlohmann/"]),
    "core/bench/run": ("measuring launches by the driver API",
                       ["base", "text", "stats", "capture", "bench/plan", "bench/results"], ["fmt/"]),
    "core/bench/workers": ("complete benches: each part in its own process, read line by line",
                           ["base", "json", "text", "metrics", "capture", "bench/plan", "bench/operators",
                            "bench/results", "bench/run"], ["fmt/", "nlohmann/"]),
    "core/bench/torch": ("what `kscope-torch` runs: operators and modules on libtorch",
                         ["base", "json", "capture", "bench/run", "bench/operators"],
                         ["fmt/", "nlohmann/", "torch/", "ATen/", "c10/"]),
    "core/replay": ("measurements for a trace: its operators as bench inputs, and a machine's measured roof",
                    ["base", "json", "text", "stats", "trace", "query", "analysis", "model", "metrics", "capture",
                     "bench/operators", "bench/results", "bench/workers"], ["fmt/", "nlohmann/"]),
    "core/about": ("versions, and which CUDA and PyTorch components are available",
                   ["base", "json", "text", "capture", "bench/"],
                   ["fmt/", "nlohmann/", "zlib.h", "zstd.h", "isa-l.h", "commit.h"]),
    "core/setup": ("what this machine lacks for each feature, and building kscope-torch for a PyTorch",
                   ["base", "json", "text", "capture", "bench/", "about"], ["fmt/", "nlohmann/"]),
    "core/compare": ("comparison of two runs or results: matching, pairing, output",
                     ["base", "json", "text", "stats", "trace", "import/", "query", "analysis", "report",
                      "bench/"], ["fmt/", "nlohmann/", "re2/"]),
    "core/compare/gate": ("conditions under which a comparison fails a gate", ["base", "text", "stats", "compare"], ["fmt/"]),
    "core/baseline": ("baselines: their store, checks of new runs, history",
                      ["base", "json", "text", "stats", "trace", "import/", "analysis", "report", "compare", "sidecar",
                       "bench/results"], ["fmt/", "nlohmann/", "sys/stat.h"]),
    "core/mcp": ("a Model Context Protocol server: short answers about open traces and jobs",
                 ["base", "json", "text", "stats", "trace", "import/", "query/", "analysis", "model", "report", "compare",
                  "path", "advise", "ranks"], ["fmt/", "nlohmann/"]),
    "widgets/style": ("colours and icons, all from one `Theme`", ["core/base", "core/trace"], ["Q"]),
    "widgets/session/paths": ("paths of files, as Qt and as the core have them", [], ["Q"]),
    "widgets/session/notes": ("notes on times of the shown trace", ["core/", "session/paths"], ["Q"]),
    "widgets/session": ("open runs, loading, recording, `ViewState`, comparison, settings", ["core/", "session/notes", "session/paths"], ["Q"]),
    "widgets/history": ("back and forward navigation", ["core/trace", "session"],
                        ["Q"]),
    "widgets/session/path": ("the critical path of the shown trace, computed once for all panels", ["core/", "session"], ["Q"]),
    "widgets/session/advice": ("findings of the shown trace, and combined savings",
                               ["core/", "session", "session/path", "session/paths"], ["Q"]),
    "widgets/session/emphasis": ("slices highlighted in the timeline", ["core/", "session"], ["Q"]),
    "widgets/session/programs": ("processes started by the window: recordings, benches", ["core/", "session", "session/paths"], ["Q"]),
    "widgets/models/details": ("lines of the Details panel for a slice, a gap, an instant or a sample",
                               ["core/", "session", "models", "style"], ["Q"]),
    "widgets/models": ("tables over results", ["core/", "session", "models/arrange", "style"], ["Q"]),
    "widgets/models/roofline": ("the table of a roofline",
                                ["core/model", "core/query/find", "core/report", "core/text", "models", "style"], ["Q"]),
    "widgets/models/results": ("the table of a bench's result: kernels, operators, their calls, modules",
                               ["core/", "models"], ["Q"]),
    "widgets/models/fields": ("tables whose cells are functions", ["core/", "models"], ["Q"]),
    "widgets/models/arrange": ("sorting and filtering of many rows without blocking the window",
                               ["core/query", "session"], ["Q"]),
    "widgets/timeline": ("lanes, ruler, notes on times, gestures, menus",
                         ["core/base", "core/text", "core/trace", "core/query", "core/query/find", "core/analysis",
                          "core/sidecar", "session", "session/notes", "session/path", "style", "timeline/rows"], ["Q", "fmt/"]),
    "widgets/timeline/overview": ("the whole trace in one strip, with the visible range",
                                  ["core/base", "core/text", "core/query", "core/sidecar", "session", "session/notes", "style",
                                   "timeline"], ["Q"]),
    "widgets/timeline/rows": ("rows, their labels, order and filter",
                              ["core/trace", "core/query", "core/query/find", "session", "style"], ["Q", "fmt/"]),
    "widgets/calls": ("call trees: flame graph and tree view",
                      ["core/base", "core/text", "core/trace", "core/query", "core/calltree", "models", "timeline",
                       "style"], ["Q"]),
    "widgets/plots": ("QCustomPlot, and only here",
                      ["core/", "session", "session/notes", "style", "timeline", "timeline/overview"], ["Q", "qcustomplot.h"]),
    "widgets/plots/history": ("a figure over time, with change points", ["core/stats", "plots", "style"], ["Q"]),
    "widgets/panels/parts": ("building blocks of panels: `Panel`, tables, grids of figures",
                             ["core/base", "core/text", "core/trace", "session", "session/programs", "models", "style"],
                             ["Q", "fmt/"]),
    "widgets/panels": ("docks: summary, kernels, operators, steps, details, import log",
                       ["core/base", "core/text", "core/trace", "core/query", "core/analysis", "core/calltree",
                        "core/report", "core/sidecar", "core/compare", "core/metrics", "core/ncu", "session",
                        "session/notes", "session/path", "models", "models/details", "timeline", "timeline/rows", "calls", "plots", "style", "panels/parts"], ["Q", "fmt/"]),
    "widgets/panels/bench": ("docks of the benches: kernels, operators, modules",
                             ["core/", "session", "session/programs", "models", "models/results", "plots", "style", "panels/parts"],
                             ["Q", "fmt/"]),
    "widgets/panels/calltree": ("dock of the call tree: flame graph, rows, callers and callees",
                                ["core/base", "core/text", "core/trace", "core/query", "core/analysis", "core/calltree",
                                 "session", "timeline", "calls", "style", "panels/parts"], ["Q"]),
    "widgets/panels/findings": ("dock of the findings: what to change first, with evidence",
                                ["core/advise", "core/base", "core/text", "core/trace", "session", "session/advice", "models",
                                 "models/fields", "session/emphasis", "style", "panels/parts"], ["Q"]),
    "widgets/panels/history": ("dock of baselines over time",
                               ["core/base", "core/baseline", "core/text", "session", "session/paths", "models", "models/fields",
                                "plots/history", "style", "panels/parts"], ["Q"]),
    "widgets/panels/path": ("dock of the critical path",
                            ["core/base", "core/text", "core/trace", "session", "session/path", "models", "models/fields", "style",
                             "panels/parts"], ["Q"]),
    "widgets/panels/roofline": ("dock of the roofline",
                                ["core/base", "core/trace", "core/model", "core/report", "session", "session/emphasis", "models",
                                 "models/roofline", "timeline",
                                 "plots", "style", "panels/parts"], ["Q"]),
    "widgets/panels/memory": ("memory over time: dock of a trace, and what snapshots are shown with",
                              ["core/base", "core/memory", "core/memory/view", "core/text", "core/trace",
                               "session", "models", "models/fields", "timeline", "style", "panels/parts"], ["Q", "fmt/"]),
    "widgets/panels/query": ("dock of questions in SQL: editor, answers, a picture of two columns",
                             ["core/base", "core/metrics", "core/query/sql", "core/text", "core/trace", "session", "models",
                              "plots", "style", "panels/parts"], ["Q"]),
    "widgets/panels/find": ("docks of the search and of durations",
                            ["core/base", "core/text", "core/trace", "core/query", "core/stats", "session", "models",
                             "timeline", "plots", "style", "panels/parts"], ["Q"]),
    "widgets/job": ("one job of many ranks: its matrix, the timeline of its ranks, tables, answers",
                    ["core/base", "core/text", "core/stats", "core/trace", "core/import/load", "core/flight", "core/ranks",
                     "core/ranks/view", "session", "session/paths", "models", "models/fields", "timeline", "timeline/rows", "style",
                     "panels/parts"], ["Q"]),
    "widgets/job/dumps": ("dumps of the flight recorder: calls as a matrix of ranks by numbers, answers, details",
                          ["core/base", "core/text", "core/flight", "models", "style", "panels/parts", "job"], ["Q"]),
    "widgets/snapshot": ("pages of snapshots of the allocator",
                         ["core/base", "core/memory", "core/memory/view", "core/text", "session", "session/paths", "models", "timeline",
                          "style", "job", "panels/parts", "panels/memory"], ["Q", "fmt/"]),
    "app/kscope": ("one file per subcommand", ["core/"], ["fmt/", "CLI/", "nlohmann/", "malloc.h"]),
    "app/kscope/baseline": ("the subcommands `kscope baseline`, `kscope check` and `kscope history`",
                            ["core/", "app/kscope"], ["fmt/", "CLI/"]),
    "app/kscope/bench": ("subcommands of `kscope bench`", ["core/", "app/kscope"], ["fmt/", "CLI/", "nlohmann/"]),
    "app/kscope/path": ("the subcommand `kscope path`", ["core/", "app/kscope"], ["fmt/", "CLI/"]),
    "app/kscope/advise": ("the subcommand `kscope advise`", ["core/", "app/kscope"], ["fmt/", "CLI/"]),
    "app/kscope/memory": ("the subcommand `kscope memory`", ["core/", "app/kscope"], ["fmt/", "CLI/"]),
    "app/kscope/query": ("the subcommands `kscope query` and `kscope export`", ["core/", "app/kscope"], ["fmt/", "CLI/"]),
    "app/kscope/ranks": ("the subcommand `kscope ranks`, and comparing jobs", ["core/", "app/kscope"], ["fmt/", "CLI/"]),
    "app/kscope/setup": ("`kscope doctor`, `kscope torch`, `kscope completion`", ["core/", "app/kscope"], ["fmt/", "CLI/"]),
    "app/kscope-torch": ("the one program that links libtorch; `kscope` starts it and reads lines of JSON",
                         ["core/base", "core/json", "core/bench/"], ["fmt/", "nlohmann/"]),
    "app/kinetoscope/files": ("files written by the window: tables, images", ["core/", "widgets/"], ["Q"]),
    "app/kinetoscope/bars": ("bars of the window: progress, recording, search", ["core/", "widgets/"], ["Q"]),
    "app/kinetoscope/palette": ("command palette", ["widgets/style"], ["Q"]),
    "app/kinetoscope/status": ("status bar", ["core/", "widgets/"], ["Q"]),
    "app/kinetoscope/tour": ("the tour", ["widgets/style"], ["Q"]),
    "app/kinetoscope/welcome": ("the start page and its samples", ["widgets/style"], ["Q"]),
    "app/kinetoscope": ("the main window: composition only",
                        ["core/", "widgets/", "kinetoscope/files", "kinetoscope/bars", "kinetoscope/palette",
                         "kinetoscope/status", "kinetoscope/tour", "kinetoscope/welcome"],
                        ["Q", "CLI/"]),
}
# Where ARCHITECTURE.md holds the table.
BEGIN, END = "<!-- layers -->\n", "<!-- /layers -->\n"
# Files of one folder.
MAX_FILES = 40
# Headers of the system that any folder may use where the standard library has nothing.
SYSTEM = re.compile(r"^(cxxabi|sys/[a-z_]+|unistd|fcntl|dlfcn|poll|spawn|immintrin|emmintrin|cpuid|csignal|signal)(\.h)?$")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
OURS = re.compile(r"^(core|widgets|app)/")


def folder_of(path: str) -> str:
    """The folder that a file of ours is in."""
    return path.rsplit("/", 1)[0]


def allowed(folder: str, target: str) -> bool:
    """Whether the table lets a file of `folder` include one of the folder `target`."""
    top = folder.split("/")[0]
    for entry in LAYERS[folder][1]:
        full = entry if entry.split("/")[0] in ("core", "widgets", "app") else f"{top}/{entry}"
        if target == full or (full.endswith("/") and (target + "/").startswith(full)):
            return True
    return False


def own_files(root: pathlib.Path):
    for top in ("core", "widgets", "app"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path.relative_to(root).as_posix(), path.read_text()


def breaches(root: pathlib.Path):
    """One line for each include that the table does not allow."""
    for name, text in own_files(root):
        folder = folder_of(name)
        if folder not in LAYERS:
            yield f"{name}: folder {folder} is not in the include table"
            continue
        third = LAYERS[folder][2]
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, header = match.groups()
            where = f"{name}:{number}"
            if OURS.match(header):
                target = folder_of(header)
                if target == folder:
                    if folder.startswith("widgets/panels") and not panel_may_include(name, header):
                        yield f"{where}: panels never include each other ({header})"
                elif not allowed(folder, target):
                    yield f"{where}: {folder} may not include {header}"
            elif quote == '"' and not header.endswith(".moc"):
                yield f"{where}: include by the full path, not {header}"
            elif not is_standard(header) and not any(header.startswith(p) for p in third):
                yield f"{where}: {folder} may not include <{header}>"


def include_graphs(root: pathlib.Path):
    """What includes what, of units (a header with its source) and of folders."""
    units, folders = {}, {}
    for name, text in own_files(root):
        unit = name.rsplit(".", 1)[0]
        units.setdefault(unit, set())
        folders.setdefault(folder_of(name), set())
        for line in text.splitlines():
            match = INCLUDE.match(line)
            if not match or not OURS.match(match.group(2)):
                continue
            header = match.group(2)
            units[unit].add(header.rsplit(".", 1)[0])
            folders[folder_of(name)].add(folder_of(header))
    return units, folders


def cycles(graph: dict) -> list:
    """Groups of nodes that reach each other (Tarjan), each sorted."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    for node in graph:
        if node not in index:
            visit(node)
    return found


# Folders that only divide the files of the room above them and share its namespace; a namespace of their own would
# hide core's of the same name (panels::memory, memory) or part what is used together. Each other folder has its own.
DIVISIONS = {
    "core": ["compare/gate", "import/load", "query/find", "query/lanes"],
    "widgets": [
        "models/arrange", "models/details", "models/fields", "models/results", "models/roofline",
        "panels/bench", "panels/calltree", "panels/find", "panels/findings", "panels/history", "panels/memory",
        "panels/parts", "panels/path", "panels/query", "panels/roofline", "plots/history",
        "session/advice", "session/emphasis", "session/notes", "session/path", "session/paths", "session/programs",
        "timeline/overview", "timeline/rows"],
}
# Namespaces spelled otherwise: base's words are everybody's, "torch" is libtorch's own, a program is one room.
SPELLED = {"core/base": "kinetoscope", "core/bench/torch": "kinetoscope::bench::libtorch"}
# The header for recorded programs, which may be C.
IN_C = "core/capture/kinetoscope.h"
NAMESPACE = re.compile(r"^namespace (kinetoscope[\w:]*) \{", re.MULTILINE)


def divides(folder: str) -> bool:
    top, inner = folder.split("/", 1)
    return inner in DIVISIONS.get(top, ())


def namespace_of(folder: str) -> str:
    if folder.startswith("app/"):
        return "kinetoscope::app"
    room = (folder.rsplit("/", 1)[0] if divides(folder) else folder).split("/", 1)[1]
    return SPELLED.get(folder, "kinetoscope::" + room.replace("/", "::"))


def strangers(root: pathlib.Path):
    """Headers that declare nothing in their folder's namespace, and sources that open only others."""
    for name, text in own_files(root):
        if folder_of(name) not in LAYERS:
            continue
        wanted = namespace_of(folder_of(name))
        opened = NAMESPACE.findall(text)
        # Names of a kind may have a namespace inside (run::cuda), but not in a folder that only divides.
        if wanted in opened or (not divides(folder_of(name)) and any(n.startswith(wanted + "::") for n in opened)):
            continue
        if opened:
            yield f"{name}: opens {opened[0]}, not {wanted}"
        elif name.endswith(".h") and name != IN_C:
            yield f"{name}: declares nothing in {wanted}"


def crowded(root: pathlib.Path):
    """Folders in which a stranger no longer finds their way."""
    counts = {}
    for name, _ in own_files(root):
        counts[folder_of(name)] = counts.get(folder_of(name), 0) + 1
    for folder, count in counts.items():
        if count > MAX_FILES:
            yield f"{folder}: {count} files; divide it (at most {MAX_FILES})"


def table() -> str:
    """The rows of ARCHITECTURE.md."""
    lines = ["| folder | holds | may include, beside itself |", "| --- | --- | --- |"]
    for folder, (holds, ours, _) in LAYERS.items():
        lines.append(f"| `{folder}` | {holds} | {', '.join(e.rstrip('/') for e in ours) or '–'} |")
    return "\n".join(lines) + "\n"


def split_document(text: str):
    """ARCHITECTURE.md before, inside and behind the table."""
    before, rest = text.split(BEGIN, 1)
    inside, behind = rest.split(END, 1)
    return before, inside, behind


def panel_may_include(name: str, header: str) -> bool:
    """Own header and shared parts that are not a panel."""
    stem = pathlib.PurePath(header).stem
    own = pathlib.PurePath(name).stem
    return stem == own or not stem.endswith("Panel") or stem == "Panel"


def is_standard(header: str) -> bool:
    return re.fullmatch(r"[a-z_0-9]+", header) is not None or SYSTEM.match(header) is not None


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    document = root / "ARCHITECTURE.md"
    before, inside, behind = split_document(document.read_text())
    if "--write" in sys.argv[2:]:
        document.write_text(before + BEGIN + table() + END + behind)
        return 0
    found = [*breaches(root), *crowded(root), *strangers(root)]
    for graph in include_graphs(root):
        found += [f"cycle of includes: {', '.join(group)}" for group in cycles(graph)]
    if inside != table():
        found.append("ARCHITECTURE.md: the table of folders is an older one; "
                     "python3 tests/tools/check_layers.py . --write")
    print("\n".join(found) if found else "layers: every include is in the table, and none is in a cycle")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
