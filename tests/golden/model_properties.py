#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Properties of the roofline and of the columns made of it.

usage: model_properties.py KSCOPE [--traces] TRACE…

Without --traces: products, convolutions and attention of random shapes, whose work is counted here place by place;
lists that only gradients tell; the columns of kernels and operators beside the roofline. Of each TRACE, which may
be a folder: nothing is above its roof without a note, and columns say what the roofline says. With --traces 95 % of what no
graph replays is modelled.
"""

import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile

from model_reading import NONE, SIZE, Tensor, V, product, trace_of

TYPES = ("float", "c10::Half", "c10::BFloat16")
failures = []


def run(kscope, *words):
    done = subprocess.run([kscope, "report", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"kscope report {words[:4]} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what} is {found}, not {wanted}")


# What a call has to do, counted place by place.

def places_of_window(length, size, stride, pad, dilation):
    """Where a window of `size` fits into `length` and its padding."""
    reach = dilation * (size - 1)
    return sum(1 for first in range(-pad, length + pad, stride) if first + reach < length + pad)


def last_place_written(length, size, stride, pad, dilation, beyond):
    """Of a transposed convolution: one more than the last place that an input reaches."""
    return max((i * stride + k * dilation for i in range(length) for k in range(size)), default=-1) + 1 - 2 * pad + beyond


def pairs_seen(queries, keys, causal):
    return sum(1 for i in range(queries) for j in range(keys) if not causal or j <= i)


def random_product(dice):
    kind = dice.choice(TYPES)
    m, k, n, batch = (dice.randint(1, 70) for _ in range(4))
    name = dice.choice(["mm", "addmm", "bmm", "baddbmm", "linear", "matmul", "mv", "dot"])

    def matrix(rows, columns, *outer):
        sizes = [*outer, rows, columns]
        if dice.random() < 0.5:  # the same one transposed
            return Tensor(sizes, kind, [*([rows * columns] * len(outer)), 1, rows])
        return Tensor(sizes, kind)

    a, b, out = matrix(m, k), matrix(k, n), [m, n]
    if name == "mm":
        arguments = [a, b]
    elif name == "addmm":
        arguments = [Tensor([n], kind), a, b, V("1"), V("1")]
    elif name in ("bmm", "baddbmm"):
        a, b, out = matrix(m, k, batch), matrix(k, n, batch), [batch, m, n]
        arguments = [a, b] if name == "bmm" else [Tensor(out, kind), a, b, V("1"), V("1")]
    elif name == "linear":
        a, b, out = Tensor([batch, m, k], kind), Tensor([n, k], kind), [batch, m, n]
        arguments = [a, b, Tensor([n], kind)]
    elif name == "matmul":
        outer = dice.choice([([batch], [batch]), ([1], [batch]), ([batch, 1], [3]), ([], [batch])])
        a, b = Tensor([*outer[0], m, k], kind), Tensor([*outer[1], k, n], kind)
        lengths = [outer[0][::-1], outer[1][::-1]]
        joined = [max([length[i] for length in lengths if i < len(length)]) for i in range(max(map(len, lengths)))]
        arguments, out = [a, b], [*joined[::-1], m, n]
    elif name == "mv":
        arguments, out, n = [a, Tensor([k], kind)], [m], 1
    else:
        arguments, out = [Tensor([k], kind), Tensor([k], kind)], []
    multiplied = sum(k for _ in range(product(out)))
    read = sum(argument.bytes for argument in arguments if isinstance(argument, Tensor))
    counted = 2 * multiplied if name in ("mm", "addmm", "bmm", "baddbmm") else 0
    return f"aten::{name}", arguments, 2 * multiplied, counted, read + product(out) * SIZE[kind]


def random_convolution(dice):
    kind, dimensions = dice.choice(TYPES), dice.randint(1, 3)
    groups, batch = dice.choice([1, 1, 2, 3]), dice.randint(1, 3)
    inner, outer = dice.randint(1, 4), dice.randint(1, 4)  # channels of a group
    transposed = dice.random() < 0.4
    size, stride, dilation = ([dice.randint(1, 3) for _ in range(dimensions)] for _ in range(3))
    pad = [dice.randint(0, d * (k - 1)) for k, d in zip(size, dilation)]
    beyond = [dice.randint(0, max(0, s - 1)) if transposed else 0 for s in stride]
    length = [dice.randint(1, 5) + d * (k - 1) for k, d in zip(size, dilation)]
    if transposed:
        weight = [groups * inner, outer, *size]
        out = [last_place_written(*one) for one in zip(length, size, stride, pad, dilation, beyond)]
    else:
        weight = [groups * outer, inner, *size]
        out = [places_of_window(*one) for one in zip(length, size, stride, pad, dilation)]
    x, w = Tensor([batch, groups * inner, *length], kind), Tensor(weight, kind)
    result = Tensor([batch, groups * outer, *out], kind)
    # Each place of the window meets each pair of channels of a group, once for each place that it stands at.
    stands = product(length) if transposed else product(out)
    multiplied = sum(inner * outer * product(size) * stands for _ in range(batch * groups))
    arguments = [x, w, NONE, V(str(stride)), V(str(pad)), V(str(dilation)), V(str(transposed)), V(str(beyond)),
                 V(str(groups))]
    return "aten::convolution", arguments, 2 * multiplied, 2 * multiplied, x.bytes + w.bytes + result.bytes


def random_attention(dice):
    kind = dice.choice(TYPES[1:])
    batch, heads, queries = dice.randint(1, 3), dice.randint(1, 4), dice.randint(1, 40)
    causal = dice.random() < 0.5
    keys = queries if causal else dice.randint(1, 40)
    size, values = dice.randint(1, 16), dice.randint(1, 16)
    q, k = Tensor([batch, heads, queries, size], kind), Tensor([batch, heads, keys, size], kind)
    v, out = Tensor([batch, heads, keys, values], kind), Tensor([batch, heads, queries, values], kind)
    scores = Tensor([batch, heads, queries])
    forward = dice.random() < 0.5
    each = 2 * (size + values) if forward else 2 * (3 * size + 2 * values)
    work = batch * heads * pairs_seen(queries, keys, causal) * each
    counted = batch * heads * queries * keys * each
    if forward:
        name = "aten::_scaled_dot_product_flash_attention"
        arguments = [q, k, v, V("0."), V(str(causal)), V("False"), NONE]
        moved = [q, k, v, out, scores]
    else:
        name = "aten::_scaled_dot_product_flash_attention_backward"
        arguments = [out, q, k, v, out, scores, NONE, NONE, V(str(queries)), V(str(keys)), V("0."), V(str(causal)), NONE,
                     NONE, NONE]
        moved = [out, q, k, v, out, scores, q, k, v]
    return name, arguments, work, counted, sum(one.bytes for one in moved)


def check_random_calls(kscope, folder):
    dice = random.Random(22)
    calls = [make(dice) for make in (random_product, random_convolution, random_attention) for _ in range(60)]
    paths = []
    for number, (name, arguments, *_) in enumerate(calls):
        paths.append(os.path.join(folder, f"{number:03}.json"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            json.dump(trace_of({"name": name, "arguments": arguments, "kernel": "k", "extra": {}}), file)
    for (name, arguments, flops, counted, moved), document in zip(calls, json.loads(run(kscope, "--roofline", "--json", *paths))):
        rows = document["roofline"]["rows"]
        label = f"{name} of {[a.sizes if isinstance(a, Tensor) else a for a in arguments]}"
        expect(f"rows of {label}", len(rows), 1)
        for key, wanted in (("flops", flops), ("flops_counted", counted), ("bytes", moved)):
            expect(f"{key} of {label}", [row[key] for row in rows], [wanted])
    return len(calls)


# Lists without sizes.

def slice_of(name, ts, number, arguments, category="cpu_op"):
    return {"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": 1,
            "args": {"External id": number, **arguments}}


def list_trace(gradients, blocks, kind="float", kernel_kind="float", amsgrad=False, two_steps=False):
    """The gradients, then the step of a fused optimizer whose lists have no sizes."""
    events = []
    for step in range(2 if two_steps else 1):
        start, first = 1000 * step, 1000 * step + 1
        for i, sizes in enumerate(gradients):
            events.append(slice_of("torch::autograd::AccumulateGrad", start + i, first + i,
                                   {"Input Dims": [sizes], "Input type": [kind], "Concrete Inputs": [""]}))
        rate = f"0.00{step + 1}"  # of learning: no two calls are alike
        values = ["", "", "", "", "", "", rate, "0.9", "0.999", "0.01", "1e-08", str(amsgrad), "False", "", ""]
        number = first + len(gradients)
        events.append(slice_of("aten::_fused_adamw_", start + 500, number, {
            "Input Dims": [[]] * 15, "Input type": ["TensorList"] * 6 + ["Scalar"] * 7 + ["", ""],
            "Concrete Inputs": values}))
        for part, grid in enumerate(blocks):
            events.append({"ph": "X", "cat": "kernel", "name": f"void multi_tensor_apply_kernel<Adam<{kernel_kind}, 4>>()",
                           "pid": 0, "tid": 7, "ts": start + 600 + 50 * part, "dur": 40,
                           "args": {"External id": number, "device": 0, "stream": 7, "grid": [grid, 1, 1], "block": [512, 1, 1]}})
    return {"deviceProperties": [{"id": 0, "name": "NVIDIA H200"}], "traceEvents": events}


def check_lists(kscope, folder):
    gradients = [[512, 512], [512], [70000], [3, 3]] * 10  # 4 + 1 + 2 + 1 blocks of 65,536 elements
    elements = 10 * (512 * 512 + 512 + 70000 + 9)
    path = os.path.join(folder, "lists.json")

    def rows(**options):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(list_trace(**options), file)
        roofline = json.loads(run(kscope, "--roofline", "--json", path))["roofline"]
        return ([(row["name"], row["count"], row["flops"], row["bytes"]) for row in roofline["rows"]],
                [(row["name"], row["reason"]) for row in roofline["uncovered"]])

    # Parameters, gradients and two states read, all but the gradients written.
    told = ([("aten::_fused_adamw_", 1, 14 * elements, 7 * 4 * elements)], [])
    untold = ([], [("aten::_fused_adamw_", "shapes are not recorded")])
    expect("a step told by its gradients", rows(gradients=gradients, blocks=[48, 32]), told)
    expect("a step with a third state", rows(gradients=gradients, blocks=[80], amsgrad=True),
           ([("aten::_fused_adamw_", 1, 14 * elements, 9 * 4 * elements)], []))
    expect("two steps", rows(gradients=gradients, blocks=[80], two_steps=True),
           ([("aten::_fused_adamw_", 2, 28 * elements, 14 * 4 * elements)], []))
    expect("a step of fewer blocks", rows(gradients=gradients, blocks=[48, 31]), untold)
    expect("a step of another type", rows(gradients=gradients, blocks=[80], kind="c10::BFloat16"), untold)
    # A list of as many numbers would take as many blocks.
    expect("a step of small gradients", rows(gradients=[[512]] * 40, blocks=[40]), untold)
    expect("a step without gradients", rows(gradients=[], blocks=[80]), untold)


# Columns of other tables.

def close(a, b):
    return (a is None) == (b is None) and (a is None or abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-9))


KEYS = ("tflop_per_s", "gb_per_s", "efficiency", "recoverable_ns")


def check_columns(kscope, path):
    """Of one trace with one GPU; gives how many kernels have figures."""
    name = os.path.basename(path)
    document = json.loads(run(kscope, "--achieved", "--operators", "--json", path))
    kernels = json.loads(run(kscope, "--roofline", "--by", "kernel", "--json", path))["roofline"]
    operators = json.loads(run(kscope, "--roofline", "--by", "operator", "--json", path))["roofline"]
    shapes = json.loads(run(kscope, "--roofline", "--by", "shape", "--json", path))["roofline"]
    expect(f"{name}: modelled time", document["achieved"]["modelled_ns"], kernels["modelled_ns"])
    expect(f"{name}: roofs", document["achieved"]["roofs"], kernels["roofs"])
    by_kernel = {row["name"]: row for row in kernels["rows"]}
    known = 0
    for row in document["kernels"]:
        wanted = by_kernel.get(row["name"])
        if wanted is None:
            expect(f"{name}: {row['name']}", [row[key] for key in KEYS], [None] * 4)
            continue
        known += 1
        for key in KEYS:
            if not close(row[key], wanted[key]):
                failures.append(f"{name}: {key} of {row['name'][:40]} is {row[key]}, and {wanted[key]} in the roofline")
    # Rows of one operator and shapes may differ in types, so only sums are comparable.
    for row in document["operators"]:
        if row["side"] == "CPU" and row["tflop_per_s"] is not None:
            same = [one for one in shapes["rows"] if one["name"] == row["name"]]
            if not same:
                failures.append(f"{name}: {row['name']} has figures, and no row in the roofline")
            elif row["efficiency"] is not None and sum(one["name"] == row["name"] for one in document["operators"]) == 1:
                (whole,) = [one for one in operators["rows"] if one["name"] == row["name"]]
                if not close(row["efficiency"], whole["efficiency"]):
                    failures.append(f"{name}: {row['name']}: {row['efficiency']} is not {whole['efficiency']}")
    return known


def check_formats(kscope, path):
    document = json.loads(run(kscope, "--achieved", "--operators", "--json", path))
    for words, rows in ((("--achieved",), document["kernels"]), (("--achieved", "--operators"), document["operators"])):
        table = list(csv.DictReader(io.StringIO(run(kscope, *words, "--csv", path))))
        expect(f"lines of CSV with {words}", len(table), len(rows))
        for line, row in zip(table, rows):
            for key in KEYS:
                if not close(float(line[key]) if line[key] else None,
                             None if row[key] is None else float(f"{row[key]:.6g}") if isinstance(row[key], float) else row[key]):
                    failures.append(f"{key} of {row['name']} is {line[key]} in CSV and {row[key]} in JSON")
        text = run(kscope, *words, path)
        markdown = run(kscope, *words, "--markdown", path)
        for part in ("TFLOP/s", "GB/s", "% of roof", "of kernel time is modelled", "4800 GB/s"):
            if part not in text:
                failures.append(f"the text with {words} does not say '{part}'")
            if part not in markdown.replace("\\", ""):
                failures.append(f"the Markdown with {words} does not say '{part}'")
    for words, exit_code in ((("--achieved", "--figures", "--csv"), 2), (("--roof", "measured"), 2), (("--achieved", "--roofline"), 2),
                             (("--achieved", "--roof", "measured"), 0)):
        done = subprocess.run([kscope, "report", *words, path], capture_output=True, text=True,
                              env={**os.environ, "KINETOSCOPE_RESULTS": "/nowhere"})
        expect(f"exit code of {words}", done.returncode, exit_code)
    if "no measured roof" not in done.stderr:
        failures.append("nothing says that no measured roof is kept")
    if "TFLOP/s" in run(kscope, path):
        failures.append("a report that nobody asked for figures of work has them")


def check_rows(kscope, path, coverage):
    """Gives how many rows are above their roof."""
    above = 0
    totals = {}
    rounding = 0  # half a nanosecond a row
    for by in ("operator", "shape", "module", "kernel"):
        roofline = json.loads(run(kscope, "--roofline", "--by", by, "--json", path))["roofline"]
        replayed = sum(row["kernel_ns"] for row in roofline["uncovered"] if row["reason"] == "part of a CUDA graph")
        if roofline["modelled_ns"] < coverage * (roofline["kernel_ns"] - replayed):
            failures.append(f"{os.path.basename(path)} by {by}: only {roofline['coverage']} is modelled: {roofline['uncovered'][:3]}")
        for row in roofline["rows"]:
            if (row["efficiency"] or 0) > 1:
                above += 1
                if not row["note"].startswith("above the roof: "):
                    failures.append(f"{os.path.basename(path)} by {by}: {row['name']} is above the roof, and no note says why")
            if (row["recoverable_ns"] is None) != (row["efficiency"] is None):
                failures.append(f"{os.path.basename(path)} by {by}: {row['name']} has time to win without a roof, or a roof without")
            if not 0 <= (row["recoverable_ns"] or 0) <= row["time_ns"]:
                failures.append(f"{os.path.basename(path)} by {by}: {row['name']} has {row['recoverable_ns']} of {row['time_ns']} to win")
        totals[by] = sum(row["recoverable_ns"] or 0 for row in roofline["rows"])
        rounding = max(rounding, len(roofline["rows"]))
    # Calls above the roof take nothing from what others lose, however they are grouped.
    for by in ("shape", "module"):
        if abs(totals[by] - totals["operator"]) > rounding:
            failures.append(f"{os.path.basename(path)}: recoverable by {by} {totals[by]}, by operator {totals['operator']}")
    # Operations of a call that overlap have their own time each.
    if totals["kernel"] < totals["operator"] - rounding:
        failures.append(f"{os.path.basename(path)}: recoverable by kernel {totals['kernel']}, by operator {totals['operator']}")
    return above


def traces_in(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from traces_in(sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".json.gz")))
        elif os.path.exists(path):
            yield path


def main():
    kscope, *paths = sys.argv[1:]
    recorded = paths[:1] == ["--traces"]
    traces = list(traces_in(paths[1:] if recorded else paths))
    if not traces:
        print("no traces are there")
        sys.exit(77)
    if not recorded:
        with tempfile.TemporaryDirectory() as folder:
            print(check_random_calls(kscope, folder), "random calls")
            check_lists(kscope, folder)
        check_formats(kscope, traces[-1])
    above = known = 0
    for path in traces:
        above += check_rows(kscope, path, 0.95 if recorded else 0.0)
        known += check_columns(kscope, path)
    print(f"{len(traces)} traces, {known} kernels with figures, {above} rows above their roof, {len(failures)} failures")
    assert known > 0 and above > 0, "these traces show nothing"
    for failure in failures[:50]:
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
