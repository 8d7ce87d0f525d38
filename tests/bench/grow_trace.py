#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a trace of any size by repeating a real one, later in time and with fresh ids each time.

    grow_trace.py --size 1G resources/sample.json.gz big.json

Every copy keeps the text layout of the profiler; `ts`, correlation, `External id` and flow ids
move by the span of the original, so copies never overlap and links stay inside their copy.
"""

import argparse
import gzip
import os
import re

UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}
SLOT = re.compile(r'("ts": |"correlation": |"External id": |"id": )(-?\d+(?:\.\d+)?)')


def size_of(text: str) -> int:
    unit = text[-1:].upper()
    return int(float(text[:-1]) * UNITS[unit]) if unit in UNITS else int(text)


def split(text: str):
    """(head, events, tail): the text around the elements of traceEvents."""
    start = text.index("[", text.index('"traceEvents"')) + 1
    end = text.rindex("]")
    return text[:start], text[start:end].strip().rstrip(","), text[end:]


def pieces_of(events: str):
    """Literal texts and, between them, the numbers that move: (kind, value)."""
    literals, slots, at = [], [], 0
    for match in SLOT.finditer(events):
        literals.append(events[at:match.start(2)])
        key, number = match.groups()
        if key == '"ts": ':
            slots.append(("ts", exact_ns(number)))
        else:
            slots.append(("id", int(number)))
        at = match.end()
    literals.append(events[at:])
    return literals, slots


def exact_ns(number: str) -> int:
    whole, _, fraction = number.partition(".")
    return int(whole) * 1000 + int((fraction + "000")[:3])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=size_of, required=True)
    parser.add_argument("source")
    parser.add_argument("out")
    options = parser.parse_args()
    opener = gzip.open if options.source.endswith(".gz") else open
    with opener(options.source, "rt") as file:
        head, events, tail = split(file.read())
    literals, slots = pieces_of(events)
    times = [value for kind, value in slots if kind == "ts" and value > 0]
    ids = [value for kind, value in slots if kind == "id"]
    step_ns = max(times) - min(times) + 1_000_000
    step_id = max(ids) + 1
    partial = options.out + ".partial"
    with open(partial, "w") as out:
        written, copy = out.write(head), 0
        while written < options.size:
            moved = []
            for literal, (kind, value) in zip(literals, slots):
                moved.append(literal)
                if kind == "ts":
                    ns = value + copy * step_ns
                    moved.append(f"{ns // 1000}.{ns % 1000:03d}")
                else:
                    moved.append(str(value + copy * step_id))
            moved.append(literals[-1])
            written += out.write((",\n" if copy else "\n") + "".join(moved))
            copy += 1
        out.write("\n" + tail)
    os.replace(partial, options.out)


if __name__ == "__main__":
    main()
