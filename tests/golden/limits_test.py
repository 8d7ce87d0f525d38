# SPDX-License-Identifier: Apache-2.0
"""Runs kscope where memory, threads, files, room and standard error are short: exit codes as documented,
no hang, nothing half-written, no temporary file left.

usage: limits_test.py KSCOPE [unittest options]
KINETOSCOPE_LIMIT_RUNS: how many runs under random limits (default 60)
"""
import gzip
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

KSCOPE = ""
RUNS = int(os.environ.get("KINETOSCOPE_LIMIT_RUNS", "60"))
SOURCE = pathlib.Path(__file__).resolve().parents[2]
SANITIZED = False
# Larger than any address space: no stack of a new thread fits.
NO_THREAD = 1 << 47
HANGS = 20  # seconds; all of it takes a twentieth of one where the machine is not busy


def limit(what, soft):
    resource.setrlimit(what, (soft, resource.getrlimit(what)[1]))


def no_threads():
    limit(resource.RLIMIT_STACK, NO_THREAD)


def kernel(name, ts, dur, correlation, stream=7):
    return {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": ts, "dur": dur,
            "args": {"device": 0, "stream": stream, "correlation": correlation}}


def trace_text(kernels, factor=1.0):
    events = []
    for i in range(kernels):
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9,
                       "tid": 9, "ts": 10 * i, "dur": 2, "args": {"correlation": i + 1}})
        events.append(kernel(f"kernel_{i % 40}", 10 * i + 4, (3 + i % 5) * factor, i + 1))
    return json.dumps({"traceEvents": events}).replace("}, {", "},\n{")


# What the runtime says where there is no memory even for an exception, before main().
NO_EXCEPTION = b"terminate called without an active exception\n"


class LimitsTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.inputs = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.inputs)
        text = trace_text(30_000)
        (cls.inputs / "a.json").write_text(text)
        (cls.inputs / "b.json").write_text(trace_text(30_000, 1.3))
        with gzip.open(cls.inputs / "a.json.gz", "wt", 1) as file:
            file.write(text)
        captures = sorted((SOURCE / "tests/data/captures").glob("*.kscope"))
        cls.capture = captures[0] if captures else None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def commands(self, out):
        a, b, packed = (self.inputs / name for name in ("a.json", "b.json", "a.json.gz"))
        commands = [
            ["report", "--json", a, "-o", out], ["report", packed, "-o", out],
            ["report", "--operators", a, "-o", out],
            ["cut", packed, "--window", "10ms..20ms", "-o", out],
            ["compare", a, b, "--json", "-o", out],
            ["record", "-o", out.with_suffix(""), "--", "sh", "-c", "exit 7"],
        ]
        if self.capture:
            commands.append(["convert", self.capture, out.with_suffix(".json")])
        return commands

    def run_limited(self, command, limits=lambda: None, **options):
        return subprocess.run([KSCOPE, *map(str, command)], preexec_fn=limits, timeout=HANGS,
                              stdout=subprocess.PIPE, **{"stderr": subprocess.PIPE, **options})

    def left_over(self, out):
        names = {path.name for path in self.folder.iterdir()}
        return names - {out.name, out.with_suffix("").name, out.with_suffix(".json").name}


class ThreadsTest(LimitsTest):
    def test_results_are_the_same_without_any_thread(self):
        for command in self.commands(pathlib.Path("OUT.txt")):
            with self.subTest(command=command[0]):
                outputs = []
                for name, limits in (("free", lambda: None), ("alone", no_threads)):
                    folder = self.folder / (command[0] + name)
                    folder.mkdir(exist_ok=True)
                    done = self.run_limited(command, limits, cwd=folder)
                    self.assertEqual(done.returncode, 7 if command[0] == "record" else 0,
                                     done.stderr)
                    outputs.append({p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()})
                    shutil.rmtree(folder)
                self.assertEqual(*outputs)


class StandardErrorTest(LimitsTest):
    def test_messages_never_end_a_command(self):
        for command in self.commands(self.folder / "out.txt"):
            for close in (True, False):
                with self.subTest(command=command[0], close=close), open("/dev/full", "wb") as full:
                    done = self.run_limited(command, (lambda: os.close(2)) if close else None,
                                            stderr=None if close else full)
                    self.assertEqual(done.returncode, 7 if command[0] == "record" else 0)

    def test_a_message_goes_into_no_file_of_ours(self):
        """A closed descriptor is not taken by the next file that is opened."""
        damaged = self.folder / "damaged.json"
        damaged.write_text('{"traceEvents": [{"ph": "X"}, {"ph": "X", "name": "k", "ts": 1, "dur"')
        out = self.folder / "out.txt"
        for descriptors in ((2,), (1, 2), (0, 1, 2)):
            for output in (["-o", out], []):
                with self.subTest(descriptors=descriptors, output=output):
                    before = damaged.read_bytes()
                    done = self.run_limited(["report", damaged, *output],
                                            lambda d=descriptors: [os.close(x) for x in d],
                                            stderr=None)
                    self.assertIn(done.returncode, (0, 1))
                    self.assertEqual(damaged.read_bytes(), before)
                    if output:
                        self.assertNotIn(b"kscope: warning", out.read_bytes())

    def test_a_recorded_program_finds_it_closed_too(self):
        for descriptor in (0, 1, 2):
            done = self.run_limited(["record", "-o", self.folder / "r", "--", sys.executable, "-c",
                                     f"import os; os.write({descriptor}, b'')"],
                                    lambda d=descriptor: os.close(d),
                                    **({} if descriptor != 2 else {"stderr": None}))
            self.assertEqual(done.returncode, 1)


