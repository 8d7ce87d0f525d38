#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spread of twelve repetitions, kscope's event-cold against Triton's do_bench:
bench_spread.py KSCOPE CACHE KERNEL... Runs the cache's own sources."""

import pathlib
import sys

from bench_parity import chosen, kscope, load_kernel

REPETITIONS = 12


def spread(values):
    return (max(values) - min(values)) / sorted(values)[len(values) // 2]


def main() -> int:
    from triton.testing import do_bench
    binary, cache, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    missed = 0
    for name in names:
        runs = [kscope(binary, cache, "--match", name) for _ in range(REPETITIONS)]
        key = next(k for k, v in runs[0].items() if v["name"] == name)
        ours = spread([chosen(run[key])["summary"]["median_ns"] for run in runs])
        module = load_kernel(next(pathlib.Path(cache).rglob(key + ".py")))
        args = module.get_args()
        module.call(args)
        theirs = spread([do_bench(lambda: module.call(args), return_mode="median") for _ in range(REPETITIONS)])
        good = ours <= max(1.5 * theirs, 0.005)
        missed += not good
        print(f"{name[:50]:50} kscope {ours:7.2%} do_bench {theirs:7.2%} {'' if good else 'MISSED'}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
