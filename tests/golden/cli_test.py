# SPDX-License-Identifier: Apache-2.0
"""Runs kscope as a shell does: every option, every error line, every exit code.

usage: cli_test.py KSCOPE [unittest options]
"""
import csv
import gzip
import io
import json
import os
import pathlib
import pickle
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

KSCOPE = ""
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def shared_traces():
    """Recorded traces beside the repository, where there are any."""
    return sorted((SOURCE.parent / "shared" / "traces").glob("*.json.gz"))


def kscope(*arguments, columns="100", **options):
    environment = {**os.environ, "COLUMNS": columns, "NO_COLOR": ""}
    return subprocess.run([KSCOPE, *map(str, arguments)], capture_output=True, env=environment,
                          timeout=60, **options)


def slice_(name, cat, pid, tid, ts, dur, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur,
            "args": args}


def sample_events():
    """Two steps of 100 µs; GPU 0 works 30 µs in each, in two overlapping kernels and a copy."""
    events = [{"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "ts": 0,
               "args": {"labels": "GPU 0"}}]
    correlation = 0
    for step in range(2):
        base = 100 * step
        events.append(slice_(f"ProfilerStep#{step}", "user_annotation", 9, 9, base, 90))
        for name, cat, start, dur, stream in (
                ("nvjet_hsh_64x8", "kernel", 10, 20, 7),
                ("triton_poi_fused_add_0", "kernel", 20, 15, 8),
                ("Memcpy HtoD (Pageable -> Device)", "gpu_memcpy", 50, 5, 7)):
            correlation += 1
            events.append(slice_("cudaLaunchKernel", "cuda_runtime", 9, 9, base + start - 5, 3,
                                 correlation=correlation))
            events.append(slice_(name, cat, 0, stream, base + start, dur, device=0, stream=stream,
                                 correlation=correlation))
            events.append({"ph": "s", "id": correlation, "pid": 9, "tid": 9, "cat": "ac2g",
                           "ts": base + start - 5, "name": "ac2g"})
            events.append({"ph": "f", "id": correlation, "pid": 0, "tid": stream, "cat": "ac2g",
                           "ts": base + start, "name": "ac2g", "bp": "e"})
    return events


class CliTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.trace = self.write("trace.json", {"schemaVersion": 1, "traceEvents": sample_events()})

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def good(self, *arguments, **options):
        done = kscope(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""))
        return done.stdout.decode()

    def report(self, *arguments):
        return json.loads(self.good("report", "--json", *arguments))

    def fails(self, code, line, *arguments, **options):
        """One line on standard error that begins with "kscope: ", nothing on standard output."""
        done = kscope(*arguments, **options)
        error = done.stderr.decode()
        self.assertEqual(done.returncode, code, error)
        self.assertRegex(error, r"\Akscope: [^\n]+\n\Z")
        self.assertIn(line, error)
        self.assertEqual(done.stdout, b"")


