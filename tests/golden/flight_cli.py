# SPDX-License-Identifier: Apache-2.0
"""`kscope ranks` on dumps of NCCL's flight recorder: random jobs that Python's pickle wrote and whose truth is known."""
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


def kscope(*words):
    return subprocess.run([KSCOPE, "ranks", *words], capture_output=True, text=True, timeout=120)


class Rank:
    """What one rank called, as a recorder keeps it."""

    def __init__(self, groups):
        self.groups, self.entries, self.numbers = groups, [], [0] * len(groups)

    def call(self, group, kind="all_reduce", state="completed", elements=1024, dtype="Float"):
        self.numbers[group] += 1
        self.entries.append({
            "record_id": len(self.entries), "pg_id": group, "process_group": (str(group), f"group{group}"),
            "collective_seq_id": self.numbers[group], "p2p_seq_id": 0, "op_id": len(self.entries),
            "profiling_name": f"nccl:{kind}", "time_created_ns": 1_700_000_000_000_000_000 + len(self.entries),
            "input_sizes": ((elements,),), "output_sizes": [[elements]], "input_dtypes": [dtype],
            "output_dtypes": [dtype], "state": state, "time_discovered_started_ns": None,
            "time_discovered_completed_ns": None if state != "completed" else 5, "retired": state == "completed",
            "timeout_ms": 600000, "is_p2p": False, "thread_id": "1", "thread_name": "python",
            "frames": [{"name": kind, "filename": "/p/site-packages/torch/distributed/distributed_c10d.py", "line": 3},
                       {"name": "train", "filename": "/home/me/train.py", "line": 10 + group}]})

    def dump(self):
        return {"version": "2.10", "comm_lib_version": "2.28.9",
                "pg_config": {str(i): {"name": str(i), "desc": f"group{i}", "ranks": str(ranks)}
                              for i, ranks in enumerate(self.groups)},
                "pg_status": {str(i): {"last_enqueued_collective": n, "last_started_collective": -1,
                                       "last_completed_collective": n} for i, n in enumerate(self.numbers)},
                "entries": self.entries}


