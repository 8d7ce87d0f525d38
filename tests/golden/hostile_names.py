# SPDX-License-Identifier: Apache-2.0
"""Names that act on terminals, spreadsheets and readers of Markdown, in every output of every command that shows names.

usage: hostile_names.py KSCOPE [unittest arguments]"""
import csv
import io
import json
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import unittest

from make_job import make_job
from mcp_server import Server

KSCOPE = sys.argv[1]

# What a name may try. Each stands between letters, so that a table cannot hide it at the edge of a column.
NAMES = ["=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\x1b]0;title\x07", "a\x1b[2J\x1b[31mb", "a\x9b31mb",
         "a\x00b", "a\rb", "a\nkscope: warning: forged", "a\x08\x08b", "a\x7fb", "a\u202egnp.exe", "a\u2066b\u2069", "a\u2028b", "a\u061cb", "../../../etc/passwd",
         "a\ufeffb", "<script>alert(1)</script>", "<img src=http://x.invalid/y>", "[click](javascript:alert(1))",
         "![x](http://x.invalid/y)", "a|b|c", "`code`", "**bold**", "# heading", "", "a" * 5_000]
# Controls but line breaks, and what changes the direction or the lines of a text.
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
# What a spreadsheet would calculate; negative numbers are no names.
FORMULA = re.compile(r"^(?:[=+@\t\r]|-(?![0-9.]+$|$))")
# Of Markdown what is neither code nor escaped.
SPANS = re.compile(r"(?<![`\\])(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|\\[!-/:-@\[-`{-~]")
MARKUP = re.compile(r"<(script|img)|\]\((javascript|http)|^# heading|\*\*bold", re.MULTILINE)


def put_names(events):
    """Each name once as a kernel's, once as an operator's, once as an annotation's, once as an argument's."""
    kernels = [event for event in events if event.get("cat") == "kernel"]
    operators = [event for event in events if event.get("cat") == "cpu_op"]
    for name, kernel, operator in zip(NAMES, kernels, operators):
        kernel["name"] = operator["name"] = name
        operator["args"][name] = name
        events.append({**operator, "cat": "user_annotation", "args": {}})


class HostileNames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.kept.cleanup)
        cls.folder = pathlib.Path(cls.kept.name)
        cls.job = cls.folder / "job"
        cls.job.mkdir()
        make_job(cls.job, ranks=2, steps=3)
        for path in cls.job.glob("rank*.json"):
            document = json.loads(path.read_text())
            put_names(document["traceEvents"])
            path.write_text(json.dumps(document))
        cls.trace = cls.job / "rank0.json"
        cls.ncu = cls.folder / "ncu.csv"
        with cls.ncu.open("w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["ID", "Kernel Name", "Context", "Stream", "Metric Name", "Metric Unit", "Metric Value"])
            for number, name in enumerate(NAMES):
                table.writerow([number, name, 1, 7, "dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", "12"])
        cls.snapshot = cls.folder / "snapshot.pickle"
        trace = [{"action": "alloc", "addr": 4096 * i, "size": 512, "stream": 0, "time_us": i,
                  "frames": [{"filename": name, "name": name, "line": 1}]} for i, name in enumerate(NAMES, 1)]
        cls.snapshot.write_bytes(pickle.dumps({"segments": [], "device_traces": [trace], "allocator_settings": {}}))

    def output(self, *words):
        done = subprocess.run([KSCOPE, *map(str, words)], capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
        self.assertIn(done.returncode, (0, 1), (words, done.stderr))
        self.assertTrue(done.stdout, words)
        for text in (done.stdout, done.stderr):
            found = ACTS.search(text.decode().replace("\r\n", "\n"))
            self.assertIsNone(found, (words, found and text.decode()[max(0, found.start() - 80):found.end() + 20]))
        self.assertNotRegex(done.stderr.decode(), "(?m)^kscope: warning: forged")
        return done.stdout.decode()

    def commands(self):
        window = ["--window", "step:1"]
        yield "report", ["report", self.trace, "--full-names"]
        yield "report of a window", ["report", self.trace, *window]
        yield "ncu", ["report", self.trace, "--ncu", self.ncu, "--full-names"]
        yield "ranks", ["ranks", self.job, "--full-names"]
        yield "advise", ["advise", self.trace, "--full-names"]
        yield "path", ["path", self.trace, "--full-names"]
        yield "memory", ["memory", self.snapshot, "--full-names"]
        yield "compare", ["compare", self.trace, self.job / "rank1.json", "--full-names"]
        yield "query", ["query", self.trace, "SELECT name, count(*) FROM slices GROUP BY name", "--full-names"]

    def test_no_output_acts(self):
        """Text, JSON, CSV and Markdown, where a command has them."""
        for name, words in self.commands():
            options = subprocess.run([KSCOPE, words[0], "--help"], capture_output=True, text=True).stdout
            for form in ("", "--json", "--csv", "--markdown"):
                if form and form not in options or (name, form) == ("ncu", "--csv"):  # which it refuses
                    continue
                plain = [word for word in words if word != "--full-names" or "--full-names" in options]
                with self.subTest(command=name, form=form):
                    text = self.output(*plain, *([form] if form else []))
                    if form == "--json":
                        json.loads(text)
                    if form == "--csv":
                        for row in csv.reader(io.StringIO(text, newline="")):
                            for cell in row:
                                self.assertNotRegex(cell, FORMULA)
                    if form == "--markdown":
                        self.assertNotRegex(SPANS.sub("", text), MARKUP)

    def test_an_assistant_sees_no_acting_name(self):
        server = Server(KSCOPE, str(self.folder))
        self.addCleanup(server.close)
        opened, wrong = server.call("open", path=str(self.trace))
        self.assertFalse(wrong, opened)
        for tool in ("summary", "kernels", "operators", "idle", "events", "roofline", "steps", "findings", "path"):
            with self.subTest(tool=tool):
                answer, wrong = server.call(tool, trace=opened["trace"])
                self.assertFalse(wrong, answer)
                self.assertNotRegex(json.dumps(answer, ensure_ascii=False), ACTS)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