class GeneralTest(CliTest):
    def test_sentences_of_the_import_log_are_whole(self):
        tree = [{"frame": {"name": "ROOT", "type": "function"}, "metrics": {"count": 0, "time (ns)": 0}, "children": [
            {"frame": {"name": "mm", "type": "function"}, "children": [],
             "metrics": {"count": 5, "time (ns)": 500, "device_id": "0", "device_type": "CUDA"}}]}, {"CUDA": {}}]
        text = self.good("report", self.write("tree.hatchet", tree), columns="80")
        self.assertIn("no_times: the tree has sums and no times: operations stand one after another,\n"
                      "  each as long as the mean; busy, idle and order say nothing\n", text)

    def test_version_and_help_exit_good(self):
        self.assertRegex(self.good("--version"), r"\Akscope \d+\.\d+\.\d+\ncommit \w+\nbuilt by .+\noptions .+\n\Z")
        self.assertIn("report", self.good("--help"))
        for command in ("report", "cut", "ranks", "memory", "path"):
            text = self.good(command, "--help")
            self.assertIn("usage: kscope " + command, text)
            self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_help_that_cannot_be_printed(self):
        for words in (["--help"], ["--version"], ["report", "--help"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([KSCOPE, *words], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"\Akscope: .*standard output.*\n\Z")

    def test_commands_and_options_that_do_not_exist(self):
        self.fails(2, "the commands are report, cut")
        self.fails(2, "unknown command 'reprot'", "reprot", self.trace)
        self.fails(2, "unknown option --bogus", "--bogus")
        self.fails(2, "unknown option --bogus", "report", "--bogus", self.trace)
        self.fails(2, "unexpected argument 'more'", "cut", self.trace, "more")
        for command, *files in (("bench kernels", "x"), ("bench module", "x.py"), ("bench modules", "x.pt"),
                                ("bench operators",), ("results list",), ("metrics show", "x"),
                                ("metrics kernels", "x"), ("convert", "x"), ("cut", "x"), ("compare", "x", "y")):
            self.fails(2, f"unknown option --bogus; kscope {command} --help", *command.split(), "--bogus", *files)

    def test_wrong_values(self):
        for line, *options in (("--top", "--top", "x"), ("--top", "--top", "-1"),
                               ("--top", "--top"), ("--runs", "--runs", "0"),
                               ("--runs", "--runs", "-3"), ("--wall-ms", "--wall-ms", "0"),
                               ("--wall-ms", "--wall-ms", "nan"),
                               ("--wall-ms", "--wall-ms", "0x1p3"),
                               ("--wall-ms", "--wall-ms", "1e400"),
                               ("--wall-ms", "--wall-ms", "-2"),
                               ("--group: 'colour' is not one of inductor, family", "--group", "colour"),
                               ('window "noon"', "--window", "noon"),
                               ("step", "--window", "step:7"),
                               ("exclude", "--json", "--csv"),
                               ("exclude", "--compat", "--tabulate"),
                               ("--compat", "--compat", "--csv"),
                               ("--tabulate", "--tabulate", "--markdown"),
                               ("excludes --compat", "--compat", "--window", "trace"),
                               ("excludes --tabulate", "--tabulate", "--window", "trace"),
                               ("excludes --compat", "--compat", "--group", "stream"),
                               ("excludes --compat", "--compat", "--gaps", "3"),
                               ("--gaps excludes --folded", "--folded", "gpu", "--gaps", "3"),
                               ("--csv excludes --gaps", "--csv", "--gaps", "3"),
                               ("--markdown excludes --gaps", "--markdown", "--gaps", "3"),
                               ("before the first event", "--window", "-2us..-1us"),
                               ("at least 1 ns", "--window", "1.5ns..2.5ns"),
                               ("--explain", "--explain", "busy", "--json")):
            with self.subTest(options=options):
                self.fails(2, line, "report", self.trace, *options)

    def test_files_that_cannot_be_read(self):
        self.fails(2, "no trace given", "report")
        self.fails(2, "does not exist", "report", self.folder / "missing.json")
        self.fails(2, "is a directory", "report", self.folder)
        self.fails(2, "empty.json", "report", self.write("empty.json", ""))
        self.fails(2, "other.json", "report", self.write("other.json", {"a": 1}))
        snapshot = self.folder / "snapshot.pickle"
        snapshot.write_bytes(pickle.dumps({"segments": []}))
        self.fails(2, "opened by kscope memory", "report", snapshot)

    def test_control_characters_of_a_file_name_stay_out_of_errors(self):
        self.fails(2, "\\x1b[31m", "report", self.folder / "a\x1b[31m\nb.json")

    def test_full_disk_is_an_output_failure(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([KSCOPE, "report", self.trace], stdout=full,
                                  stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.decode(), "kscope: cannot write to standard output: "
                                               "No space left on device\n")
        self.fails(1, "'/dev/full': cannot be written: No space left", "report", self.trace, "-o",
                   "/dev/full")

    def test_a_reader_that_goes_away_is_no_error(self):
        big = [slice_(f"kernel_{i}", "kernel", 0, 7, i, 1, stream=7) for i in range(4000)]
        path = self.write("big.json", {"traceEvents": big})
        for ignored in (False, True):
            handler = signal.SIG_IGN if ignored else signal.SIG_DFL
            run = subprocess.Popen([KSCOPE, "report", "--json", path], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE,
                                   preexec_fn=lambda h=handler: signal.signal(signal.SIGPIPE, h))
            self.assertEqual(run.stdout.read(1), b"{")
            run.stdout.close()
            self.assertEqual(run.stderr.read(), b"")
            run.stderr.close()
            self.assertEqual(run.wait(60), -signal.SIGPIPE)

    def test_ctrl_c_ends_a_load_at_once(self):
        fifo = self.folder / "big.json"
        with open(fifo, "w") as file:
            file.write('{"traceEvents": [')
            one = json.dumps(slice_("kernel", "kernel", 0, 7, 1, 1, stream=7)) + ",\n"
            for _ in range(60):
                file.write(one * 10_000)
            file.write("{}]}")
        run = subprocess.Popen([KSCOPE, "report", fifo], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        time.sleep(0.03)
        begin = time.monotonic()
        run.send_signal(signal.SIGINT)
        output, error = run.communicate(timeout=60)
        # Either the load was under way, or the signal met the program before or after it.
        if run.returncode == 130:
            self.assertEqual((output, error), (b"", b"kscope: cancelled\n"))
            self.assertLess(time.monotonic() - begin, 2)
        else:
            self.assertEqual(run.returncode, -signal.SIGINT)


class ReportTest(CliTest):
    def test_figures_of_a_trace_computed_by_hand(self):
        report = self.report(self.trace)
        self.assertEqual(report["schema"], "kinetoscope.report/1")
        self.assertEqual(report["file"], str(self.trace))
        (gpu,) = report["gpus"]
        # From 10 to 155 µs; in each step 10..35 by kernels and 50..55 by a copy.
        self.assertEqual(gpu["window_ns"], 145_000)
        self.assertEqual(gpu["busy_ns"], 60_000)
        self.assertEqual(gpu["kernel_busy_ns"], 50_000)
        self.assertEqual(gpu["kernel_time_sum_ns"], 70_000)
        self.assertEqual(gpu["mm_conv_ns"], 40_000)
        self.assertEqual(gpu["breakdown"], {"compute_ns": 50_000, "exposed_comm_ns": 0,
                                            "exposed_copy_ns": 10_000, "idle_ns": 85_000})
        self.assertEqual(gpu["operations"], {"kernel": 4, "memcpy": 2, "memset": 0})
        self.assertEqual([s["name"] for s in report["steps"]],
                         ["ProfilerStep#0", "ProfilerStep#1"])
        self.assertEqual(report["import"], {"events": 27, "skipped": 0, "warnings": []})
        self.assertIsInstance(gpu["busy_ns"], int)
        self.assertNotIn("timing", report)

    def test_every_name_of_the_schema_is_there(self):
        report = self.report(self.trace)
        self.assertLessEqual({"schema", "file", "run", "window", "gpus", "group", "categories",
                              "kernels", "steps", "compat", "import"}, set(report))
        self.assertLessEqual({"gpu", "name", "window_ns", "busy_ns", "kernel_busy_ns",
                              "kernel_time_sum_ns", "mm_conv_ns", "mm_conv_by", "breakdown",
                              "operations", "idle", "idle_gaps", "streams", "launches"}, set(report["gpus"][0]))
        self.assertEqual(sum(report["gpus"][0]["idle"].values()), report["gpus"][0]["breakdown"]["idle_ns"])
        self.assertEqual({"operator_ns", "name_ns", "layout_ns"},
                         set(report["gpus"][0]["mm_conv_by"]))
        self.assertLessEqual({"group", "name", "total_ns", "count", "percent_of_sum"},
                             set(report["categories"][0]))
        self.assertLessEqual({"gpu", "name", "short_name", "category", "family", "count",
                              "total_ns", "mean_ns", "median_ns", "min_ns", "max_ns", "std_ns",
                              "grid", "block", "registers", "shared_bytes", "occupancy",
                              "shapes"}, set(report["kernels"][0]))
        self.assertLessEqual({"name", "start_ns", "end_ns", "busy_ns"}, set(report["steps"][0]))
        self.assertLessEqual({"utilization", "mm_conv_utilization", "gpu_busy", "wall_ms",
                              "wall_measured", "runs", "categories", "tabulate_line"},
                             set(report["compat"]))

    def test_sql_without_a_statement_is_an_error(self):
        for sql in ("", "-- x", "/* x"):
            for option in ("--json", "--csv", "--markdown"):
                self.fails(2, "no statement", "query", option, self.trace, sql)

    def test_windows(self):
        for window, length, busy in (("gpu", 145_000, 60_000), ("trace", 190_000, 60_000),
                                     ("step:1", 90_000, 30_000), ("15..52", 37_000, 22_000),
                                     ("0.015ms..52000ns", 37_000, 22_000), ("-8us..52us", 60_000, 27_000)):
            with self.subTest(window=window):
                (gpu,) = self.report("--window", window, self.trace)["gpus"]
                self.assertEqual((gpu["window_ns"], gpu["busy_ns"]), (length, busy))

    def test_operators_of_a_window(self):
        for window, gpu in (("gpu", 80), ("step:1", 40)):
            with self.subTest(window=window):
                self.assertIn(f"Self CUDA time total: {gpu}.000us",
                              self.good("report", "--operators", "--window", window, self.trace))
        self.fails(2, "there is no step 9", "report", "--operators", "--window", "step:9", self.trace)

    def test_folded_stacks(self):
        launch = "ProfilerStep*;cudaLaunchKernel"
        gpu = [f"{launch};Memcpy HtoD (Pageable -> Device) 10000", f"{launch};nvjet_hsh_64x8 40000",
               f"{launch};triton_poi_fused_add_0 30000"]
        self.assertEqual(self.good("report", "--folded", "gpu", self.trace).splitlines(), gpu)
        self.assertEqual(self.good("report", "--folded", "cpu", self.trace).splitlines(),
                         ["ProfilerStep* 162000", f"{launch} 18000"])
        self.assertEqual(self.good("report", "--folded", "cpu", "--frames", "annotations", "--window",
                                   "15..52", self.trace), "ProfilerStep* 37000\n")
        # Of two that cross none lies in the other: the time of both counts twice.
        crossing = self.write("crossing.json", {"traceEvents": [
            slice_("one", "cpu_op", 1, 1, 0, 100), slice_("two", "cpu_op", 1, 1, 50, 100)]})
        self.assertEqual(self.good("report", "--folded", "cpu", "--window", "trace", crossing).splitlines(),
                         ["one 100000", "two 100000"])
        self.assertIn("Self CPU time total: 200.000us", self.good("report", "--operators", crossing))
        out = self.folder / "stacks"
        self.assertEqual(self.good("report", "--folded", "gpu", "-o", out, self.trace), "")
        self.assertEqual(out.read_text().splitlines(), gpu)
        self.fails(2, "there is no step 9", "report", "--folded", "gpu", "--window", "step:9", self.trace)
        self.fails(2, "trace.json", "report", "--folded", "gpu", "--window", "step:9", self.trace)
        self.fails(2, "a single trace", "report", "--folded", "gpu", self.trace, self.trace)
        for words in (("--folded", "tpu"), ("--frames", "python"), ("--folded", "gpu", "--json")):
            with self.subTest(words=words):
                self.assertEqual(kscope("report", *words, self.trace).returncode, 2)

    def test_without_a_group_the_kernels_decide(self):
        self.assertEqual(self.report(self.trace)["group"], "inductor")
        events = [dict(event, name=event["name"].replace("triton_poi_fused_add_0", "add_kernel"))
                  for event in sample_events()]
        eager = self.write("eager.json", {"traceEvents": events})
        report = self.report(eager)
        self.assertEqual((report["group"], {row["name"] for row in report["categories"]}),
                         ("family", {"gemm", "elementwise", "copy"}))
        self.assertIn("GPU time by family", self.good("report", eager))
        chosen = self.report("--group", "inductor", eager)
        self.assertEqual([row["name"] for row in chosen["categories"]], ["unknown"])

    def test_groups(self):
        for group, names in (("inductor", {"unknown", "triton_pointwise"}),
                             ("stream", None), ("family", None), ("operator", None)):
            report = self.report("--group", group, self.trace)
            self.assertEqual(report["group"], group)
            self.assertTrue(report["categories"])
            if names:
                self.assertEqual({row["name"] for row in report["categories"]}, names)

    def test_top_limits_text_to_twenty_and_json_only_when_asked(self):
        events = [slice_(f"kernel_{i:02}", "kernel", 0, 7, 10 * i, 1, stream=7) for i in range(30)]
        path = self.write("many.json", {"traceEvents": events})
        rows = lambda text: len(re.findall(r"kernel_\d\d", text))
        self.assertEqual(rows(self.good("report", path)), 20)
        self.assertEqual(rows(self.good("report", "--top", 3, path)), 3)
        self.assertEqual(rows(self.good("report", "--top", 0, path)), 30)
        self.assertEqual(len(self.report(path)["kernels"]), 30)
        self.assertEqual(len(self.report("--top", 3, path)["kernels"]), 3)

    def test_text_keeps_to_the_width(self):
        name = "void a::b<" + "x::y<int>, " * 40 + "z>(int)"
        path = self.write("wide.json", {"traceEvents": [
            slice_(name, "kernel", 0, 7, 0, 1, stream=7),
            slice_(name + "2", "kernel", 0, 7, 2, 1, stream=7)]})
        for columns in (60, 80, 120, 200):
            text = self.good("report", path, columns=str(columns))
            self.assertLessEqual(max(map(len, text.splitlines())), columns)
        self.assertIn(name, self.good("report", "--full-names", path))

    def test_full_names_are_signatures(self):
        mangled = "_ZN2at6native4fillIfLi4EEEvPT_i"
        cut_off = "_ZN2ck6kernelIN2ck6tensor"
        path = self.write("mangled.json", {"traceEvents": [
            slice_(mangled, "kernel", 0, 7, 0, 1, stream=7), slice_(cut_off, "kernel", 0, 7, 2, 1, stream=7)]})
        for options in (["report"], ["report", "--markdown"], ["compare", path]):
            text = self.good(*options, "--full-names", path)
            self.assertIn("void at::native::fill<float, 4>(float*, int)", text)
            self.assertNotIn(mangled, text)
            self.assertIn(cut_off, text)
        self.assertIn(mangled, self.good("report", "--csv", path))

    def test_no_colour_outside_of_a_terminal(self):
        self.assertNotIn("\x1b", self.good("report", self.trace))

    def test_control_characters_of_names_never_reach_the_terminal(self):
        path = self.write("evil.json", {"traceEvents": [
            slice_("evil\x1b[2J\nname", "kernel", 0, 7, 0, 1, stream=7)]})
        for option in ([], ["--markdown"], ["--csv"], ["--full-names"], ["--compat"]):
            text = self.good("report", *option, path)
            self.assertNotIn("\x1b", text)
        self.assertEqual(self.report(path)["kernels"][0]["name"], "evil\x1b[2J\nname")

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.good("report", "--csv", self.trace))))
        self.assertEqual(rows[0]["name"], "nvjet_hsh_64x8")
        self.assertEqual(rows[0]["total_ns"], "40000")
        self.assertNotIn("file", rows[0])
        two = list(csv.DictReader(io.StringIO(
            self.good("report", "--csv", self.trace, self.trace))))
        self.assertEqual(len(two), 2 * len(rows))
        self.assertEqual(two[0]["file"], str(self.trace))

    def figures_as_in_json(self, path):
        """A GPU's figures of --csv, each of which must be what JSON has."""
        (gpu,) = self.report(path)["gpus"]
        rows = list(csv.DictReader(io.StringIO(self.good("report", "--csv", "--figures", path))))
        for row in rows:
            value = gpu
            for key in row["figure"].split("."):
                value = value[key]
            self.assertEqual(float(row["value"]) if row["value"] else None, value, row["figure"])
        return {row["figure"]: row["value"] for row in rows}

    def test_csv_has_the_figures_of_json(self):
        self.figures_as_in_json(self.trace)
        path = self.write("halves.json", {"traceEvents": [
            event for number, delay in enumerate((1.5, 2.501)) for event in (
                slice_("cudaLaunchKernel", "cuda_runtime", 1, 1, 20 * number, 1, correlation=number + 1),
                slice_("k", "kernel", 0, 7, 20 * number + 1 + delay, 7, stream=7, correlation=number + 1))]})
        figures = self.figures_as_in_json(path)
        self.assertEqual(figures["launches.median_delay_ns"], "2000.5")
        # Without a launch of its own no operation has a delay.
        path = self.write("graph.json", {"traceEvents": [
            slice_("cudaGraphLaunch", "cuda_runtime", 1, 1, 0, 1, correlation=1),
            *(slice_("k", "kernel", 0, 7, 5 * number, 2, stream=7, correlation=1) for number in (1, 2))]})
        figures = self.figures_as_in_json(path)
        self.assertEqual(figures["launches.graph_operations"], "2")
        self.assertEqual((figures["launches.median_delay_ns"], figures["launches.max_delay_ns"]), ("", ""))

    def test_markdown(self):
        text = self.good("report", "--markdown", self.trace)
        self.assertIn("## trace.json\n", text)
        self.assertIn("| GPU busy | 60.000 µs | 41.38 % |", text)

    def test_several_files_are_an_array(self):
        reports = self.report(self.trace, self.trace)
        self.assertEqual([r["file"] for r in reports], [str(self.trace)] * 2)

    def test_one_bad_file_does_not_stop_the_others(self):
        done = kscope("report", "--json", self.folder / "missing.json", self.trace)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(json.loads(done.stdout)), 1)
        self.assertIn("missing.json", done.stderr.decode())

    def test_skipped_events_are_a_warning(self):
        events = sample_events()
        text = json.dumps({"traceEvents": events})
        text = text.replace('[{"ph": "M"', '[17, {"ph": "M"')
        path = self.write("odd.json", text)
        done = kscope("report", path)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(),
                         r"\Akscope: warning: .*odd\.json': 1 of 28 events skipped, "
                         r"first at byte 17: 17\n\Z")
        self.assertIn("Import log", done.stdout.decode())

    def test_truncated_file_is_a_warning(self):
        text = json.dumps({"traceEvents": sample_events()})
        path = self.write("cut.json", text[:len(text) // 2])
        done = kscope("report", "--json", path)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(), r"\Akscope: warning: [^\n]+\n\Z")
        self.assertGreater(json.loads(done.stdout)["import"]["events"], 5)

    def test_a_damaged_execution_trace_is_a_warning(self):
        folder = SOURCE / "tests" / "data" / "execution"
        whole = kscope("report", folder / "trace.json", "--execution-trace", folder / "et.json")
        self.assertEqual((whole.returncode, whole.stderr), (0, b""))
        cut = self.write("et.json", (folder / "et.json").read_text()[:-20])
        done = kscope("report", folder / "trace.json", "--execution-trace", cut)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.decode(), f"kscope: warning: '{cut}': is damaged; "
                         "operators after the damage have no inputs\n")

    def test_timing_goes_to_standard_error_and_json(self):
        done = kscope("report", "--timing", "--json", self.trace)
        self.assertEqual(done.returncode, 0)
        for word in ("load", "analyses", "compat", "write", "peak memory", "/s"):
            self.assertIn(word, done.stderr.decode())
        timing = json.loads(done.stdout)["timing"]
        self.assertEqual([p["name"] for p in timing["phases"]], ["load", "analyses", "compat"])
        self.assertGreater(timing["peak_memory_bytes"], 1_000_000)

    def test_wall_time_adds_a_second_share(self):
        text = self.good("report", "--wall-ms", "0.06", "--runs", "2", self.trace)
        self.assertRegex(text, r"of the wall time +60\.000 µs +50\.00 %")
        (gpu,) = self.report("--wall-ms", "0.06", "--runs", "2", self.trace)["gpus"]
        self.assertEqual(gpu["wall_ns"], 120_000)

    def test_gzip_is_read(self):
        path = self.folder / "trace.json.gz"
        path.write_bytes(gzip.compress(self.trace.read_bytes()))
        self.assertEqual(self.report(path)["gpus"], self.report(self.trace)["gpus"])


