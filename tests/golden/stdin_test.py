# SPDX-License-Identifier: Apache-2.0
"""Standard input as a trace: the same answers, warnings and errors as from a file.

usage: stdin_test.py KSCOPE [unittest options]
"""
import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

KSCOPE = ""
SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "sample.json.gz"


def kscope(*arguments, **options):
    return subprocess.run([KSCOPE, *map(str, arguments)], capture_output=True, timeout=60, **options)


class StandardInputTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.text = gzip.decompress(SAMPLE.read_bytes())

    def contents(self):
        """(name, bytes): plain and every compression there is a program for."""
        yield "plain", self.text
        yield "gzip", SAMPLE.read_bytes()
        yield "gzip of two members", gzip.compress(self.text[:999]) + gzip.compress(self.text[999:])
        if shutil.which("zstd"):
            yield "zstd", subprocess.run(["zstd", "-q", "-1"], input=self.text, check=True,
                                         capture_output=True).stdout

    def figures(self, *arguments, **options):
        """A report's document without what names the file."""
        done = kscope("report", "--json", *arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        document = json.loads(done.stdout)
        document.pop("file", None)
        for key in ("format", "file_bytes"):
            document["run"].pop(key, None) if "run" in document else None
        return document

    def test_every_container_gives_the_report_of_the_file(self):
        for name, content in self.contents():
            with self.subTest(name):
                file = self.folder / "trace"
                file.write_bytes(content)
                expected = self.figures(file)
                self.assertEqual(self.figures("-", input=content), expected)
                with file.open("rb") as redirected:
                    self.assertEqual(self.figures("-", stdin=redirected), expected)

    def test_a_file_read_in_part_gives_the_rest(self):
        file = self.folder / "trace"
        file.write_bytes(b"a line that somebody read\n" + self.text)
        with file.open("rb", buffering=0) as redirected:
            os.lseek(redirected.fileno(), len(b"a line that somebody read\n"), os.SEEK_SET)
            self.assertEqual(self.figures("-", stdin=redirected)["import"]["events"], 13902)

    def test_it_can_be_named_twice(self):
        done = kscope("report", "--json", "-", "-", input=self.text)
        first, second = json.loads(done.stdout)
        self.assertEqual(first, second)

    def test_cut(self):
        for name, content in self.contents():
            with self.subTest(name):
                file, a, b = (self.folder / part for part in ("trace", "a.json", "b.json"))
                file.write_bytes(content)
                window = ("--window", "1ms..5ms")
                self.assertEqual(kscope("cut", *window, file, "-o", a).returncode, 0)
                self.assertEqual(kscope("cut", *window, "-", "-o", b, input=content).returncode, 0)
                cut = json.loads(b.read_text())
                self.assertEqual(cut["traceEvents"], json.loads(a.read_text())["traceEvents"])
                self.assertGreater(len(cut["traceEvents"]), 100)
                self.assertEqual(cut["kinetoscopeCut"]["file"], "-")

    def test_tabulate(self):
        line = (b"noise\nOutput for tabulate: resnet50, 1.00%, 2.00%, 3.00%, 4.00%, 5.00%, 15.00%, "
                b"1.500ms\n")
        done = kscope("report", "--tabulate", "-", input=line)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"resnet50", done.stdout)
        done = kscope("report", "--tabulate", "--name", "piped", "-", input=self.text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"piped", done.stdout)

    def test_damage_is_said(self):
        file = self.folder / "trace.gz"
        for content in (SAMPLE.read_bytes()[:100_000], self.text[:2_000_000]):
            file.write_bytes(content)
            of_file = kscope("report", file)
            piped = kscope("report", "-", input=content)
            self.assertEqual(piped.returncode, 0)
            self.assertIn(b"warning", piped.stderr)
            self.assertEqual(piped.stderr.replace(b"'-':", b"X:"),
                             of_file.stderr.replace(b"'" + bytes(file) + b"':", b"X:"))

    def fails(self, text, **options):
        done = kscope("report", "-", **options)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertRegex(done.stderr.decode(), r"\Akscope: [^\n]+\n\Z")
        self.assertIn(text, done.stderr.decode())

    def test_errors(self):
        self.fails("'-': is empty", input=b"")
        self.fails("'-': is empty", stdin=subprocess.DEVNULL)
        self.fails("is not a trace", input=b"hello\n")
        self.fails("cannot be buffered in '/proc'", input=self.text,
                   env={**os.environ, "TMPDIR": "/proc"})
        closed = subprocess.run(["sh", "-c", '"$0" report - <&-', KSCOPE], capture_output=True)
        self.assertEqual(closed.returncode, 2)
        self.assertIn(b"standard input is closed", closed.stderr)
        primary, secondary = os.openpty()
        self.addCleanup(os.close, primary)
        self.addCleanup(os.close, secondary)
        self.fails("standard input is a terminal", stdin=secondary)

    def test_nothing_is_left_in_the_temporary_folder(self):
        environment = {**os.environ, "TMPDIR": str(self.folder)}
        self.assertEqual(kscope("report", "-", input=self.text, env=environment).returncode, 0)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_interrupt_ends_the_wait_for_input(self):
        process = subprocess.Popen([KSCOPE, "report", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(self.text[:100_000])
        process.stdin.flush()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        self.assertEqual(process.wait(timeout=10), 130)
        self.assertLess(time.monotonic() - begin, 2)
        self.assertEqual(process.stderr.read(), b"kscope: cancelled\n")
        for pipe in (process.stdin, process.stdout, process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass

    def test_a_slow_writer_is_waited_for(self):
        process = subprocess.Popen([KSCOPE, "report", "--json", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(self.text[:1_000_000])
        process.stdin.flush()
        time.sleep(0.3)
        out, error = process.communicate(self.text[1_000_000:], timeout=30)
        self.assertEqual((process.returncode, error), (0, b""))
        self.assertEqual(json.loads(out)["import"]["events"], 13902)


if __name__ == "__main__":
    KSCOPE = sys.argv.pop(1)
    unittest.main()
