#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kscope bench modules as a user would: modules_cli.py KSCOPE SHARED. Where kscope-torch is not built, only what
needs no PyTorch is tried; recorded modules are taken from SHARED/modules where they are."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

KSCOPE = pathlib.Path(sys.argv.pop(1)).absolute()
SHARED = pathlib.Path(sys.argv.pop(1))
HAS_TORCH = (KSCOPE.parent / "kscope-torch").exists()
SMALL = ["--seqLength", "4", "--inputSize", "8", "--hiddenSize", "16", "--miniBatch", "3", "--warmup", "2",
         "--nloops", "6", "--device", "cpu"]
PACKAGE = """
import torch
net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.GELU())
program = torch.export.export(net, (torch.zeros(4, 8),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
RNNS = ["cudnn", "aten", "jit", "jit_premul", "jit_premul_bias", "jit_simple", "jit_multilayer", "py"]


def series(runner):
    """What was measured of a runner, by direction."""
    return {one["name"]: one for one in runner["series"]}


class Modules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def kscope(self, *arguments, **environment):
        return subprocess.run([KSCOPE, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "KINETOSCOPE_RESULTS": str(self.folder / "results"), **environment})

    def modules(self, *arguments):
        run = self.kscope("bench", "modules", *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def one_line(self, arguments, part, **environment):
        run = self.kscope("bench", "modules", *arguments, **environment)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertIn(part, run.stderr)

    def test_wrong_use_ends_in_one_line(self):
        self.one_line(["--rnns", "magic"], "--rnns: 'magic' is not one of")
        self.one_line(["--cnns", "vgg"], "--cnns: 'vgg' is not one of")
        self.one_line(["--group", "gans"], "--group: 'gans' is not one of")
        self.one_line(["--fuser", "new"], "--fuser: 'new' is not one of")
        self.one_line(["--executor", "fast"], "--executor: 'fast' is not one of")
        self.one_line(["--print-json", "xml"], "--print-json: 'xml' is not one of")
        self.one_line(["model.onnx"], "neither a TorchScript file")
        self.one_line(["model.pt", "--input", "T([2], f17)"], "column 8")
        self.one_line(["--input", "T([2], f32)"], "--input requires FILE")
        self.one_line(["--banana"], "unknown option --banana")
        self.one_line(["--group", "rnns"], "KINETOSCOPE_TORCH", KINETOSCOPE_TORCH="/nonexistent")

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_all_rnns_run_and_agree(self):
        run = self.modules("--group", "rnns", "--json", *SMALL)
        document = json.loads(run.stdout)
        self.assertEqual((document["schema"], document["kind"]), ("kinetoscope.result/2", "modules"))
        group = document["items"][0]
        self.assertEqual((group["key"], [one["name"] for one in group["parts"]]), ("lstm", RNNS))
        for one in group["parts"]:
            self.assertNotIn("reason", one)
            self.assertLess(one["accuracy"]["max_rel"], 1e-3)
            for direction in ("forward", "backward"):
                times = series(one)[direction]
                self.assertEqual(len(times["samples_ns"]), 6)
                self.assertLessEqual(times["summary"]["low_ns"], times["summary"]["median_ns"])
        self.assertIn("no cuDNN on a CPU", group["parts"][0]["note"])
        lines = run.stderr.splitlines()
        self.assertEqual(lines.pop(0), (
            "Namespace(seqLength=4, numLayers=1, inputSize=8, hiddenSize=16, miniBatch=3, warmup=2, nloops=6, "
            "device='cpu', variable_lstms=False, sep=' ', print_json=None, rnns=None, cnns=None, group=['rnns'], "
            "fuser='te', executor=None, cuda_pointwise_loop_level=None, cuda_pointwise_block_count=None, "
            "cuda_pointwise_block_size=None)"))
        self.assertEqual(lines[0], "Benchmarking LSTMs...")
        self.assertEqual(lines[1].split(), "name avg_fwd std_fwd info_fwd avg_bwd std_bwd info_bwd".split())
        self.assertEqual([line[:16].strip() for line in lines[2:10]], RNNS)
        self.assertTrue(all(len(line) == 7 * 17 - 1 for line in lines[1:10]))
        self.assertTrue(all(line.split()[3] == line.split()[6] == "None" for line in lines[2:10]))
        self.assertEqual(lines[10], "")

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_stream_is_the_kept_document(self):
        run = self.modules("--group", "rnns", "--rnns", "cudnn", "jit", "--stream", *SMALL)
        events = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([e["event"] for e in events], ["plan", "start", "device", "result", "start", "result"])
        self.assertEqual([one["name"] for one in events[0]["document"]["items"][0]["parts"]], ["cudnn", "jit"])
        kept = json.loads(next((self.folder / "results").glob("*.json")).read_text())
        self.assertEqual([events[3]["result"], events[5]["result"]], kept["items"][0]["parts"])
        self.assertEqual([e["item"] for e in events if e["event"] == "result"], [0, 1])
        self.assertEqual((events[2]["device"], events[2]["torch"]), ("cpu", kept["torch"]))

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_more_layers_agree(self):
        runners = [one for one in RNNS if one != "jit_simple"]
        document = json.loads(self.modules("--group", "rnns", "--rnns", *runners, "--numLayers", "2", "--json",
                                           *SMALL).stdout)
        self.assertTrue(all(one["accuracy"]["same"] for one in document["items"][0]["parts"]))

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_any_runner_runs_by_its_name(self):
        names = ["jit_layernorm", "jit_layernorm_decom", "jit_dropout", "cudnn_dropout", "cudnn_layernorm", "vl_py",
                 "resnet18"]
        document = json.loads(self.modules("--group", "rnns", "--rnns", *names, "--images", "1", "--executor",
                                           "default", "--json", *SMALL).stdout)
        runners = {one["name"]: one for one in document["items"][0]["parts"]}
        self.assertEqual(list(runners), names)
        for name in ("jit_layernorm", "jit_layernorm_decom", "jit_dropout", "cudnn_dropout"):
            self.assertTrue(runners[name]["accuracy"]["same"], name)
        self.assertEqual(list(series(runners["cudnn_layernorm"])), ["forward"])
        self.assertEqual(len(series(runners["jit_layernorm"])["backward"]["samples_ns"]), 6)

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_fusers_and_executors_change_no_answer(self):
        for options in (["--fuser", "old"], ["--fuser", "none"], ["--fuser", "default"], ["--executor", "legacy"],
                        ["--executor", "simple"], ["--executor", "profiling"],
                        ["--cuda-pointwise-loop-level", "2"]):
            document = json.loads(self.modules("--group", "rnns", "--rnns", "jit", "--json", *options, *SMALL).stdout)
            self.assertTrue(document["items"][0]["parts"][0]["accuracy"]["same"], options)

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_dropout_between_layers_changes_the_outputs(self):
        document = json.loads(self.modules("--group", "rnns", "--rnns", "jit_dropout", "--numLayers", "2", "--json",
                                           *SMALL).stdout)
        self.assertNotIn("accuracy", document["items"][0]["parts"][0])

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_one_loop_has_no_deviation_and_backward_can_be_left_out(self):
        once = [*SMALL[:-4], "--nloops", "1", *SMALL[-2:]]
        run = self.modules("--group", "rnns", "--rnns", "aten", "--no-backward", *once)
        line = run.stderr.splitlines()[3].split()
        self.assertEqual((line[0], line[2], line[4], line[5]), ("aten", "nan", "0", "0"))

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_json_formats_are_those_of_fastrnns(self):
        run = self.modules("--group", "rnns", "--rnns", "aten", "py", "--print-json", *SMALL)
        self.assertEqual(run.stderr, "")
        oss = json.loads(run.stdout)
        self.assertEqual({key: sorted(value) for key, value in oss.items()},
                         {"lstm": ["aten", "py"], "lstm-backward": ["aten", "py"]})
        self.assertTrue(all(isinstance(ms, float) and ms > 0 for group in oss.values() for ms in group.values()))
        run = self.modules("--group", "rnns", "--rnns", "aten", "--print-json", "pep", *SMALL)
        lines = run.stdout.splitlines()
        self.assertEqual(len(lines), 12)
        for line, metric in zip(lines, ["lstm-aten"] * 6 + ["lstm-backward-aten"] * 6):
            self.assertTrue(line.startswith("Caffe2Observer "))
            observed = json.loads(line[15:])
            self.assertEqual((observed["type"], observed["metric"], observed["unit"]), ("NET", metric, "ms"))
            self.assertGreater(float(observed["value"]), 0.0)

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_variable_lengths_warn_and_agree(self):
        run = self.modules("--group", "--variable-lstms", "--json", "--inputSize", "8", "--hiddenSize", "8",
                           "--miniBatch", "1", "--warmup", "0", "--nloops", "31", "--device", "cpu")
        self.assertTrue(run.stderr.splitlines()[1].startswith("WARNING: some of the variable sequence length lstms"))
        document = json.loads(run.stdout)
        self.assertEqual([one["key"] for one in document["items"]], ["vl_lstm"])
        self.assertTrue(all(one["accuracy"]["same"] for one in document["items"][0]["parts"]))

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_resnets_trace_and_agree(self):
        document = json.loads(self.modules("--group", "cnns", "--cnns", "resnet18", "resnet18_jit", "--images", "2",
                                           "--warmup", "0", "--nloops", "1", "--device", "cpu", "--json").stdout)
        plain, traced = document["items"][0]["parts"]
        self.assertTrue(traced["accuracy"]["same"])
        self.assertIsNone(series(plain)["forward"].get("verdict"))
        self.assertEqual(series(traced)["forward"]["verdict"], "UNSURE")

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_a_profile_is_written_and_reported(self):
        run = self.modules("--group", "rnns", "--rnns", "py", "--profile", "--runs", "2", "--trace-folder", "new/deep",
                           *SMALL)
        self.assertIn("created folder new/deep", run.stderr)
        events = json.loads((self.folder / "new/deep/tmp_chrome_trace.json").read_text())["traceEvents"]
        spans = [one for one in events if one["ph"] == "X"]
        # Two runs of four steps; each step multiplies matrices twice forward.
        self.assertGreaterEqual(sum(one["name"] == "aten::mm" for one in spans), 16)
        self.assertTrue(all(one["dur"] >= 0 for one in spans))
        ranges = [one["name"] for one in spans if one["cat"] == "user_annotation"]
        self.assertEqual(sorted(ranges), ["## backward ##"] * 2 + ["## forward ##"] * 2)
        self.assertEqual({one["cat"] for one in spans}, {"cpu_op", "user_annotation"})
        self.assertIn("ms a run without the profiler", run.stderr)

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_kept_results_are_shown(self):
        self.modules("--group", "rnns", "--rnns", "aten", "jit", *SMALL)
        self.assertIn("modules", self.kscope("results", "list", COLUMNS="150").stdout)
        self.assertIn("Backward ms", self.kscope("results", "show", COLUMNS="150").stdout)
        self.assertIn("lstm,jit,backward", self.kscope("results", "export", "--csv").stdout)

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_any_function_of_a_file_runs(self):
        file = pathlib.Path(__file__).parents[1] / "data/modules/functions.pt"
        options = [file, "--input", "T([16, 8], f32)", *SMALL]
        runner = json.loads(self.modules(*options, "--function", "twice", "--json").stdout)["items"][0]["parts"][0]
        self.assertEqual([len(one["samples_ns"]) for one in series(runner).values()], [6, 6])
        runner = json.loads(self.modules(*options, "--no-backward", "--json").stdout)["items"][0]["parts"][0]
        self.assertEqual(list(series(runner)), ["forward"])
        run = self.kscope("bench", "modules", *options, "--function", "thrice")
        self.assertEqual(run.returncode, 1)
        self.assertIn("has no function 'thrice'; its functions are forward, scaled, twice", run.stderr)

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_inputs_by_name(self):
        file = pathlib.Path(__file__).parents[1] / "data/modules/functions.pt"
        options = [file, "--function", "scaled", "--input", "T([16, 8], f32)", *SMALL]
        for named in (["0.5"], ["scale=0.5"], ["bias=T([4], f32)", "scale=2.0"], ["scale=1.0", "bias=None"]):
            run = self.modules(*options, "--json", *(word for one in named for word in ("--input", one)))
            runner = json.loads(run.stdout)["items"][0]["parts"][0]
            self.assertEqual(len(series(runner)["backward"]["samples_ns"]), 6, named)
        for wrong, part in (("size=0.5", "missing value for argument 'scale'"), ("scale=[1]", "only tensors, numbers"), ("scale=None", "scale")):
            run = self.kscope("bench", "modules", *options, "--input", wrong)
            self.assertEqual(run.returncode, 1, wrong)
            self.assertIn(part, run.stderr)
        self.one_line([file, "--input", "x=T([2], f17)"], "column 10")

    @unittest.skipUnless(HAS_TORCH, "kscope-torch is not built")
    def test_compat_is_fastrnns_in_seconds_that_ends_at_a_failure(self):
        options = ["--group", "rnns", "--rnns", "py", *SMALL]
        plain = json.loads(self.modules("--print-json", *options).stdout)["lstm"]["py"]
        seconds = json.loads(self.modules("--print-json", "--compat", *options).stdout)["lstm"]["py"]
        self.assertLess(10 * seconds, plain)
        line = self.modules("--compat", *options).stderr.splitlines()[3].split()
        self.assertLess(10 * float(line[1]), plain)
        file = pathlib.Path(__file__).parents[1] / "data/modules/functions.pt"
        failing = [file, file, "--function", "thrice", "--input", "T([16, 8], f32)", "--compat", *SMALL]
        run = self.kscope("bench", "modules", *failing)
        self.assertEqual((run.returncode, run.stdout, run.stderr.count("thrice")), (1, "", 1), run.stderr)
        run = self.kscope("bench", "modules", *failing, "--print-json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(json.loads(run.stdout), {"module": {}, "module-backward": {}})

    @unittest.skipUnless(HAS_TORCH and (SHARED / "modules").is_dir(), "no recorded modules")
    def test_torchscript_files_run(self):
        run = self.modules((SHARED / "modules" / "mlp.pt").resolve(), "--input", "T([32, 256], f32)", "--json", *SMALL)
        runner = json.loads(run.stdout)["items"][0]["parts"][0]
        self.assertEqual(len(series(runner)["backward"]["samples_ns"]), 6)
        run = self.kscope("bench", "modules", (SHARED / "modules" / "mlp.pt").resolve(), "--input", "T([32, 7], f32)",
                          *SMALL)
        self.assertEqual(run.returncode, 1)
        self.assertIn("not run", run.stderr)

    @unittest.skipUnless(HAS_TORCH and "KINETOSCOPE_TEST_PYTHON" in os.environ, "no Python with PyTorch was given")
    def test_packages_run_forward(self):
        made = subprocess.run([os.environ["KINETOSCOPE_TEST_PYTHON"], "-W", "ignore", "-c", PACKAGE], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr[-2000:])
        run = self.modules("net.pt2", "--input", "T([4, 8], f32)", "--json", *SMALL)
        runner = json.loads(run.stdout)["items"][0]["parts"][0]
        self.assertEqual([(name, len(one["samples_ns"])) for name, one in series(runner).items()], [("forward", 6)])


if __name__ == "__main__":
    unittest.main()