class OutputTest(CliTest):
    def test_output_is_what_would_have_been_printed(self):
        for option in ("--json", "--csv", "--markdown", "--compat"):
            out = self.folder / "out"
            self.assertEqual(self.good("report", option, self.trace, "-o", out), "")
            self.assertEqual(out.read_text(), self.good("report", option, self.trace))

    def test_failed_run_leaves_the_old_output(self):
        out = self.write("out.json", "old")
        self.fails(2, "missing.json", "report", self.folder / "missing.json", "-o", out)
        self.assertEqual(out.read_text(), "old")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["out.json", "trace.json"])

    def test_an_input_is_never_overwritten(self):
        """By whatever name, and also where it is only found in a folder of inputs."""
        kept = self.trace.read_bytes()
        rank = self.folder / "job" / "rank0.json"
        rank.parent.mkdir()
        rank.write_bytes(kept)
        link = self.folder / "link"
        link.symlink_to(self.trace)
        sql = self.write("q.sql", "SELECT 1")
        for out, *command in ((self.trace, "report", self.trace), (link, "report", "--json", self.trace),
                              (self.trace, "report", "--folded", "gpu", link), (self.trace, "export", self.trace),
                              (self.trace, "query", self.trace, "SELECT 1"), (sql, "query", self.trace, "-f", sql),
                              (self.trace, "compare", rank, self.trace), (self.trace, "path", self.trace),
                              (self.trace, "advise", self.trace), (self.trace, "memory", self.trace),
                              (rank, "ranks", rank.parent), (rank, "ranks", self.trace, rank)):
            with self.subTest(command=command):
                self.fails(2, "is an input file; write to another one", *command, "-o", out)
        self.fails(2, "is an input file", "ranks", "--partial", self.trace, self.trace)
        answer = rank.parent / "job.json"
        first, again = (self.good("ranks", "--json", rank.parent, "-o", answer) or answer.read_text() for _ in range(2))
        self.assertEqual(first, again)
        self.fails(2, "is an input file", "convert", self.trace, self.trace)
        self.fails(2, "is an input file", "convert", rank.parent, rank)
        self.fails(2, "is no file to write to", "report", self.trace, "-o", "")
        self.assertEqual((self.trace.read_bytes(), rank.read_bytes(), sql.read_text()), (kept, kept, "SELECT 1"))

    def test_output_folder_that_does_not_exist(self):
        self.fails(1, "No such file", "report", self.trace, "-o", self.folder / "no" / "out")

    def test_new_output_has_ordinary_rights(self):
        out = self.folder / "out.json"
        mask = os.umask(0o022)
        self.addCleanup(os.umask, mask)
        self.good("report", self.trace, "-o", out)
        self.assertEqual(stat.S_IMODE(out.stat().st_mode), 0o644)


