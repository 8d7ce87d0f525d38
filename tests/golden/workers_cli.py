#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A signal to kscope leaves no process and no temporary file behind: workers_cli.py KSCOPE INJECT_LIBRARY. Python,
kscope-torch and the recorded program are scripts that sleep."""

import faulthandler
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

KSCOPE, INJECT = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
INPUTS = "Operator: aten.add.Tensor\ncnt: 1, ((T([2, 2], f32), T([2, 2], f32)), {})\n"
# Says its number and that of a child of its own, and sleeps. The child says its own: before it is another program, a
# signal may be lost in its parent's trap.
SLEEPER = """#!/bin/sh
{trap}
echo '{{"event": "started"}}'
sh -c 'echo $$ > "{folder}/inner"; exec sleep 300' &
while [ ! -s '{folder}/inner' ]; do sleep 0.01; done
echo $$ > '{folder}/outer'
wait
sleep 300
"""


def is_running(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def within(seconds, condition):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


class Workers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        (self.folder / "output_code.py").write_text("")
        (self.folder / "inputs.txt").write_text(INPUTS)

    def script(self, trap=""):
        path = self.folder / "sleeper"
        path.write_text(SLEEPER.format(trap=trap, folder=self.folder))
        path.chmod(0o755)
        return str(path)

    def number(self, name):
        path = self.folder / name
        return int(path.read_text()) if path.exists() and path.read_text().strip() else 0

    def stopped(self, number, *arguments, **environment):
        """Sends the signal once the script runs; gives exit code, standard error and the seconds it took to end."""
        for name in ("inner", "outer"):
            (self.folder / name).unlink(missing_ok=True)
        run = subprocess.Popen([KSCOPE, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "TMPDIR": str(self.temporary), "KINETOSCOPE_INJECT": INJECT,
                                    "KINETOSCOPE_RESULTS": str(self.folder / "results"), **environment})
        self.assertTrue(within(20, lambda: self.number("outer")), "the script does not start")
        begin = time.monotonic()
        run.send_signal(number)
        if not within(20, lambda: run.poll() is not None):
            run.kill()
            self.fail("kscope does not end")
        took = time.monotonic() - begin
        for name in ("inner", "outer"):
            self.addCleanup(self.end, self.number(name))
        run.stdout.close()
        with run.stderr:
            # What the script has started may live on with it.
            error = run.stderr.read() if number != signal.SIGKILL else ""
        return run.returncode, error, took

    @staticmethod
    def end(process):
        if is_running(process):
            os.kill(process, signal.SIGKILL)

    def nothing_is_left(self, *arguments, trap="", **environment):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(arguments=arguments, signal=number, trap=trap):
                code, error, took = self.stopped(number, *arguments, **environment)
                self.assertEqual((code, error.splitlines()[-1:]), (130, ["kscope: cancelled"]))
                self.assertLess(took, 5)
                for name in ("inner", "outer"):
                    self.assertTrue(within(5, lambda n=name: not is_running(self.number(n))), name)
                self.assertEqual(os.listdir(self.temporary), [])

    def test_bench_module(self):
        for task in ([], ["-p", "-o", "trace.json"]):
            self.nothing_is_left("bench", "module", *task, "--python", self.script(), "output_code.py")
        self.assertFalse((self.folder / "trace.json").exists())

    def test_bench_module_that_does_not_want_to_end(self):
        trap = "trap '' TERM INT HUP"
        for task in ([], ["-p", "-o", "trace.json"]):
            self.nothing_is_left("bench", "module", *task, "--python", self.script(trap), "output_code.py", trap=trap)

    def test_bench_operators_and_modules(self):
        torch = {"KINETOSCOPE_TORCH": self.script()}
        self.nothing_is_left("bench", "operators", "--inp-file", "inputs.txt", "--device", "cpu", **torch)
        self.nothing_is_left("bench", "modules", "--rnns", "aten", "--group", "rnns", "--device", "cpu", **torch)

    def test_a_worker_dies_with_kscope(self):
        for arguments in (("bench", "module", "--python", self.script(), "output_code.py"),
                          ("bench", "module", "-p", "--python", self.script(), "output_code.py"),
                          ("bench", "modules", "--rnns", "aten", "--group", "rnns", "--device", "cpu")):
            with self.subTest(arguments=arguments):
                self.stopped(signal.SIGKILL, *arguments, KINETOSCOPE_TORCH=self.script())
                self.assertTrue(within(5, lambda: not is_running(self.number("outer"))))

    def test_what_the_parent_ignores_stays_ignored(self):
        script = self.folder / "nohup.sh"
        script.write_text(f"trap '' HUP; exec '{KSCOPE}' bench module --python '{self.script()}' output_code.py")
        run = subprocess.Popen(["sh", script], cwd=self.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               env={**os.environ, "TMPDIR": str(self.temporary)})
        self.assertTrue(within(20, lambda: self.number("outer")))
        run.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        self.assertIsNone(run.poll())
        self.addCleanup(self.end, self.number("inner"))
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(20), 130)
        self.assertFalse(is_running(self.number("inner")))

    # The program is the person's: it gets the signal and decides, and the exit code is its own.
    def test_record(self):
        program = self.script("trap 'kill $(cat inner); exit 3' TERM INT HUP")
        for output in ("folder", "trace.json"):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(output=output, signal=number):
                    code, error, _ = self.stopped(number, "record", "-o", output, "--", program)
                    self.assertEqual(code, 3, error)
                    self.assertTrue(within(5, lambda: not is_running(self.number("inner"))))
                    self.assertEqual(os.listdir(self.temporary), [])
                    left = sorted(os.listdir(self.folder))
                    self.assertEqual([name for name in left if name.startswith(output)], [])
        code, error, _ = self.stopped(signal.SIGTERM, "record", "-o", "folder", "--", "sh", "-c",
                                      "echo $$ > inner; cp inner outer; exec sleep 300")
        self.assertEqual(code, 128 + signal.SIGTERM, error)

    def test_recordings_that_begin_in_one_second(self):
        runs = [subprocess.Popen([KSCOPE, "record", "--", "sh", "-c", "until [ -e go ]; do sleep 0.02; done"], cwd=self.folder,
                                 stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                 env={**os.environ, "KINETOSCOPE_INJECT": INJECT}) for _ in range(4)]
        started = within(20, lambda: len(list(self.folder.glob("kscope-*/*"))) == 4 or any(run.poll() is not None for run in runs))
        (self.folder / "go").touch()
        errors = [run.communicate(timeout=20)[1] for run in runs]
        self.assertEqual([run.returncode for run in runs], [0] * 4, errors)
        self.assertTrue(started, errors)
        self.assertEqual(list(self.folder.glob("kscope-*")), [])


if __name__ == "__main__":
    faulthandler.dump_traceback_later(240)  # whoever waits forever says where
    unittest.main(verbosity=2)
