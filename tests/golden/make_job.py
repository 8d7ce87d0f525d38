# SPDX-License-Identifier: Apache-2.0
"""Writes the traces of a job of several ranks, simulated kernel by kernel, and what is true of it.

Each rank launches the kernels of its layers one by one; after every second layer its gradients go
into an all-reduce on a stream of its own, which ends on all ranks together. The optimizer waits for
the last of them, and the host for the optimizer. Causes of lateness can be planted."""
import json
import os
import random

US = 1000  # nanoseconds
LAYERS, BUCKET = 12, 2
LAUNCH, OPERATOR, KERNEL, TOOK = 5 * US, 20 * US, 100 * US, 60 * US


class Rank:
    def __init__(self, number, offset, ppm=0):
        self.number, self.offset, self.ppm = number, offset, ppm
        self.host = self.gpu = self.comm = 0
        self.events, self.correlation = [], 0

    def clock(self, time):
        return time + self.offset + round(time * self.ppm / 1e6)

    def event(self, category, name, pid, tid, start, end, **args):
        start, end = self.clock(start), self.clock(end)
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid,
                            "ts": start / US, "dur": (end - start) / US, "args": args})

    def launch(self, name):
        """The host's part of a kernel; when it was launched."""
        self.correlation += 1
        begin = self.host
        self.host += OPERATOR
        self.event("cpu_op", name, 1000 + self.number, 1000 + self.number, begin, self.host)
        self.event("cuda_runtime", "cudaLaunchKernel", 1000 + self.number, 1000 + self.number, begin + 2 * US,
                   begin + 6 * US, correlation=self.correlation)
        return begin + 2 * US

    def kernel(self, name, launched, after, duration):
        start = max(launched + LAUNCH, self.gpu, after)
        self.gpu = start + duration
        self.event("kernel", name, 0, 7, start, self.gpu, correlation=self.correlation, device=0, stream=7)
        return start


def make_job(folder, ranks=4, steps=4, per_host=2, sleep=None, slow=None, extra=None, seed=1, sequence=False,
             drop=None, drift=(), every=0, device="", nap=None):
    """`sleep`: (rank or None, step, ns) of a host, or all, before the forward pass; `nap`: the same behind it, while the GPU works; `slow`: (rank, step or None, factor);
    `extra`: (rank, step, kernels); `drop`: (rank, ordinal) of a collective whose kernel is not in the file;
    `drift`: by host, what its clock goes too fast by in millionths; `every`: ns from one step to the next at least;
    `device`: the name of all GPUs."""
    noise = random.Random(seed)
    hosts = [0] + [noise.randrange(-300 * US, 300 * US) for _ in range(ranks)]
    group = [Rank(r, hosts[r // per_host], drift[r // per_host] if drift else 0) for r in range(ranks)]
    truth = {"offsets": [hosts[r // per_host] for r in range(ranks)], "collectives": []}
    ordinal = 0
    for step in range(1, steps + 1):
        for rank in group:
            rank.host = max(rank.host, (step - 1) * every)
        begins = [rank.host for rank in group]
        for r, rank in enumerate(group):
            if sleep and step == sleep[1] and sleep[0] in (None, r):
                rank.host += sleep[2]
            if extra and (r, step) == extra[:2]:
                for _ in range(extra[2]):
                    rank.kernel("extra_gemm", rank.launch("aten::mm"), 0, KERNEL)
        for layer in range(LAYERS):
            for r, rank in enumerate(group):
                factor = slow[2] if slow and r == slow[0] and slow[1] in (None, step) else 1
                jitter = noise.randrange(0, 300)
                rank.kernel(f"layer_{layer % 3}", rank.launch("aten::linear"), 0, round(KERNEL * factor) + jitter)
            if layer % BUCKET != BUCKET - 1:
                continue
            launches = [rank.launch("c10d::allreduce_") for rank in group]
            arrivals = [max(launched + LAUNCH, rank.gpu, rank.comm) for rank, launched in zip(group, launches)]
            end = max(arrivals) + TOOK
            for r, (rank, arrival) in enumerate(zip(group, arrivals)):
                rank.comm = end
                args = {"Collective name": "allreduce", "In msg nelems": 1 << 20, "Out msg nelems": 1 << 20,
                        "dtype": "BFloat16", "Group size": ranks, "Process Group Name": "0",
                        "Process Group Ranks": json.dumps(list(range(ranks)))}
                if sequence:
                    args["Seq"] = ordinal
                if drop != (r, ordinal):
                    rank.event("kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 0, 20, arrival, end,
                               correlation=rank.correlation, device=0, stream=20, **args)
            truth["collectives"].append({"step": step, "last": arrivals.index(max(arrivals)),
                                         "waited": [max(arrivals) - a for a in arrivals], "took": TOOK})
            ordinal += 1
        for r, rank in enumerate(group):
            if nap and (r, step) == nap[:2]:
                rank.host += nap[2]
            rank.kernel("adam", rank.launch("Optimizer.step"), rank.comm, KERNEL)
            stood = rank.host
            rank.host = max(rank.host, rank.gpu)
            rank.event("cuda_runtime", "cudaStreamSynchronize", 1000 + r, 1000 + r, stood, rank.host)
            rank.event("user_annotation", f"ProfilerStep#{step}", 1000 + r, 1000 + r, begins[r], rank.host)
    os.makedirs(folder, exist_ok=True)
    for r, rank in enumerate(group):
        document = {"traceEvents": rank.events, "hostname": f"host{r // per_host}",
                    "baseTimeNanoseconds": 1_700_000_000_000_000_000,
                    "distributedInfo": {"backend": "nccl", "rank": r, "world_size": ranks}}
        if device:
            document["deviceProperties"] = [{"id": 0, "name": device}]
        with open(os.path.join(folder, f"rank{r}.json"), "w") as file:
            json.dump(document, file)
    return truth