class ExplainTest(CliTest):
    def test_all_figures_without_a_file(self):
        text = self.good("report", "--explain")
        for figure in ("busy_ns", "mm_conv_ns", "exposed_comm_ns", "utilization"):
            self.assertIn(figure, text)

    def test_one_figure_by_key_by_short_key_and_by_title(self):
        one = self.good("report", "--explain", "busy_ns")
        self.assertTrue(one.startswith("GPU busy (busy_ns in ns)\n"), one)
        self.assertNotIn("kernel_busy_ns", one)
        self.assertEqual(self.good("report", "--explain", "busy"), one)
        self.assertEqual(self.good("report", "--explain", "gpu busy"), one)

    def test_launch_time_begins_with_the_gap_or_its_call(self):
        self.assertIn("start of that call or of the gap, whichever is later",
                      " ".join(self.good("report", "--explain", "launch_ns").split()))
        path = self.write("launches.json", {"traceEvents": [
            *(slice_("cudaLaunchKernel", "cuda_runtime", 1, 1, ts, 1, correlation=number)
              for number, ts in ((1, 0), (2, 3), (3, 170))),
            *(slice_("k", "kernel", 0, 7, ts, 20, stream=7, correlation=number)
              for number, ts in ((1, 10), (2, 100), (3, 250)))]})
        (gpu,) = self.report(path)["gpus"]
        # From 30 to 60 µs, as the second call was early, and from 170 to 200.
        self.assertEqual((gpu["idle"]["host_ns"], gpu["idle"]["launch_ns"], gpu["idle"]["dependency_ns"]),
                         (50_000, 60_000, 90_000))

    def test_figure_and_file_are_told_apart(self):
        text = self.good("report", "--explain", self.trace)
        self.assertIn("busy_ns", text)
        self.assertIn("trace.json", text)

    def test_unknown_figure(self):
        self.fails(2, "no figure is called 'bogus'", "report", "--explain", "bogus")


