# SPDX-License-Identifier: Apache-2.0
"""How long `kscope mcp` takes for ten questions about a large trace: mcp_large.py KSCOPE FILE. Exit 1 where one takes longer
than a person notices or says more than it was allowed."""
import json
import os
import sys
import time

from mcp_server import Server

MOST_SECONDS, MOST_BYTES = 0.3, 3 * 2000 + 800

QUESTIONS = [
    ("summary", {}),
    ("findings", {}),
    ("kernels", {"name": "/gemm|nvjet/"}),
    ("operators", {}),
    ("steps", {}),
    ("idle", {}),
    ("roofline", {"by": "operator"}),
    ("path", {}),
    ("what_if", {"changes": ["host=0", "family:gemm=0.5"]}),
    ("events", {"window": "10ms..30ms", "category": "kernel"}),
    ("event", {"id": 1000}),
]


def main(kscope, path):
    server = Server(kscope, os.path.dirname(os.path.abspath(path)))
    missed = 0

    def processor():
        """Seconds of all of its threads so far."""
        with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(tool, **arguments):
        began, used = time.perf_counter(), processor()
        answer, failed = server.call(tool, **arguments)
        seconds = time.perf_counter() - began
        size = len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))
        print(f"{tool:12} {1000 * seconds:9.1f} ms, processor {1000 * (processor() - used):7.0f} ms {size:7} bytes{'  ' + answer if failed else ''}", flush=True)
        return answer, seconds, failed or size > MOST_BYTES

    trace, _, failed = ask("open", path=os.path.abspath(path))
    if failed:
        return 1
    for tool, arguments in QUESTIONS:
        _, seconds, failed = ask(tool, trace=trace["trace"], **arguments)
        missed += failed or seconds > MOST_SECONDS
    server.close()
    print(f"{missed} of {len(QUESTIONS)} answers took over {1000 * MOST_SECONDS:.0f} ms, were too long or failed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
