#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps runs, holds new ones against them and looks at their history as a CI would: baseline_cli.py KSCOPE."""

import concurrent.futures
import csv
import gzip
import io
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time
import unittest

import compare_checks

TRACES = pathlib.Path(__file__).resolve().parent / "traces"
STREAMS = TRACES / "four_streams.json.gz"
GEMM = "void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>(cutlass_80_simt_sgemm_256x128_8x4_nn_align1::Params)"


class BaselineCase(compare_checks.CompareCase):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"

    def kscope(self, *arguments, **environment):
        return subprocess.run([compare_checks.KSCOPE, *map(str, arguments)], capture_output=True, text=True,
                              env={**os.environ, "KINETOSCOPE_RESULTS": str(self.folder / "results"), "COLUMNS": "200",
                                   "KINETOSCOPE_STORE": str(self.store), **environment})

    def good(self, *arguments, **environment):
        run = self.kscope(*arguments, **environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def one_line(self, run, code, *words):
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertTrue(run.stderr.startswith("kscope: "))
        for word in words:
            self.assertIn(word, run.stderr)

    def result(self, name, times, created="2026-01-01T00:00:00Z", gpu="NVIDIA H200", **members):
        """A result of the kernel bench: of each kernel the median that is given."""
        path = self.folder / f"{name}.json"
        kernels = [{"name": kernel, "key": "", "configs": [{
            "config": "XBLOCK=1", "samples_ns": [time * (1 + part / 1000) for part in range(-5, 6)],
            "samples_clock_mhz": [1980.0] * 11, "samples_throttled": [False] * 11}]} for kernel, time in times.items()]
        path.write_text(json.dumps({"schema": "kinetoscope.result/1", "kind": "kernels", "created": created,
                                    "method": "event-cold", "gpu": {"name": gpu, "driver": "580.1"},
                                    "machine": {"host": "node7", "system": "Linux"}, "kernels": kernels, **members}, indent=1))
        return path

    def saved(self, name, *files, **environment):
        return self.good("baseline", "save", name, *files, **environment).split()[1]

    def entries(self, name):
        return json.loads(self.good("baseline", "show", name, "--json"))["entries"]


class BaselineCli(BaselineCase):
    def test_a_trace_is_kept_and_found(self):
        self.assertEqual(self.good("baseline", "list"), "no baselines\n")
        entry = self.saved("streams", STREAMS, "--label", "commit=1a2b", "--label", "machine=node7")
        kept, = self.entries("streams")
        self.assertEqual((kept["id"], kept["kind"]), (entry, "trace"))
        self.assertEqual((kept["facts"]["gpu"], kept["facts"]["commit"], kept["facts"]["machine"]), ("NVIDIA H200", "1a2b", "node7"))
        self.assertEqual((kept["facts"]["cuda"], kept["facts"]["driver"]), ("13.0", "CUDA 13.0"))
        self.assertIn(kept["facts"]["kscope"], self.good("--version"))
        self.assertEqual((self.store / "streams" / entry / kept["files"][0]["name"]).read_bytes(), STREAMS.read_bytes())
        self.assertRegex(self.good("baseline", "list"), r"streams +1 +trace")
        self.assertIn("commit 1a2b", self.good("baseline", "show", "streams"))
        # The same contents are the same entry, from wherever.
        copy = self.folder / "copy.gz"
        shutil.copy(STREAMS, copy)
        self.assertIn("there already", self.good("baseline", "save", "streams", copy))
        self.assertEqual(len(self.entries("streams")), 1)
        self.assertEqual(sorted(p.name for p in self.store.rglob(".*")), [])

    def test_removing(self):
        first = self.saved("k", self.result("a", {"x": 100}))
        second = self.saved("k", self.result("b", {"x": 101}, "2026-01-02T00:00:00Z"))
        self.assertEqual([e["id"] for e in self.entries("k")], [first, second])
        self.one_line(self.kscope("baseline", "remove", "k", "2026"), 2, "more than one")
        # An entry whose name is empty, as an unset variable of a shell is, is not all of them.
        self.one_line(self.kscope("baseline", "remove", "k", ""), 2, "no entry ''")
        self.one_line(self.kscope("check", self.result("c", {"x": 1}), "--against", "k", "--entry", ""), 2, "no entry ''")
        self.good("baseline", "remove", "k", second)
        self.assertEqual([e["id"] for e in self.entries("k")], [first])
        self.good("baseline", "remove", "k")
        self.assertEqual(self.good("baseline", "list"), "no baselines\n")
        self.assertEqual(list(self.store.iterdir()), [])

    def test_a_damaged_entry_is_saved_anew_and_can_be_removed(self):
        files = [self.result(f"r{day}", {"x": 100 + day}, f"2026-01-0{day}T00:00:00Z") for day in (1, 2, 3)]
        ids = [self.saved("k", file) for file in files]
        facts = self.store / "k" / ids[1] / "entry.json"
        whole = facts.read_bytes()
        for damage in (whole[:-40], b"", b"[]", None):
            if damage is None:
                facts.unlink()
            else:
                facts.write_bytes(damage)
            self.assertEqual([entry["id"] for entry in self.entries("k")], [ids[0], ids[2]])
            self.assertEqual(self.good("baseline", "save", "k", files[1]), f"k {ids[1]}\n")
            self.assertEqual(facts.read_bytes(), whole)
            self.assertEqual(len(self.entries("k")), 3)
        for _ in range(5):
            facts.write_bytes(whole[:-40])
            with concurrent.futures.ThreadPoolExecutor(6) as pool:
                runs = list(pool.map(lambda f: self.kscope("baseline", "save", "k", f), files[1:2] * 6))
            self.assertEqual({run.returncode for run in runs}, {0}, [run.stderr for run in runs])
            self.assertEqual(facts.read_bytes(), whole)
        # Another version's is left as it is.
        other = whole.replace(b"kinetoscope.", b"kinetoscope.new", 1)
        facts.write_bytes(other)
        self.one_line(self.kscope("baseline", "save", "k", files[1]), 2, "that this version knows")
        self.assertEqual(facts.read_bytes(), other)
        facts.write_bytes(whole[:-40])
        self.one_line(self.kscope("baseline", "remove", "k", "2026"), 2, "more than one")
        self.good("baseline", "remove", "k", ids[1][:10])
        self.assertEqual(sorted(path.name for path in (self.store / "k").iterdir()), [ids[0], ids[2]])
        for entry in (ids[0], ids[2]):
            (self.store / "k" / entry / "entry.json").write_bytes(whole[:-40])
        self.good("baseline", "remove", "k", ids[2])
        self.good("baseline", "remove", "k")
        self.assertEqual(list(self.store.iterdir()), [])

    def test_folders_without_entries_are_not_removed(self):
        self.saved("k", self.result("a", {"x": 100}))
        notes = self.store / "docs" / "notes"
        notes.mkdir(parents=True)
        (notes / "a.txt").write_text("a")
        for words in (["docs"], ["docs", "notes"], ["nothing"], ["nothing", "last"]):
            self.one_line(self.kscope("baseline", "remove", *words), 2)
        self.assertTrue((notes / "a.txt").exists())

    def test_labels_of_an_entry_that_is_there_are_not_lost_silently(self):
        result = self.result("a", {"x": 100})
        self.saved("k", result, "--label", "commit=1a2b")
        again = self.kscope("baseline", "save", "k", result, "--label", "commit=1a2b")
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        for label in ("commit=ffff", "rack=7"):
            again = self.kscope("baseline", "save", "k", result, "--label", label)
            self.assertEqual(again.returncode, 0)
            self.assertIn(f"{label} is not saved: the entry was there already", again.stderr)
        self.one_line(self.kscope("baseline", "save", "k", result, "--label", "a=1", "--label", "a=2"), 2, "'a' has two")

    def test_what_cannot_be_saved_leaves_nothing(self):
        self.one_line(self.kscope("baseline", "save", "k", "-"), 2, "standard input")
        self.assertFalse(self.store.exists() and list(self.store.iterdir()))

    def test_what_an_ended_save_left_goes_after_a_day(self):
        self.saved("k", self.result("a", {"x": 100}))
        for name, age in ((".saving-old", 90000), (".saving-new", 60), (".removing-old", 90000)):
            left = self.store / name
            left.mkdir()
            (left / "1-a.json").write_text("{}")
            os.utime(left, (time.time() - age,) * 2)
        self.saved("k", self.result("b", {"x": 100}, "2026-01-02T00:00:00Z"))
        self.assertEqual(sorted(path.name for path in self.store.iterdir()), [".saving-new", "k"])

    def test_many_save_at_once(self):
        files = [self.result(f"r{i}", {"x": 100 + i}, f"2026-01-{i + 1:02d}T00:00:00Z") for i in range(8)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            runs = list(pool.map(lambda f: self.kscope("baseline", "save", "k", f), files + files))
        self.assertEqual({run.returncode for run in runs}, {0}, [run.stderr for run in runs])
        self.assertEqual(len(self.entries("k")), 8)
        self.assertEqual(len(list((self.store / "k").iterdir())), 8)

    def test_wrong_input_is_one_line(self):
        result = self.result("a", {"x": 100})
        for name in ("../k", ".k", "a/b", "k" * 129, "a b"):
            self.one_line(self.kscope("baseline", "save", name, result), 2, "not a name")
            self.one_line(self.kscope("baseline", "remove", name), 2, "not a name")
        self.one_line(self.kscope("baseline"), 2, "save, list, show and remove")
        self.one_line(self.kscope("baseline", "save", "k"), 2)
        self.one_line(self.kscope("baseline", "save", "k", result, STREAMS), 2, "one kind")
        self.one_line(self.kscope("baseline", "save", "k", self.folder), 2, "is a folder")
        self.one_line(self.kscope("baseline", "save", "k", "/nonexistent.json"), 2, "nonexistent")
        self.one_line(self.kscope("baseline", "save", "k", result, "--label", "commit"), 2, "KEY=VALUE")
        self.one_line(self.kscope("baseline", "save", "k", result, self.result("b", {"x": 1}, gpu="NVIDIA L4")), 2, "another GPU")
        self.one_line(self.kscope("baseline", "show", "k"), 2, "no baseline 'k'")
        self.one_line(self.kscope("check", result, "--against", "k"), 2, "no baseline 'k'")
        self.one_line(self.kscope("check", result), 2, "--against")
        self.one_line(self.kscope("history", "k"), 2, "no baseline 'k'")
        self.saved("k", result)
        self.one_line(self.kscope("check", result, "--against", "k", "--entry", "1999"), 2, "no entry")
        self.one_line(self.kscope("check", STREAMS, "--against", "k", "--anyway"), 2, "not comparable")
        self.one_line(self.kscope("history", "k", "--of", "nothing"), 2, "called 'nothing'")
        self.one_line(self.kscope("history", "k", "--gpu", "L4"), 2, "called 'L4'")
        self.one_line(self.kscope("baseline", "save", "k", result, KINETOSCOPE_STORE="/dev/null/x"), 1, "/dev/null/x")

    def test_stores_that_were_tampered_with(self):
        entry = self.saved("k", self.result("a", {"x": 100}))
        path = self.store / "k" / entry / "entry.json"
        kept = json.loads(path.read_text())
        data = self.store / "k" / entry / kept["files"][0]["name"]
        new = self.result("b", {"x": 100})
        pointer = data.read_text()
        data.write_text("version https://git-lfs.github.com/spec/v1\n")
        self.one_line(self.kscope("check", new, "--against", "k"), 2, "git lfs pull")
        self.good("history", "k")  # needs no data
        data.write_text(pointer)
        for name in ("../../../etc/passwd", "/etc/passwd", "", 7):
            path.write_text(json.dumps({**kept, "files": [{"name": name, "from": "", "bytes": 3}]}))
            self.one_line(self.kscope("check", new, "--against", "k"), 2, "does not name a file")
        for text in ("", "[]", "{}", "[" * 100000, json.dumps({**kept, "schema": "other/1"})):
            path.write_text(text)
            self.one_line(self.kscope("history", "k"), 2, "entry.json")
        # Beside a good one it is a warning.
        self.saved("k", self.result("c", {"x": 102}, "2026-01-02T00:00:00Z"))
        run = self.kscope("history", "k")
        self.assertEqual(run.returncode, 0)
        self.assertIn("warning", run.stderr)
        path.write_text(json.dumps({**kept, "recorded": "\x1b[31mred", "facts": {"gpu": "\x1b[2J", "\x07": "=1+1"},
                                    "measures": [{"name": "\x1b]0;x", "value_ns": 1e400, "runs_ns": [1]}, 3,
                                                 {"name": "\x1b]0;y", "value_ns": 5, "low_ns": 4, "high_ns": 6, "runs_ns": [5, "x", -1, None]}]}))
        for command in (("baseline", "list"), ("baseline", "show", "k"), ("history", "k", "--gpu", "\x1b"), ("history", "k", "--gpu", "\x1b", "--csv"),
                        ("history", "k", "--gpu", "\x1b", "--markdown"), ("history", "k", "--gpu", "\x1b", "--json"),
                        ("check", new, "--against", "k", "--entry", entry[:8])):
            run = self.kscope(*command)
            self.assertNotIn("\x1b", run.stdout + run.stderr, command)
            self.assertIn(run.returncode, (0, 2))


class CheckCli(BaselineCase):
    def test_trace_against_itself_and_slower(self):
        self.saved("streams", STREAMS)
        out = self.good("check", STREAMS, "--against", "streams", "--fail-on", "slower")
        self.assertTrue(out.startswith("against streams of "))
        self.assertIn("comparable: no known differences (unknown: machine, SM clock)", out.splitlines()[0])
        slower = self.scaled(STREAMS, 1.1, GEMM)
        self.assertEqual(self.kscope("check", slower, "--against", "streams", "--fail-on", "slower:9").returncode, 1)
        self.good("check", slower, "--against", "streams", "--fail-on", "slower:11")
        self.good("check", slower, "--against", "streams")
        # Nothing but the heading differs from a comparison of the files themselves.
        of_files = json.loads(self.good("compare", "--json", STREAMS, slower))
        check, = json.loads(self.good("check", "--json", slower, "--against", "streams"))["checks"]
        for key in ("kernels", "verdicts", "breakdown", "steps", "delta_ns", "notes"):
            self.assertEqual(check["comparison"][key], of_files[key])
        self.assertEqual((check["comparable"], check["obstacles"]), (True, []))
        rows = list(csv.DictReader(io.StringIO(self.good("check", "--csv", slower, "--against", "streams"))))
        self.assertEqual({row["name"]: row["verdict"] for row in rows}[GEMM], "SLOWER")
        text = self.good("check", "--markdown", slower, "--against", "streams")
        self.assertTrue(text.startswith("against streams of "))
        self.assertIn("| **SLOWER** | `", text)

    def test_the_latest_comparable_entry_counts(self):
        here = self.saved("k", self.result("here", {"x": 100}))
        self.saved("k", self.result("elsewhere", {"x": 300}, "2026-01-02T00:00:00Z", gpu="NVIDIA L4"))
        new = self.result("new", {"x": 100})
        check, = json.loads(self.good("check", "--json", new, "--against", "k"))["checks"]
        self.assertEqual((check["baseline"]["entry"], check["comparable"]), (here, True))
        run = self.kscope("check", new, "--against", "k", "--entry", "last", "--fail-on", "slower")
        self.assertTrue(run.stdout.splitlines()[0].endswith("not comparable: GPU NVIDIA L4 against NVIDIA H200"), run.stdout)
        self.one_line(run, 2, "--anyway")
        run = self.kscope("check", new, "--against", "k", "--entry", "last", "--anyway")
        self.assertEqual(run.returncode, 0)
        self.assertIn("FASTER", run.stdout)

    def test_differences_are_told(self):
        self.saved("k", self.result("a", {"x": 100}, gpu="NVIDIA H200"))
        new = self.result("b", {"x": 100}, machine={"host": "node8", "system": "Linux"})
        head = self.good("check", new, "--against", "k").splitlines()[0]
        self.assertIn("comparable, but for: machine node7 against node8", head)
        self.assertNotIn("SM clock", head)

    def test_runs_of_one_bench_are_one_side(self):
        noise = random.Random(5)

        def runs(name, factor):
            return [self.result(f"{name}{i}", {"x": 100 * factor * noise.uniform(0.995, 1.005), "y": 50 * noise.uniform(0.995, 1.005)})
                    for i in range(5)]
        before, after = runs("before", 1.0), runs("after", 1.1)
        self.saved("k", *before)
        kept, = self.entries("k")
        self.assertEqual(len(kept["files"]), 5)
        check, = json.loads(self.good("check", "--json", *after, "--against", "k"))["checks"]
        pooled = json.loads(self.good("compare", "--json", ",".join(map(str, before)), ",".join(map(str, after))))
        self.assertEqual(check["comparison"]["kernels"], pooled["kernels"])
        self.assertEqual(pooled["kernels"][0]["verdict"], "SLOWER")
        self.assertEqual(self.kscope("check", *after, "--against", "k", "--fail-on", "slower:5").returncode, 1)

    def more(self, times, *lines):
        """A command that prints one more result each time, with its own noise, and writes down how it was called."""
        program = self.folder / "more.py"
        program.write_text(f"""import json, pathlib, random, sys
calls = pathlib.Path({str(self.folder / "calls")!r})
with calls.open("a") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
noise = random.Random(len(calls.read_text()))
document = json.loads(pathlib.Path({str(self.result("more", times))!r}).read_text())
for kernel in document["kernels"]:
    factor = noise.gauss(1, 0.03 if kernel["name"] == "noisy" else 0.001)
    for config in kernel["configs"]:
        config["samples_ns"] = [time * factor for time in config["samples_ns"]]
{chr(10).join(lines)}
print(json.dumps(document))
""")
        return f"{sys.executable} {program} {{only}}"

    def calls(self):
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def test_more_runs_where_it_is_undecided(self):
        noise = random.Random(3)

        def runs(name, factor, count):
            return [self.result(f"{name}{i}", {"quiet": 100 * noise.gauss(1, 0.001), "noisy": 50 * factor * noise.gauss(1, 0.03)})
                    for i in range(count)]
        self.saved("k", *runs("before", 1.0, 10))
        after = runs("after", 1.07, 5)
        check, = json.loads(self.good("check", "--json", *after, "--against", "k"))["checks"]
        self.assertEqual({row["name"]: row["verdict"] for row in check["comparison"]["kernels"]},
                         {"quiet": "SAME", "noisy": "UNSURE"})
        more = self.more({"quiet": 100, "noisy": 53.5})
        run = self.kscope("check", "--json", *after, "--against", "k", "--fail-on", "slower:5", "--more", more)
        self.assertEqual(run.returncode, 1, run.stderr)
        check, = json.loads(run.stdout)["checks"]
        rows = {row["name"]: row for row in check["comparison"]["kernels"]}
        self.assertEqual({name: row["verdict"] for name, row in rows.items()}, {"quiet": "SAME", "noisy": "SLOWER"})
        self.assertGreater(len(self.calls()), 0)
        self.assertEqual((rows["noisy"]["speedup"]["pairs"], rows["quiet"]["speedup"]["pairs"]),
                         (min(10, 5 + len(self.calls())), 5))
        # Nothing is undecided: nothing more is run.
        (self.folder / "calls").unlink()
        self.good("check", *runs("again", 1.0, 5)[:0], *[self.result(f"q{i}", {"quiet": 100 + i / 100}) for i in range(5)],
                  "--against", "k", "--more", more)
        self.assertEqual(self.calls(), [])

    def test_more_is_given_what_is_undecided(self):
        def run(name, i, keys):
            path = self.result(f"{name}{i}", {"x": 100 * (1 + (i * ord(name) % 5) / 20)})
            document = json.loads(path.read_text())
            document["kernels"] = [dict(document["kernels"][0], key=key) for key in keys]
            path.write_text(json.dumps(document))
            return path
        self.saved("k", *[run("a", i, ["c5djc", "cq2xx"]) for i in range(5)])
        new = [run("b", i, ["c5djc", "cq2xx"]) for i in range(5)]
        self.kscope("check", *new, "--against", "k", "--max-runs", "6", "--more", self.more({"x": 100}))
        self.assertEqual(self.calls(), ["--key c5djc --key cq2xx"])
        (self.folder / "calls").unlink()
        # A key that a shell would act on is never a word of a command.
        self.saved("k", *[run("c", i, ["c5; touch hacked", "$(touch hacked)"]) for i in range(5)])
        new = [run("e", i, ["c5; touch hacked", "$(touch hacked)"]) for i in range(5)]
        self.kscope("check", *new, "--against", "k", "--max-runs", "6", "--more", self.more({"x": 100}))
        self.assertEqual(self.calls(), [""])
        self.assertFalse(pathlib.Path("hacked").exists())

    def test_more_that_goes_wrong(self):
        few = [self.result(f"a{i}", {"x": 100 * (1 + i / 20)}) for i in range(4)]
        self.saved("few", *few)
        self.one_line(self.kscope("check", *few, "--against", "few", "--more", "true"), 2, "4 runs", "save 5 or more")
        self.saved("k", *few, self.result("a4", {"x": 120}))
        five = [self.result(f"b{i}", {"x": 101 * (1 + i / 20)}) for i in range(5)]
        for command, words in (("exit 3", ("ended with 3", "exit 3")), ("true", ("printed no result",)), ("echo '{}'", ("printed no result",)),
                               (f"cat {STREAMS}", ("printed no result",)),
                               (self.more({"x": 100}, 'document["gpu"]["name"] = "NVIDIA L4"'), ("another bench, GPU or method",))):
            self.one_line(self.kscope("check", *five, "--against", "k", "--more", command), 2, *words)
        self.saved("streams", STREAMS)
        self.one_line(self.kscope("check", STREAMS, "--against", "streams", "--more", "true"), 2, "is a trace")
        self.one_line(self.kscope("check", *five, "--against", "k", "--max-runs", "9"), 2, "--more")

    def test_a_saved_result_goes_by_its_name(self):
        (self.folder / "results").mkdir()
        shutil.copy(self.result("a", {"x": 100}), self.folder / "results" / "20260101-000000.json")
        self.saved("k", "20260101")
        self.good("check", "last", "--against", "k", "--fail-on", "slower")


class HistoryCli(BaselineCase):
    def series(self, name, *options):
        return {s["name"]: s for s in json.loads(self.good("history", name, "--json", *options))["series"]}

    def test_a_planted_change_is_marked_where_it_is(self):
        noise = random.Random(11)
        ids = []
        for day in range(14):
            times = {"slow": (100 if day < 8 else 106) * noise.uniform(0.998, 1.002), "same": 50 * noise.uniform(0.998, 1.002)}
            ids.append(self.saved("k", self.result(f"d{day}", times, f"2026-01-{day + 1:02d}T00:00:00Z"), "--label", f"commit=c{day}"))
        series = self.series("k")
        self.assertEqual(set(series), {"all", "slow", "same"})
        self.assertEqual([p["entry"] for p in series["slow"]["points"]], ids)
        change, = series["slow"]["change_points"]
        self.assertEqual((change["entry"], change["verdict"]), (ids[8], "SLOWER"))
        self.assertAlmostEqual(change["ratio"], 1.06, delta=0.004)
        self.assertEqual(series["same"]["change_points"], [])
        kept = [e for e in self.entries("k")]
        for point, entry in zip(series["slow"]["points"], kept):
            samples = json.loads((self.store / "k" / entry["id"] / entry["files"][0]["name"]).read_text())["kernels"][0]["configs"][0]["samples_ns"]
            self.assertAlmostEqual(point["value_ns"], statistics.median(samples))
            self.assertLessEqual(point["interval_ns"][0], point["value_ns"])
        text = self.good("history", "k")
        self.assertEqual(text.count("SLOWER by"), 3)  # all, beside its row; all and slow in the list
        self.assertIn("c8", text)
        rows = list(csv.DictReader(io.StringIO(self.good("history", "k", "--csv", "--of", "slow"))))
        self.assertEqual([row["change_point"] for row in rows], [""] * 8 + ["SLOWER"] + [""] * 5)
        self.assertTrue(all(pathlib.Path(row["file"]).is_file() for row in rows))
        markdown = self.good("history", "k", "--markdown", "--top", "0")
        self.assertEqual(markdown.count("<details>"), 3)
        for line in markdown.splitlines():
            self.assertFalse(line.startswith("|") and not line.endswith("|"), line)
        # Four runs after it are too few for any verdict.
        for day in range(12, 14):
            self.good("baseline", "remove", "k", ids[day])
        self.assertEqual(self.series("k")["slow"]["change_points"], [])

    def test_all_is_of_what_every_entry_has(self):
        for day in range(12):
            times = {"big": 900, "small": 100 + day % 3} if day < 6 else {"small": 100 + day % 3, "new": 70}
            self.saved("k", self.result(f"r{day}", times, created=f"2026-01-{day + 1:02}T00:00:00Z"))
        found = json.loads(self.good("history", "k", "--json"))
        self.assertEqual(found["of_all"], "all: the 1 row that every entry has, not 2 others")
        series = {row["name"]: row for row in found["series"]}
        self.assertEqual([point["value_ns"] for point in series["all"]["points"]], [100 + day % 3 for day in range(12)])
        self.assertEqual(series["all"]["change_points"], [])
        self.assertIn(found["of_all"], self.good("history", "k"))
        self.saved("k", self.result("other", {"x": 5}, created="2026-02-01T00:00:00Z"))
        found = json.loads(self.good("history", "k", "--json"))
        self.assertEqual([point["value_ns"] for row in found["series"] if row["name"] == "all" for point in row["points"]], [5])

    def test_two_entries_of_five_runs(self):
        for name, factor, day in (("a", 1.0, 1), ("b", 0.9, 2)):
            self.saved("k", *[self.result(f"{name}{i}", {"x": 100 * factor * (1 + i / 1000)}, f"2026-01-0{day}T00:00:0{i}Z") for i in range(5)])
        change, = self.series("k", "--of", "x")["x"]["change_points"]
        self.assertEqual(change["verdict"], "FASTER")
        point = self.series("k")["x"]["points"][0]
        self.assertAlmostEqual(point["value_ns"], 100.2)
        self.assertAlmostEqual(point["interval_ns"][0], 100.0)
        self.assertAlmostEqual(point["interval_ns"][1], 100.4)

    def test_traces(self):
        self.saved("t", STREAMS)
        series = self.series("t")
        times = compare_checks.kernels_of(STREAMS)
        whole = series["kernel time of a step"]["points"][0]["value_ns"]
        self.assertAlmostEqual(whole * 4, sum(map(sum, times.values())), delta=0.2 * whole)
        self.assertIn("step", series)
        gemm, = [s for name, s in series.items() if "cutlass" in name]
        self.assertAlmostEqual(gemm["points"][0]["value_ns"], statistics.median(times[GEMM]))

    def test_a_step_that_gets_longer_is_seen(self):
        """The kernels take as long as before, and everything else twice as long."""
        document = json.load(gzip.open(STREAMS))
        for event in document["traceEvents"]:
            if "ts" in event:
                event["ts"] *= 2
            if "dur" in event and event.get("cat") != "kernel":
                event["dur"] *= 2
        slow = self.folder / "slow.json"
        slow.write_text(json.dumps(document))
        self.saved("t", STREAMS)
        self.saved("t", slow)
        entries = self.entries("t")
        self.assertAlmostEqual(entries[1]["step_ns"] / entries[0]["step_ns"], 2, delta=0.01)
        self.assertEqual(entries[0]["value_ns"], entries[1]["value_ns"])
        text = self.good("history", "t")
        self.assertRegex(text, r"(?m)^kernel time of a step$")
        self.assertRegex(text, r"(?m)^step$")
        self.assertRegex(text, r"\+99\.\d %|\+100\.\d %")
        self.assertNotRegex(self.good("history", "t", "--top", "1"), r"(?m)^step$")

        shown = self.good("baseline", "show", "t")
        self.assertRegex(shown, r"step [\d.]+ ms, kernel time of a step [\d.]+ ms")
        head = self.good("baseline", "list").splitlines()[0]
        self.assertRegex(head, r"Latest +Step +Kernel time +GPU")
        self.saved("k", self.result("a", {"x": 100}))
        table = self.good("baseline", "list").splitlines()
        self.assertRegex(table[0], r"Step +Kernel time +Time +GPU")
        self.assertRegex(self.good("baseline", "show", "k"), r"(?m)^\d{8}-\d{6}-\w+ +100 ns")

    def test_other_gpus_are_left_out(self):
        self.saved("k", self.result("a", {"x": 300}, gpu="NVIDIA L4"))
        self.saved("k", self.result("b", {"x": 100}, "2026-01-02T00:00:00Z"))
        self.assertIn("1 entry on NVIDIA H200, 1 left out", self.good("history", "k"))
        self.assertIn("1 entry on NVIDIA L4", self.good("history", "k", "--gpu", "l4"))
        self.assertEqual(json.loads(self.good("history", "k", "--json"))["left_out"], 1)


if __name__ == "__main__":
    compare_checks.KSCOPE = sys.argv.pop(1)
    unittest.main()