class SignalsTest(LimitsTest):
    def test_no_temporary_file_is_left(self):
        out = self.folder / "out.json"
        command = [KSCOPE, "cut", self.inputs / "a.json.gz", "--window", "trace", "-o", out]
        begin = time.monotonic()
        subprocess.run(list(map(str, command)), check=True, capture_output=True)
        seconds = time.monotonic() - begin
        whole = out.read_bytes()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            codes = set()
            for delay in range(24):
                out.unlink(missing_ok=True)
                run = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
                try:
                    run.wait(seconds * delay / 24)
                except subprocess.TimeoutExpired:
                    run.send_signal(number)
                run.communicate(timeout=HANGS)
                codes.add(run.returncode)
                self.assertEqual(self.left_over(out), set())
                # A signal that comes behind the last byte finds everything done.
                self.assertTrue(not out.exists() or out.read_bytes() == whole)
                self.assertTrue(out.exists() or run.returncode != 0)
            self.assertLessEqual(codes, {0, 130, -number})
            self.assertIn(130, codes)

    def test_a_file_that_may_not_grow_is_an_output_failure(self):
        out = self.folder / "out.json"
        done = self.run_limited(["cut", self.inputs / "a.json", "--window", "trace", "-o", out],
                                lambda: limit(resource.RLIMIT_FSIZE, 100_000))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"File too large", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_request_larger_than_the_memory_ends_the_server(self):
        """Its thread that reads has no memory left; the request before it is answered."""
        if SANITIZED:
            self.skipTest("sanitizers need more address space")
        request = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
        done = self.run_limited(["mcp", self.folder], lambda: limit(resource.RLIMIT_AS, 512 << 20),
                                input=request + b"x" * (300 << 20))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(json.loads(done.stdout)["id"], 1)
        self.assertEqual(done.stderr, b"kscope: out of memory; close other files or programs\n")

    def test_an_ignored_signal_stays_ignored(self):
        """nohup, and shells that start a command with &."""
        for number in (signal.SIGHUP, signal.SIGINT):
            run = subprocess.Popen([KSCOPE, "compare", self.inputs / "a.json", self.inputs / "b.json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda n=number: signal.signal(n, signal.SIG_IGN))
            while run.poll() is None:
                run.send_signal(number)
                try:
                    run.communicate(timeout=0.01)
                except subprocess.TimeoutExpired:
                    pass
            self.assertEqual(run.returncode, 0)

    def test_no_signal_is_lost_between_two_steps(self):
        commands = [["compare", self.inputs / "a.json", self.inputs / "b.json"],
                    ["report", "--operators", self.inputs / "a.json"],
                    ["report", "--json", self.inputs / "a.json", self.inputs / "b.json"]]
        for command in commands:
            words = [KSCOPE, *map(str, command)]
            whole = self.run_limited(command).stdout
            for i in range(40):
                run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                try:
                    run.wait(0.004 * i)
                except subprocess.TimeoutExpired:
                    run.send_signal(signal.SIGINT)
                output, _ = run.communicate(timeout=HANGS)
                # Whoever has it all was done when the signal came.
                if run.returncode == 0:
                    self.assertTrue(output == whole, "not all of the output was written")
                else:
                    self.assertIn(run.returncode, (130, -signal.SIGINT))
                    # Reports of several files are written one after the other.
                    self.assertTrue(whole.startswith(output))


def loaded_bytes(program):
    """Address space that an ELF program's own segments take."""
    with open(program, "rb") as file:
        header = file.read(64)
        size, count = struct.unpack_from("<HH", header, 54)
        file.seek(struct.unpack_from("<Q", header, 32)[0])
        segments = [file.read(size) for _ in range(count)]
    return sum(struct.unpack_from("<Q", one, 40)[0] for one in segments if one.startswith(b"\x01\0\0\0"))


class RandomLimitsTest(LimitsTest):
    GOOD = {0, 1, 2, 7, 130}

    def test_random_limits(self):
        chance = random.Random(20)
        own = loaded_bytes(KSCOPE)  # the kernel ends a program that may have less by SIGSEGV
        for number in range(RUNS):
            out = self.folder / "out.txt"
            command = chance.choice(self.commands(out))
            limits = []
            if chance.random() < 0.6 and not SANITIZED:
                limits.append((resource.RLIMIT_AS, int(2 ** chance.uniform(23.5, 30))))
            if chance.random() < 0.3:
                limits.append((resource.RLIMIT_STACK, NO_THREAD))
            if chance.random() < 0.3 and not SANITIZED:  # which looks at memory through pipes
                limits.append((resource.RLIMIT_NOFILE, chance.randint(4, 20)))
            if chance.random() < 0.3:
                limits.append((resource.RLIMIT_FSIZE, int(2 ** chance.uniform(0, 22))))
            closed = chance.random() < 0.3

            def apply():
                if closed:
                    os.close(2)
                for what, soft in limits:
                    limit(what, soft)

            with self.subTest(number=number, command=command, limits=limits, closed=closed):
                done = self.run_limited(command, apply, stderr=None if closed else subprocess.PIPE)
                if b"error while loading shared libraries" in (done.stderr or b"") or (
                        closed and done.returncode == 127):
                    continue  # not even the program itself could be loaded
                if done.returncode == -signal.SIGSEGV and dict(limits).get(resource.RLIMIT_AS, own) < own:
                    continue  # as before, by the kernel
                if done.returncode == -signal.SIGABRT and done.stderr == NO_EXCEPTION:
                    continue  # loaded, but without the memory to set itself up
                self.assertIn(done.returncode, self.GOOD, done.stderr)
                if done.returncode == 1 and not closed and command[0] != "record":
                    self.assertRegex(done.stderr, rb"\Akscope: ")
                self.assertEqual(self.left_over(out), set())
            for path in self.folder.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()


class CommandLineTest(LimitsTest):
    WORDS = ["report", "cut", "compare", "bench", "results", "remove", "last", "metrics", "record",
             "convert", "-h", "--help", "--version", "--json", "-o", "--level", "--output=x", "--send",
             "--", "-", "", " ", "a b", "'", '"', "\\", "$HOME", "*", "\n", "é", "--threads", "-n4", "--paused"]
    PRINT = "import json, sys; print(json.dumps(sys.argv[1:]))"

    def recorded(self, *words, options=()):
        done = self.run_limited(["record", "-o", self.folder / "r", *options, "--", sys.executable,
                                 "-c", self.PRINT, *words])
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_every_word_reaches_the_program(self):
        for word in self.WORDS:
            with self.subTest(word=word):
                self.assertEqual(self.recorded(word, "x", word), [word, "x", word])
        self.assertEqual(self.recorded(*self.WORDS), self.WORDS)
        self.assertEqual(self.recorded(*reversed(self.WORDS), options=("--level", "1")),
                         self.WORDS[::-1])

    def test_the_program_may_be_called_as_a_command(self):
        for name in ("report", "results", "--help", "-o"):
            program = self.folder / name
            program.write_text("#!/bin/sh\necho ran $*\nexit 5\n")
            program.chmod(0o755)
            environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
            done = self.run_limited(["record", "-o", self.folder / "r", "--", name, "remove", "last"],
                                    env=environment)
            self.assertEqual((done.returncode, done.stdout), (5, b"ran remove last\n"), done.stderr)

    def test_results_are_not_touched(self):
        home = self.folder / "data"
        results = home / "kinetoscope" / "results"
        results.mkdir(parents=True)
        (results / "20260101-000000.json").write_text('{"schema": "kinetoscope.result/1"}')
        done = self.run_limited(["record", "-o", self.folder / "r", "--", "true", "results", "remove",
                                 "last"], env={**os.environ, "XDG_DATA_HOME": str(home)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list(results.iterdir())), 1)

    def test_without_a_divider_the_program_follows_the_options(self):
        done = self.run_limited(["record", "--level", "1", "-o", self.folder / "r", sys.executable, "-c",
                                 self.PRINT, "report", "--", "-o", "x"])
        self.assertEqual(json.loads(done.stdout), ["report", "--", "-o", "x"], done.stderr)

    def test_files_behind_the_divider(self):
        for name in ("-odd.json", "--help", "cut", "kernels"):
            shutil.copy(self.inputs / "a.json", self.folder / name)
            done = self.run_limited(["report", "--", name], cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        shutil.copy(self.inputs / "b.json", self.folder / "-b")
        for command in (["compare", "--", "cut", "-b"], ["compare", "cut", "--", "-b"],
                        ["cut", "--window", "trace", "-o", "out.json", "--", "-b"]):
            done = self.run_limited(command, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_limited(["bench", "kernels", "--plan", "--", "kernels"], cwd=self.folder)
        self.assertIn(b"./kernels", done.stderr)


if __name__ == "__main__":
    KSCOPE = os.path.abspath(sys.argv.pop(1))
    SANITIZED = b"asan" in subprocess.run(["ldd", KSCOPE], capture_output=True).stdout
    unittest.main(verbosity=1)
