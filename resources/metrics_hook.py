# SPDX-License-Identifier: Apache-2.0
"""The sitecustomize of every Python that runs under `kscope metrics record`: tells what Inductor does while it compiles.

Each process appends lines of JSON to $KINETOSCOPE_METRICS/PID.jsonl; core/metrics/CompileLog.h says
which. Nothing in here may change the program or end it: what goes wrong becomes a line, too."""

import atexit
import importlib.machinery
import importlib.util
import json
import logging
import os
import sys
import time

COUNTERS = ("generated_kernel_count", "generated_cpp_vec_kernel_count", "num_bytes_accessed", "nodes_num_elem",
            "node_runtimes", "ir_nodes_pre_fusion", "cpp_to_dtype_count", "cpp_outer_loop_fused_inner_counts",
            "num_comprehensive_padding", "num_matches_for_scatter_upon_const_tensor")


def tell(kind, **what):
    line = json.dumps({"kind": kind, "time": time.monotonic_ns(), "process": os.getpid(),
                       "rank": os.environ.get("RANK"), **what})
    path = os.path.join(os.environ["KINETOSCOPE_METRICS"], f"{os.getpid()}.jsonl")
    # One write, so that lines of forks and threads stay whole.
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, (line + "\n").encode())
    finally:
        os.close(file)


