# SPDX-License-Identifier: Apache-2.0
"""Random programs of threads, data loaders, streams, events, graphs, full launch queues and ranks: their traces, their true critical paths, and how long
each of their steps takes when durations change.

A program is a list of nodes in an order in which each comes behind all that it depends on. A node begins when the last
of its predecessors is over, plus what the way takes."""
import json
import random

US = 1000
LAUNCH, STREAM, EVENT = 5 * US, 1 * US, 3 * US // 2  # from a call, an operation, another stream to an operation
PROCESS, MAIN, BACKWARD, LOADER = 900, 901, 902, 903
OUTSIDE = "(outside of operators)"
TO_GPU, IN_STREAM, ACROSS = ("(from the call to the GPU)", "(between operations of a stream)", "(after another stream)")
FAMILIES = {"softmax_warp_forward": "softmax", "nvjet_hsh_128x64": "gemm", "vectorized_elementwise_kernel": "elementwise"}
REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"


class Node:
    """`before`: pairs of a node and a gap, None for none: the node begins that gap's time after it, after its start if
    the gap is a launch's."""

    LAGS = {TO_GPU: LAUNCH, IN_STREAM: STREAM, ACROSS: EVENT}

    def __init__(self, kind, name, duration, before, at=0):
        self.kind, self.name, self.duration, self.before = kind, name, duration, before
        self.operator, self.rank = None, 0  # in which the thread was, and where
        self.start = self.ready({}) if before else at
        self.end = self.start + duration

    def over(self, edge, now):
        node, gap = edge
        start, end = now.get(node, (node.start, node.end))
        return (start if gap == TO_GPU else end) + self.LAGS.get(gap, 0)

    def ready(self, now):
        return max(self.over(edge, now) for edge in self.before) if self.before else self.start