class CompatTest(CliTest):
    def test_tables_and_line(self):
        text = self.good("report", "--compat", "--wall-ms", "0.1", "--runs", "2", self.trace)
        self.assertIn("== triton_pointwise category kernels ==", text)
        figures = json.loads(self.good("report", "--compat", "--json", "--wall-ms", "0.1", "--runs", "2", self.trace))
        self.assertEqual(text.splitlines()[-1], f"utilization {100 * figures['utilization']:.2f} %, mm/conv "
                                               f"utilization {100 * figures['mm_conv_utilization']:.2f} %")
        # Per run: 20 µs and 5 µs unknown, 15 µs pointwise, of 100 µs.
        self.assertEqual(text.splitlines()[-2], "Output for tabulate: None, 15.00%, 0.00%, 0.00%, 0.00%, 25.00%, "
                                                "40.00%, 0.100ms")

    def test_json_is_the_compat_object(self):
        options = ("--wall-ms", "0.1", "--runs", "2", "--name", "bert")
        alone = json.loads(self.good("report", "--compat", "--json", *options, self.trace))
        whole = self.report(*options, self.trace)["compat"]
        self.assertEqual({k: alone[k] for k in whole}, whole)
        self.assertTrue(alone["wall_measured"])
        self.assertEqual(alone["runs"], 2)
        self.assertIn("bert", alone["tabulate_line"])

    def test_no_wall_time_is_said(self):
        compat = self.report(self.trace)["compat"]
        self.assertFalse(compat["wall_measured"])

    def test_without_time_shares_are_those_of_python(self):
        trace = self.write("zero.json", json.dumps({"traceEvents": [slice_("k", "kernel", 0, 7, 1000, 0, device=0, stream=7)]}))
        text = self.good("report", "--compat", trace)
        self.assertIn("GPU is busy: nan%", text)
        self.assertEqual(text.count("-nan"), 0)
        self.assertNotIn("-nan", self.good("report", "--tabulate", trace))
        self.assertNotIn("-nan", self.good("report", "--tabulate", "--csv", trace))

    def test_what_was_entered_in_the_window(self):
        trace = self.folder / "entered.json"
        trace.write_bytes(pathlib.Path(self.trace).read_bytes())
        sidecar = self.folder / "entered.json.kinetoscope"
        sidecar.write_text(json.dumps({"schema": "kinetoscope.sidecar/1",
                                       "run": {"wall_ms": 0.1, "runs": 2, "name": "bert"}}))

        def run(*options):
            done = kscope("report", *options, trace)
            self.assertEqual(done.returncode, 0)
            return done.stdout.decode(), done.stderr.decode()

        options = ("--wall-ms", "0.1", "--runs", "2", "--name", "bert")
        note = f"kscope: '{trace}': %s, as entered in the window\n"
        self.assertEqual(run("--compat"), (run("--compat", *options)[0], note % " ".join(options)))
        self.assertEqual(run("--compat", *options)[1], "")
        text, said = run("--compat", "--wall-ms", "0.2", "--name", "own")
        self.assertIn("Output for tabulate: own, ", text)
        self.assertIn(", 0.200ms", text)
        self.assertEqual(said, note % "--runs 2")
        self.assertTrue(json.loads(run("--compat", "--json")[0])["wall_measured"])
        self.assertEqual(run("--tabulate", "--csv"), (run("--tabulate", "--csv", *options)[0],
                                                      note % " ".join(options)))
        # Reports that are none of PyTorch's figures are what their options say.
        self.assertEqual(run()[1], "")
        self.assertFalse(json.loads(run("--json")[0])["compat"]["wall_measured"])
        sidecar.write_text('{"schema":"kinetoscope.sidecar/2"}')
        text, said = run("--compat")
        self.assertNotIn("bert", text)
        self.assertEqual(said, f"kscope: warning: '{sidecar}': was written by another version of Kinetoscope; "
                               "move it away to start a new one\n")

    def test_tabulate_collects_lines_and_traces(self):
        one = self.folder / "one.txt"
        self.good("report", "--compat", "--wall-ms", "0.1", "--runs", "2", self.trace, "-o", one)
        two = self.write("two.txt", "noise\nOutput for tabulate: bert, large, 1.00%, 2.00%, "
                                    "3.00%, 4.00%, 5.00%, 15.00%, 1.500ms\nmore noise\n")
        rows = list(csv.reader(io.StringIO(
            self.good("report", "--tabulate", "--csv", one, two, self.trace))))
        self.assertEqual(rows[0], ["benchmark_name", "pointwise_percent", "reduction_percent",
                                   "persistent_reduction_percent", "triton_unknown_percent",
                                   "unknown_percent", "gpu_busy_percent", "wall_time_ms", "file"])
        self.assertEqual(rows[1], ["None", "15.00", "0.00", "0.00", "0.00", "25.00", "40.00",
                                   "0.100", str(one)])
        self.assertEqual(rows[2], ["bert, large", "1.00", "2.00", "3.00", "4.00", "5.00", "15.00",
                                   "1.500", str(two)])
        self.assertEqual(rows[3][0], "trace")
        table = json.loads(self.good("report", "--tabulate", "--json", one))
        self.assertEqual(table["rows"][0]["gpu_busy_percent"], 40.0)
        self.assertIn("40.00%", self.good("report", "--tabulate", one))

    def test_tabulate_refuses_what_has_no_line(self):
        text = self.write("none.txt", "nothing here\n")
        self.fails(2, "none.txt", "report", "--tabulate", text)
        done = kscope("report", "--tabulate", "--csv", text, self.trace)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stdout.decode().splitlines()), 2)


