# SPDX-License-Identifier: Apache-2.0
"""Traces of jobs whose ranks are in several process groups, simulated kernel by kernel, with causes of lateness planted.

A sharded job (FSDP) gathers the parameters of a layer one layer ahead, computes, and scatters the gradients; gathers and
scatters share a stream or have a group and a stream each; the replicas of a hybrid job sum the gradients across shards.
A pipeline passes activations from stage to stage and gradients back; its stages do different work."""
import json
import os
import random

US = 1000  # nanoseconds
MS = 1000 * US
LAYERS, AHEAD, KERNEL = 8, 2, 150 * US


class Rank:
    def __init__(self, number, offset):
        self.number, self.offset, self.call = number, offset, 12 * US
        self.host = self.thread = self.correlation = 0
        self.streams, self.events = {}, []
        self.pace = None  # gives what the next launch takes, over the usual

    def event(self, category, name, tid, start, end, gpu=False, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 0 if gpu else 1000 + self.number, "tid": tid,
                            "ts": (start + self.offset) / US, "dur": (end - start) / US, "args": args})

    def spend(self, category, name, took):
        self.event(category, name, 1000 + self.thread, self.host, self.host + took)
        self.host += took

    def launch(self, operator):
        self.correlation += 1
        took = self.call if self.pace is None else round(self.call * self.pace())
        at = self.host + took // 2
        self.spend("cpu_op", operator, took)
        self.event("cuda_runtime", "cudaLaunchKernel", 1000 + self.thread, at, at + 3 * US, correlation=self.correlation)
        self.host += 2 * US
        return at

    def ready(self, stream, launched, after=0):
        return max(launched + 4 * US, self.streams.get(stream, 0), after)

    def run(self, category, name, stream, start, end, **args):
        self.streams[stream] = end
        self.event(category, name, stream, start, end, gpu=True, correlation=self.correlation, device=0, stream=stream, **args)
        return end

    def kernel(self, operator, name, took, after=0, stream=7, category="kernel"):
        start = self.ready(stream, self.launch(operator), after)
        return self.run(category, name, stream, start, start + took)

    def wait(self, name, time):
        begin, self.host = self.host, max(self.host, time)
        self.event("cuda_runtime", name, 1000 + self.thread, begin, self.host)

    def suffer(self, kind, amount):
        if kind == "sleep":
            self.host += amount
        elif kind == "loader":
            self.spend("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", amount)
        elif kind == "copy":
            self.kernel("aten::copy_", "Memcpy HtoD (Pageable -> Device)", amount, category="gpu_memcpy")
        elif kind == "extra":
            usual, pace, self.call, self.pace = self.call, self.pace, 12 * US, None
            for _ in range(amount):
                self.kernel("aten::mm", "extra_gemm", 170 * US)
            self.call, self.pace = usual, pace


class Job:
    def __init__(self, ranks, causes, seed, skew):
        self.noise = random.Random(seed)
        self.causes = causes
        self.ranks = [Rank(r, self.noise.randrange(-skew, skew) if r else 0) for r in range(ranks)]
        for rank in self.ranks:
            rank.host = self.noise.randrange(0, 200 * US)

    def jitter(self):
        return self.noise.randrange(0, 400)

    def change_pace(self, spread):
        """From here on: each host slower or faster by up to that part, each launch a little, and some 2 to 6 times."""
        for rank in self.ranks if spread else ():
            factor = 1 + self.noise.uniform(-spread, spread)
            rank.pace = lambda factor=factor: (factor * self.noise.uniform(0.9, 1.1) *
                                               (self.noise.uniform(2, 6) if self.noise.random() < 0.01 else 1))

    def plant(self, step, place):
        for rank, at, kind, amount, where in self.causes:
            if (at, where) == (step, place):
                self.ranks[rank].suffer(kind, amount)

    def meet(self, members, group, kind, elements, took, stream, after, of=None):
        """When it ended on each; `of`: further arguments by member."""
        starts = [m.ready(stream, m.launch(f"c10d::{kind}_"), a) for m, a in zip(members, after)]
        many = elements * len(members)
        given = {"allgather": (elements, many), "reduce_scatter": (many, elements)}.get(kind, (elements, elements))
        return [m.run("kernel", "ncclDevKernel_RING_LL(ncclDevKernelArgsStorage<4096ul>)", stream, start,
                      max(starts) + took + self.jitter(),
                      **{"Collective name": kind, "In msg nelems": given[0], "Out msg nelems": given[1], "dtype": "BFloat16",
                         "Process Group Name": group, "Group size": len(members),
                         "Process Group Ranks": str([x.number for x in members]), **(of[m.number] if of else {})})
                for m, start in zip(members, starts)]

    def end_step(self, step, begins, after, adam=120 * US, sync=True):
        norms = [r.kernel("aten::linalg_vector_norm", "norm", 30 * US + self.jitter(), a) for r, a in zip(self.ranks, after)]
        normed = self.meet(self.ranks, "world", "allreduce", 1, 20 * US, 32, norms)
        for r, a, begin in zip(self.ranks, normed, begins):
            end = r.kernel("Optimizer.step", "adam", adam + self.jitter(), a)
            if sync:
                r.wait("cudaStreamSynchronize", end)
            r.event("user_annotation", f"ProfilerStep#{step}", 1000, begin, r.host)

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for r in self.ranks:
            document = {"traceEvents": r.events, "hostname": f"host{r.number}", "baseTimeNanoseconds": 1_700_000_000 * 10**9,
                        "distributedInfo": {"backend": "nccl", "rank": r.number, "world_size": len(self.ranks)}}
            with open(os.path.join(folder, f"rank{r.number}.json"), "w") as file:
                json.dump(document, file)