def random_job(seed):
    """Some rounds over groups in which everybody comes, then calls that one rank never joins."""
    pick = random.Random(seed)
    world = pick.choice((2, 3, 8))
    groups = [list(range(world)), sorted(pick.sample(range(world), max(2, world // 2)))]
    ranks = [Rank(groups) for _ in range(world)]
    for _ in range(pick.randint(1, 30)):
        group = pick.randrange(2)
        for rank in groups[group]:
            ranks[rank].call(group, pick.choice(("all_reduce",)), elements=64)
    group = pick.randrange(2)
    absent = pick.choice(groups[group])
    for _ in range(pick.randint(1, 3)):
        for rank in groups[group]:
            if rank != absent:
                ranks[rank].call(group, "_all_gather_base", "scheduled")
    return ranks, group, absent


def stuck_by_hand(ranks):
    """(group, number) of each group's first call that is open, with who waits and who never called it."""
    found = {}
    for group, members in enumerate(ranks[0].groups):
        opened = [e["collective_seq_id"] for r in members for e in ranks[r].entries
                  if e["pg_id"] == group and e["state"] != "completed"]
        if opened:
            number = min(opened)
            waiting = [r for r in members if any(e["pg_id"] == group and e["collective_seq_id"] == number
                                                 and e["state"] != "completed" for e in ranks[r].entries)]
            absent = [r for r in members if ranks[r].numbers[group] < number]
            found[str(group)] = (number, waiting, absent)
    return found


class Flight(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, dumps, protocol=2, name="nccl_trace_rank_{}"):
        for rank, dump in enumerate(dumps):
            with open(os.path.join(self.folder, name.format(rank)), "wb") as file:
                pickle.dump(dump, file, protocol=protocol)

    def read(self, *words):
        done = kscope("--json", *(words or (self.folder,)))
        self.assertEqual(done.returncode, 0, done.stderr)
        job = json.loads(done.stdout)
        self.assertEqual(job["schema"], "kinetoscope.flight/1")
        return job

    def test_random_jobs(self):
        for seed in range(12):
            ranks, group, absent = random_job(seed)
            for old in os.listdir(self.folder):
                os.remove(os.path.join(self.folder, old))
            self.write([rank.dump() for rank in ranks], protocol=seed % 6)
            job = self.read()
            found = {s["group"]: (s["number"], [w["rank"] for w in s["waiting"]], [a["rank"] for a in s["absent"]])
                     for s in job["stuck"]}
            self.assertEqual(found, stuck_by_hand(ranks), seed)
            self.assertEqual(found[str(group)][2], [absent])
            self.assertEqual(job["mismatches"], [])
            self.assertEqual([len(rank.entries) for rank in ranks], [rank["calls"] for rank in job["ranks"]])
            waiting = job["stuck"][0]["waiting"][0]["call"]
            self.assertEqual(waiting["inputs"], {"sizes": [[1024]], "types": ["Float"]})
            self.assertEqual(waiting["frames"][1], {"function": "train", "file": "/home/me/train.py", "line": 10 + group})
            text = " ".join(kscope(self.folder).stdout.split())
            self.assertIn(f"_all_gather_base number {found[str(group)][0]} of group {group} (group{group}) is stuck", text)
            self.assertIn(f"rank {absent} never came", text)
            self.assertIn(f"train.py:{10 + group} train", text)

    def test_json_dumps(self):
        ranks, group, absent = random_job(3)
        for rank, made in enumerate(ranks):
            dump = made.dump()
            for entry in dump["entries"]:
                del entry["frames"]
            for status in dump["pg_status"].values():
                status.update({key: str(value) for key, value in status.items()})
            with open(os.path.join(self.folder, f"rank{rank}.json"), "w") as file:
                json.dump(dump, file)
        job = self.read()
        self.assertEqual([a["rank"] for a in job["stuck"][0]["absent"]], [absent])
        self.assertEqual(job["stuck"][0]["group"], str(group))

    def test_what_differs_and_who_is_missing(self):
        ranks = [Rank([[0, 1, 2, 3]]) for _ in range(4)]
        for number, rank in enumerate(ranks[:3]):
            rank.call(0)
            rank.call(0, elements=99 if number == 1 else 1024)
            rank.call(0, kind="broadcast" if number == 2 else "all_reduce", dtype="Half")
        self.write([rank.dump() for rank in ranks[:3]])
        job = self.read()
        self.assertEqual(job["missing"], [3])
        self.assertEqual([(m["number"], m["difference"], m["parts"][-1]["ranks"]) for m in job["mismatches"]],
                         [(2, "size", [1]), (3, "operation", [2])])
        text = " ".join(kscope(self.folder).stdout.split())
        self.assertIn("number 2 of group 0 (group0) differs in size: ranks 0, 2: 1024 elements; rank 1: 99 elements", text)
        self.assertIn("no dump of rank 3", text)

    def test_formats_and_exit_codes(self):
        ranks, _, absent = random_job(5)
        self.write([rank.dump() for rank in ranks])
        self.assertEqual(kscope("--fail-on", "stuck", self.folder).returncode, 1)
        self.assertEqual(kscope("--fail-on", "straggler", self.folder).returncode, 2)
        csv = kscope("--csv", self.folder).stdout.splitlines()
        self.assertEqual(len(csv), 1 + sum(len(members) for members in ranks[0].groups))
        self.assertEqual({line.count(",") for line in csv}, {10})
        self.assertIn(f"rank {absent} never came", kscope("--markdown", self.folder).stdout)
        good = Rank([[0]])
        good.call(0)
        self.write([good.dump()], name="alone_rank_{}")
        alone = os.path.join(self.folder, "alone_rank_0")
        self.assertEqual(kscope("--fail-on", "stuck", alone).returncode, 0)
        self.assertIn("Nothing is stuck", kscope(alone).stdout)

    def test_without_all_dumps_nothing_is_cleared(self):
        good = Rank([[0, 1]])
        good.call(0)
        self.write([good.dump()], name="part_rank_{}")
        part = os.path.join(self.folder, "part_rank_0")
        done = kscope("--fail-on", "stuck", part)
        self.assertEqual((done.returncode, done.stderr), (2, "kscope: --fail-on stuck cannot be tested: there is no dump of rank 1\n"))
        said = "Cannot tell whether anything is stuck: there is no dump of rank 1."
        self.assertTrue(json.loads(kscope("--json", part).stdout)["cannot_tell"].startswith(said))
        for words in ([], ["--markdown"]):
            text = " ".join(kscope(*words, part).stdout.split())
            self.assertIn(said, text)
            self.assertNotIn("Nothing is stuck", text)
        self.assertEqual(kscope(part).returncode, 0)

    def test_bad_input(self):
        class Touch:
            def __reduce__(self):
                return os.mkdir, (os.path.join(folder, "owned"),)
        folder = self.folder
        path = os.path.join(folder, "rank0.pickle")
        for dump, said in ((Touch(), "it asks for 'posix.mkdir'"), ({"entries": [Touch()]}, "it asks for 'posix.mkdir'"),
                           ({"a": 1}, "no 'entries'"), (5, "no dict")):
            with open(path, "wb") as file:
                pickle.dump(dump, file)
            done = kscope(path)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertIn(said, done.stderr)
            self.assertIn(path, done.stderr)
        self.assertEqual(os.listdir(folder), ["rank0.pickle"])
        # One that is damaged does not hide the others.
        ranks, _, _ = random_job(1)
        self.write([rank.dump() for rank in ranks])
        with open(os.path.join(folder, "nccl_trace_rank_0"), "r+b") as file:
            file.truncate(200)
        done = kscope("--json", *sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.startswith("nccl")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("it ends in the middle", done.stderr)
        self.assertEqual(json.loads(done.stdout)["missing"], [0])

    def test_recorded_pair(self):
        job = self.read(os.path.join(DATA, "flight"))
        self.assertEqual(len(job["stuck"]), 1)
        self.assertIn("all_reduce number 211 of group 0 (default_pg) is stuck: rank 0 waits in it, rank 1 never came",
                      job["stuck"][0]["text"])
        # Nothing but pickle says what is in them.
        for rank in job["ranks"]:
            with open(rank["file"], "rb") as file:
                dump = pickle.load(file)
            last = job["groups"][0]["members"][rank["rank"]]["last_call"]
            wanted = dump["entries"][-1]
            self.assertEqual(rank["calls"], len(dump["entries"]))
            self.assertEqual(last["number"], wanted["collective_seq_id"])
            self.assertEqual("nccl:" + last["operation"], wanted["profiling_name"])
            self.assertEqual(last["created_ns"], wanted["time_created_ns"])
            self.assertEqual([(f["function"], f["file"], f["line"]) for f in last["frames"]],
                             [(f["name"], f["filename"], f["line"]) for f in wanted["frames"]])


if __name__ == "__main__":
    unittest.main()
