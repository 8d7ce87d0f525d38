# SPDX-License-Identifier: Apache-2.0
"""Compiles single operators to AOTInductor packages: reads a request as JSON from standard input,
answers with one line of JSON per call. Started by kscope bench operators."""

import concurrent.futures
import json
import multiprocessing
import os
import sys

TYPES = {"bf16": "bfloat16", "f64": "float64", "f32": "float32", "f16": "float16", "c32": "complex32",
         "c64": "complex64", "c128": "complex128", "i8": "int8", "i16": "int16", "i32": "int32",
         "i64": "int64", "b8": "bool", "u8": "uint8"}


def value_of(item, device, tensors):
    """The argument that the request describes; tensors are collected in order, and stand as their numbers."""
    import torch
    if isinstance(item, list):
        return [value_of(one, device, tensors) for one in item]
    if not isinstance(item, dict):
        return item
    kind, content = next(iter(item.items()))
    if kind == "tensor":
        dtype = getattr(torch, TYPES[content["type"]])
        strides = content["strides"]
        shape = content["shape"]
        made = (torch.empty(shape, dtype=dtype, device=device) if strides is None
                else torch.empty_strided(shape, strides, dtype=dtype, device=device))
        tensors.append(made.zero_() if strides is None or 0 not in strides else made)
        return Place(len(tensors) - 1)
    if kind == "type":
        return getattr(torch, TYPES[content])
    if kind == "torch":
        return getattr(torch, content)
    if kind == "number":
        return float(content)
    return torch.device(device)  # whatever was recorded, it runs here


class Place:
    def __init__(self, number):
        self.number = number


def filled(item, tensors):
    if isinstance(item, Place):
        return tensors[item.number]
    return [filled(one, tensors) for one in item] if isinstance(item, list) else item


def overload(name):
    import torch
    found = torch.ops
    for part in name.split("."):
        found = getattr(found, part)
    return found


def has_lowering(op):
    from torch._inductor.decomposition import decompositions
    from torch._inductor.lowering import lowerings
    return any(one in decompositions or one in lowerings for one in (op, op.overloadpacket))


def compile_one(job):
    import torch
    try:
        op = overload(job["name"])
        if not has_lowering(op):
            return {"reason": "no inductor impl"}
        tensors = []
        args = value_of(job["args"], job["device"], tensors)
        kwargs = {key: value_of(item, job["device"], tensors) for key, item in job["kwargs"].items()}
        names = [argument.name for argument in op._schema.arguments]
        device_at = [i for i, argument in enumerate(op._schema.arguments) if argument.name == "device"]
        if device_at and device_at[0] < len(args) and isinstance(args[device_at[0]], str):
            args[device_at[0]] = torch.device(job["device"])
        if "device" in kwargs and "device" in names:
            kwargs["device"] = torch.device(job["device"])

        class Call(torch.nn.Module):
            def forward(self, *given):
                return op(*filled(args, given), **{k: filled(v, given) for k, v in kwargs.items()})

        with torch.no_grad():
            program = torch.export.export(Call(), tuple(tensors))
            path = torch._inductor.aoti_compile_and_package(program, package_path=job["package"])
        return {"package": path}
    except BaseException as error:  # a compiler may raise anything
        return {"reason": (str(error).strip().splitlines() or [type(error).__name__])[0][:300]}


def say(line):
    print(json.dumps(line), flush=True)


def main():
    request = json.load(sys.stdin)
    try:
        import torch
    except ImportError as error:
        return say({"failed": f"{sys.executable} has no PyTorch ({error})"})
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    if version < (2, 6):
        return say({"failed": f"{sys.executable} has PyTorch {torch.__version__}; 2.6 is needed"})
    wanted = request["torch"].split(".")[:2]
    if wanted != torch.__version__.split(".")[:2]:
        return say({"failed": f"{sys.executable} has PyTorch {torch.__version__}, kscope-torch was compiled against "
                              f"{request['torch']}"})
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    jobs = request["jobs"]
    workers = max(1, min(len(os.sched_getaffinity(0)), 16, len(jobs)))
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(workers, mp_context=context) as pool:
        futures = {pool.submit(compile_one, job): index for index, job in enumerate(jobs)}
        for future in concurrent.futures.as_completed(futures):
            error = future.exception()
            answer = {"reason": f"its compiler broke: {error}"} if error else future.result()
            say({"index": futures[future], **answer})


if __name__ == "__main__":
    main()
