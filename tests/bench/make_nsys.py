#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a database as `nsys export --type sqlite` does, of any size, made up or grown from a real one.

    make_nsys.py --size 1G big.sqlite
    make_nsys.py --size 1G --from report.sqlite big.sqlite
    make_nsys.py --steps 20 --slower 'void gemm<128, 128>(float const*)=1.5' after.sqlite

A training run of one process on one GPU: steps as NVTX ranges, operators inside of them as PyTorch's
emit_nvtx() writes them, calls of the runtime that launch kernels and copies. With --from, the events
of the given export are repeated, one second later each time, with correlations of their own.
--slower makes a kernel last so many times longer and moves what comes behind it. Equal arguments
give equal files.
"""

import argparse
import contextlib
import os
import random
import sqlite3

UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}
PROCESS = (1 << 48) + (300 << 24)
THREAD = PROCESS + 301
SECOND = 10**9
CORRELATIONS = 10**6  # of one repetition

SCHEMA = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, -- as ranges and calls refer to it
    value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
    globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER,
    launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL,
    gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL,
    blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,
    localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL,
    sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
    globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL,
    callchainId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
    category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER,
    domainId INTEGER, uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, jsonText TEXT);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (hwId INTEGER, vmId INTEGER, processId INTEGER, deviceId INTEGER);
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, totalMemory INTEGER, smCount INTEGER, computeMajor INTEGER,
    computeMinor INTEGER, threadsPerWarp INTEGER, maxWarpsPerSm INTEGER);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER);
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
"""
KERNELS = {
    "void gemm<128, 128>(float const*)": 42_000, "void gemm<64, 64>(float const*)": 21_000,
    "void vectorized_elementwise_kernel<4>(int)": 3_100, "void softmax_forward(float*)": 9_500,
    "void layer_norm(float*, float*)": 6_200, "ncclDevKernel_AllReduce_Sum_f32_RING_LL()": 30_000,
}
OPERATORS = ["aten::mm", "aten::mm", "aten::add", "aten::softmax", "aten::layer_norm", "c10d::allreduce_"]
LAUNCH, COPY_CALL, MAIN = 101, 102, 103


def size_of(text: str) -> int:
    unit = text[-1:].upper()
    return int(float(text[:-1]) * UNITS[unit]) if unit in UNITS else int(text)


