# SPDX-License-Identifier: Apache-2.0
"""module_driver.py MODULE RESULT wall|profile [TRACE]: runs a module that Inductor compiled as its own main does.

Writes {"wall_s": seconds of one run} to RESULT. With profile, a second measurement follows that a
waiting recorder records, with an NVTX range and the input shapes around each operator; without a GPU
PyTorch's own profiler writes it to TRACE."""

import ctypes
import importlib.util
import inspect
import json
import os
import sys

TIMES = REPEAT = 10


def load(path):
    spec = importlib.util.spec_from_file_location("kinetoscope_compiled_module", path)
    if spec is None:
        sys.exit(f"{path}: is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def runner(module, path):
    benchmark = getattr(module, "benchmark_compiled_module", None)
    if benchmark is None:
        sys.exit(f"{path}: has no benchmark_compiled_module; compile with config.benchmark_harness=True")
    # Newer modules make their inputs apart from the measurement.
    if "args" in inspect.signature(benchmark).parameters:
        args = module.get_args()
        return lambda: benchmark(args, times=TIMES, repeat=REPEAT)
    return lambda: benchmark(times=TIMES, repeat=REPEAT)


def profile(run, trace):
    import torch
    if not torch.cuda.is_available():
        with torch.profiler.profile(record_shapes=True) as profiler:
            run()
        profiler.export_chrome_trace(trace)
        return
    recorder = ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"], mode=os.RTLD_NOW | os.RTLD_NOLOAD)
    recorder.kinetoscope_inject_start()
    with torch.autograd.profiler.emit_nvtx(record_shapes=True):
        run()
    torch.cuda.synchronize()
    recorder.kinetoscope_inject_stop()


def main():
    path, result, mode, *trace = sys.argv[1:]
    sys.argv = [path]
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    run = runner(load(path), path)
    wall = run()
    with open(result, "w") as file:
        json.dump({"wall_s": wall}, file)
    if mode == "profile":
        profile(run, *trace)


if __name__ == "__main__":
    main()
