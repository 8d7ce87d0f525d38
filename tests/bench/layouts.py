# SPDX-License-Identifier: Apache-2.0
"""How other programs write the events of a trace: text layouts for grow_trace.py."""

import json
import random


class Layout:
    """One event as text, what stands between events and around them."""

    separator = ","
    metadata_first = False
    interleaved = False

    def event(self, event) -> str:
        return json.dumps(event)

    def prepare(self, events):
        """The events as this program would have had them."""
        return events

    def join(self, events) -> str:
        return self.separator.join(self.event(event) for event in events)

    def around(self, document):
        """(head, tail) of the file."""
        return '{"traceEvents": [', "]}"


def members(pairs) -> str:
    return ", ".join(f"{json.dumps(key)}: {value}" for key, value in pairs)


def number(value) -> str:
    """As the profiler prints times: three decimals."""
    return f"{value:.3f}"


class Kineto(Layout):
    """The profiler's own: several members a line, times with three decimals."""

    separator = ","

    def values(self, event):
        return {key: number(value) if key in ("ts", "dur") else json.dumps(value)
                for key, value in event.items()}

    def order(self, event):
        first = ("ph", "cat", "name", "pid", "tid") if event["ph"] == "X" else ("ph", "id", "pid", "tid", "ts")
        second = ("ts", "dur") if event["ph"] == "X" else ("cat", "name", "bp", "s")
        return [key for key in first if key in event], [key for key in second if key in event]

    def event(self, event):
        values = self.values(event)
        first, second = self.order(event)
        lines = [members((key, values[key]) for key in part) for part in (first, second) if part]
        if "args" in event:
            lines.append('"args": {\n      %s\n    }' % values["args"][1:-1])
        return "\n  {\n    " + ",\n    ".join(lines) + "\n  }"

    def around(self, document):
        head = {key: value for key, value in document.items() if key not in ("traceEvents", "traceName")}
        return json.dumps(head, indent=2)[:-2] + ',\n  "traceEvents": [', '\n  ],\n  "traceName": "grown"\n}'


class OtherKeyOrders(Kineto):
    """The profiler's line breaks, but members by name; in every fourth event by another order."""

    ANOTHER = ("dur", "ts", "args", "name", "cat", "pid", "tid", "id", "bp", "s", "ph")

    def __init__(self):
        self.count = 0

    def event(self, event):
        values = self.values(event)
        self.count += 1
        keys = sorted(values) if self.count % 4 else [key for key in self.ANOTHER if key in values]
        return "\n  {\n    " + members((key, values[key]) for key in keys) + "\n  }"


class Interleaved(Kineto):
    """Operators, runtime calls, kernels and arrows in the order of time."""

    interleaved = True


class OneLine(Layout):
    """No white space at all."""

    def event(self, event):
        return json.dumps(event, separators=(",", ":"))

    def around(self, document):
        return '{"traceEvents":[', "]}"


class Python(Layout):
    """json.dump(trace, file, indent=2)."""

    separator = ",\n    "

    def event(self, event):
        return json.dumps(event, indent=2).replace("\n", "\n    ")

    def around(self, document):
        return '{\n  "schemaVersion": 1,\n  "traceEvents": [\n    ', "\n  ]\n}"


class Chrome(Layout):
    """What a browser's tracing writes: whole microseconds, metadata first, B and E beside X."""

    separator = ",\n"
    metadata_first = True

    def prepare(self, events):
        result = []
        for at, event in enumerate(events):
            if event.get("cat") == "cpu_op" and at % 10 == 0:
                end = {key: event[key] for key in ("pid", "tid", "cat", "name")}
                begin = {key: value for key, value in event.items() if key != "dur"}
                result.append({**begin, "ph": "B"})
                result.append({**end, "ph": "E", "ts": event["ts"] + event["dur"], "args": {}})
            else:
                result.append(event)
        return result

    def event(self, event):
        pairs = [(key, event.get(key, 0)) for key in ("pid", "tid", "ts", "ph")]
        pairs += [("cat", event.get("cat", "__metadata")), ("name", event["name"]),
                  ("args", event.get("args", {}))]
        if "dur" in event:
            pairs += [("dur", event["dur"]), ("tdur", event["dur"] // 2), ("tts", 1000)]
        pairs += [(key, event[key]) for key in ("id", "bp", "s") if key in event]
        whole = ((key, int(value) if isinstance(value, float) else value) for key, value in pairs)
        return json.dumps(dict(whole), separators=(",", ":"))

    def around(self, document):
        return '{"traceEvents":[', '],"metadata":{"clock-domain":"LINUX_CLOCK_MONOTONIC","num-cpus":2}}'


class Rocm(Kineto):
    """The profiler on an AMD GPU: HIP's names, arguments of the queue, grids as texts."""

    def prepare(self, events):
        shuffle = random.Random(1)
        result = []
        for event in events:
            args = dict(event.get("args", {}))
            event = {**event, "args": args} if "args" in event else dict(event)
            if event.get("cat") in ("cuda_runtime", "cuda_driver"):
                event["name"] = event["name"].replace("cuda", "hip").replace("cuLaunch", "hipModuleLaunch")
                event["cat"] = "cuda_runtime"
                args["cid"] = args.pop("cbid", 0)
                args["kernel"] = "void at::native::vectorized_elementwise_kernel<4>"
                args["grid"], args["block"] = "[132, 1, 1]", "[256, 1, 1]"
                args["shared memory"] = 0
            elif event.get("cat") == "kernel":
                keep = ("External id", "device", "stream", "correlation")
                event["args"] = {"kind": "Dispatch Kernel", **{key: args[key] for key in keep if key in args},
                                 "hsa_queue": shuffle.randrange(2**47), "grid": str(args.get("grid")),
                                 "block": str(args.get("block"))}
            elif event.get("cat") in ("gpu_memcpy", "gpu_memset"):
                args["kind"] = "HostToDevice"
                args["src"], args["dst"] = hex(shuffle.randrange(2**47)), hex(shuffle.randrange(2**47))
            result.append(event)
        return result


LAYOUTS = {"kineto": Kineto(), "keys": OtherKeyOrders(), "interleaved": Interleaved(),
           "line": OneLine(), "python": Python(), "chrome": Chrome(), "rocm": Rocm()}

MEANING = {"keys": "other key orders", "interleaved": "kinds interleaved", "line": "one line",
           "python": "printed by Python", "chrome": "Chrome's own", "rocm": "ROCm"}


def arranged(layout, operators, gpu):
    """The events in the sections and the order in which this layout's file has them."""
    if not layout.interleaved:
        return [layout.prepare(operators), layout.prepare(gpu)]
    return [layout.prepare(sorted(operators + gpu, key=lambda event: event.get("ts", 0)))]


def announcement(pid: int):
    """The metadata with which the profiler presents a process."""
    for name, args in (("process_name", {"name": f"worker {pid}"}),
                       ("process_labels", {"labels": "CPU"}),
                       ("process_sort_index", {"sort_index": pid})):
        yield {"name": name, "ph": "M", "ts": 0.0, "pid": pid, "tid": 0, "args": args}
