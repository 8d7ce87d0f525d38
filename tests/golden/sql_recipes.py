# SPDX-License-Identifier: Apache-2.0
"""`kscope query`: the recipes of docs/sql.md run, and several give what an independent reading of the file does.

sql_recipes.py KSCOPE DOCS_SQL_MD SAMPLE RANK0 RANK1"""
import collections
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from trace_reading import TraceFile

KSCOPE, DOCS, SAMPLE, *RANKS = sys.argv[1:6]
del sys.argv[1:6]
# Both pieces are without anything odd.
MAY_BE_EMPTY = ("Which import problems has the file?",)


def run(*words, **options):
    return subprocess.run([KSCOPE, "query", *words], capture_output=True, text=True, timeout=120, **options)


def ask(sql, *files):
    """The rows as lists."""
    done = run("--json", *(files or (SAMPLE,)), sql)
    if done.returncode:
        raise AssertionError(done.stderr)
    return [list(row.values()) for row in json.loads(done.stdout)]


def recipes():
    with open(DOCS, encoding="utf-8") as file:
        return re.findall(r"^([^\n]+\?)\n\n```sql\n(.*?)```", file.read(), re.MULTILINE | re.DOTALL)


class Recipes(unittest.TestCase):
    def test_each_runs_and_finds_something(self):
        self.assertGreaterEqual(len(recipes()), 20)
        for question, sql in recipes():
            with self.subTest(question):
                rows = [ask(sql), ask(sql, *RANKS)]
                if question not in MAY_BE_EMPTY:
                    self.assertTrue(rows[0] or rows[1])

    def test_the_tables_are_those_of_the_program(self):
        with open(DOCS, encoding="utf-8") as file:
            written = re.search(r"<!-- schema: .*? -->\n(.*)<!-- /schema -->", file.read(), re.DOTALL).group(1)
        self.assertEqual(written, run(".schema", "--markdown").stdout)


class IndependentReading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.slices = TraceFile(SAMPLE).slices
        cls.first = min(s.start for s in cls.slices)
        cls.work = [s for s in cls.slices if s.is_gpu_work]

    def test_sums_by_name(self):
        sums = collections.defaultdict(lambda: [0, 0])
        for op in self.work:
            sums[op.name][0] += 1
            sums[op.name][1] += op.duration
        self.assertEqual(dict((name, [count, total]) for name, count, total in
                              ask("SELECT name, count(*), sum(dur) FROM gpu_ops GROUP BY name")), dict(sums))

    def test_every_slice(self):
        rows = ask("SELECT name, start, dur, correlation, external_id FROM slices ORDER BY id")
        self.assertEqual(rows, [[s.name, s.start - self.first, s.duration, s.correlation, s.external_id]
                                for s in self.slices])

    def test_idle_gaps(self):
        gaps, end = [], None
        for op in sorted(self.work, key=lambda s: s.start):
            if end is not None and op.start > end:
                gaps.append(op.start - end)
            end = op.end if end is None else max(end, op.end)
        sql = next(sql for question, sql in recipes() if question.startswith("When was a GPU idle"))
        self.assertEqual([row[3] for row in ask(sql)], [gap / 1e3 for gap in sorted(gaps, reverse=True)[:10]])

    def test_arguments(self):
        rows = ask("SELECT id, arg(id, 'stream'), arg(id, 'grid'), arg(id, 'occupancy') FROM gpu_ops")
        by_index = dict((s.index, s) for s in self.slices)
        numbers = [row[0] for row in ask("SELECT id FROM slices ORDER BY id")]
        order = dict(zip(numbers, self.slices))
        self.assertEqual(len(by_index), len(self.slices))
        for number, stream, grid, _ in rows:
            args = order[number].args
            self.assertEqual(stream, args.get("stream"))
            self.assertEqual(None if grid is None else json.loads(grid), args.get("grid"))

    def test_busy(self):
        spans, busy, end = sorted((s.start, s.end) for s in self.work), 0, None
        for start, stop in spans:
            if end is None or start > end:
                busy, end = busy + stop - start, stop
            elif stop > end:
                busy, end = busy + stop - end, stop
        self.assertEqual(ask("SELECT busy(min(start), max(\"end\"), 0) FROM gpu_ops"), [[busy]])