class CutTest(CliTest):
    def cut(self, trace, window, out):
        done = kscope("cut", trace, "--window", window, "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(done.stdout, b"")
        text = done.stderr.decode()
        self.assertRegex(text, r"kept [\d,]+ of [\d,]+ events")
        return re.search(r"--window (\S+)", text)[1]

    def test_options_are_all_needed(self):
        self.fails(2, "cut needs", "cut", self.trace)
        self.fails(2, "cut needs", "cut", self.trace, "--window", "gpu")
        self.fails(2, "cut needs", "cut", "--window", "gpu", "-o", self.folder / "x.json")

    def test_step_window_is_as_busy_in_the_cut_file(self):
        out = self.folder / "step.json"
        inside = self.cut(self.trace, "step:1", out)
        # A gap that begins before the window is no longer seen whole.
        gpus = lambda window, path: [{**gpu, "idle": None, "idle_gaps": None,
                                      "streams": [{**row, "idle_gaps": None}
                                                  for row in gpu["streams"]]}
                                     for gpu in self.report("--window", window, path)["gpus"]]
        whole = gpus("step:1", self.trace)
        self.assertEqual(gpus("step:1", out), whole)
        self.assertEqual(gpus(inside, out), whole)
        kept = json.loads(out.read_text())["traceEvents"]
        self.assertLess(len(kept), len(sample_events()))
        ends = [(e["id"], e["ph"]) for e in kept if e["ph"] in "sf"]
        self.assertEqual(sorted(ends), sorted(set(ends)))
        self.assertEqual({i for i, ph in ends if ph == "s"}, {i for i, ph in ends if ph == "f"})

    def test_gzip_by_the_name_of_the_output(self):
        out = self.folder / "part.json.gz"
        self.cut(self.trace, "0..60", out)
        part = json.loads(gzip.decompress(out.read_bytes()))
        self.assertEqual(part["schemaVersion"], 1)
        self.assertEqual(len([e for e in part["traceEvents"] if e.get("cat") == "kernel"]), 2)

    def test_failures(self):
        before = self.trace.read_bytes()
        self.fails(2, "is an input file", "cut", self.trace, "--window", "gpu", "-o",
                   self.trace)
        self.assertEqual(self.trace.read_bytes(), before)
        self.fails(2, "step 9", "cut", self.trace, "--window", "step:9", "-o",
                   self.folder / "x.json")
        self.fails(1, "No space left", "cut", self.trace, "--window", "gpu", "-o", "/dev/full")
        self.fails(2, "does not exist", "cut", self.folder / "no.json", "--window", "gpu", "-o",
                   self.folder / "x.json")
        self.fails(2, "is not written as .zst", "cut", self.trace, "--window", "gpu", "-o",
                   self.folder / "x.json.zst")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["trace.json"])

    def test_whole_trace_says_the_same(self):
        out = self.folder / "all.json"
        self.cut(self.trace, "trace", out)
        self.assertEqual(json.loads(out.read_text())["traceEvents"], sample_events())


