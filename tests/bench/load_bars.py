# SPDX-License-Identifier: Apache-2.0
"""The bars of loading: every row measured beside its yardstick in one run."""

import gzip
import os
import pathlib
import shutil
import subprocess
import sys

import layouts
from grow_trace import size_of
from measuring import Bars, interleaved, json_of, need_room, output

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources/sample.json.gz"
ROWS = ("load", "gzip", "memory", "growth", "snapshots", "layouts", "tracks", "analyses")
LAYOUT_SIZE = "200M"
PROCESSES = (15_000, 60_000)
COPY = 2**22


class Files:
    """The traces, made once in the build folder."""

    def __init__(self, folder: pathlib.Path, size: str, own=None):
        self.folder = folder
        self.own = pathlib.Path(own) if own else None
        self.size = size

    def made(self, size):
        return self.folder / f"big-{size}.json"

    def whole(self):
        return self.own or self.made(self.size)

    def packed(self):
        return self.folder / (self.whole().name + ".gz")

    def layout(self, name):
        return self.folder / f"layout-{name}.json"

    def processes(self, count):
        return self.folder / f"processes-{count}.json"

    def make(self, wanted):
        """`wanted`: {path: (bytes about, function that writes it)}."""
        absent = {path: entry for path, entry in wanted.items() if not path.exists()}
        if absent:
            need_room(self.folder, sum(size for size, _ in absent.values()))
        for path, (_, write) in absent.items():
            print(f"writing {path.name}", file=sys.stderr)
            write(path)

    def grown(self, *arguments):
        script = ROOT / "tests/bench/grow_trace.py"
        return lambda path: subprocess.run([sys.executable, script, *map(str, arguments), SAMPLE, path],
                                           check=True)

    def compress(self, source):
        def write(path):
            partial = path.with_suffix(".partial")
            with open(source, "rb") as text, gzip.open(partial, "wb", compresslevel=6) as packed:
                shutil.copyfileobj(text, packed, COPY)
            os.replace(partial, path)
        return write

    def of_rows(self, rows, sizes):
        """What the rows need, largest first."""
        wanted = {}
        for size in sizes:
            wanted[self.made(size)] = (size_of(size), self.grown("--size", size))
        if {"gzip", "snapshots"} & set(rows):
            bytes_ = self.whole().stat().st_size if self.own else size_of(self.size)
            wanted[self.packed()] = (bytes_ / 8, self.compress(self.whole()))
        if "layouts" in rows:
            for name in layouts.LAYOUTS:
                wanted[self.layout(name)] = (size_of(LAYOUT_SIZE) * 1.2,
                                             self.grown("--size", LAYOUT_SIZE, "--layout", name))
        if "tracks" in rows:
            for count in PROCESSES:
                wanted[self.processes(count)] = (count * 600, self.grown("--processes", count))
        return wanted