class Program:
    """One process: two threads, and a GPU with several streams. Streams and threads are known by their last node."""

    def __init__(self, seed, told=True, rank=0, nodes=None):
        """`nodes`: of all ranks of a job."""
        self.random, self.told, self.rank = random.Random(seed), told, rank
        self.nodes, self.events, self.steps, self.launched = [] if nodes is None else nodes, [], [], []
        self.correlation = self.flow = 0
        self.stream, self.thread, self.operator = {}, {}, {}
        self.work(MAIN, 50 * US)

    def odd(self, low, high):
        """So many microseconds with a fraction that sums of others seldom hit; its half is a whole number too."""
        return self.random.randrange(low * US, high * US) // 4 * 4

    def add(self, node):
        node.rank = self.rank
        self.nodes.append(node)
        return node

    def now(self, thread=MAIN):
        return self.thread[thread].end

    def slice(self, category, name, pid, tid, start, end, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start,
                            "dur": end - start, "args": args})

    # The host.

    def append(self, thread, kind, name, duration, others=()):
        """What the thread does next, when the others are over too."""
        last = [(self.thread[thread], None)] if thread in self.thread else []
        node = self.add(Node(kind, name, duration, last + [(one, None) for one in others]))
        node.operator = self.operator.get(thread)
        self.thread[thread] = node
        return node

    def work(self, thread, duration):
        return self.append(thread, "cpu", self.operator.get(thread) or OUTSIDE, duration)

    def call(self, name, thread, duration, others=()):
        """A call that launches, or one that ends `duration` behind the others."""
        begin = self.now(thread)
        self.correlation += 1
        node = self.append(thread, "synchronization" if others else "launch", name, duration, others)
        self.slice("cuda_runtime", name, PROCESS, thread, begin, node.end, correlation=self.correlation)
        return node

    def quick_call(self, name, thread):
        """A call without effect on the thread; its correlation."""
        self.correlation += 1
        self.slice("cuda_runtime", name, PROCESS, thread, self.now(thread), self.now(thread),
                   correlation=self.correlation)
        self.work(thread, self.odd(1, 3))
        return self.correlation

    def inside(self, name, work, thread=MAIN):
        begin = self.now(thread)
        self.operator[thread] = name
        self.work(thread, self.odd(2, 12))
        work()
        self.work(thread, self.odd(1, 5))
        self.operator[thread] = None
        self.slice("cpu_op", name, PROCESS, thread, begin, self.now(thread))

    # The GPU.

    def operation(self, name, stream, duration, call, awaited=(), category="kernel", graph=0, **args):
        before = [(call, TO_GPU)]
        before += [(self.stream[stream], IN_STREAM)] if stream in self.stream else []
        before += [(one, ACROSS) for one in awaited]
        kind, shown = {"kernel": ("kernel", FAMILIES.get(name)), "gpu_memcpy": ("copy", name)}[category]
        node = self.add(Node(kind, shown, duration, before))
        node.full_name, node.operator = name, call.operator
        self.stream[stream] = node
        self.launched.append(node)
        args.update({"device": 0, "stream": stream, "correlation": self.correlation, "graph id": graph})
        self.slice(category, name, 0, stream, node.start, node.end, **args)
        return node

    def launch(self, stream, awaited=(), thread=MAIN, duration=None):
        call = self.call("cudaLaunchKernel", thread, self.odd(3, 8))
        return self.operation(self.random.choice(list(FAMILIES)), stream, duration or self.odd(2, 120), call, awaited)

    def synchronisation(self, kind, stream, **args):
        if self.told:
            self.slice("cuda_sync", kind, 0, stream + 1000000, self.now(), self.now(), cuda_sync_kind=kind,
                       stream=stream, device=0, correlation=self.correlation, **args)

    def wait_event(self, stream, other):
        """The stream waits for what was put into the other so far."""
        recorded = self.quick_call("cudaEventRecord", MAIN)
        awaited = [self.stream[other]] if other in self.stream else []
        self.quick_call("cudaStreamWaitEvent", MAIN)
        self.synchronisation("Stream Wait Event", stream, wait_on_stream=other,
                             wait_on_cuda_event_record_corr_id=recorded)
        return awaited

    def synchronise(self):
        self.call("cudaDeviceSynchronize", MAIN, self.odd(4, 16), list(self.stream.values()))

    def synchronise_stream(self):
        if 7 in self.stream:
            self.call("cudaStreamSynchronize", MAIN, self.odd(4, 16), [self.stream[7]])
            self.synchronisation("Stream Sync", 7)

    def graph(self):
        """One launch; a branch that begins behind the first operation and joins before the last. Nothing else runs."""
        self.synchronise()
        self.work(MAIN, self.odd(2, 9))
        call = self.call("cudaGraphLaunch", MAIN, self.odd(6, 12))
        first = self.operation("nvjet_hsh_128x64", 7, self.odd(5, 20), call, graph=5)
        side = self.operation("softmax_warp_forward", 21, self.odd(60, 90), call, [first], graph=5)
        self.operation("nvjet_hsh_128x64", 7, self.odd(5, 20), call, graph=5)
        self.operation("vectorized_elementwise_kernel", 7, self.odd(5, 20), call, [side], graph=5)

    def item(self):
        """A copy to pageable memory: the call ends behind it."""
        begin = self.now()
        self.correlation += 1
        call = self.append(MAIN, "launch", "cudaMemcpyAsync", 0)
        copy = self.operation("Memcpy DtoH (Device -> Pageable)", 7, self.odd(2, 9), call, category="gpu_memcpy")
        done = self.append(MAIN, "synchronization", "cudaMemcpyAsync", self.odd(4, 9), [copy])
        self.slice("cuda_runtime", "cudaMemcpyAsync", PROCESS, MAIN, begin, done.end, correlation=self.correlation)

    def backward(self):
        """The other thread takes work from this one, which then does nothing until it is done."""
        forward = self.now()
        self.inside("aten::loss", lambda: None)
        self.append(BACKWARD, "synchronization", "(another thread)", self.odd(10, 30), [self.thread[MAIN]])
        begin = self.now(BACKWARD)
        self.flow += 1
        for phase, thread, time in (("s", MAIN, forward), ("f", BACKWARD, begin)):
            self.events.append({"ph": phase, "bp": "e", "cat": "fwdbwd", "name": "fwdbwd", "id": self.flow,
                                "pid": PROCESS, "tid": thread, "ts": time})

        def work():
            for _ in range(self.random.randrange(1, 5)):
                self.launch(7, thread=BACKWARD)
                self.work(BACKWARD, self.odd(3, 20))
        self.inside("AddBackward0", work, BACKWARD)
        self.append(MAIN, "synchronization", "(another thread)", self.odd(5, 15), [self.thread[BACKWARD]])
        self.inside("aten::after", lambda: None)

    def load(self):
        """A batch that another thread has begun; this one does nothing until it is there."""
        begin, loading = self.now(), self.odd(5, 40)
        done = begin + loading - self.odd(1, 4)
        if LOADER in self.thread:
            self.work(LOADER, done - loading - self.now(LOADER))
            self.operator[LOADER] = "aten::pin_memory"
            self.work(LOADER, loading)
            self.operator[LOADER] = None
        else:
            self.thread[LOADER] = self.add(Node("cpu", "aten::pin_memory", loading, [], at=done - loading))
        self.slice("cpu_op", "aten::pin_memory", PROCESS, LOADER, done - loading, done)
        self.append(MAIN, "synchronization", "(another thread)", self.odd(4, 20), [self.thread[LOADER]])
        self.slice("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", PROCESS, MAIN,
                   begin, self.now())

    def fill_queue(self, more, length=1000):
        """Launches behind a long kernel until the queue is full, and some more, each of which waits until one is over."""
        self.launch(7, duration=length * 12 * US)
        for launch in range(1, length + more):
            begin, waits = self.now(), launch >= length
            call = self.append(MAIN, "launch", "cudaLaunchKernel", 0 if waits else self.odd(3, 8))
            self.correlation += 1
            self.operation("nvjet_hsh_128x64", 7, self.odd(16, 24), call)
            if waits:
                self.append(MAIN, "synchronization", "cudaLaunchKernel", self.odd(1, 3), [self.launched[-length - 1]])
            self.slice("cuda_runtime", "cudaLaunchKernel", PROCESS, MAIN, begin, self.now(), correlation=self.correlation)
            self.work(MAIN, self.odd(1, 2))

    def anything(self):
        def crossing(stream, other):
            return lambda: self.launch(stream, self.wait_event(stream, other))
        works = [(5, "aten::linear", lambda: self.launch(7)), (3, "aten::softmax", lambda: self.launch(7)),
                 (4, "aten::side", crossing(20, 7)), (2, "aten::back", crossing(7, 20)), (1, "replay", self.graph),
                 (1, "aten::item", self.item), (1, "wait", self.synchronise_stream), (1, None, self.backward),
                 (1, None, self.load)]
        _, name, work = self.random.choices(works, [one[0] for one in works])[0]
        if name:
            self.inside(name, work)
        else:
            work()
        self.work(MAIN, self.odd(1, 30))

    def arrive(self):
        """Puts a collective behind all that stream 7 has; where it begins."""
        awaited = self.wait_event(30, 7)
        call = self.call("cudaLaunchKernel", MAIN, self.odd(3, 8))
        before = [(call, TO_GPU)] + [(one, ACROSS) for one in awaited]
        before += [(self.stream[30], IN_STREAM)] if 30 in self.stream else []
        return self.add(Node("communication", "allreduce", 0, before)), self.correlation

    def meet(self, arrival, correlation, arrivals, took, sequence):
        """It ends on all ranks, so long after the last of them has come."""
        node = self.add(Node("communication", "allreduce", took, [(one, None) for one in arrivals]))
        self.stream[30] = node
        self.launched.append(node)
        self.slice("kernel", REDUCE, 0, 30, arrival.start, node.end, device=0, stream=30, correlation=correlation,
                   **{"Collective name": "allreduce", "Process Group Name": "0", "Process Group Ranks": "[0, 1]",
                      "Group size": 2, "Seq": sequence, "dtype": "Float", "In msg nelems": 1024,
                      "Out msg nelems": 1024})

    def step(self, number, works):
        begin, self.launched = self.now(), []
        for work in works:
            work()
        self.finish_step(number, begin)

    def finish_step(self, number, begin):
        end = self.work(MAIN, self.odd(2, 9))
        ends = [end] + self.launched
        self.steps.append({"number": number, "begin": begin, "ends": ends, "end": max(node.end for node in ends)})
        self.slice("user_annotation", f"ProfilerStep#{number}", PROCESS, MAIN, begin, end.end)
        self.work(MAIN, self.odd(3, 30))

    def calibrate(self):
        """Each kind of way alone, so that a trace tells what it takes."""
        def alone():
            self.launch(7, duration=2 * US)
            self.work(MAIN, 60 * US)

        def across():
            self.launch(7, duration=200 * US)
            self.work(MAIN, 4 * US)
            self.launch(20, self.wait_event(20, 7), duration=2 * US)
            self.work(MAIN, 4 * US)
        queue = [lambda: self.launch(7, duration=400 * US)] * 4
        self.step(0, [alone] * 3 + queue + [self.synchronise] + [across] * 3 + [self.synchronise])

    def random_step(self, number):
        works = [self.anything] * self.random.randrange(3, 14)
        self.step(number, works + ([self.synchronise] if self.random.random() < 0.7 else []))


