# SPDX-License-Identifier: Apache-2.0
"""`kscope compare` of two jobs, beside the figures of `kscope ranks` for each."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import unittest

from make_job import US, make_job

KSCOPE = sys.argv.pop(1)


def kscope(*words):
    return subprocess.run([KSCOPE, *words], capture_output=True, text=True, timeout=120)


class Jobs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.before, self.after = (os.path.join(folder.name, name) for name in ("before", "after"))

    def make(self, before, after):
        for folder, causes in ((self.before, before), (self.after, after)):
            make_job(folder, **{"ranks": 4, "steps": 8, **causes})

    def compare(self, *words):
        done = kscope("compare", "--json", *words, self.before, self.after)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def ranks(self, folder):
        return json.loads(kscope("ranks", "--json", folder).stdout)

    def check(self, found):
        """Medians and waiting are those of the jobs."""
        for side, job in enumerate((self.ranks(self.before), self.ranks(self.after))):
            for row, step in zip(found["steps"], job["steps"]):
                self.assertEqual(row["median_ns"][side], statistics.median(step["length_ns"]))
                self.assertEqual(row["waited_ns"][side], step["waited_ns"])
            for row, rank in zip(found["by_rank"], job["ranks"]):
                self.assertEqual(row["name"], str(rank["rank"]))
                self.assertEqual((row["waited_ns"][side], row["caused_ns"][side]), (rank["waited_ns"], rank["caused_ns"]))
            took = [c["took_ns"] for c in job["collectives"]]
            self.assertEqual(sum(row["count"][side] for row in found["collectives"]), len(took))
            if len(found["collectives"]) == 1:
                self.assertEqual(found["collectives"][0]["median_ns"][side], statistics.median(took))

    def test_the_same_job_again(self):
        self.make({}, {"seed": 2})
        found = self.compare("--fail-on", "slower")
        self.check(found)
        self.assertEqual({row["verdict"] for row in [found["all_steps"], *found["by_rank"], *found["collectives"]]}, {"SAME"})
        self.assertEqual((found["causes"], found["notes"]), ([], []))

    def test_a_slow_rank_slows_all(self):
        self.make({}, {"slow": (2, None, 1.5)})
        found = self.compare()
        self.check(found)
        self.assertEqual(found["all_steps"]["verdict"], "SLOWER")
        self.assertEqual([row["verdict"] for row in found["by_rank"]], ["SLOWER"] * 4)
        for row in found["by_rank"]:
            self.assertLess(row["interval"][0], row["ratio"] + 1e-9)
            self.assertGreater(row["ratio"], 1.1)
        self.assertEqual([row["verdict"] for row in found["collectives"]], ["SAME"])
        self.assertEqual([(cause["rank"], cause["kind"], cause["ns"][0]) for cause in found["causes"]], [(2, "compute", 0)])
        self.assertEqual(kscope("compare", "--fail-on", "slower:10", self.before, self.after).returncode, 1)
        self.assertEqual(kscope("compare", "--fail-on", "slower:900", self.before, self.after).returncode, 0)
        back = kscope("compare", self.after, self.before).stdout
        self.assertIn("gone: ", back)
        self.assertIn("FASTER", back)
        self.assertNotIn("SLOWER", back)

    def test_missing_ranks_are_named(self):
        self.make({}, {"seed": 2})
        os.remove(os.path.join(self.after, "rank1.json"))
        said = "the candidate is not whole: rank 1 is missing"
        self.assertEqual(self.compare()["notes"], ["3 ranks are in both jobs: the baseline has 4, the candidate 3", said])
        for words in ([], ["--markdown"]):
            text = " ".join(kscope("compare", *words, self.before, self.after).stdout.split())
            self.assertIn(said, text)
            self.assertIn("Cannot tell whether a rank stands out", text)

    def test_one_step(self):
        self.make({"sleep": (1, 3, 9_000 * US)}, {"sleep": (1, 3, 2_000 * US)})
        found = self.compare()
        self.check(found)
        self.assertEqual([(cause["rank"], cause["kind"]) for cause in found["causes"]], [(1, "host")])
        for ns, planted in zip(found["causes"][0]["ns"], (9_000 * US, 2_000 * US)):
            self.assertAlmostEqual(ns, planted, delta=0.05 * planted)

    def test_what_only_one_has_is_said(self):
        self.make({}, {"steps": 6})
        os.remove(os.path.join(self.after, "rank3.json"))
        found = self.compare()
        self.assertEqual(len(found["by_rank"]), 3)
        self.assertEqual(len(found["steps"]), 6)
        self.assertEqual(len(found["notes"]), 3)

    def test_formats_and_partials(self):
        self.make({}, {"extra": (0, 2, 20)})
        csv = kscope("compare", "--csv", self.before, self.after).stdout.splitlines()
        self.assertEqual(len({line.count(",") - line.count(", ") for line in csv}), 1)
        self.assertIn("## Ranks", kscope("compare", "--markdown", self.before, self.after).stdout)
        part = os.path.join(self.before, "all.ranks")
        self.assertEqual(kscope("ranks", "--partial", part, self.before).returncode, 0)
        found = self.compare()
        done = kscope("compare", "--json", part, self.after)
        self.assertEqual({**json.loads(done.stdout), "jobs": 0}, {**found, "jobs": 0})

    def test_messages(self):
        self.make({}, {})
        for words in ([self.before, os.path.join(self.after, "rank0.json")], [self.before, self.after, self.after],
                      [self.before, os.path.join(self.before, "none")]):
            done = kscope("compare", *words)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
