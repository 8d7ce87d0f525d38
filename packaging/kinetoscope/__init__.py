# SPDX-License-Identifier: Apache-2.0
"""Figures of GPU traces in Python: what `kscope` says, as dicts or, where pandas is installed, as tables.

    import kinetoscope
    kinetoscope.report("trace.json.gz")["gpus"][0]["busy_ns"]
    kinetoscope.kernels("trace.json.gz")                    # a pandas.DataFrame, or a list of dicts
    kinetoscope.query("trace.json.gz", "SELECT name, sum(dur) FROM gpu_ops GROUP BY name")

Times are nanoseconds. Every function starts the program `kscope`: $KINETOSCOPE_KSCOPE, else the one that was
installed with this module, else the one in PATH. What it refuses is a kinetoscope.Error with its own words.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sysconfig

__all__ = ["Error", "program", "run", "report", "kernels", "steps", "query", "findings", "compare"]


class Error(Exception):
    """What kscope said of a file or question that it refused."""


def program():
    """Path of kscope."""
    chosen = os.environ.get("KINETOSCOPE_KSCOPE")
    folders = [sysconfig.get_path("scripts")]
    # Those of pip install --prefix and --user: four folders above this package.
    folders += [os.path.join(parent, "bin") for parent in list(pathlib.Path(__file__).resolve().parents)[4:5]]
    found = chosen or shutil.which("kscope", path=os.pathsep.join(folders)) or shutil.which("kscope")
    if not found:
        raise Error("kscope was found neither beside Python nor in PATH; KINETOSCOPE_KSCOPE names it")
    return found


def run(*arguments):
    """What `kscope ARGUMENTS…` writes, from JSON."""
    try:
        done = subprocess.run([program(), *map(os.fspath, arguments)], stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        raise Error(f"kscope does not start: {error}") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        raise Error(said.removeprefix("kscope: ") or f"kscope ended with exit code {done.returncode}")
    return json.loads(done.stdout)


def _table(rows):
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _window(window):
    return [] if window is None else ["--window", window]


def report(trace, window=None):
    """All figures of a trace, as `kscope report --json`; window: "gpu", "trace", "step:3", "1ms..2ms"."""
    return run("report", "--json", *_window(window), "--", trace)


def kernels(trace, window=None):
    """The kernels of a trace, the costliest first."""
    return _table(report(trace, window)["kernels"])


def steps(trace):
    """The steps of a trace."""
    return _table(report(trace)["steps"])


def query(traces, sql, window=None):
    """The rows of one SELECT over one trace, or a list of them; docs/sql.md has the tables."""
    files = [traces] if isinstance(traces, (str, bytes, os.PathLike)) else list(traces)
    return _table(run("query", "--json", *_window(window), "--", *files, sql))


def findings(trace):
    """What to change first, with its evidence, as `kscope advise --json`."""
    return run("advise", "--json", "--", trace)


def compare(base, candidate):
    """What changed between two traces or results, as `kscope compare --json`."""
    return run("compare", "--json", "--", base, candidate)