def make_job(seed, steps, slept=None):
    """Two ranks that meet in collectives; each step ends behind the last of its own. `slept`: how long the host of a rank does
    nothing at the beginning of a step, by rank and step."""
    nodes = []
    ranks = [Program(seed * 2 + rank, rank=rank, nodes=nodes) for rank in range(2)]
    for rank in ranks:
        rank.calibrate()
    sequence = 0
    for number in range(1, steps + 1):
        for rank in ranks:
            rank.begun = rank.now()
            rank.launched = []
            if slept and (rank.rank, number) in slept:
                rank.work(MAIN, slept[rank.rank, number])
        for _ in range(ranks[0].random.randrange(1, 4)):
            sequence += 1
            for rank in ranks:
                for _ in range(rank.random.randrange(1, 6)):
                    rank.anything()
            arrived = [rank.arrive() for rank in ranks]
            took = ranks[0].odd(20, 60)
            for rank, (arrival, correlation) in zip(ranks, arrived):
                rank.meet(arrival, correlation, [one for one, _ in arrived], took, sequence)
        for rank in ranks:
            rank.launch(7, rank.wait_event(7, 30))
            rank.synchronise()
            rank.finish_step(number, rank.begun)
    return ranks


def write(program, path, clock=0, **more):
    events = []
    for event in program.events:
        event = dict(event, ts=(event["ts"] + clock) / US)
        if "dur" in event:
            event["dur"] /= US
        events.append(event)
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events, **more}))