class CommandLine(unittest.TestCase):
    def test_formats_say_the_same(self):
        sql = "SELECT category, count(*) FROM gpu_ops GROUP BY category ORDER BY 1"
        rows = ask(sql)
        csv = run("--csv", SAMPLE, sql).stdout.splitlines()
        markdown = run("--markdown", SAMPLE, sql).stdout.splitlines()
        text = run(SAMPLE, sql).stdout
        self.assertEqual(csv, ["category,count(*)"] + [f"{name},{count}" for name, count in rows])
        self.assertEqual(len(markdown), 2 + len(rows))
        for name, count in rows:
            self.assertIn(f"{name}", text)
            self.assertIn(f"{count}", text)

    def test_sql_from_a_file_and_standard_input(self):
        sql = "CREATE TEMP VIEW k AS SELECT * FROM gpu_ops WHERE category = 'kernel'; SELECT count(*) AS n FROM k;"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "q.sql")
            with open(path, "w", encoding="utf-8") as file:
                file.write(sql)
            from_file = run("--json", SAMPLE, "-f", path).stdout
        self.assertEqual(json.loads(from_file), [{"n": 1148}])
        self.assertEqual(run("--json", SAMPLE, "-f", "-", input=sql).stdout, from_file)

    def test_wrong_words(self):
        for words, said in (((SAMPLE,), "needs traces and SQL"), ((SAMPLE, "SELECT nme FROM slices"), "slices has id, name"),
                            (("no_such_file", "SELECT 1"), "no_such_file"), ((SAMPLE, "DROP TABLE slices"), "SQL: "),
                            ((".schema", "nothing"), "slices, gpu_ops"), ((SAMPLE, "-f", "/no/such.sql"), "cannot be read"),
                            (("--json", SAMPLE, "SELECT 1; SELECT 2"), "a single SELECT")):
            done = run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_limits_and_signals(self):
        endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"
        done = run("--time-limit", "0.2", SAMPLE, endless)
        self.assertEqual(done.returncode, 2)
        self.assertIn("longer than", done.stderr)
        done = run("--memory-limit", "16", SAMPLE, endless.replace("UNION ALL", "UNION"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("memory", done.stderr)
        with subprocess.Popen([KSCOPE, "query", SAMPLE, endless], stderr=subprocess.PIPE, text=True) as process:
            time.sleep(1)  # wherever it is by then
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 130)

    def test_help_fits(self):
        for command in ("query", "export"):
            text = subprocess.run([KSCOPE, command, "--help"], capture_output=True, text=True, check=True).stdout
            self.assertLessEqual(max(map(len, text.splitlines())), 100)
            self.assertIn("Example", text)

    def test_results_of_benches(self):
        results = os.path.join(os.path.dirname(RANKS[0]), "..", "results", "kernels.json")
        rows = ask("SELECT name, time FROM bench_results WHERE reason IS NULL", results)
        self.assertTrue(rows)
        self.assertTrue(all(row[1] > 0 for row in rows))


class Export(unittest.TestCase):
    def test_other_programs_read_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.sqlite")
            subprocess.run([KSCOPE, "export", *RANKS, "-o", path], capture_output=True, check=True)
            self.assertEqual(os.listdir(folder), ["out.sqlite"])
            with sqlite3.connect(path) as database:
                tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                for table in set(tables) - {"columns"}:
                    count = f"SELECT count(*) FROM {table}"
                    self.assertEqual([list(row) for row in database.execute(count)], ask(count, *RANKS), table)
                wanted = "SELECT rank, name, sum(dur), max(start) FROM slices GROUP BY rank, name ORDER BY rank, name"
                self.assertEqual([list(row) for row in database.execute(wanted)], ask(wanted, *RANKS))
                self.assertEqual(database.execute("SELECT unit FROM columns WHERE \"table\" = 'slices' AND "
                                                  "\"column\" = 'dur'").fetchall(), [("ns",)])
                self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            database.close()


if __name__ == "__main__":
    unittest.main()
