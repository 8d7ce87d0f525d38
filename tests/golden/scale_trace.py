#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A copy of a trace with kernels made slower: scale_trace.py IN OUT FACTOR [KERNEL].

Multiplies the durations of the kernels called KERNEL, of all without it; nothing else changes."""

import gzip
import json
import sys


def opened(path, mode):
    return gzip.open(path, mode + "t") if str(path).endswith(".gz") else open(path, mode)


def scale(source, target, factor, kernel=None):
    with opened(source, "r") as file:
        trace = json.load(file)
    for event in trace["traceEvents"]:
        if event.get("cat") == "kernel" and kernel in (None, event["name"]):
            event["dur"] = round(event["dur"] * factor, 3)
    with opened(target, "w") as file:
        json.dump(trace, file)


if __name__ == "__main__":
    scale(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else None)
