# SPDX-License-Identifier: Apache-2.0
"""`kscope ranks` on jobs whose truth is known: simulated ones, and a recorded pair where it is at hand."""
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

from make_job import US, make_job

KSCOPE = sys.argv.pop(1)
GLOO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/gloo")
MATERIAL = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ""


def kscope(*words):
    return subprocess.run([KSCOPE, "ranks", *words], capture_output=True, text=True, timeout=120)


class Job(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def job(self, **causes):
        truth = make_job(self.folder.name, **causes)
        done = kscope("--json", self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        return truth, json.loads(done.stdout)

    def checkWaiting(self, truth, job):
        self.assertEqual(len(job["collectives"]), len(truth["collectives"]))
        for found, known in zip(job["collectives"], truth["collectives"]):
            self.assertEqual(found["step"], known["step"])
            self.assertLessEqual(abs(found["took_ns"] - known["took"]), US)
            for waited, expected in zip(found["waited_ns"], known["waited"]):
                self.assertLessEqual(abs(waited - expected), US)
            if max(known["waited"]) > 2 * US:
                self.assertEqual(known["waited"][found["last_rank"]], 0)

    def checkClocks(self, truth, job):
        for rank, offset in zip(job["ranks"], truth["offsets"]):
            self.assertLessEqual(abs(rank["offset_ns"] - offset), 2 * US)
            self.assertTrue(rank["aligned"])

    def test_nothing_planted(self):
        for ranks in (2, 5, 8):
            truth, job = self.job(ranks=ranks)
            self.checkWaiting(truth, job)
            self.checkClocks(truth, job)
            self.assertEqual(job["answers"], [])
            self.assertEqual(job["unmatched"], 0)

    def test_sleeping_host(self):
        for seed in (1, 2, 3):
            truth, job = self.job(ranks=6, sleep=(4, 3, 15_000 * US), seed=seed)
            self.checkWaiting(truth, job)
            self.checkClocks(truth, job)
            answer = job["answers"][0]
            self.assertEqual((answer["rank"], answer["first_step"], answer["steps"], answer["kind"]), (4, 3, 1, "host"))
            self.assertAlmostEqual(answer["ns"], 15_000 * US, delta=0.05 * 15_000 * US)
            self.assertEqual(len(job["answers"]), 1)
            self.assertIn("aten::linear", answer["detail"])
            self.assertIn("5 ranks waited", answer["text"])

    def test_a_pause_of_all_hosts(self):
        for ranks in (2, 5):
            truth, job = self.job(ranks=ranks, sleep=(None, 3, 15_000 * US))
            self.assertEqual(job["answers"], [])
            self.assertEqual([step["number"] for step in job["steps"] if step["pause"]], [3])
            self.assertAlmostEqual(job["steps"][2]["pause"]["ns"], 15_000 * US, delta=0.02 * 15_000 * US)
            self.assertIn("step 3: the hosts of most ranks stalled for", kscope(self.folder.name).stdout)

    def test_a_pause_while_the_gpu_has_work(self):
        truth, job = self.job(ranks=3, nap=(1, 2, 600 * US))
        self.assertEqual(job["answers"], [])
        truth, job = self.job(ranks=3, nap=(1, 2, 6_000 * US))  # by far longer than that
        self.assertEqual([(a["rank"], a["kind"]) for a in job["answers"]], [(1, "host")])

    def test_sleep_behind_a_wait(self):
        truth, job = self.job(ranks=7, sleep=(4, 3, 15_000 * US), extra=(2, 2, 30))
        self.assertEqual([(a["rank"], a["first_step"], a["kind"]) for a in job["answers"]], [(4, 3, "host"), (2, 2, "compute")])
        for answer, planted in zip(job["answers"], (15_000 * US, 3_000 * US)):
            self.assertAlmostEqual(answer["ns"], planted, delta=0.05 * planted)

    def test_share_of_the_link(self):
        truth, job = self.job(ranks=4, device="NVIDIA H200")  # two machines: what lies between them is not known
        self.assertEqual({c["link_gb_per_s"] for c in job["collectives"]}, {None})
        truth, job = self.job(ranks=4, device="NVIDIA H200", per_host=4)
        self.assertEqual({c["link_gb_per_s"] for c in job["collectives"]}, {450})
        text = kscope(self.folder.name).stdout
        self.assertIn("links: NVLink 4: 450 GB/s each way", text)
        share = 100 * job["collectives"][0]["bus_gb_per_s"] / 450
        self.assertIn(f"{share:.2f} %", text)
        truth, job = self.job(ranks=4, device="A GPU of tomorrow", per_host=4)
        self.assertEqual({c["link_gb_per_s"] for c in job["collectives"]}, {None})

    def test_tables_keep_what_matters(self):
        self.job(ranks=4, sleep=(1, 2, 9_000 * US))
        text = kscope(self.folder.name).stdout
        for title in ("waited for ms", "most of it", "bus GB/s", "of the link"):
            self.assertIn(title, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        rows = list(csv.DictReader(kscope("--csv", self.folder.name).stdout.splitlines()))
        job = json.loads(kscope("--json", self.folder.name).stdout)
        for row, rank in zip(rows, job["ranks"]):
            for name, ns in rank["idle"].items():
                self.assertEqual(int(row[f"idle_{name}"]), ns)

    def test_two_ranks(self):
        truth, job = self.job(ranks=2, sleep=(1, 2, 8_000 * US))
        self.checkWaiting(truth, job)
        self.assertEqual([(a["rank"], a["first_step"], a["kind"]) for a in job["answers"]], [(1, 2, "host")])
        self.assertAlmostEqual(job["answers"][0]["ns"], 8_000 * US, delta=0.05 * 8_000 * US)

    def test_slow_kernels_of_one_step(self):
        truth, job = self.job(ranks=8, slow=(5, 2, 1.6))
        self.checkWaiting(truth, job)
        self.assertEqual([(a["rank"], a["first_step"], a["kind"]) for a in job["answers"]], [(5, 2, "compute")])
        planted = 12 * 0.6 * 100 * US
        self.assertAlmostEqual(job["answers"][0]["ns"], planted, delta=0.05 * planted)
        self.assertIn("layer_", job["answers"][0]["detail"])

    def test_always_slow(self):
        truth, job = self.job(ranks=8, steps=6, slow=(2, None, 1.25))
        self.checkWaiting(truth, job)
        self.assertEqual([(a["rank"], a["steps"], a["kind"]) for a in job["answers"]], [(2, 6, "compute")])
        planted = 6 * 12 * 0.25 * 100 * US
        self.assertAlmostEqual(job["answers"][0]["ns"], planted, delta=0.05 * planted)

    def test_more_kernels(self):
        truth, job = self.job(ranks=4, extra=(3, 4, 40))
        self.checkWaiting(truth, job)
        self.assertEqual([(a["rank"], a["first_step"], a["kind"]) for a in job["answers"]], [(3, 4, "compute")])
        self.assertIn("40 more of extra_gemm", job["answers"][0]["detail"])

    def test_a_missing_kernel_shifts_nothing(self):
        truth, job = self.job(ranks=3, drop=(1, 7), sleep=(2, 3, 5_000 * US))
        self.assertEqual(job["unmatched"], 0)  # two of three are still there
        # All-reduces of one size cannot be told apart within a step.
        others = [[c for c in known["collectives"] if c["step"] != 2] for known in (truth, job)]
        self.checkWaiting(*({"collectives": known} for known in others))
        self.assertEqual(job["answers"][0]["rank"], 2)

    def test_sequence_numbers(self):
        truth, job = self.job(ranks=3, drop=(0, 3), sequence=True)
        self.assertEqual([len(c["ranks"]) for c in job["collectives"]].count(2), 1)
        self.assertEqual(len(job["collectives"]), len(truth["collectives"]))

    def test_clocks_that_drift(self):
        drift = (0, 8, -5)
        for ppm in (drift, (0, 0, 0)):
            truth, job = self.job(ranks=6, steps=26, every=500_000 * US, drift=ppm, sleep=(4, 9, 12_000 * US))
            self.checkWaiting(truth, job)
            for rank in job["ranks"]:
                self.assertAlmostEqual(rank["drift_ppm"], ppm[rank["rank"] // 2], delta=0.05)
                self.assertLessEqual(rank["residual_ns"], US)
            self.assertEqual([(a["rank"], a["first_step"], a["kind"]) for a in job["answers"]], [(4, 9, "host")])
        self.assertIn("drift", kscope(self.folder.name).stdout)

    def test_missing_and_broken_ranks_are_named(self):
        make_job(self.folder.name, ranks=4, sleep=(2, 2, 9_000 * US))
        os.remove(os.path.join(self.folder.name, "rank1.json"))
        with open(os.path.join(self.folder.name, "rank3.json"), "w") as file:
            file.write("no trace")
        done = kscope("--json", self.folder.name)
        self.assertEqual(done.returncode, 0)
        self.assertIn("rank3.json", done.stderr)
        job = json.loads(done.stdout)
        self.assertEqual((job["missing"], job["missing_count"]), ([1, 3], 2))
        self.assertEqual(len(job["lost"]), 1)
        self.assertEqual(job["answers"][0]["rank"], 2)

    def test_many_missing_ranks_are_counted(self):
        make_job(self.folder.name, ranks=2)
        for name in os.listdir(self.folder.name):
            path = os.path.join(self.folder.name, name)
            with open(path) as file:
                trace = json.load(file)
            trace["distributedInfo"]["world_size"] = 1_000_000
            with open(path, "w") as file:
                json.dump(trace, file)
        job = json.loads(kscope("--json", self.folder.name).stdout)
        self.assertEqual((job["world_size"], job["missing_count"]), (1_000_000, 999_998))
        self.assertEqual(job["missing"], list(range(2, 2 + 4096)))

    def test_without_all_ranks_nothing_is_cleared(self):
        make_job(self.folder.name, ranks=3)
        self.assertEqual(kscope("--fail-on", "straggler", self.folder.name).returncode, 0)
        self.assertIsNone(json.loads(kscope("--json", self.folder.name).stdout)["cannot_tell"])
        os.remove(os.path.join(self.folder.name, "rank1.json"))
        done = kscope("--fail-on", "straggler:5", self.folder.name)
        self.assertEqual((done.returncode, done.stderr), (2, "kscope: --fail-on straggler cannot be tested: rank 1 is missing\n"))
        self.assertEqual([rank["step_ns"] > 0 for rank in json.loads(kscope("--json", self.folder.name).stdout)["ranks"]], [True] * 2)
        said = "Cannot tell whether a rank stands out: rank 1 is missing."
        self.assertTrue(json.loads(kscope("--json", self.folder.name).stdout)["cannot_tell"].startswith(said))
        for words in ([], ["--markdown"]):
            text = " ".join(kscope(*words, self.folder.name).stdout.split())
            self.assertIn(said, text)
            self.assertNotIn("No rank stands out", text)

    def test_what_is_found_counts_without_all_ranks(self):
        make_job(self.folder.name, ranks=4, sleep=(2, 2, 9_000 * US))
        os.remove(os.path.join(self.folder.name, "rank1.json"))
        self.assertEqual(kscope("--fail-on", "straggler:5", self.folder.name).returncode, 1)
        self.assertEqual(kscope("--fail-on", "straggler:99", self.folder.name).returncode, 2)
        self.assertIsNone(json.loads(kscope("--json", self.folder.name).stdout)["cannot_tell"])

    def test_a_file_that_ends_early_is_said(self):
        make_job(self.folder.name, ranks=3)
        path = os.path.join(self.folder.name, "rank1.json")
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            # Its rank stands behind the events: the name tells it.
            file.write(text[:len(text) * 2 // 3])
        done = kscope("--json", self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([rank["complete"] for rank in json.loads(done.stdout)["ranks"]], [True, False, True])
        self.assertIn("rank1.json': the file could be read only in part", done.stderr)
        self.assertIn("rank 1: the file could be read only in part", " ".join(kscope(self.folder.name).stdout.split()))

    def test_a_folder_for_each_rank(self):
        make_job(self.folder.name, ranks=3, sleep=(2, 2, 9_000 * US))
        for rank in range(3):
            folder = os.path.join(self.folder.name, "profiles", f"node{rank}")
            os.makedirs(folder)
            # As torch.profiler's handler for TensorBoard calls them.
            os.rename(os.path.join(self.folder.name, f"rank{rank}.json"),
                      os.path.join(folder, f"node{rank}_{4000 + rank}.{1790000000000 + rank}.pt.trace.json"))
        job = json.loads(kscope("--json", self.folder.name).stdout)
        self.assertEqual([rank["rank"] for rank in job["ranks"]], [0, 1, 2])
        self.assertEqual(job["answers"][0]["rank"], 2)
        empty = os.path.join(self.folder.name, "empty")
        os.makedirs(os.path.join(empty, "inside"))
        done = kscope(empty)
        self.assertEqual(done.returncode, 2)
        self.assertIn("contains no trace", done.stderr)

    def test_bad_input(self):
        make_job(self.folder.name, ranks=2)
        one = os.path.join(self.folder.name, "rank0.json")
        twice = kscope(one, one)
        self.assertEqual(twice.returncode, 2)
        self.assertIn("is of rank 0, and so is", twice.stderr)
        for words in ([], [os.path.join(self.folder.name, "nothing")]):
            done = kscope(*words)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_gloo(self):
        """A recorded job on CPUs, in which rank 2 slept for 20 ms; its collectives counted and timed by hand."""
        done = kscope("--json", GLOO)
        self.assertEqual(done.returncode, 0, done.stderr)
        job = json.loads(done.stdout)
        answer = job["answers"][0]
        self.assertEqual((answer["rank"], answer["kind"], answer["first_step"], answer["last_step"]), (2, "host", 5, 5))
        self.assertAlmostEqual(answer["ns"], 20_000 * US, delta=0.05 * 20_000 * US)
        ranges = []
        for rank in range(4):
            with gzip.open(os.path.join(GLOO, f"rank{rank}.json.gz")) as file:
                events = json.load(file)["traceEvents"]
            ranges.append({})
            for event in sorted(events, key=lambda event: event.get("ts", 0)):
                if event.get("cat") == "user_annotation" and event["name"].startswith("gloo:"):
                    kind = event["name"][5:].replace("_", "")
                    ranges[-1].setdefault(kind, []).append(round(event["ts"] * 1000) - job["ranks"][rank]["offset_ns"])
        self.assertEqual(job["unmatched"], 0)
        self.assertEqual(job["matched"], sum(len(starts) for rank in ranges for starts in rank.values()))
        for kind in ("allreduce", "broadcast", "allgather", "barrier", "send"):
            found = [one for one in job["collectives"] if one["kind"] == kind]
            ends = [ranges[0]["send"], ranges[1]["recv"]] if kind == "send" else [rank[kind] for rank in ranges]
            self.assertEqual(len(found), len(ends[0]), kind)
            for one, starts in zip(found, zip(*ends)):
                for waited, start in zip(one["waited_ns"], starts):
                    self.assertLessEqual(abs(waited - (max(starts) - start)), US)
        allreduce = next(one for one in job["collectives"] if one["kind"] == "allreduce")
        self.assertEqual((allreduce["group"], allreduce["bytes"]), ("0", 4 * 525312))

    def test_several_groups_of_gloo_are_refused(self):
        path = os.path.join(self.folder.name, "rank0.json")
        with open(path, "w") as file:
            json.dump({"traceEvents": [{"ph": "X", "cat": "user_annotation", "name": "gloo:all_reduce", "pid": 1, "tid": 2,
                                        "ts": 1, "dur": 2}],
                       "distributedInfo": {"backend": "gloo", "rank": 0, "world_size": 2,
                                           "pg_config": [{"pg_name": "0"}, {"pg_name": "1"}]}}, file)
        done = kscope(path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("several gloo process groups", done.stderr)

    def test_fail_on_and_formats(self):
        make_job(self.folder.name, ranks=3, sleep=(1, 2, 9_000 * US))
        self.assertEqual(kscope("--fail-on", "straggler:5", self.folder.name).returncode, 1)
        self.assertEqual(kscope("--fail-on", "straggler:99", self.folder.name).returncode, 0)
        self.assertEqual(kscope("--fail-on", "slow", self.folder.name).returncode, 2)
        csv = kscope("--csv", self.folder.name).stdout.splitlines()
        self.assertEqual(len(csv), 4)
        self.assertEqual(len({line.count(",") for line in csv}), 1)
        self.assertIn("rank 1", kscope("--markdown", self.folder.name).stdout)
        out = os.path.join(self.folder.name, "job.txt")
        self.assertEqual(kscope("-o", out, self.folder.name).returncode, 0)
        with open(out) as file:
            self.assertIn("2 ranks waited", " ".join(file.read().split()))

    @unittest.skipUnless(MATERIAL and os.path.exists(os.path.join(MATERIAL, "ranks")), "no recorded pair at hand")
    def test_recorded_pair(self):
        done = kscope("--json", *(os.path.join(MATERIAL, "ranks", f"ddp_gpt_rank{r}.json.gz") for r in (0, 1)))
        job = json.loads(done.stdout)
        steps = {step["number"]: step["causes"] for step in job["steps"]}
        slept = steps[5][0]
        self.assertEqual((slept["rank"], slept["kind"]), (1, "host"))
        self.assertAlmostEqual(slept["ns"], 15_000 * US, delta=0.05 * 15_000 * US)
        self.assertEqual((steps[6][0]["rank"], steps[6][0]["kind"]), (1, "compute"))
        self.assertIn("60 more", steps[6][0]["detail"])


if __name__ == "__main__":
    unittest.main()
