#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a profile as XLA's profiler does (XSpace), with any number of events: make_xplane.py --events 10M big.xplane.pb

A quarter of them are kernels of a GPU's streams with the eleven statistics that JAX writes for each, the others
slices of host threads. Correlations repeat from stream to stream. Equal arguments give equal files.
"""

import argparse

UNITS = {"K": 10**3, "M": 10**6}
OF_LINE = 50_000  # events
STATS = ["correlation_id", "scope_range_id", "context_id", "theoretical_occupancy_pct", "occupancy_min_grid_size",
         "occupancy_suggested_block_size", "kernel_details", "tf_op", "name", "hlo_op", "hlo_module", "_r", "step_num"]
TEXTS = ["regs:32 static_shared:0 dynamic_shared:49152 grid:64,2,1 block:256,1,1 occ_pct:100",
         "jit(train)/dot_general", "jit_train", "gemm_fusion_dot", "fusion"]


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(tag: int, value: int) -> bytes:
    return varint(tag << 3) + varint(value)


def message(tag: int, value: bytes) -> bytes:
    return varint(tag << 3 | 2) + varint(len(value)) + value


def stat(name: str, tag: int, value: int) -> bytes:
    return message(4, number(1, STATS.index(name) + 1) + number(tag, value))


def text_stat(name: str, text: int) -> bytes:
    return stat(name, 7, len(STATS) + 1 + text)


# What every kernel has beside its correlation.
KERNEL = (stat("scope_range_id", 4, 281474976710678) + message(4, number(1, 3) + message(5, b"$$1")) +
          message(4, number(1, 4) + varint(2 << 3 | 1) + bytes(8)) + stat("occupancy_min_grid_size", 4, 132) +
          stat("occupancy_suggested_block_size", 4, 384) + text_stat("kernel_details", 0) + text_stat("tf_op", 1) +
          text_stat("name", 3) + text_stat("hlo_op", 4) + text_stat("hlo_module", 2))


def events(gpu: bool) -> bytes:
    out = bytearray()
    for i in range(OF_LINE):
        event = number(1, 1 + i % 40) + number(2, i * 9_000_000) + number(3, 5_000_000 + i % 7 * 400_000)
        out += message(4, event + (stat("correlation_id", 3, i + 1) + KERNEL if gpu else stat("_r", 4, 1)))
    return bytes(out)


def plane(name: str, lines: list[tuple[int, str, int]], body: bytes, events_named: str) -> bytes:
    metadata = b"".join(message(4, number(1, i) + message(2, number(1, i) + message(2, f"{events_named}_{i}".encode())))
                        for i in range(1, 41))
    metadata += b"".join(message(5, number(1, i) + message(2, number(1, i) + message(2, text.encode())))
                         for i, text in enumerate(STATS + TEXTS, 1))
    rows = b"".join(message(3, number(1, line) + message(2, title.encode()) + number(3, start) + body)
                    for line, title, start in lines)
    return message(1, message(2, name.encode()) + rows + metadata)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", default="10M", help="how many, as 200K or 10M")
    parser.add_argument("output")
    given = parser.parse_args()
    unit = given.events[-1:].upper()
    wanted = int(float(given.events[:-1]) * UNITS[unit]) if unit in UNITS else int(given.events)
    lines = max(wanted // OF_LINE, 4)
    with open(given.output, "wb") as file:
        streams = [(i, f"Stream #{i}(Compute)", 1_000_000) for i in range(1, lines // 4 + 1)]
        file.write(plane("/device:GPU:0", streams, events(True), "gemm_fusion"))
        threads = [(1000 + i, f"worker/{1000 + i}", 900_000) for i in range(lines - len(streams))]
        file.write(plane("/host:CPU", threads, events(False), "PjitFunction"))


if __name__ == "__main__":
    main()
