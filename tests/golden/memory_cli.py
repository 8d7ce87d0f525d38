# SPDX-License-Identifier: Apache-2.0
"""`kscope memory` on snapshots that Python's pickle wrote, against a count by hand; and on a recorded one, to the byte."""
import decimal
import gzip
import json
import os
import pickle
import random
import subprocess
import sys
import tempfile
import unittest

KSCOPE = sys.argv.pop(1)
DATA = sys.argv.pop(1)
FIELDS = ("allocated", "reserved", "peak_allocated")


def kscope(*words):
    return subprocess.run([KSCOPE, "memory", *words], capture_output=True, text=True, timeout=120)


def block_size(asked):
    return max(512, (asked + 511) // 512 * 512)


def random_snapshot(seed):
    """A snapshot after random allocations, with what is true of it."""
    pick = random.Random(seed)
    frames = [[{"name": f"f{i}", "filename": f"/u/train{i}.py", "line": i + 1}] for i in range(5)]
    alive = {1 << 40 | i << 20: (block_size(pick.randrange(1 << 19)), frames[0]) for i in range(3)}
    events, used, peak = [], sum(size for size, _ in alive.values()), 0
    older = set(alive)
    peak = used
    at_peak = dict(alive)
    for step in range(400):
        time = 1_700_000_000_000_000 + 10 * step
        if alive and pick.random() < 0.45:
            address = pick.choice(sorted(alive))
            size, stack = alive.pop(address)
            older.discard(address)
            used -= size
            for action in ("free_requested", "free_completed"):
                events.append({"action": action, "addr": address, "size": size - pick.randrange(512) if address >> 41 else size,
                               "stream": 0, "time_us": time, "frames": stack})
        else:
            address, asked, stack = 1 << 41 | step << 20, 1 + pick.randrange(1 << 19), pick.choice(frames)
            alive[address] = (block_size(asked), stack)
            used += block_size(asked)
            events.append({"action": "alloc", "addr": address, "size": asked, "stream": 0, "time_us": time, "frames": list(stack)})
        if used > peak:
            peak, at_peak = used, dict(alive)
    segments = [{"device": 0, "address": address, "total_size": 1 << 20, "allocated_size": size, "active_size": size,
                 "stream": 0, "segment_type": "large", "frames": [],
                 "blocks": [{"address": address, "size": size, "requested_size": size, "state": "active_allocated", "frames": stack},
                            {"address": address + size, "size": (1 << 20) - size, "requested_size": 0, "state": "inactive"}]}
                for address, (size, stack) in alive.items()]
    truth = {"allocated": used, "reserved": len(alive) << 20, "peak_allocated": peak,
             "never_freed": sorted((size for address, (size, _) in alive.items() if address not in older), reverse=True),
             "older": sorted((alive[address][0] for address in older), reverse=True), "at_peak": at_peak}
    return {"segments": segments, "device_traces": [events, []], "allocator_settings": {}}, truth


def nanoseconds(microseconds):
    return int(microseconds * 1000)


def memory_of_trace(path):
    """By device, from the events alone: what is allocated and reserved at most, what lies in it at the peak by operator, and
    what stays."""
    with gzip.open(path, "rt") as file:
        events = json.load(file, parse_float=decimal.Decimal)["traceEvents"]
    operators, devices = {}, {}
    for event in events:
        if event.get("cat") == "cpu_op" and event["ph"] == "X":
            start = nanoseconds(event["ts"])
            operators.setdefault(event["tid"], []).append((start, start + nanoseconds(event["dur"]), event["name"]))

    def operator(thread, time):
        around = [(start, -end, name) for start, end, name in operators.get(thread, ()) if start <= time <= end]
        return max(around)[2] if around else ""
    for event in sorted((e for e in events if e["name"] == "[memory]"), key=lambda e: nanoseconds(e["ts"])):
        told = event["args"]
        name = f"GPU {told['Device Id']}" if told["Device Type"] == 1 else "CPU"
        device = devices.setdefault(name, {"alive": {}, "peak_allocated": -1, "peak_reserved": 0})
        if told["Bytes"] >= 0:
            device["alive"][told["Addr"]] = told["Bytes"], operator(event["tid"], nanoseconds(event["ts"]))
        else:
            device["alive"].pop(told["Addr"], None)
        device["allocated"], device["reserved"] = told["Total Allocated"], told["Total Reserved"]
        device["peak_reserved"] = max(device["peak_reserved"], device["reserved"])
        if device["allocated"] > device["peak_allocated"]:
            device["peak_allocated"], device["at_peak"] = device["allocated"], list(device["alive"].values())
    return devices


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "snapshot.pickle")

    def write(self, snapshot, protocol=4, opened=open):
        with opened(self.path, "wb") as file:
            pickle.dump(snapshot, file, protocol=protocol)

    def read(self, *words):
        done = kscope("--json", *(words or (self.path,)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_random_snapshots(self):
        for seed in range(8):
            snapshot, truth = random_snapshot(seed)
            self.write(snapshot, protocol=seed % 6, opened=gzip.open if seed == 7 else open)
            memory = self.read()
            self.assertEqual(memory["schema"], "kinetoscope.memory/1")
            device, = memory["devices"]
            self.assertEqual({field: device[field] for field in FIELDS}, {field: truth[field] for field in FIELDS}, seed)
            self.assertEqual([block["bytes"] for block in device["never_freed"]], truth["never_freed"])
            self.assertEqual([block["bytes"] for block in device["older"]], truth["older"])
            self.assertEqual(sum(place["bytes"] for place in device["alive_at_peak"]), truth["peak_allocated"])
            wanted = {}
            for address, (size, stack) in truth["at_peak"].items():
                if address >> 41:  # the others were there before
                    where = f"{os.path.basename(stack[0]['filename'])}:{stack[0]['line']} {stack[0]['name']}"
                    wanted[where] = wanted.get(where, 0) + size
            found = {place["where"]: place["bytes"] for place in device["alive_at_peak"]}
            for where, size in wanted.items():
                # Those from before that stayed have the stack that the segments tell.
                self.assertGreaterEqual(found[where], size)
                if where != "train0.py:1 f0":
                    self.assertEqual(found[where], size)

    def test_purposes_are_largest_first_and_whole(self):
        lines = kscope(os.path.join(DATA, "memory", "memory_snapshot.pickle")).stdout.splitlines()
        at = lines.index("GPU 0: alive at the peak, by purpose") + 3
        table = [line.rsplit(None, 5) for line in lines[at:lines.index("", at)]]
        shares = [float(row[3]) for row in table]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertEqual(table[1][0].strip(), "optimizer state")

    def test_recorded_to_the_byte(self):
        folder = os.path.join(DATA, "memory")
        with open(os.path.join(folder, "memory_facts.json")) as file:
            facts = json.load(file)
        device, = self.read(os.path.join(folder, "memory_snapshot.pickle"))["devices"]
        self.assertEqual({field: device[field] for field in FIELDS}, {field: facts[field] for field in FIELDS})
        self.assertEqual([block["bytes"] >> 20 for block in device["never_freed"][:5]], [20, 16, 12, 8, 4])
        self.assertEqual({block["where"] for block in device["never_freed"][:5]}, {"single.py:81 memory"})

    def test_recorded_traces(self):
        for rank in (0, 1):
            path = os.path.join(DATA, "traces", f"ddp_gpt_rank{rank}.json.gz")
            truth = memory_of_trace(path)
            found = {device["device"]: device for device in self.read(path)["devices"]}
            self.assertEqual(found.keys(), truth.keys())
            for name, wanted in truth.items():
                for field in (*FIELDS, "peak_reserved"):
                    self.assertEqual(found[name][field], wanted[field], (rank, name, field))
                self.assertEqual([block["bytes"] for block in found[name]["never_freed"]],
                                 sorted((size for size, _ in wanted["alive"].values()), reverse=True))
                by_operator = {}
                for size, operator in wanted["at_peak"]:
                    by_operator[operator] = by_operator.get(operator, 0) + size
                told = {}
                for place in found[name]["alive_at_peak"]:
                    told[place["operator"]] = told.get(place["operator"], 0) + place["bytes"]
                # What is older has no operator, and no event tells of it.
                by_operator[""] = wanted["peak_allocated"] - sum(v for k, v in by_operator.items() if k)
                self.assertEqual({k: v for k, v in told.items() if v}, {k: v for k, v in by_operator.items() if v})

    def test_formats_and_errors(self):
        snapshot, truth = random_snapshot(3)
        self.write(snapshot)
        text = " ".join(kscope(self.path).stdout.split())
        self.assertIn(f"({truth['peak_allocated']:,} bytes)", text)
        csv = kscope("--csv", self.path).stdout.splitlines()
        self.assertEqual({line.count(",") for line in csv}, {9})
        self.assertEqual(len([line for line in csv[1:] if line.split(",")[6] == "0"]),
                         len(truth["never_freed"]) + len(truth["older"]))
        self.assertIn("never freed", kscope("--markdown", self.path).stdout)
        self.assertIn("Every allocation site holds the same", kscope(self.path, self.path).stdout)
        for words in ([], [self.path] * 3, [self.path + "x"], [__file__]):
            done = kscope(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_nothing_is_run(self):
        folder = os.path.dirname(self.path)

        class Touch:
            def __reduce__(self):
                return os.mkdir, (os.path.join(folder, "owned"),)
        self.write({"segments": [Touch()], "device_traces": []})
        done = kscope(self.path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("it asks for 'posix.mkdir'", done.stderr)
        self.assertEqual(os.listdir(folder), ["snapshot.pickle"])


if __name__ == "__main__":
    unittest.main()
