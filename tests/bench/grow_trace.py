#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a trace of any size by repeating a real one, later in time and with fresh ids each time.

    grow_trace.py --size 1G resources/sample.json.gz big.json
    grow_trace.py --size 200M --layout chrome resources/sample.json.gz chrome.json

The sample's texts are kept as they stand; what changes in each copy are times, correlation,
`External id` and flow ids, so that copies never overlap and links stay inside their copy. Odd and
even copies run side by side on two GPUs with threads of their own; pairs of them take turns on four
streams. Two of five operators are left out, which gives the mix of a long training run: a third
flow events, a ninth GPU operations. As in the profiler's own files all operators come first, then
what the GPU did, then the metadata. --layout writes the same events as other programs would have
(see layouts.py). Equal arguments give equal files.
"""

import argparse
import gzip
import json
import os
import pathlib
import re

import layouts

UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}
SLOT = re.compile(r'"(ts|correlation|External id|id|pid|tid|device|stream)"(\s*:\s*)(-?\d+(?:\.\d+)?)')
STREAMS = 4
THREADS_APART = 10_000
LEAST = {"ts": 0, "id": 100_000, "external": 0}
ROUND_TRIP_NS = 1_000_000  # between the end of a copy and the start of the next on the same GPU


def size_of(text: str) -> int:
    unit = text[-1:].upper()
    return int(float(text[:-1]) * UNITS[unit]) if unit in UNITS else int(text)


def exact_ns(number: str) -> int:
    whole, _, fraction = number.partition(".")
    return int(whole) * 1000 + int((fraction + "000")[:3])


class Template:
    """A text of events and, between its literal pieces, the numbers that differ in each copy."""

    def __init__(self, text: str):
        self.literals, self.slots, at = [], [], 0
        on_gpu = False
        for match in SLOT.finditer(text):
            key, _, number = match.groups()
            if key == "pid":
                on_gpu = number == "0"
            kind = {"ts": "ts", "correlation": "id", "External id": "external", "id": "id",
                    "stream": "stream", "device": "gpu", "pid": "gpu" if on_gpu else "",
                    "tid": "stream" if on_gpu else "tid"}[key]
            value = exact_ns(number) if kind == "ts" else int(float(number))
            if not kind or value < 0:
                continue
            self.literals.append(text[at:match.start(3)])
            self.slots.append((kind, value, "." in number))
            at = match.end()
        self.literals.append(text[at:])

    def values(self, kind: str):
        return [value for of, value, _ in self.slots if of == kind]

    def copy(self, number: int, step) -> str:
        gpu, turn = number % 2, number // 2
        shift = {"ts": turn * step["ts"], "id": number * step["id"],
                 "external": number * step["external"], "gpu": gpu, "tid": gpu * THREADS_APART,
                 "stream": turn % STREAMS}
        pieces = []
        for literal, (kind, value, fraction) in zip(self.literals, self.slots):
            pieces.append(literal)
            value += shift[kind]
            if kind != "ts":
                pieces.append(str(value))
            elif fraction:
                pieces.append(f"{value // 1000}.{value % 1000:03d}")
            else:
                pieces.append(str(value // 1000))
        pieces.append(self.literals[-1])
        return "".join(pieces)


def sections(events):
    """Operators, what the GPU did, metadata: lists of events in the file's order."""
    kinds = [event.get("cat", "") for event in events]
    gpu = kinds.index("kernel")
    end = len(kinds) - 1 - kinds[::-1].index("kernel")
    while events[end].get("ph") != "M":
        end += 1
    operators = [event for at, event in enumerate(events[:gpu])
                 if kinds[at] != "cpu_op" or at % 5 not in (1, 3)]
    return operators, events[gpu:end], events[end:]


def grow(document, layout, size: int, out: str):
    """Writes copies until the layout of the profiler itself would have `size` bytes."""
    operators, gpu, metadata = sections(document["traceEvents"])
    usual = layouts.LAYOUTS["kineto"]
    events = layouts.arranged(layout, operators, gpu)
    templates = [Template(layout.join(part)) for part in events if part]
    once = len(usual.join(operators)) + len(usual.join(gpu)) + 4
    copies = max(2, size // once)
    step = {"ts": ROUND_TRIP_NS, "id": 1, "external": 1}
    for kind in step:
        # Small numbers are not ids of this run: 0 is nobody's, and arrows between operators count from 1.
        values = [value for template in templates for value in template.values(kind)]
        values = [value for value in values if value > LEAST[kind]] or values or [0]
        step[kind] += max(values) - min(values)
    partial = out + ".partial"
    with open(partial, "w", encoding="utf-8") as file:
        head, tail = layout.around(document)
        file.write(head)
        if layout.metadata_first:
            file.write(layout.join(metadata) + layout.separator)
        for part, template in enumerate(templates):
            for copy in range(copies):
                file.write(layout.separator if part + copy else "")
                file.write(template.copy(copy, step))
        if not layout.metadata_first:
            file.write(layout.separator + layout.join(metadata))
        file.write(tail)
    os.replace(partial, out)


def announced(count: int, document, out: str):
    """A trace that announces so many processes, every tenth with a slice, around one sample."""
    operators, gpu, metadata = sections(document["traceEvents"])
    layout = layouts.LAYOUTS["kineto"]
    events = operators + gpu + metadata
    for pid in range(100_000, 100_000 + count):
        events += layouts.announcement(pid)
        if pid % 10 == 0:
            events.append({"ph": "X", "cat": "cpu_op", "name": "run", "pid": pid, "tid": pid,
                           "ts": events[0]["ts"], "dur": 5.0})
    head, tail = layout.around(document)
    partial = out + ".partial"
    pathlib.Path(partial).write_text(head + layout.join(events) + tail, encoding="utf-8")
    os.replace(partial, out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=size_of, help="e.g. 1G; of the profiler's own layout")
    parser.add_argument("--layout", choices=sorted(layouts.LAYOUTS), default="kineto")
    parser.add_argument("--processes", type=int, help="instead of copies: announce so many")
    parser.add_argument("source")
    parser.add_argument("out")
    options = parser.parse_args()
    opener = gzip.open if options.source.endswith(".gz") else open
    with opener(options.source, "rt", encoding="utf-8") as file:
        document = json.load(file)
    if options.processes:
        announced(options.processes, document, options.out)
    else:
        grow(document, layouts.LAYOUTS[options.layout], options.size, options.out)


if __name__ == "__main__":
    main()