class LoadBars:
    def __init__(self, options):
        self.options = options
        self.rows = options.rows or ROWS
        self.binary = options.build / "bin"
        self.files = Files(options.build, options.size, options.file)
        self.bars = Bars()
        self.programs = {}
        self.has_threads = "--threads" in output([self.binary / "kscope", "report", "--help"])

    def report(self, path, threads=None):
        command = [self.binary / "kscope", "report", "--json", "--timing", path]
        return command + ["--threads", str(threads)] if threads and self.has_threads else command

    def peer(self, name, program, *arguments):
        """{name: command}; nothing where the program was not built."""
        return {name: [self.binary / program, *arguments]} if (self.binary / program).exists() else {}

    def measure(self, title, commands):
        print(f"\n{title}", flush=True)
        found = interleaved(commands, self.options.rounds)
        self.programs[title] = {name: measured.as_json() for name, measured in found.items()}
        for name, measured in found.items():
            load = f"   load {measured.phase('load'):.3f} s" if "load" in measured.phases else ""
            print(f"  {name:26} {measured.best:8.3f} s  processor {min(measured.processor):8.3f} s "
                  f"{max(measured.mebibytes):6.0f} MiB{load}", flush=True)
        return found

    def run(self):
        self.files.make(self.files.of_rows(self.rows, self.sizes()))
        if {"load", "memory", "analyses"} & set(self.rows):
            self.plain()
        for row, measure in (("gzip", self.gzip), ("growth", self.growth), ("snapshots", self.snapshots),
                             ("layouts", self.layouts), ("tracks", self.tracks)):
            if row in self.rows:
                measure()
        return {"programs": self.programs, "bars": self.bars.rows}

    def growing(self):
        return ["100M", self.options.size, "4G"] + (["20G"] if self.options.huge else [])

    def sizes(self):
        """Of the traces to be made. Growth is that of made ones: another file differs in more than its size."""
        sizes = self.growing() if "growth" in self.rows else []
        sizes += ["4G"] if "snapshots" in self.rows else []
        sizes += [self.options.size] if not self.files.own and set(self.rows) - {"layouts", "tracks"} else []
        return sizes

    def plain(self):
        """The large file as it is: load, whole report, memory, analyses."""
        path = self.files.whole()
        commands = {"wc -l": ["wc", "-l", path], "cat": ["cat", path]}
        commands |= self.peer("simdjson walk", "simdjson_walk", path)
        commands |= self.peer("nlohmann SAX", "nlohmann_sax", path)
        commands |= {"kscope report": self.report(path)}
        if self.has_threads:
            commands |= {f"kscope report, {n} thread{'s' * (n > 1)}": self.report(path, n) for n in (1, 2)}
        found = self.measure(f"{path.name}, {path.stat().st_size / 1e9:.2f} GB", commands)
        ours = found.get("kscope report, 2 threads", found["kscope report"])
        yardstick = found["wc -l"].best
        if "load" in self.rows:
            self.bars.add("load", "load, two threads", ours.phase("load") / yardstick, 3, "x wc -l")
            self.bars.add("report", "report --json, whole process", ours.best / yardstick, 6, "x wc -l",
                          goal=4.5)
            walk = found.get("simdjson walk")
            self.bars.add("simdjson", "the same against simdjson's walk", walk and ours.best / walk.best,
                          1 / 3, "of its time")
        if "memory" in self.rows:
            self.memory(path, ours)
        if "analyses" in self.rows:
            phases = sum(ours.phase(name) for name in ours.phases if name != "load")
            self.bars.add("analyses", "all of a report but the load", phases / ours.phase("load"), 1, "x load")

    def memory(self, path, report):
        held = json_of([self.binary / "load_time", "--json", path])
        elements, operations = held["elements"], held["gpu_operations"]
        allowed = 48 * elements + 48 * operations + held["name_bytes"]
        self.bars.add("memory", "held after the load", held["held_bytes"] / 2**20, allowed / 2**20, "MiB",
                      note=f"{held['held_bytes'] / elements:.1f} bytes an element")
        allowed = 80 * elements + 40 * 2**20
        self.bars.add("memory", "peak of a report", report.peak_bytes / 2**20, allowed / 2**20, "MiB",
                      note=f"{(report.peak_bytes - 40 * 2**20) / elements:.1f} bytes an element + 40 MiB")

    def gzip(self):
        path = self.files.packed()
        commands = self.peer("ISA-L alone", "isal_inflate", path) | {"kscope report": self.report(path)}
        found = self.measure(f"{path.name}, {path.stat().st_size / 1e9:.2f} GB", commands)
        alone = found.get("ISA-L alone")
        self.bars.add("gzip", "report --json of the compressed file",
                      alone and found["kscope report"].best / alone.best, 2.2, "x ISA-L")

    def growth(self):
        sizes = self.growing()
        paths = {size: self.files.made(size) for size in sizes}
        commands = {"wc -l": ["wc", "-l", paths[self.options.size]]}
        found = self.measure("growth", commands | {size: self.report(path) for size, path in paths.items()})
        per_byte = {size: found[size].best / path.stat().st_size for size, path in paths.items()}
        for size in sizes[2:]:
            self.bars.add("growth", f"{size}: time a byte", per_byte[size] / per_byte[self.options.size], 1.15,
                          f"x {self.options.size}")
        self.bars.add("growth", "100 MB, whole process", found["100M"].best * 1e3, 60, "ms")
        rest = {size: found[size].best - found[size].phase("load") for size in sizes}
        bytes_ = {size: path.stat().st_size for size, path in paths.items()}
        self.bars.add("analyses", "4G: analyses a byte, n log n allowed",
                      rest["4G"] / bytes_["4G"] / (rest[self.options.size] / bytes_[self.options.size]), 1.25,
                      f"x {self.options.size}")

    def snapshots(self):
        """Loads that show what is there meanwhile, against the same without."""
        for path in (self.files.packed(), self.files.made("4G")):
            load = [self.binary / "load_time"]
            found = self.measure(f"{path.name}, shown while it grows",
                                 {"alone": [*load, path], "with snapshots": [*load, "--snapshots", path]})
            self.bars.add("snapshots", path.name, found["with snapshots"].best / found["alone"].best, 1.1, "x alone")

    def layouts(self):
        """The same events as other programs write them, against the profiler's own layout."""
        found = self.measure("layouts", {name: self.report(self.files.layout(name)) for name in layouts.LAYOUTS})
        usual = found["kineto"]
        for name, meaning in layouts.MEANING.items():
            self.bars.add("layouts", meaning, found[name].phase("load") / usual.phase("load"), 2.5, "x Kineto's",
                          note=f"{self.files.layout(name).stat().st_size / 1e6:.0f} MB")

    def tracks(self):
        few, many = PROCESSES
        found = self.measure("tracks", {str(count): self.report(self.files.processes(count)) for count in PROCESSES})
        ratio = found[str(many)].best / found[str(few)].best
        # Twice the size is allowed twice the time, with a little for n log n.
        self.bars.add("tracks", f"{many:,} processes", ratio, many / few * 1.2, f"x {few:,}",
                      note=f"{found[str(many)].best * 1e3:.0f} ms")
