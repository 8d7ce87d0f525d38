#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torchrun --nproc-per-node 2 sharded_pair.py OUT.tar: records sharded training on the GPUs of this machine, with causes planted.

Each job is a folder of the archive with a trace for each rank and facts.json: what was planted, and how long each step took on
each rank, and the sleep, by the host's clock. `sharded_pair.py --check KSCOPE FOLDER…` holds what `kscope ranks` says of them against that."""
import contextlib
import functools
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time

SLEEP, PRODUCTS = 0.015, 60
FIRST = 4  # the first recorded step
# name, sharding, width, layers, tokens, numbered steps, stacks of rank 0, causes (rank, step, kind, place)
JOBS = (
    ("first_small", "fsdp1", 1024, 4, 4096, True, True, ((1, 5, "sleep", "step"), (1, 6, "products", "step"))),
    ("second_small", "fsdp2", 1024, 4, 4096, True, True, ((1, 5, "sleep", "step"), (1, 6, "products", "step"))),
    ("second_large", "fsdp2", 2048, 8, 16384, True, False, ((1, 5, "sleep", "step"), (0, 6, "products", "step"))),
    ("first_large", "fsdp1", 2048, 8, 16384, True, False, ((0, 5, "sleep", "step"), (1, 6, "products", "layer"))),
    ("middle", "fsdp2", 1024, 8, 4096, True, False, ((1, 5, "sleep", "layer"), (0, 6, "products", "layer"))),
    ("unnumbered", "fsdp2", 1024, 4, 4096, False, False, ((1, 5, "sleep", "step"), (1, 6, "products", "step"))),
    ("nothing", "fsdp2", 1024, 4, 4096, True, False, ()),
    ("nothing_large", "fsdp1", 2048, 8, 16384, True, False, ()),
)


def suffer(kind, matrix, slept):
    if kind == "sleep":
        begin = time.perf_counter()
        time.sleep(SLEEP)
        slept.append(time.perf_counter() - begin)  # a busy machine wakes it later
    for _ in range(PRODUCTS if kind == "products" else 0):
        matrix @ matrix


def build(torch, sharding, width, layers):
    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.after = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
            self.attention = torch.nn.Linear(width, 3 * width)
            self.out = torch.nn.Linear(width, width)
            self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)
            self.before = None

        def forward(self, x):
            if self.before:
                self.before()
            q, k, v = self.attention(self.norm(x)).chunk(3, -1)
            heads = [t.view(*t.shape[:-1], -1, 64).transpose(1, 2) for t in (q, k, v)]
            mixed = torch.nn.functional.scaled_dot_product_attention(*heads, is_causal=True)
            x = x + self.out(mixed.transpose(1, 2).reshape(x.shape))
            return x + self.down(torch.nn.functional.gelu(self.up(self.after(x))))

    blocks = [Block() for _ in range(layers)]
    model = torch.nn.Sequential(*blocks).cuda()
    if sharding == "fsdp1":
        from torch.distributed.fsdp import FullyShardedDataParallel, MixedPrecision
        from torch.distributed.fsdp.wrap import ModuleWrapPolicy
        half = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16)
        return blocks, FullyShardedDataParallel(model, auto_wrap_policy=ModuleWrapPolicy({Block}), mixed_precision=half)
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    half = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16)
    for block in blocks:
        fully_shard(block, mp_policy=half)
    return blocks, fully_shard(model, mp_policy=half)


def record(torch, rank, folder, name, sharding, width, layers, tokens, numbered, stacks, causes):
    torch.manual_seed(1)
    blocks, model = build(torch, sharding, width, layers)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    data = torch.randn(4, tokens // 4, width, device="cuda", dtype=torch.bfloat16)
    matrix = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
    lengths, slept, steps = [], [], FIRST + 4
    shapes = {"record_shapes": True, "profile_memory": True, "with_stack": stacks and rank == 0}
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    schedule = torch.profiler.schedule(wait=1, warmup=FIRST - 1, active=4, repeat=1) if numbered else None
    profile = torch.profiler.profile(activities=activities, schedule=schedule, **shapes)
    with contextlib.ExitStack() as recording:
        if numbered:
            recording.enter_context(profile)
        for step in range(steps):
            if step == FIRST and not numbered:
                torch.distributed.barrier()
                recording.enter_context(profile)
            begin = time.perf_counter()
            for who, when, kind, place in causes:
                if (who, when) == (rank, step):
                    if place == "step":
                        suffer(kind, matrix, slept)
                    else:
                        blocks[layers // 2].before = functools.partial(suffer, kind, matrix, slept)
            loss = model(data).float().square().mean()
            blocks[layers // 2].before = None
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0) if sharding == "fsdp2" else model.clip_grad_norm_(1.0)
            optimizer.step()
            optimizer.zero_grad()
            if name != "middle":  # there the host runs ahead of the GPU
                loss.item()
            lengths.append(time.perf_counter() - begin)
            if numbered:
                profile.step()
        torch.cuda.synchronize()
    profile.export_chrome_trace(os.path.join(folder, f"rank{rank}.json.gz"))
    told = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(told, (lengths[FIRST:], sum(slept)))
    if rank == 0:
        facts = {"numbered": numbered, "step_seconds": [each[0] for each in told],
                 "slept_seconds": sum(each[1] for each in told),
                 "causes": [dict(zip(("rank", "step", "kind", "place"), cause)) for cause in causes]}
        with open(os.path.join(folder, "facts.txt"), "w") as file:
            json.dump(facts, file, indent=1)
        print(name, json.dumps(facts), flush=True)


def main(out):
    import torch
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", rank))
    shared = [tempfile.mkdtemp() if rank == 0 else None]
    torch.distributed.broadcast_object_list(shared)
    for job in JOBS:
        folder = os.path.join(shared[0], job[0])
        os.makedirs(folder, exist_ok=True)
        try:
            record(torch, rank, folder, *job)
        except Exception as error:  # the others are worth having
            print(f"{job[0]}, rank {rank}: {error!r}", flush=True)
        torch.cuda.empty_cache()
        torch.distributed.barrier()
    if rank == 0:
        with tarfile.open(out, "w") as archive:
            archive.add(shared[0], "sharded")
    torch.distributed.destroy_process_group()


def check(kscope, folders):
    bad = 0
    for folder in folders:
        with open(os.path.join(folder, "facts.txt")) as file:
            facts = json.load(file)
        done = subprocess.run([kscope, "ranks", "--json", folder], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{folder}: {done.stderr}")
            bad += 1
            continue
        job = json.loads(done.stdout)
        print(f"{folder}: {job['matched']} matched, {job['unmatched']} not")
        for answer in job["answers"]:
            print(f"  {answer['text']}")
        for cause in facts["causes"]:
            kind = {"sleep": "host", "products": "compute"}[cause["kind"]]
            near = [a for a in job["answers"][:3] if (a["rank"], a["kind"]) == (cause["rank"], kind) and
                    (not facts["numbered"] or a["first_step"] == cause["step"])]
            slept = facts.get("slept_seconds") or SLEEP
            off = cause["kind"] == "sleep" and near and abs(near[0]["ns"] / (slept * 1e9) - 1) > 0.05
            if not near or off:
                bad += 1
                print(f"  PLANTED {cause}: {'not named' if not near else near[0]['ns']}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(check(sys.argv[2], sys.argv[3:]) if sys.argv[1] == "--check" else main(sys.argv[1]))
