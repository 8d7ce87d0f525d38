# SPDX-License-Identifier: Apache-2.0
"""Clocks, partners and waiting where ranks are in several process groups, or send to each other."""
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from make_sharded_job import MS, US, make_pipeline_job, make_sharded_job

KSCOPE = sys.argv.pop(1)


class Ranks:
    """Traces of kernels of communication at given times, each rank by its own clock."""

    def __init__(self, count, seed=1):
        noise = random.Random(seed)
        self.offsets = [0] + [noise.randrange(-500 * US, 500 * US) for _ in range(count - 1)]
        self.events = [[] for _ in range(count)]
        self.times = [0] * count
        self.noise = noise

    def add(self, rank, name, start, end, stream, **args):
        correlation = len(self.events[rank]) + 1
        to = lambda time: (time + self.offsets[rank]) / US
        self.events[rank] += [
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": to(start - 9 * US),
             "dur": 2, "args": {"correlation": correlation}},
            {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": to(start), "dur": (end - start) / US,
             "args": {"correlation": correlation, "device": 0, "stream": stream, **args}}]

    def meet(self, members, group, kind="allreduce", took=40 * US, elements=1 << 16, name=None, **more):
        """All compute for a while, then meet; gives how long each waited."""
        arrivals = {}
        for rank in members:
            begin = self.times[rank] + 20 * US
            end = begin + 100 * US + self.noise.randrange(0, 30 * US)
            self.add(rank, "gemm", begin, end, 7)
            arrivals[rank] = end + 15 * US
        end = max(arrivals.values()) + took
        for rank in members:
            args = {"Collective name": kind, "In msg nelems": elements, "Out msg nelems": elements, "dtype": "Float",
                    "Process Group Name": group, "Group size": len(members), "Process Group Ranks": str(list(members))}
            plain = {} if name else {**args, **(more[f"of{rank}"] if f"of{rank}" in more else {})}
            self.add(rank, name or "ncclDevKernel_SendRecv", arrivals[rank], end, 20, **plain)
            self.times[rank] = end
        return {rank: max(arrivals.values()) - arrival for rank, arrival in arrivals.items()}

    def send(self, source, target, group="pp"):
        return self.meet((source, target), group, **{
            f"of{source}": {"Collective name": "send", "Src Rank": source, "Dst Rank": target},
            f"of{target}": {"Collective name": "recv", "Src Rank": source, "Dst Rank": target}})

    def job(self, folder, text=False):
        for rank, events in enumerate(self.events):
            document = {"traceEvents": events, "hostname": f"host{rank}", "baseTimeNanoseconds": 1_700_000_000_000_000_000,
                        "distributedInfo": {"rank": rank, "world_size": len(self.events)}}
            with open(os.path.join(folder, f"rank{rank}.json"), "w") as file:
                json.dump(document, file)
        done = subprocess.run([KSCOPE, "ranks", *([] if text else ["--json"]), folder], capture_output=True, text=True,
                              timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout if text else json.loads(done.stdout)


class Groups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def check(self, job, ranks, truth, aligned):
        """`truth`: what each waited, in the order in which the collectives of each group were made."""
        self.assertEqual(job["unmatched"], 0)
        self.assertEqual(len(job["collectives"]), len(truth))
        left = list(truth)
        for found in job["collectives"]:
            at = next(i for i, (group, waited) in enumerate(left)
                      if group == found["group"] and sorted(waited) == found["ranks"])
            _, waited = left.pop(at)
            for rank, ns in zip(found["ranks"], found["waited_ns"]):
                self.assertLessEqual(abs(ns - waited[rank]), US, (found, waited))
        for rank in job["ranks"]:
            self.assertEqual(rank["aligned"], rank["rank"] in aligned)
            if rank["rank"] in aligned:
                self.assertLessEqual(abs(rank["offset_ns"] - ranks.offsets[rank["rank"]]), 2 * US)

    def test_tensor_and_data_parallel(self):
        ranks, truth = Ranks(4), []
        for _ in range(9):
            for group, members in (("tp0", (0, 1)), ("tp1", (2, 3)), ("dp0", (0, 2)), ("dp1", (1, 3))):
                truth.append((group, ranks.meet(members, group)))
        self.check(ranks.job(self.folder), ranks, truth, {0, 1, 2, 3})

    def test_expert_parallel_with_uneven_amounts(self):
        ranks, truth = Ranks(4, 2), []
        for i in range(8):
            truth.append(("ep", ranks.meet((0, 1, 2, 3), "ep", "all_to_allv",
                                           **{f"of{r}": {"In msg nelems": 100 * i + r, "Out msg nelems": 7 * r} for r in range(4)})))
        self.check(ranks.job(self.folder), ranks, truth, {0, 1, 2, 3})

    def test_pipeline_of_messages(self):
        ranks, truth = Ranks(4, 3), []
        for _ in range(6):
            for source in range(3):
                truth.append(("pp", ranks.send(source, source + 1)))
            for source in range(3, 0, -1):
                truth.append(("pp", ranks.send(source, source - 1)))
        self.check(ranks.job(self.folder), ranks, truth, {0, 1, 2, 3})
        del ranks.events[1][-2:]  # what it received last
        self.assertEqual(ranks.job(self.folder)["unmatched"], 1)

    def test_groups_are_joined_through_others(self):
        ranks, truth = Ranks(6, 4), []
        for _ in range(7):
            for group, members in (("a", (0, 1)), ("b", (1, 2)), ("c", (2, 5)), ("d", (5, 3, 4))):
                truth.append((group, ranks.meet(members, group)))
        self.check(ranks.job(self.folder), ranks, truth, set(range(6)))

    def test_groups_that_nothing_joins(self):
        ranks, truth = Ranks(5, 5), []
        for _ in range(7):
            for group, members in (("a", (0, 1)), ("b", (2, 3, 4))):
                truth.append((group, ranks.meet(members, group)))
        # Among themselves they are on one clock all the same.
        self.check(ranks.job(self.folder), ranks, truth, {0, 1})
        self.assertIn("rank 2, 3, 4 shares no collective", " ".join(ranks.job(self.folder, text=True).split()))

    def test_groups_that_tell_only_how_many_they_are(self):
        # As PyTorch wrote them before groups had names; who is in which of two pairs is not told.
        ranks, truth = Ranks(4, 7), []
        nameless = {f"of{r}": {"Process Group Name": None, "Process Group Ranks": None} for r in range(4)}
        for _ in range(6):
            truth.append(("", ranks.meet((0, 1, 2, 3), "", **nameless)))
        self.check(ranks.job(self.folder), ranks, truth, {0, 1, 2, 3})
        for pair in ((0, 1), (2, 3)):
            ranks.meet(pair, "", **nameless)
        job = ranks.job(self.folder)
        self.assertEqual((len(job["collectives"]), job["unmatched"]), (6, 4))

    def test_streams_beside_each_other(self):
        # Without numbers they are one sequence in the order of their launches, in whichever they ran.
        for first in (0, 1):
            folder, ranks = os.path.join(self.folder, str(first)), Ranks(2, 8)
            os.mkdir(folder)
            begin = 0
            for _ in range(5):
                for rank, swapped in ((0, False), (1, True)):
                    # A gather waits for what precedes it on its stream, for longer than the scatter launched behind it.
                    late = 90 * US if swapped == bool(first) else 0
                    for kind, at, launched in (("allgather", begin + late, begin - 20 * US), ("reduce_scatter", begin + 40 * US, begin)):
                        ranks.add(rank, "ncclDevKernel_RING_LL", at, begin + 200 * US, 20 if kind == "allgather" else 24,
                                  **{"Collective name": kind, "In msg nelems": 64, "dtype": "Float"})
                        ranks.events[rank][-2]["ts"] = (launched + ranks.offsets[rank]) / US
                begin += 300 * US
            job = ranks.job(folder)
            self.assertEqual((len(job["collectives"]), job["unmatched"]), (10, 0))

    def test_damage_costs_one_argument(self):
        # Words that are no JSON, and a number that fits into nothing, beside the arguments that matter.
        ranks = Ranks(2)
        for _ in range(3):
            ranks.meet((0, 1), "0")
        whole = ranks.job(self.folder)
        self.assertEqual({one["bytes"] for one in whole["collectives"]}, {4 << 16})
        for name in os.listdir(self.folder):
            path = pathlib.Path(self.folder, name)
            text = path.read_text()
            self.assertIn('"dtype"', text)
            path.write_text(text.replace('"dtype"', '"loss": NaN, "huge": 1e999, "bad": "\\x", "dtype"'))
        damaged = subprocess.run([KSCOPE, "ranks", "--json", self.folder], capture_output=True, text=True, timeout=120)
        self.assertEqual(json.loads(damaged.stdout)["collectives"], whole["collectives"])

    def test_kernels_that_tell_nothing(self):
        # As RCCL and older recordings have them.
        ranks, truth = Ranks(3, 6), []
        for _ in range(8):
            truth.append(("", ranks.meet((0, 1, 2), "", name="ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)")))
        self.check(ranks.job(self.folder), ranks, truth, {0, 1, 2})


def mark_no_steps(folder):
    """What a program without a schedule records: the optimizer's steps tell where its own end."""
    for name in os.listdir(folder):
        with open(os.path.join(folder, name)) as file:
            document = json.load(file)
        for event in document["traceEvents"]:
            if event["name"].startswith("ProfilerStep#"):
                end = event["ts"] + event["dur"]
                event.update(name="Optimizer.step#AdamW.step", ts=end - 30, dur=30)
        with open(os.path.join(folder, name), "w") as file:
            json.dump(document, file)


class Causes(unittest.TestCase):
    """What is named of jobs whose ranks are in several groups: what was planted, and nothing else."""

    LAYOUTS = ({}, {"two_streams": True}, {"ranks": 4}, {"ranks": 8, "replicas": 2},
               {"ranks": 8, "replicas": 2, "two_streams": True})

    def answers(self, make, *causes, change=None, **layout):
        with tempfile.TemporaryDirectory() as folder:
            make(folder, causes=causes, **layout)
            if change:
                change(folder)
            done = subprocess.run([KSCOPE, "ranks", "--json", folder], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        job = json.loads(done.stdout)
        self.assertEqual(job["unmatched"], 0)
        return job["answers"]

    def named(self, answers, *expected):
        """`expected`: rank, step, kind, ns, share by which it may differ, of each."""
        found = sorted((a["rank"], a["first_step"], a["last_step"], a["kind"]) for a in answers)
        self.assertEqual(found, sorted((rank, step, step, kind) for rank, step, kind, *_ in expected))
        for rank, step, kind, ns, part in expected:
            answer = next(a for a in answers if (a["rank"], a["first_step"]) == (rank, step))
            self.assertAlmostEqual(answer["ns"], ns, delta=part * ns)

    def test_sharded_nothing_planted(self):
        for layout in self.LAYOUTS:
            self.named(self.answers(make_sharded_job, **layout))

    def test_sharded_sleep(self):
        for layout in self.LAYOUTS:
            answers = self.answers(make_sharded_job, (1, 2, "sleep", 15 * MS, "forward"), skew=4000 * MS, **layout)
            self.named(answers, (1, 2, "host", 15 * MS, 0.02))
            self.assertIn("all_gather_copy_in", answers[0]["detail"])
        for step in (1, 4):
            answers = self.answers(make_sharded_job, (1, step, "sleep", 15 * MS, "forward"), **layout)
            self.named(answers, (1, step, "host", 15 * MS, 0.02))

    def test_sharded_loader_copies_and_kernels(self):
        for layout in self.LAYOUTS[::4]:
            loader = self.answers(make_sharded_job, (0, 3, "loader", 12 * MS, "forward"), **layout)
            self.named(loader, (0, 3, "host", 12 * MS, 0.02))
            self.assertIn("DataLoader", loader[0]["detail"])
            self.named(self.answers(make_sharded_job, (1, 2, "copy", 9 * MS, "forward"), **layout), (1, 2, "copy", 9 * MS, 0.05))
            extra = self.answers(make_sharded_job, (1, 2, "extra", 60, "backward 3"), **layout)
            self.named(extra, (1, 2, "compute", 60 * 170 * US, 0.05))
            self.assertIn("60 more of extra_gemm", extra[0]["detail"])

    def test_two_causes_in_one_step(self):
        for layout in self.LAYOUTS:
            answers = self.answers(make_sharded_job, (1, 2, "sleep", 15 * MS, "forward"), (0, 2, "extra", 60, "backward 3"),
                                   **layout)
            self.named(answers, (1, 2, "host", 15 * MS, 0.02), (0, 2, "compute", 60 * 170 * US, 0.05))

    def test_a_host_that_is_behind_but_not_slower(self):
        """The GPUs wait for both hosts; that of the rank behind has the gaps, the other one waits in its collectives."""
        layout = {"call": 250 * US, "late": (0, 7 * MS), "sync": False}
        late = [a for a in self.answers(make_sharded_job, **layout) if a["first_step"] > 1]
        self.named(late)
        late = [a for a in self.answers(make_sharded_job, (0, 3, "sleep", 15 * MS, "forward"), **layout) if a["first_step"] > 1]
        self.named(late, (0, 3, "host", 15 * MS, 0.25))

    def test_hosts_whose_pace_differs(self):
        """As on real machines, where hosts keep the GPUs waiting: each is now the slower one."""
        causes = (1, 2, "sleep", 15 * MS, "forward"), (0, 3, "extra", 60, "forward 3")
        seeds = range(1, 1 + int(os.environ.get("KINETOSCOPE_SEEDS", "4")))
        for ranks, seed in itertools.product((2, 4), seeds):
            layout = {"call": 250 * US, "spread": 0.1, "seed": seed, "ranks": ranks}
            with self.subTest(**layout):
                self.named(self.answers(make_sharded_job, **layout))
            with self.subTest(causes=causes, **layout):
                self.named(self.answers(make_sharded_job, *causes, **layout),
                           (1, 2, "host", 15 * MS, 0.02), (0, 3, "compute", 60 * 170 * US, 0.02))

    def test_steps_that_nobody_marked(self):
        for layout in self.LAYOUTS:
            self.named(self.answers(make_sharded_job, (1, 2, "sleep", 15 * MS, "forward"), (1, 3, "extra", 60, "forward"),
                                    change=mark_no_steps, **layout),
                       (1, 2, "host", 15 * MS, 0.02), (1, 3, "compute", 60 * 170 * US, 0.05))

    def test_stages_of_a_pipeline(self):
        for layout in ({"stages": 2}, {"stages": 4}, {"stages": 3, "replicas": 2}, {"stages": 4, "replicas": 2}):
            late = [a for a in self.answers(make_pipeline_job, **layout) if a["ns"] > MS]
            self.named(late)  # that stages differ, and wait for each other, is not a cause
            late = [a for a in self.answers(make_pipeline_job, (1, 2, "sleep", 15 * MS, "batch 0"), **layout) if a["ns"] > MS]
            self.named(late, (1, 2, "host", 15 * MS, 0.07))


if __name__ == "__main__":
    unittest.main()
