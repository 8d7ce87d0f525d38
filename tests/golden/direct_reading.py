#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes a report straight from the definitions and compares it with `kscope report --json`.

usage: direct_reading.py KSCOPE_BINARY TRACE…   (a folder stands for all traces in it)

Shares nothing with the program but the file of name rules. Times must agree to the nanosecond.
Exit code 77: there is no such folder.
"""
import json
import math
import os
import subprocess
import sys

import compat_reading
from report_reading import Reading

SKIPPED = 77
NO_TRACES = ('_answers.json', '_facts.json', '_measured.json')  # what is known of the traces beside them


def differences(want, got, where=''):
    """Lines about everything in `want` that `got` has otherwise."""
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return [f'{where}: {got!r}, expected an object']
        return [line for key in want
                for line in differences(want[key], got.get(key), f'{where}.{key}')]
    if isinstance(want, list):
        lines = [] if isinstance(got, list) and len(want) == len(got) else \
            [f'{where}: {len(got or [])} entries, expected {len(want)}']
        return lines + [line for at, (one, other) in enumerate(zip(want, got or []))
                        for line in differences(one, other, f'{where}[{at}]')]
    if isinstance(want, float) and isinstance(got, (int, float)):
        same = math.isclose(want, got, rel_tol=1e-11, abs_tol=1e-12)
    else:
        same = want == got and isinstance(want, bool) == isinstance(got, bool)
    return [] if same else [f'{where}: {got!r}, expected {want!r}']


def ask(kscope, path, *options):
    run = subprocess.run([kscope, 'report', '--json', *options, path], capture_output=True,
                         check=False)
    if run.returncode != 0:
        return None, [f'kscope ended with {run.returncode}: {run.stderr.decode()}']
    return json.loads(run.stdout), []


def compare(kscope, path):
    reading = Reading(path)
    length_ns = reading.extent[1] - reading.extent[0]
    part = (length_ns // 3, 2 * length_ns // 3)
    cases = [('gpu', 'inductor'), ('trace', 'family'), ('gpu', 'operator')]
    if part[1] > part[0]:
        cases.append((part, 'stream'))
    if reading.steps:
        cases.append((reading.steps[-1][1], 'family'))
    lines = []
    for kind, group in cases:
        text = (f'step:{kind}' if isinstance(kind, int) else kind if isinstance(kind, str) else
                f'{kind[0]}ns..{kind[1]}ns')
        got, errors = ask(kscope, path, '--window', text, '--group', group)
        lines += errors or differences(reading.report(kind, group), got, text)
        got, errors = ask(kscope, path, '--window', text, '--gaps', '8')
        for gpu in [] if errors else got['gpus']:
            want = reading.gap_rows(gpu['gpu'], kind, 8)
            lines += differences(want, gpu.get('gaps', []), f'{text}: gaps of GPU {gpu["gpu"]}')
        lines += errors
    for runs, wall_ms in ((1, None), (4, 7.5)):
        options = ['--runs', str(runs)] + (['--wall-ms', str(wall_ms)] if wall_ms else [])
        got, errors = ask(kscope, path, *options)
        want = compat_reading.compat(reading.file, reading.extent, wall_ms, runs)
        lines += errors or differences(want, got['compat'], 'compat')
    return reading, lines


def traces_of(argument):
    if not os.path.isdir(argument):
        return [argument]
    return sorted(os.path.join(argument, name) for name in os.listdir(argument)
                  if name.endswith(('.json', '.json.gz')) and not name.endswith(NO_TRACES))


def main():
    kscope, *arguments = sys.argv[1:]
    missing = [argument for argument in arguments if not os.path.exists(argument)]
    if missing:
        print(f'{missing[0]} is not there: nothing to compare')
        return SKIPPED
    failed = False
    for path in [path for argument in arguments for path in traces_of(argument)]:
        reading, lines = compare(kscope, path)
        print(f'{os.path.basename(path)}: {len(reading.file.operations)} GPU operations, '
              f'{len(reading.steps)} steps: '
              + (f'{len(lines)} differences' if lines else 'the same'))
        print(''.join(f'  {line}\n' for line in lines[:10]), end='')
        failed = failed or bool(lines)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
