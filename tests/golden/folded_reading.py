#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Call stacks straight from their definition beside `kscope report --folded`.

usage: folded_reading.py KSCOPE_BINARY TRACE…   (a folder stands for all traces in it)

Every line must be the same, to the nanosecond. Exit code 77: there is no such folder.
"""
import os
import re
import subprocess
import sys
from bisect import bisect_left
from collections import Counter, defaultdict

from direct_reading import SKIPPED, traces_of
from report_reading import Reading
from spans import clip, depth

NOT_ON_THE_CPU = {'kernel', 'memcpy', 'gpu_memcpy', 'memset', 'gpu_memset', 'gpu_user_annotation',
                  'cuda_sync', 'cuda_event', 'external_correlation', 'trace'}
FRAMES = {
    'all': lambda one: one.written_category not in NOT_ON_THE_CPU,
    'operators': lambda one: one.category == 'cpu_op',
    'python': lambda one: one.written_category == 'python_function',
    'modules': lambda one: one.written_category == 'python_function' and one.name.startswith('nn.Module: '),
    'annotations': lambda one: one.category == 'user_annotation',
}


class Stacks:
    """The stacks of one file with frames of one kind."""

    def __init__(self, reading, kind):
        self.reading = reading
        self.merged = {step.name: re.sub(r'#\d+$', '*', step.name)
                       for step, _ in reading.steps} if kind in ('all', 'annotations') else {}
        self.frames = [one for one in reading.file.slices
                       if FRAMES[kind](one) and one.phase not in ('b', 'e')]
        self.parent = {}
        self.by_track = defaultdict(list)
        for one in sorted(self.frames, key=depth):
            self.by_track[one.track].append(one)
        for track in self.by_track.values():
            self.nest(track)

    def nest(self, track):
        for at, one in enumerate(track):
            self.parent[one.index] = self.around(track[at - 1] if at else None, one)

    def around(self, one, inner):
        """Of a slice and those it is in, the innermost that contains the other one."""
        while one is not None and not (inner.start < one.end and inner.end <= one.end):
            one = self.parent[one.index]
        return one

    def text(self, one):
        name = self.merged.get(one.name, one.name)
        name = re.sub('[\x00-\x1f]', lambda found: {'\n': r'\n', '\t': r'\t', '\r': r'\r'}.get(
            found[0], f'\\x{ord(found[0]):02x}'), name)
        return name.replace(';', ':') if name.strip(' ') else '(no name)'

    def path(self, one):
        names = []
        while one is not None:
            names.insert(0, self.text(one))
            one = self.parent[one.index]
        return names

    def cpu(self, window):
        times = Counter()
        for one in self.frames:
            start, end = clip((one.start, one.end), window) if window else (one.start, one.end)
            names = self.path(one)
            times[';'.join(names)] += end - start
            if len(names) > 1:
                times[';'.join(names[:-1])] -= end - start
        return times

    def gpu(self, window):
        times = Counter()
        for one in self.reading.file.operations:
            if window and not window[0] <= one.start < window[1]:
                continue
            launch = one.call or one.launcher
            frame = None
            if launch is not None and launch.index in self.parent:
                frame = launch
            elif launch is not None:
                track = self.by_track[launch.track]
                at = bisect_left(track, depth(launch), key=depth)
                frame = self.around(track[at - 1] if at else None, launch)
            times[';'.join(self.path(frame) + [self.text(one)])] += one.duration
        return times


def lines_of(times):
    return [f'{stack} {time}' for stack, time in sorted(
        times.items(), key=lambda item: item[0].encode()) if time > 0]


def compare(kscope, path):
    reading = Reading(path)
    first, last = reading.extent
    part = (first + (last - first) // 3, first + 2 * (last - first) // 3)
    lines = 0
    for kind in FRAMES:
        stacks = Stacks(reading, kind)
        for weight, window in (('cpu', None), ('gpu', None), ('cpu', part), ('gpu', part)):
            if window and last - first < 3:
                continue
            options = ['--window', f'{part[0] - first}ns..{part[1] - first}ns'] if window else []
            run = subprocess.run([kscope, 'report', '--folded', weight, '--frames', kind, *options, path],
                                 capture_output=True, check=False)
            want = lines_of(getattr(stacks, weight)(window))
            got = run.stdout.decode().splitlines()
            lines += len(want)
            if run.returncode != 0 or got != want:
                different = [f'  {mark} {line}' for mark, line in
                             [('-', line) for line in want if line not in got] +
                             [('+', line) for line in got if line not in want]]
                print(f'{path}: {kind}, {weight}, {options}: exit {run.returncode} {run.stderr.decode()}')
                print('\n'.join(different[:10]))
                return None
    return lines


def main():
    kscope, *arguments = sys.argv[1:]
    missing = [argument for argument in arguments if not os.path.exists(argument)]
    if missing:
        print(f'{missing[0]} is not there: nothing to compare')
        return SKIPPED
    failed = False
    total = 0
    for path in [path for argument in arguments for path in traces_of(argument)]:
        lines = compare(kscope, path)
        print(f'{os.path.basename(path)}: ' + ('differs' if lines is None else f'{lines} stacks, the same'))
        failed = failed or lines is None
        total += lines or 0
    return 1 if failed or total == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