def make_sharded_job(folder, ranks=2, steps=4, replicas=1, two_streams=False, causes=(), seed=1, skew=300 * US, call=12 * US,
                     late=None, sync=True, spread=0):
    """`causes`: (rank, step, kind, ns or kernels, place); kind: sleep, loader, copy, extra; place: "forward", "forward 3"
    (before that layer), "backward 3", "optimizer". `call`: what a host takes to launch. `late`: a rank whose host begins so
    much later; it stays behind unless hosts wait for each step's end (`sync`). `spread`: how much the pace of hosts differs,
    now of one, now of another."""
    job = Job(ranks, causes, seed, skew)
    for rank in job.ranks:
        rank.call = call
    if late:
        job.ranks[late[0]].host += late[1]
    size = ranks // replicas
    shards = [job.ranks[i * size:(i + 1) * size] for i in range(replicas)]
    copies = [[shard[i] for shard in shards] for i in range(size)]

    def meet_all(teams, name, kind, took, stream, after):
        ends = list(after)
        for number, team in enumerate(teams):
            if len(team) > 1:
                found = job.meet(team, f"{name}{number}", kind, 1 << 20, took, stream, [after[m.number] for m in team])
                for member, end in zip(team, found):
                    ends[member.number] = end
        return ends

    def gather(layer):
        copied = [r.kernel("fsdp::all_gather_copy_in", "copy_in", 6 * US + job.jitter(), stream=16) for r in job.ranks]
        gathered[layer] = meet_all(shards, "gather" if two_streams else "shard", "allgather", 90 * US, 20, copied)

    def compute(layer, kernels, direction):
        for n in range(kernels):
            done[layer] = [r.kernel("aten::mm", f"{direction}_{n}", KERNEL + job.jitter(), gathered[layer][r.number])
                           for r in job.ranks]

    for step in range(1, steps + 1):
        begins, gathered, done, scattered = [r.host for r in job.ranks], {}, {}, [0] * ranks
        for r in job.ranks:
            r.kernel("aten::copy_", "Memcpy HtoD (Pinned -> Device)", 20 * US + job.jitter(), category="gpu_memcpy")
        job.change_pace(spread)
        job.plant(step, "forward")
        gather(0)
        for layer in range(LAYERS):
            if layer + 1 < LAYERS:
                for r in job.ranks if layer >= AHEAD else ():  # gathers are limited
                    r.wait("cudaEventSynchronize", done[layer - AHEAD][r.number])
                gather(layer + 1)
            job.plant(step, f"forward {layer}")
            compute(layer, 3, "forward")
        job.change_pace(spread)
        for r in job.ranks:
            r.thread = 1  # that of autograd
        gather(LAYERS - 1)
        for layer in reversed(range(LAYERS)):
            if layer:
                gather(layer - 1)
            job.plant(step, f"backward {layer}")
            compute(layer, 4, "backward")
            chunks = [r.kernel("fsdp::chunk_cat", "chunk_cat", 8 * US + job.jitter(), done[layer][r.number]) for r in job.ranks]
            scattered = meet_all(shards, "scatter" if two_streams else "shard", "reduce_scatter", 100 * US,
                                 24 if two_streams else 20, chunks)
            scattered = meet_all(copies, "replica", "allreduce", 80 * US, 28, scattered)
        for r in job.ranks:
            r.thread = 0
        job.plant(step, "optimizer")
        job.end_step(step, begins, scattered, sync=sync)
    job.write(folder)


def make_pipeline_job(folder, stages=3, replicas=1, steps=4, batches=4, causes=(), seed=1, skew=300 * US):
    """Rank `stage * replicas + replica`; the later a stage, the more it computes. Place of a cause: "batch 2"."""
    job = Job(stages * replicas, causes, seed, skew)

    def at(stage, replica):
        return job.ranks[stage * replicas + replica]

    def compute(stage, replica, after, factor):
        rank = at(stage, replica)
        for _ in range(4):
            end = rank.kernel("aten::mm", f"stage_{stage}", factor * (stage + 1) * 100 * US + job.jitter(), after)
        return end

    def send(source, target, ready):
        ends = job.meet([source, target], "pipeline", "send", 1 << 18, 30 * US, 20, [ready, 0],
                        {source.number: {"Src Rank": source.number, "Dst Rank": target.number},
                         target.number: {"Collective name": "recv", "Src Rank": source.number, "Dst Rank": target.number}})
        return ends[1]

    for step in range(1, steps + 1):
        begins = [r.host for r in job.ranks]
        for direction, factor in ((1, 1), (-1, 2)):
            for batch in range(batches):
                if direction > 0:
                    job.plant(step, f"batch {batch}")
                for replica in range(replicas):
                    after = 0
                    order = range(stages)[::direction]
                    for stage in order:
                        done = compute(stage, replica, after, factor)
                        if stage != order[-1]:
                            after = send(at(stage, replica), at(stage + direction, replica), done)
        ends = [r.streams[7] for r in job.ranks]
        if replicas > 1:
            for stage in range(stages):
                team = [at(stage, replica) for replica in range(replicas)]
                for member, end in zip(team, job.meet(team, f"data{stage}", "allreduce", 1 << 20, 90 * US, 28,
                                                      [ends[m.number] for m in team])):
                    ends[member.number] = end
        job.end_step(step, begins, ends)
    job.write(folder)