def replay(nodes, step, scale):
    """How long the step takes when each node lasts `scale(node)` times as long. What was over when it began stays, of what
    was going on only the rest is scaled."""
    now, begin = {}, step["begin"]
    for node in nodes:
        if node.end <= begin or node.start >= step["end"]:
            continue
        if node.start < begin:
            now[node] = node.start, begin + round((node.end - begin) * scale(node))
        else:
            start = node.ready(now)
            now[node] = start, start + round(node.duration * scale(node))
    return max(now.get(node, (node.start, node.end))[1] for node in step["ends"]) - begin


def critical_path(step):
    """Sums by kind and name, from the end back along what came last."""
    sums = {}

    def add(kind, name, span):
        if span > 0:
            sums[kind, name] = sums.get((kind, name), 0) + span
    begin, node = step["begin"], max(step["ends"], key=lambda one: one.end)
    time = node.end
    while True:
        start = max(node.start, begin)
        add(node.kind, node.name, time - start)
        if start == begin:
            return sums
        if not node.before:
            add("gap", "(before anything known)", start - begin)
            return sums
        before, gap = max(node.before, key=lambda edge: node.over(edge, {}))
        time = max(before.start if gap == TO_GPU else before.end, begin)
        add("launch" if gap == TO_GPU else "gap", gap, start - time)
        if time == begin:
            return sums
        node = before
