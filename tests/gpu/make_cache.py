#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_cache.py FOLDER [SEED [CASE...]]: fills FOLDER/inductor_cache and FOLDER/triton_cache with
kernels of every category, sizes chosen at random. What this PyTorch cannot compile is named and
left out."""

import importlib.util
import os
import pathlib
import random
import sys

FOLDER = pathlib.Path(sys.argv[1]).resolve()
os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(FOLDER / "inductor_cache")
os.environ["TRITON_CACHE_DIR"] = str(FOLDER / "triton_cache")

import torch  # noqa: E402
import torch._inductor.config as config  # noqa: E402
from torch.nn import functional as F  # noqa: E402

SIZES = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
FP8 = torch.float8_e4m3fn


def size(low, high, step=1):
    return SIZES.randrange(low, high, step)


def rand(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda").to(dtype)


def ints(high, *shape):
    return torch.randint(0, high, shape, device="cuda")


def cases():
    """(name, function, arguments, options of the compiler)"""
    rows, columns = size(500, 5000), size(300, 3000)
    x, half = rand(rows, columns), rand(rows, columns, dtype=torch.float16)
    yield "gelu", lambda a: F.gelu(a) * 2, [half], {}
    yield "double", lambda a, b: torch.where(a > b, a.sin(), b.cos()), [rand(77, 1025, dtype=torch.float64)] * 2, {}
    yield "transposed", lambda a, b: (a.t() + b).relu(), [x, rand(columns, rows)], {}
    yield "permuted", lambda a: a.permute(2, 0, 1).contiguous() + 1, [rand(size(30, 60), 65, size(60, 90))], {}
    yield "to_fp8", lambda a: (a * 0.5).to(FP8), [rand(size(1000, 3000), 512, dtype=torch.bfloat16)], {}
    yield "from_fp8", lambda a: a.to(torch.bfloat16).relu(), [rand(1000, 512).to(FP8)], {}
    yield "gather", lambda w, i: F.embedding(i, w) * 3, [rand(1000, 256), ints(1000, size(2000, 9000))], {}
    yield "scatter", lambda a, i, s: a.index_add(0, i, s), [rand(1000, 64), ints(1000, 5000), rand(5000, 64)], {}
    yield "in_place", lambda a, b: a.add_(b).mul_(2), [rand(size(10**6, 5 * 10**6)), torch.ones(1, device="cuda")], {}
    yield "dropout", lambda a: F.dropout(a, 0.3), [x], {}
    yield "softmax", lambda a: torch.softmax(a, -1), [rand(rows, 700, dtype=torch.bfloat16)], {}
    yield "long_softmax", lambda a: torch.softmax(a, -1), [rand(64, size(20000, 60000))], {}
    yield "inner_sum", lambda a: a.sum(-1), [rand(200, size(9000, 30000))], {}
    yield "outer_sum", lambda a: a.sum(0), [rand(size(5000, 9000), 1000)], {}
    yield "argmax", lambda a: a.argmax(-1), [rand(300, 5000)], {}
    yield "any", lambda a: (a > 3).any(-1), [rand(300, 900)], {}
    yield "variance", lambda a: torch.var_mean(a, -1), [rand(500, 4096)], {}
    yield "layer_norm", lambda a: F.layer_norm(a, (a.shape[-1],)), [rand(1000, size(256, 1024, 8))], {}
    yield "cooperative", lambda a: a.sum(-1), [rand(8, 2**20)], {"triton.force_cooperative_reductions": True}
    yield "short_scan", lambda a: a.cumsum(-1), [rand(300, 800)], {}
    yield "split_scan", lambda a: a.cumsum(-1), [rand(10, size(10**5, 10**6))], {}
    yield "sorted", lambda a: a.sort(-1).values, [rand(200, 256)], {}
    yield "foreach", lambda a, b: torch._foreach_add(torch._foreach_mul(a, b), 1.0), [
        [rand(size(1000, 9000)) for _ in range(4)], [rand(1)] * 4], {}
    yield "combined", lambda a, b, c: (a.sin(), b.cos(), c.exp()), [rand(5000), rand(300, 70), rand(12345)], {
        "combo_kernels": True, "benchmark_combo_kernel": True}
    yield "combined_sums", lambda a, b: (a.sum(-1), b.sum(-1)), [rand(300, 700), rand(200, 500)], {
        "combo_kernels": True, "benchmark_combo_kernel": True}
    gemm = {"max_autotune": True, "max_autotune_gemm_backends": "TRITON"}
    yield "product", lambda a, b: (a @ b).relu(), [rand(512, 768, dtype=torch.float16), rand(768, 1024, dtype=torch.float16)], gemm
    yield "batched", lambda a, b: torch.bmm(a, b), [rand(8, 128, 256, dtype=torch.bfloat16), rand(8, 256, 192, dtype=torch.bfloat16)], gemm
    yield "convolution", lambda a, w: F.conv2d(a, w, padding=1), [rand(8, 32, 28, 28), rand(64, 32, 3, 3)], {
        "max_autotune": True, "max_autotune_conv_backends": "TRITON"}
    yield "tried", lambda a, b: (a * b).tanh(), [x, x], {"max_autotune_pointwise": True}


def with_clusters(kernel_name):
    """One more binary of a kernel, for clusters of two blocks."""
    import triton
    from triton.compiler import ASTSource
    for path in FOLDER.glob("inductor_cache/*/*.py"):
        text = path.read_text()
        if f"def {kernel_name}" not in text or "async_compile" in text:
            continue
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        name, tuner = next((k, v) for k, v in vars(module).items() if k.startswith("triton_") and hasattr(v, "inductor_meta"))
        meta, chosen = tuner.triton_meta, tuner.configs[0]
        signature = dict(meta["signature"])
        constants = {**meta.get("constants", {}), **chosen.kwargs}
        source = ASTSource(fn=tuner.fn, signature=signature, constexprs=constants,
                           attrs={k: v for k, v in meta["configs"][0].items()})
        triton.compile(source, options={"num_warps": 4, "num_ctas": 2})
        return name
    return None


def main() -> int:
    config.benchmark_kernel = True
    config.benchmark_harness = True
    failed = 0
    for name, function, arguments, options in cases():
        if sys.argv[3:] and name not in sys.argv[3:]:
            continue
        torch._dynamo.reset()
        try:
            with config.patch(options):
                torch.compile(function)(*arguments)
            torch.cuda.synchronize()
        except Exception as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}", flush=True)
    torch._dynamo.reset()
    with config.patch({"triton.unique_kernel_names": True}):
        function = torch.compile(lambda a: a * a + 2, dynamic=True)
        function(rand(size(10**5, 10**6)))
    try:
        print("clusters:", with_clusters("triton_poi_fused_gelu_mul_0"))
    except Exception as error:
        print(f"clusters: {type(error).__name__}: {str(error)[:300]}", flush=True)
    print(f"{failed} cases could not be compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