def add_steps(database: sqlite3.Connection, steps: int, slower: dict[str, float], seed: int) -> None:
    kinds, noise = random.Random(1), random.Random(seed)
    names = list(KERNELS)
    cpu = gpu = 1_000_000
    correlation = 1
    ranges, calls, kernels, copies = [], [], [], []

    def call(name: int, after: int, length: int) -> None:
        calls.append((after, after + length, 0, THREAD, correlation, name, 0, None))

    for step in range(steps):
        step_start = cpu
        call(COPY_CALL, cpu + 2_000, 4_000)
        gpu = max(gpu, cpu + 8_000)
        copies.append((gpu, gpu + 90_000, 0, 1, 7, correlation, PROCESS, 1 << 20, 1, 0, 2))
        gpu, cpu, correlation = gpu + 91_000, cpu + 10_000, correlation + 1
        for layer in range(40):
            kind = kinds.randrange(len(names))
            text = f"{OPERATORS[kind]}, seq = {correlation}, op_id = {correlation}, sizes = [[{64 << layer % 3}, 128]]"
            ranges.append((cpu, cpu + 21_000, 59, None, None, None, text, THREAD, None, None, 0, None, None, None, None))
            call(LAUNCH, cpu + 9_000, 5_000 + noise.randrange(2_000))
            gpu = max(gpu + 900, cpu + 16_000)
            length = int(KERNELS[names[kind]] * noise.uniform(0.97, 1.03) * slower.get(names[kind], 1.0))
            kernels.append((gpu, gpu + length, 0, 1, None, 7, correlation, PROCESS, kind + 1, kind + 1, kind + 1, 1, 1,
                            32, 64, 2, 1, 256, 1, 1, 0, 1024, 0, 0, correlation, 32768, None, 0))
            gpu, cpu, correlation = gpu + length, cpu + 22_000, correlation + 1
        cpu = max(cpu, gpu)  # the step waits for its loss
        ranges.append((step_start, cpu, 59, None, None, None, f"step#{step}", THREAD, None, None, 0, None, None, None, None))
    for table, rows in (("NVTX_EVENTS", ranges), ("CUPTI_ACTIVITY_KIND_RUNTIME", calls),
                        ("CUPTI_ACTIVITY_KIND_KERNEL", kernels), ("CUPTI_ACTIVITY_KIND_MEMCPY", copies)):
        places = ", ".join("?" * len(rows[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({places})", sorted(rows, key=lambda row: row[0]))


def make(database: sqlite3.Connection, steps: int, slower: dict[str, float], seed: int) -> None:
    database.executescript(SCHEMA)
    texts = [*KERNELS]
    database.executemany("INSERT INTO StringIds VALUES (?, ?)", enumerate(texts, 1))
    database.executemany("INSERT INTO StringIds VALUES (?, ?)",
                         [(LAUNCH, "cudaLaunchKernel_v7000"), (COPY_CALL, "cudaMemcpyAsync_v3020"), (MAIN, "python3")])
    database.execute("INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES (1, 0, 300, 0)")
    database.execute("INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100 80GB HBM3', 85899345920, 132, 9, 0, 32, 64)")
    database.execute("INSERT INTO PROCESSES VALUES (?, 300, 'python3')", (PROCESS,))
    database.execute("INSERT INTO ThreadNames VALUES (?, 20, ?)", (MAIN, THREAD))
    database.executemany("INSERT INTO META_DATA_EXPORT VALUES (?, ?)",
                         [("EXPORT_PRODUCT_VERSION", "2026.2.1"), ("EXPORT_SCHEMA_VERSION", "3.25.0")])
    add_steps(database, steps, slower, seed)


def grow(database: sqlite3.Connection, path: str, size: int) -> None:
    """Repeats all events until the file has the size."""
    tables = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
              if name == "NVTX_EVENTS" or name.startswith("CUPTI_ACTIVITY_KIND_")]
    database.commit()
    copies = max(size // os.path.getsize(path), 1) - 1
    for table in tables:
        values = []
        for name in (row[1] for row in database.execute(f"PRAGMA table_info({table})")):
            more = f" + n.i * {SECOND}" if name in ("start", "end", "timestamp") else \
                f" + n.i * {CORRELATIONS}" if name == "correlationId" else ""
            values.append(f'"{name}"{more}')
        database.execute(f"CREATE TEMP TABLE one AS SELECT * FROM {table}")
        database.execute(f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {copies}) "
                         f"INSERT INTO {table} SELECT {', '.join(values)} FROM n, one WHERE n.i <= {copies}")
        database.execute("DROP TABLE one")
        database.commit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=size_of, default=0, help="bytes of the file, as 200M or 1G")
    parser.add_argument("--steps", type=int, default=200, help="steps before they are repeated")
    parser.add_argument("--from", dest="given", metavar="EXPORT", help="repeat the events of this database")
    parser.add_argument("--slower", metavar="KERNEL=FACTOR", action="append", default=[])
    parser.add_argument("--seed", type=int, default=1, help="of the noise of a run; what runs is always the same")
    parser.add_argument("output")
    given = parser.parse_args()
    slower = {name: float(factor) for name, _, factor in (one.rpartition("=") for one in given.slower)}
    if unknown := slower.keys() - KERNELS.keys():
        parser.error(f"there is no kernel {unknown.pop()}; there are: {'; '.join(KERNELS)}")
    if os.path.exists(given.output):
        os.remove(given.output)
    with contextlib.closing(sqlite3.connect(given.output)) as database:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        if given.given:
            with contextlib.closing(sqlite3.connect(f"file:{given.given}?mode=ro", uri=True)) as source:
                source.backup(database)
        else:
            make(database, given.steps, slower, given.seed)
        database.commit()
        if given.size > 0:
            grow(database, given.output, given.size)
        database.commit()


if __name__ == "__main__":
    main()