def harmless(function):
    """The function, but what it raises is told and not raised."""
    def guarded(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as error:
            try:
                tell("problem", text=f"{function.__name__}: {type(error).__name__}: {error}")
            except Exception:
                pass  # nobody listens any more
        return None
    return guarded


def plain(value):
    return value if value is None or isinstance(value, (int, float, str)) else str(value)


def amount(entry):
    """Of an entry of a counter that is a list: of a node, or the kernels inside of a fused loop."""
    if isinstance(entry, tuple):
        return entry[1]
    return getattr(entry, "inner_kernel_number", entry)


class Regions:
    """The counters around each graph that Inductor compiles. A region begins where the one before it ended: passes over
    the joint graph count before the graph's own compilation starts."""

    def __init__(self, metrics):
        self.metrics = metrics
        self.last, self.lengths = self.read()
        self.seen = dict(self.lengths)

    def read(self):
        values, lengths = {}, {}
        for name in COUNTERS:
            value = getattr(self.metrics, name, None)
            if isinstance(value, list):
                lengths[name] = len(value)
                value = sum(map(amount, value))
            values[name] = plain(value)
        return values, lengths

    def nodes(self):
        """[name, elements, milliseconds] of each node that was counted since the last region."""
        found = {}
        for place, counter in enumerate(("nodes_num_elem", "node_runtimes")):
            entries = getattr(self.metrics, counter, [])
            start = self.seen.get(counter, 0)
            for node, value in entries[start if start <= len(entries) else 0:]:
                name = node.get_name() if hasattr(node, "get_name") else str(node)
                found.setdefault(name, [None, None])[place] = value
        return [[name, *values] for name, values in found.items()]

    @harmless
    def end(self, region, graph_id=None, compile_id=None):
        values, lengths = self.read()
        if region == "rest" and values == self.last:
            return
        tell("region", region=region, graph_id=plain(graph_id), compile_id=plain(compile_id), before=self.last,
             after=values, entries=lengths, nodes=self.nodes())
        self.last, self.seen = values, lengths


class Silent:
    """A log that asks for all figures and passes on only what the program's own log would show."""

    def __init__(self, log):
        self._log = log

    def isEnabledFor(self, level):
        return True

    def info(self, *args, **kwargs):
        if self._log.isEnabledFor(logging.INFO):
            self._log.info(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self._log, name)


def reduction_row(row_fn):
    """The row of persistent_red_perf from the kernels themselves: theirs asks for the kernels' functions, which are not
    there when a worker process has compiled them."""
    if hasattr(row_fn, "func"):
        call, timings = row_fn.func.__self__, row_fn.args[0]
    else:
        seen = dict(zip(row_fn.__code__.co_freevars, (cell.cell_contents for cell in row_fn.__closure__ or ())))
        call, timings = seen["self"], seen["timings"]
    first = call.kernels[0]
    row = {"size_hints": first.size_hints, "reduction_hint": first.inductor_meta.get("reduction_hint")}
    for place in range(4):
        known = place < len(call.kernels)
        row[f"kernel{place}_path"] = call.kernels[place].filename if known else None
        row[f"kernel{place}_latency"] = timings[place] if known else None
    return row


regions = None


@harmless
def watch_metrics(metrics):
    global regions
    import torch.version
    tell("start", torch=torch.version.__version__)
    regions = Regions(metrics)
    atexit.register(regions.end, "rest")
    wanted = [name.strip() for name in os.environ.get("KINETOSCOPE_METRIC_TABLES", "").split(",") if name.strip()]
    enabled = {name for name in wanted if name in metrics.REGISTERED_METRIC_TABLES}
    for name in wanted:
        if name not in enabled:
            tell("problem", text=f"PyTorch {torch.version.__version__} has no metric table {name}")

    @harmless
    def add_row(table, row_fn):
        if table.table_name in enabled:
            try:
                row = row_fn()
            except AttributeError:
                if table.table_name != "persistent_red_perf":
                    raise
                row = reduction_row(row_fn)
            tell("row", model=metrics.get_benchmark_name(), table=table.table_name,
                 row=[[name, plain(row.get(name))] for name in table.column_names])

    @harmless
    def log_kernel_metadata(kernel_name, kernel_path, kernel_module_code):
        tell("kernel", model=metrics.get_benchmark_name(), name=kernel_name, path=plain(kernel_path),
             text=kernel_module_code)

    # In place of its own, which end the compilation for numbers that are not floating.
    metrics.MetricTable.add_row = add_row
    metrics.enabled_metric_tables = lambda: enabled
    metrics.log_kernel_metadata = log_kernel_metadata


@harmless
def watch_compiler(compiler):
    if regions is None:
        return
    name = next((name for name in ("_compile_fx_inner", "fx_codegen_and_compile") if hasattr(compiler, name)), None)
    if name is None:
        tell("problem", text="this PyTorch compiles by other functions: no counters of regions")
        return
    compile_graph = getattr(compiler, name)

    def compile_region(*args, **kwargs):
        try:
            return compile_graph(*args, **kwargs)
        finally:
            end_region(kwargs)

    setattr(compiler, name, compile_region)
    # Bytes, elements and estimated times of nodes are counted only for this log.
    if hasattr(compiler, "inductor_metrics_log"):
        compiler.inductor_metrics_log = Silent(compiler.inductor_metrics_log)


@harmless
def end_region(options):
    import torch._guards
    compile_id = torch._guards.CompileContext.current_compile_id()
    kind = "backward" if options.get("is_backward") else "inference" if options.get("is_inference") else "forward"
    regions.end(kind, options.get("graph_id"), compile_id and str(compile_id))


@harmless
def watch_graph(graph):
    count_bytes = graph.GraphLowering.count_bytes

    # Asked for by us: its failure is not the program's.
    def counted(self):
        result = harmless(count_bytes)(self)
        return (0, [], []) if result is None else result

    graph.GraphLowering.count_bytes = counted


class Finder:
    """Finds Inductor's modules where they are and watches them once they are executed."""

    WATCHED = {"torch._inductor.metrics": watch_metrics, "torch._inductor.compile_fx": watch_compiler,
               "torch._inductor.graph": watch_graph}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        watch = cls.WATCHED.get(name)
        if watch is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                watch(module)

            spec.loader.exec_module = exec_module
        return spec


def run_shadowed():
    """Runs the sitecustomize that this one stands before."""
    here = os.path.dirname(os.path.abspath(__file__))
    paths = [path for path in sys.path if os.path.abspath(path) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", paths)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if "KINETOSCOPE_METRICS" in os.environ:
    sys.meta_path.insert(0, Finder)
run_shadowed()