@unittest.skipUnless(shared_traces(), "no recorded traces beside the repository")
class RecordedTest(CliTest):
    def test_every_form_of_every_trace(self):
        for path in shared_traces():
            with self.subTest(trace=path.name):
                report = self.report(path)
                for gpu in report["gpus"]:
                    self.assertEqual(sum(gpu["breakdown"].values()), gpu["window_ns"])
                    self.assertLessEqual(gpu["busy_ns"], gpu["window_ns"])
                for columns in ("80", "120", "200"):
                    text = self.good("report", path, columns=columns)
                    self.assertLessEqual(max(map(len, text.splitlines())), int(columns))
                for option in ("--markdown", "--csv", "--compat"):
                    self.assertTrue(self.good("report", option, path))

    def test_cut_of_a_step_equals_the_step(self):
        for path in shared_traces():
            report = self.report(path)
            if not report["steps"]:
                continue
            with self.subTest(trace=path.name):
                window = f"step:{report['steps'][-1]['number']}"
                out = self.folder / "step.json.gz"
                done = kscope("cut", path, "--window", window, "-o", out)
                self.assertEqual(done.returncode, 0, done.stderr.decode())
                whole = self.report("--window", window, path)
                part = self.report("--window", window, out)
                for key in ("busy_ns", "window_ns", "kernel_busy_ns", "breakdown", "operations",
                            "mm_conv_ns", "launches"):
                    self.assertEqual([g[key] for g in part["gpus"]],
                                     [g[key] for g in whole["gpus"]], key)
                self.assertEqual([(k["name"], k["count"], k["total_ns"]) for k in part["kernels"]],
                                 [(k["name"], k["count"], k["total_ns"]) for k in whole["kernels"]])


if __name__ == "__main__":
    KSCOPE = sys.argv.pop(1)
    unittest.main()
