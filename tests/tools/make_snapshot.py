#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a large snapshot of PyTorch's allocator: make_snapshot.py OUT [--bytes N] [--pattern SNAPSHOT].

The events of a recorded snapshot come again and again, each round at later times. What a round leaves is freed by the next
one, but for a small block: the file has a leak. It is written as Python's pickle does it (protocol 4): words and frames
come once and are recalled by their number."""

import argparse
import itertools
import os
import pickle

PATTERN = os.path.join(os.path.dirname(__file__), "..", "data", "memory", "memory_snapshot.pickle")
ROUND_US = 100_000
BLOCK = 512


class Encoder:
    """Values as pickle writes them."""

    def __init__(self):
        self.numbers = {}  # of what is recalled
        self.count = 0  # values that have a number

    def remembered(self, key=None):
        if key is not None:
            self.numbers[key] = self.count
        self.count += 1
        return b"\x94"

    def recalled(self, key):
        number = self.numbers[key]
        return b"h" + bytes([number]) if number < 256 else b"j" + number.to_bytes(4, "little")

    def text(self, value):
        if value in self.numbers:
            return self.recalled(value)
        raw = value.encode()
        size = b"\x8c" + bytes([len(raw)]) if len(raw) < 256 else b"X" + len(raw).to_bytes(4, "little")
        return size + raw + self.remembered(value)

    @staticmethod
    def integer(value):
        if 0 <= value < 256:
            return b"K" + bytes([value])
        if 0 <= value < 65536:
            return b"M" + value.to_bytes(2, "little")
        if -2**31 <= value < 2**31:
            return b"J" + value.to_bytes(4, "little", signed=True)
        raw = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
        return b"\x8a" + bytes([len(raw)]) + raw

    def value(self, value):
        if isinstance(value, bool):
            return b"\x88" if value else b"\x89"
        if isinstance(value, int):
            return self.integer(value)
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return self.dict(value)
        return b"]" + self.remembered() + b"(" + b"".join(map(self.value, value)) + b"e"

    def dict(self, members):
        is_frame = members.keys() == {"name", "filename", "line"}
        key = tuple(members.values()) if is_frame else None
        if is_frame and key in self.numbers:
            return self.recalled(key)
        text = b"}" + self.remembered(key) + b"("
        return text + b"".join(self.text(name) + self.value(value) for name, value in members.items()) + b"u"


def event_writer(encoder, event):
    """A function from address and time to the bytes of an event whose words were all written before."""
    first, second = 2**46 - 1, 2**50 - 1
    parts = encoder.value({**event, "addr": first, "time_us": second}).split(encoder.integer(first))
    head, (middle, tail) = parts[0], parts[1].split(encoder.integer(second))
    integer = encoder.integer
    return lambda address, time: head + integer(address) + middle + integer(time) + tail


def closed(events):
    """The events, then frees of all that they leave but for the smallest block, which is given back with them."""
    alive = {}
    for event in events:
        if event["action"] == "alloc":
            alive[event["addr"]] = event
        elif event["action"] == "free_requested":
            alive.pop(event["addr"], None)
    kept = min(alive.values(), key=lambda event: event["size"])
    frees = [{**event, "action": action, "time_us": events[-1]["time_us"]} for event in alive.values() if event is not kept
             for action in ("free_requested", "free_completed")]
    return events + frees, kept


def segment(event, address):
    block = {"address": address, "size": max(BLOCK, -(-event["size"] // BLOCK) * BLOCK), "requested_size": event["size"],
             "state": "active_allocated", "frames": event["frames"]}
    return {"device": 0, "address": address, "total_size": 2 << 20, "allocated_size": block["size"], "stream": 0,
            "segment_type": "small", "blocks": [block, {"address": address + block["size"],
            "size": (2 << 20) - block["size"], "requested_size": 0, "state": "inactive", "frames": []}]}


def write(out, pattern, wanted):
    pattern = [event for event in pattern if event["action"] in ("alloc", "free_requested", "free_completed")]
    events, kept = closed(pattern)
    encoder = Encoder()
    out.write(b"\x80\x04" + b"}" + encoder.remembered() + b"(" + encoder.text("device_traces")
              + b"]" + encoder.remembered() + b"(" + b"]" + encoder.remembered() + b"(")
    out.write(b"".join(map(encoder.value, events)))
    first = encoder.count
    writers = [(event_writer(encoder, event), event["addr"], event["time_us"], event is kept or event["addr"] == kept["addr"])
               for event in events]
    a_round = encoder.count - first
    for rounds in itertools.count(1):
        if out.tell() >= wanted:
            break
        # The block that stays lies elsewhere each time.
        out.write(b"".join(make(address + (rounds << 21 if stays else 0), time + rounds * ROUND_US)
                           for make, address, time, stays in writers))
    encoder.count = first + (rounds - 1) * a_round
    out.write(b"ee" + encoder.text("segments") + b"](")
    out.writelines(encoder.value(segment(kept, kept["addr"] + (number << 21))) for number in range(rounds))
    out.write(b"eu.")
    return rounds * len(events), rounds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("--bytes", type=float, default=1e9)
    parser.add_argument("--pattern", default=PATTERN)
    asked = parser.parse_args()
    with open(asked.pattern, "rb") as file:
        pattern = pickle.load(file)["device_traces"][0]
    with open(asked.out, "wb") as out:
        events, rounds = write(out, pattern, asked.bytes)
    print(f"{events:,} events in {rounds:,} rounds, {os.path.getsize(asked.out):,} bytes")


if __name__ == "__main__":
    main()
