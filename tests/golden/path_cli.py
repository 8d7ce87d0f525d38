# SPDX-License-Identifier: Apache-2.0
"""kscope path on programs whose dependencies are known: usage path_cli.py KSCOPE [SHARED]. The paths are the true ones and
what-ifs equal the maker's own run of the changed program; real and hostile traces replay to their own length."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

import make_paths
from make_paths import FAMILIES, Program

KSCOPE = pathlib.Path(sys.argv[1]).resolve()
SHARED = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
PROGRAMS, STEPS = 10, 100

THREADS = ("cpu", "launch", "synchronization")
# What a what-if changes, and by what.
CHANGES = {
    "kernel:/softmax/=0": lambda node: 0 if "softmax" in getattr(node, "full_name", "") else 1,
    "family:gemm=0.5": lambda node: 0.5 if node.name == FAMILIES["nvjet_hsh_128x64"] and node.kind == "kernel" else 1,
    "operator:/aten::linear/=0.5": lambda node: 0.5 if node.operator == "aten::linear" else 1,
    "host=0": lambda node: 0 if node.kind in THREADS else 1,
    "host=0.5": lambda node: 0.5 if node.kind in THREADS else 1,
    "launch=0": lambda node: 0 if node.kind == "launch" else 1,
    "copy=4": lambda node: 4 if node.kind == "copy" else 1,
}


def run(*arguments, code=0):
    done = subprocess.run([KSCOPE, "path", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done


def paths(*arguments):
    return json.loads(run("--json", *arguments).stdout)["steps"]


def what_ifs(changes):
    return [word for change in changes for word in ("--what-if", change)]


class Paths(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def sums_up(self, steps):
        for step in steps:
            self.assertEqual(sum(part["ns"] for part in step["parts"]), step["length_ns"], step["number"])
            self.assertEqual(step["replayed_ns"], step["length_ns"])
            self.assertTrue(0 <= step["inferred"] <= 1)
            self.assertEqual(set(step), {"number", "length_ns", "replayed_ns", "inferred", "parts", "what_if"})
            for changed in step["what_if"]:
                self.assertEqual(sum(part["ns"] for part in changed["parts"]), changed["length_ns"], changed["change"])

    def made(self, seed, told=True):
        program = Program(seed, told)
        program.calibrate()
        for number in range(1, STEPS + 1):
            program.random_step(number)
        path = self.folder / f"program{seed}.json"
        make_paths.write(program, path)
        return program, path

    def test_random_programs(self):
        for seed in range(PROGRAMS):
            program, path = self.made(seed)
            steps = paths(path, *what_ifs(CHANGES))
            self.sums_up(steps)
            self.assertEqual(len(steps), STEPS + 1)
            for truth, step in zip(program.steps, steps):
                with self.subTest(seed=seed, step=truth["number"]):
                    self.assertEqual(step["length_ns"], truth["end"] - truth["begin"])
                    self.assertEqual({(p["kind"], p["name"]): p["ns"] for p in step["parts"]},
                                     make_paths.critical_path(truth))
                    for (change, scale), answer in zip(CHANGES.items(), step["what_if"]):
                        self.assertEqual((change, answer["length_ns"]),
                                         (change, make_paths.replay(program.nodes, truth, scale)))

    def test_a_full_launch_queue_is_waited_for(self):
        changes = {change: CHANGES[change] for change in ("host=0.5", "family:gemm=0.5")}
        changes["kernel:/./=0.25"] = lambda node: 0.25 if node.kind == "kernel" else 1
        for seed in range(3):
            program = Program(seed)
            program.step(0, [lambda: program.fill_queue(300), program.synchronise])
            path = self.folder / f"queue{seed}.json"
            make_paths.write(program, path)
            step, = paths(path, *what_ifs(changes))
            self.sums_up([step])
            for (change, scale), answer in zip(changes.items(), step["what_if"]):
                self.assertEqual((change, answer["length_ns"]),
                                 (change, make_paths.replay(program.nodes, program.steps[0], scale)))

    def test_processes_of_one_file_have_their_own_steps(self):
        # Steps of two processes, side by side and of one number; the GPU's work ends them.
        events = []
        for pid, gpu in ((1, 0), (2, 1)):
            for step in range(3):
                begin = 100 * step + 10 * pid
                events += [{"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": pid, "tid": pid,
                            "ts": begin, "dur": 60},
                           {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": pid, "tid": pid,
                            "ts": begin + 40, "dur": 5, "args": {"correlation": 10 * pid + step}},
                           {"ph": "X", "cat": "kernel", "name": "k", "pid": gpu, "tid": 7, "ts": begin + 50, "dur": 40,
                            "args": {"correlation": 10 * pid + step, "device": gpu, "stream": 7}}]
        path = self.folder / "processes.json"
        path.write_text(json.dumps({"traceEvents": events}))
        steps = paths(path, "--what-if", "kernel:k=0.5")
        self.sums_up(steps)
        self.assertEqual([step["length_ns"] for step in steps], [90_000] * 6)
        self.assertEqual([step["what_if"][0]["length_ns"] for step in steps], [70_000] * 6)

    def overlapping(self, second):
        """Two threads of a process with a step and a launch each; the second begins at that time."""
        events = []
        for tid, begin in ((1, 0), (2, second)):
            events += [{"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{tid}", "pid": 9, "tid": tid,
                        "ts": begin, "dur": 60},
                       {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": tid,
                        "ts": begin + 40, "dur": 5, "args": {"correlation": tid}},
                       {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": tid, "ts": begin + 50, "dur": 40,
                        "args": {"correlation": tid, "device": 0, "stream": tid}}]
        path = self.folder / "overlapping.json"
        path.write_text(json.dumps({"traceEvents": events}))
        return path

    def test_steps_that_share_operations_say_so(self):
        path = self.overlapping(second=10)
        steps = paths(path)
        self.sums_up(steps)
        # Both launches are inside of both steps, which the later kernel ends.
        self.assertEqual([step["length_ns"] for step in steps], [100_000, 90_000])
        self.assertIn("overlap: 2 GPU operations", " ".join(run(path).stdout.split()))
        apart = self.overlapping(second=100)
        self.assertEqual([step["length_ns"] for step in paths(apart)], [90_000] * 2)
        self.assertNotIn("overlap", run(apart).stdout)

    def test_what_a_trace_does_not_tell_is_inferred(self):
        program, path = self.made(1, told=False)
        steps = paths(path)
        self.sums_up(steps)
        # Whether it was told or had to be inferred, it is the same path but for rare coincidences.
        same = [step for truth, step in zip(program.steps, steps)
                if {(p["kind"], p["name"]): p["ns"] for p in step["parts"]} == make_paths.critical_path(truth)]
        self.assertGreater(len(same), 0.8 * len(steps))
        self.assertTrue(any(step["inferred"] > 0.05 for step in steps))
        told = paths(self.made(1)[1])
        # Threads that load are inferred in both.
        self.assertLess(sum(step["inferred"] for step in told), 0.7 * sum(step["inferred"] for step in steps))

    def test_two_ranks(self):
        changes = {"comm=0.5": lambda node: 0.5 if node.kind == "communication" else 1, "host=0": CHANGES["host=0"],
                   "kernel:/softmax/=0": CHANGES["kernel:/softmax/=0"]}
        for seed in range(3):
            ranks = make_paths.make_job(seed, 20)
            folder = self.folder / f"job{seed}"
            folder.mkdir()
            for rank, program in enumerate(ranks):
                make_paths.write(program, folder / f"rank{rank}.json", clock=rank * 123_456_000,
                                 distributedInfo={"rank": rank, "world_size": 2})
            steps = paths(folder, *what_ifs(changes))
            self.sums_up(steps)
            crossed = 0
            for truths, step in zip(zip(*(program.steps for program in ranks)), steps):
                truth = max(truths, key=lambda one: one["end"])
                with self.subTest(seed=seed, step=truth["number"]):
                    self.assertEqual(step["length_ns"], truth["end"] - truth["begin"])
                    crossed += len({p["name"].split(": ")[0] for p in step["parts"]}) > 1
                    # Ranks come together to collectives that follow each other: either is the true one.
                    parts = {}
                    for part in step["parts"]:
                        key = part["kind"], part["name"].split(": ", 1)[1]
                        parts[key] = parts.get(key, 0) + part["ns"]
                    self.assertEqual(parts, make_paths.critical_path(truth))
                    for (change, scale), answer in zip(changes.items(), step["what_if"]):
                        self.assertEqual((change, answer["length_ns"]),
                                         (change, make_paths.replay(ranks[0].nodes, truth, scale)))
            self.assertGreater(crossed, 0)

    def test_only_the_rest_of_what_was_going_on_is_changed(self):
        # The thread that launches the step's kernel has been in aten::a since long before the step, and then as long in aten::b.
        def event(category, name, tid, begin, duration, pid=9, **args):
            return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": begin, "dur": duration, "args": args}
        events = [event("user_annotation", "ProfilerStep#1", 1, 500, 300), event("cpu_op", "aten::a", 2, 10, 590),
                  event("cpu_op", "aten::b", 2, 600, 100)]
        for correlation, begin in ((1, 0), (2, 700)):
            events += [event("cuda_runtime", "cudaLaunchKernel", 2, begin, 5, correlation=correlation),
                       event("kernel", "k", 7, begin + 10, 200, 0, correlation=correlation, device=0, stream=7)]
        path = self.folder / "open.json"
        path.write_text(json.dumps({"traceEvents": events}))
        step, = paths(path, "--what-if", "host=0.5")
        self.sums_up([step])
        for parts, ns in ((step["parts"], 100_000), (step["what_if"][0]["parts"], 50_000)):
            self.assertEqual({part["name"]: part["ns"] for part in parts if part["kind"] == "cpu"},
                             {"aten::a": ns, "aten::b": ns})

    def test_several_changes_are_one_more(self):
        program, path = self.made(2)
        steps = paths(path, "--step", 7, *what_ifs(["host=0", "kernel:/softmax/=0"]))
        self.assertEqual([step["number"] for step in steps], [7])
        answers = steps[0]["what_if"]
        self.assertEqual([one["change"] for one in answers], ["host=0", "kernel:/softmax/=0",
                                                              "host=0 + kernel:/softmax/=0"])
        both = make_paths.replay(program.nodes, program.steps[7],
                                 lambda node: CHANGES["host=0"](node) * CHANGES["kernel:/softmax/=0"](node))
        self.assertEqual(answers[2]["length_ns"], both)

    def test_waiting_can_be_changed(self):
        # 50 us of a kernel that the host waits for: without waiting the step ends with what launches nothing.
        program = Program(3)
        program.step(0, [lambda: program.launch(7, duration=50 * make_paths.US), program.synchronise])
        path = self.folder / "wait.json"
        make_paths.write(program, path)
        step = paths(path, "--what-if", "wait=0")[0]
        ended = program.launched[0].end - program.steps[0]["begin"]
        self.assertEqual(step["what_if"][0]["length_ns"], ended)

    def test_real_traces(self):
        found = sorted((DATA / "traces").glob("*.json.gz"))
        if SHARED and SHARED.is_dir():
            found += [f for part in ("traces", "ranks", "graphs", "flops") for f in (SHARED / part).glob("*.json.gz")]
            found += [f for form in ("nsys/*.sqlite*", "jax/vm.*", "proton/*") for f in (SHARED / "other_tools").glob(form)]
            found += [SHARED / "ranks/ddp_recorded"]
        self.assertGreater(len(found), 3)
        for path in found:
            with self.subTest(path=path.name):
                self.sums_up(paths(path, *what_ifs(["host=0.5", "kernel:/./=0.5", "comm=0.5", "wait=0", "roof"])))

    def test_hostile_traces(self):
        def call(**more):
            return dict({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1}, **more)

        def kernel(**more):
            return dict({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7}, **more)
        late = [kernel(ts=1, dur=3, args={"correlation": 5, "device": 0, "stream": 7}),
                call(ts=90, dur=1, args={"correlation": 5}),
                call(name="cudaDeviceSynchronize", ts=2, dur=0, args={"correlation": 6})]
        steps = [{"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{n}", "pid": 1, "tid": 1,
                  "ts": n, "dur": 1000} for n in range(300)]
        many = [call(ts=n, dur=0.5, args={"correlation": n}) for n in range(3000)]
        circle = [event for n in (1, 2) for event in (
            call(ts=n, dur=1, args={"correlation": n}),
            kernel(ts=5, dur=9, tid=n, args={"correlation": n, "device": 0, "stream": n}),
            call(name="cudaStreamWaitEvent", ts=0, dur=0, args={"correlation": 10 + n}),
            call(name="cudaEventRecord", ts=4, dur=0, args={"correlation": 20 + n}),
            {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": n, "ts": 4, "dur": 0,
             "args": {"cuda_sync_kind": "Stream Wait Event", "stream": n, "wait_on_stream": 3 - n,
                      "correlation": 10 + n, "wait_on_cuda_event_record_corr_id": 20 + 3 - n}})]
        huge = [call(ts=t, dur=9e15, args={"correlation": c}) for c, t in ((1, -4e15), (2, 0))] + [
            kernel(ts=-9e15, dur=9e15, args={"correlation": 1, "stream": 7}),
            kernel(ts=8e15, dur=9e15, args={"correlation": 2, "stream": 7})]
        instants = [{"ph": "i", "name": "mark", "pid": 1, "tid": 1, "ts": 5, "s": "t"}]
        for name, events in {"late": late, "circle": circle, "huge": huge, "instants": instants,
                             "steps": steps[:3] + late, "kernel alone": [kernel(ts=1, dur=2)]}.items():
            with self.subTest(name):
                path = self.folder / "hostile.json"
                path.write_text(json.dumps({"traceEvents": events}))
                self.sums_up(paths(path, *what_ifs(["host=0", "wait=0", "kernel:k=1000", "roof"])))
                for form in ("--csv", "--markdown"):
                    run(form, path)
        # Steps that all overlap each other are refused instead of looked at for hours.
        path.write_text(json.dumps({"traceEvents": steps + many + [
            kernel(ts=n, dur=1, args={"correlation": n, "stream": 7}) for n in range(3000)]}))
        self.assertIn("overlapping steps", run(path, code=2).stderr)

    def test_a_change_of_nothing_says_so(self):
        path = self.folder / "kernel.json"
        program = Program(5)
        program.step(0, [lambda: program.launch(7, duration=50 * make_paths.US), program.synchronise])
        make_paths.write(program, path)
        changes = ["kernel:/no_such_kernel/=0", "comm=0", "operator:nothing=0", "kernel:/./=0"]
        answers = paths(path, *what_ifs(changes))[0]["what_if"]
        self.assertEqual([answer["matches"] for answer in answers], [False, False, False, True, True])
        self.assertIn("matches nothing in this step", run(path, "--what-if", "comm=0").stdout)
        self.assertIn("all together", run(path, *what_ifs(changes)).stdout)

    def test_kinds_are_whole_words(self):
        data = DATA / "traces" / "ddp_gpt_rank0.json.gz"
        text = subprocess.run([KSCOPE, "path", data], capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, COLUMNS="80")).stdout
        self.assertIn("  synchronisation  ", text)
        self.assertNotIn("sync…", text)

    def hand_made(self, events):
        path = self.folder / "hand.json"
        path.write_text(json.dumps({"traceEvents": [
            {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args}
            for cat, name, pid, tid, ts, dur, args in events]}))
        return path

    def test_calls_across_the_end_of_a_step(self):
        step = ("user_annotation", "ProfilerStep#0", 1, 1, 1000, 20, {})
        launch = ("cuda_runtime", "cudaLaunchKernel", 1, 1, 980, 1, {"correlation": 2})
        kernels = {end: ("kernel", "k", 0, 7, 985, end - 985, {"device": 0, "stream": 7, "correlation": 2})
                   for end in (986, 1010, 1040)}
        for end, parts in ((986, {"synchronization": 20_000}), (1010, {"kernel": 10_000, "synchronization": 10_000}),
                           (1040, {"gap": 20_000})):
            for again in range(2):  # the call may go on across several steps
                steps = [step, (*step[:4], 1025, 5, {})][:again + 1]
                wait = ("cuda_runtime", "cudaDeviceSynchronize", 1, 1, 990, 60, {"correlation": 1})
                found = paths(self.hand_made([*steps, wait, launch, kernels[end]]))
                self.sums_up(found)
                self.assertEqual({part["kind"]: part["ns"] for part in found[0]["parts"]}, parts, end)
        # A launch that goes on, and a shorter one inside of it.
        for inside in ([], [("cuda_driver", "cuLaunchKernel", 1, 1, 1005, 40, {"correlation": 3}),
                            ("kernel", "k", 0, 7, 1060, 5, {"device": 0, "stream": 7, "correlation": 3})]):
            call = ("cuda_runtime", "cudaLaunchKernel", 1, 1, 990, 60, {"correlation": 1})
            kernel = ("kernel", "k", 0, 7, 1055, 5, {"device": 0, "stream": 7, "correlation": 1})
            found = paths(self.hand_made([step, call, kernel, *inside]))
            self.sums_up(found)
            self.assertGreaterEqual(found[0]["length_ns"], 20_000)

    def test_many_overlapping_steps_end_at_once(self):
        number = 16_000
        path = self.hand_made([event for i in range(number) for event in (
            ("user_annotation", f"ProfilerStep#{i}", 1, 1, 1000, 10 * number, {}),
            ("cuda_runtime", "cudaLaunchKernel", 1, 1, 1000 + 10 * i, 1, {"correlation": i}),
            ("kernel", "k", 0, 7, 1002 + 10 * i, 1, {"device": 0, "stream": 7, "correlation": i}))])
        with subprocess.Popen([KSCOPE, "path", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as running:
            message = running.stderr.read()
            _, status, usage = os.wait4(running.pid, 0)
            running.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(running.returncode, 2, message)
        self.assertIn("hand.json': has too many overlapping steps to follow each", message)
        self.assertLess(usage.ru_maxrss, 700_000)  # KiB; each pair of a launch and a step kept: 1 GiB

    def test_time_grows_with_the_gpus(self):
        def seconds(gpus):
            path = self.hand_made([event for i in range(gpus) for event in (
                ("cuda_runtime", "cudaLaunchKernel", 1, 1, 1000 + 10 * i, 1, {"correlation": i}),
                ("kernel", "k", i, 7, 1002 + 10 * i, 1, {"device": i, "stream": 7, "correlation": i}))])
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            run(path)
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

        self.assertLess(seconds(40_000), 8 * seconds(10_000))  # four times as many

    def test_messages(self):
        _, path = self.made(4)
        for change in ("host", "host=", "host=-1", "host=nan", "host=1001", "kernel=0", "kernel:=0", "host:x=1",
                       "kernel:/(/=0", "roof=1", "gpu=0", ""):
            with self.subTest(change):
                message = run("--what-if", change, path, code=2).stderr
                self.assertIn("is not a what-if", message)
        self.assertIn("has no step 999; its steps are 0 to 100", run("--step", 999, path, code=2).stderr)
        self.assertIn("no trace given", run(code=2).stderr)
        text = run(path, "--step", 3, "--what-if", "host=0").stdout
        for words in ("Critical path", "Step 3: ", "What if, step 3", "is inferred"):
            self.assertIn(words, text)
        rows = run(path, "--step", 3, "--csv").stdout.splitlines()
        self.assertEqual(rows[0], "step,what_if,kind,name,ns,count")
        self.assertEqual(sum(int(row.split(",")[-2]) for row in rows[1:]), paths(path, "--step", 3)[0]["length_ns"])


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[3:]
    unittest.main()
