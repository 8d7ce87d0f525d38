# SPDX-License-Identifier: Apache-2.0
"""Jobs made of a recorded rank, with causes planted and their truth beside them: ranks_planted.py KSCOPE SHARED.

Every planted cause must be among the first three answers with its rank, its step and its nanoseconds; clocks, waiting and
what collectives took must be those of the truth; nothing may be named where nothing was planted. KINETOSCOPE_PLANTED says
how many: "8x10 64x10 256x10" is ten seeds each of jobs of 8, 64 and 256 ranks (default: 8x2). A kernel that runs
across a planted sleep of the host is as much longer in these jobs, so the answer may be that kernel."""
import gzip
import json
import os
import subprocess
import sys
import tempfile

US = 1000
SKIPPED = 77
NEEDLESS = {"fwdbwd", "ac2g", "cpu_instant_event"}  # for these answers; it takes time to copy them


def write_template(source, path):
    with gzip.open(source) as file:
        document = json.load(file)
    ends, kept = {}, []
    for event in sorted(document["traceEvents"], key=lambda e: (e.get("ts", 0), -e.get("dur", 0))):
        if event.get("cat") in NEEDLESS:
            continue
        if event.get("cat") == "cpu_op":  # the outermost ones
            if event["ts"] < ends.get(event["tid"], 0):
                continue
            ends[event["tid"]] = event["ts"] + event["dur"]
        kept.append(event)
    document["traceEvents"] = kept
    with gzip.open(path, "wt", 1) as file:
        json.dump(document, file)


def problems_of(kscope, folder):
    with open(os.path.join(folder, "truth.json")) as file:
        truth = json.load(file)
    files = [os.path.join(folder, f"rank{rank}.json") for rank in range(truth["ranks"])]
    job = json.loads(subprocess.run([kscope, "ranks", "--json", *files], capture_output=True, check=True).stdout)
    for rank in job["ranks"]:
        true = truth["host_offset_ns"][rank["host"]] - truth["host_offset_ns"]["host0"]
        if abs(rank["offset_ns"] - true) > 2 * US:
            yield f"rank {rank['rank']}: offset {rank['offset_ns']} ns, not {true}"
    if len(job["collectives"]) != len(truth["collectives"]):
        yield f"{len(job['collectives'])} collectives of {len(truth['collectives'])}"
    for found, true in zip(job["collectives"], truth["collectives"]):
        if abs(found["took_ns"] - true["took_ns"]) > US:
            yield f"collective {true['index']} took {found['took_ns']} ns, not {true['took_ns']}"
        if max(abs(a - b) for a, b in zip(found["waited_ns"], true["waited_ns"])) > US:
            yield f"collective {true['index']}: waited {found['waited_ns']}, not {true['waited_ns']}"
    if not truth["causes"] and job["answers"]:
        yield f"nothing was planted, but: {job['answers'][0]['text']}"
    for cause in truth["causes"]:
        kinds = ("compute",) if cause["kind"] == "slow_compute" else ("host", "compute")
        near = [a for a in job["answers"][:3] if a["rank"] == cause["rank"] and a["kind"] in kinds and
                (a["steps"] > 2 if cause["step"] is None else a["first_step"] == cause["step"] == a["last_step"])]
        if not near:
            yield f"{cause} is not among {[a['text'] for a in job['answers'][:3]]}"
        elif abs(near[0]["ns"] / cause["ns"] - 1) > 0.05:
            yield f"{cause} is {near[0]['ns']} ns, {100 * (near[0]['ns'] / cause['ns'] - 1):+.1f} %"


def main():
    kscope, shared = sys.argv[1:3]
    maker, recorded = os.path.join(shared, "tools/make_ranks.py"), os.path.join(shared, "ranks/ddp_gpt_rank1.json.gz")
    if not os.path.exists(maker) or not os.path.exists(recorded):
        print("no recorded rank at hand")
        return SKIPPED
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        template = os.path.join(work, "template.json.gz")
        write_template(recorded, template)
        for size in os.environ.get("KINETOSCOPE_PLANTED", "8x2").split():
            ranks, seeds = map(int, size.split("x"))
            jobs = [(seed, "some") for seed in range(1, seeds + 1)] + [(1, "none")]
            for seed, causes in jobs:
                with tempfile.TemporaryDirectory(dir=work) as folder:
                    subprocess.run([sys.executable, maker, "--template", template, "--ranks", str(ranks), "--seed", str(seed),
                                    "--causes", causes, "--plain", "--out", folder], check=True, stdout=subprocess.DEVNULL)
                    problems = list(problems_of(kscope, folder))
                bad += bool(problems)
                print(f"{ranks} ranks, seed {seed}, causes {causes}: {'; '.join(problems) or 'right'}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
