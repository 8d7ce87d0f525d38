# SPDX-License-Identifier: Apache-2.0
"""The report of a trace, computed straight from the definitions."""
import functools
import json
import math
import os
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict

from spans import clip, clipped, depth, encloses, innermost, length, median, minus, union
from trace_reading import TraceFile

HERE = os.path.dirname(os.path.abspath(__file__))
RULES = os.path.join(HERE, '..', '..', 'resources', 'kernel_rules.json')
MM_CONV_OPERATOR = re.compile(
    r'aten::(mm|addmm|_addmm_activation|bmm|baddbmm|_scaled_mm|convolution|_convolution'
    r'|convolution_backward|cudnn_convolution.*|miopen_.*)')
STEP_NAME = re.compile(r'(.+)#(\d+)', re.DOTALL)


class NameRules:
    def __init__(self):
        with open(RULES, encoding='utf-8') as file:
            self.rules = [(re.compile(rule['pattern']), rule['family'])
                          for rule in json.load(file)['rules']]
        self.known = {}

    def family(self, name):
        if name not in self.known:
            self.known[name] = next((family for pattern, family in self.rules
                                     if pattern.search(name)), 'other')
        return self.known[name]


def inductor_category(name):
    prefixes = [('triton_poi', 'triton_pointwise'), ('triton_red', 'triton_reduction'),
                ('triton_per', 'triton_persistent_reduction'), ('triton_for', 'foreach'),
                ('triton_tem', 'template'), ('triton_mm', 'template'),
                ('triton_spl', 'split_scan'), ('triton_', 'triton_unknown')]
    return next((category for prefix, category in prefixes if name.startswith(prefix)), 'unknown')


GPU_IDLE_REASONS = ('host_ns', 'launch_ns', 'dependency_ns', 'graph_ns', 'profiler_ns', 'unknown_ns')
IDLE_REASONS = ('host_wait_ns', 'kernel_wait_ns', 'other_ns', 'overhead_ns', 'inside_graph_ns')


class Reading:
    """Everything the definitions say about one file."""

    def __init__(self, path):
        self.file = TraceFile(path)
        self.rules = NameRules()
        self.extent = (min((one.start for one in self.file.slices), default=0),
                       max((one.end for one in self.file.slices), default=0))
        self.link_launches()
        self.link_operators()
        self.rows = defaultdict(list)
        for one in sorted(self.file.operations, key=lambda one: (one.start, one.index)):
            self.rows[one.gpu].append(one)
        self.steps = self.find_steps()
        self.overhead = None

    # Launches.

    def link_launches(self):
        api = [one for one in self.file.slices if one.category == 'api']
        # ROCm until 2024: no call has a correlation, and External ids say what it would.
        first = next((one for one in api if one.external_id is not None), None)
        self.ids_are_external = first is not None and all(
            one.correlation is None for one in api) and not any(
            one.category == 'cpu_op' and one.external_id == first.external_id and encloses(one, first)
            for one in self.file.slices)

        def launch_id(one):
            return one.external_id if self.ids_are_external and one.correlation is None else one.correlation

        calls = defaultdict(list)
        for one in api:
            if launch_id(one) is not None:
                calls[launch_id(one)].append(one)
        for one in self.file.operations:
            fitting = calls.get(launch_id(one), []) if launch_id(one) is not None else []
            fitting = sorted(fitting, key=lambda call: (call.start, call.index))
            before = [call for call in fitting if call.start <= one.start]
            one.call = (before[-1] if before else fitting[0]) if fitting else None
        self.link_orphans(api)
        shared = Counter(one.call.index for one in self.file.operations if one.call)
        for one in self.file.operations:
            graph = one.args.get('graph id') or 0
            one.of_graph = graph != 0 or bool(one.call and shared[one.call.index] > 1)

    def link_orphans(self, api):
        """ROCm 6.1: communication without a correlation, in the order of the launches without work."""
        launched = {one.call.index for one in self.file.operations if one.call}
        launches = sorted((one for one in api if one.correlation and one.index not in launched and
                           re.match('hip(?=.*Launch)(?=.*Kernel)', one.name)), key=lambda one: one.start)
        kernels = sorted((one for one in self.file.operations if one.category == 'kernel' and
                          not one.call and not one.correlation), key=lambda one: one.start)
        if not launches or len({(one.gpu, one.stream) for one in kernels}) != 1:
            return
        kernels = [one for one in kernels if one.start >= launches[0].start]
        if len(kernels) == len(launches) and all(
                launch.start <= kernel.start for launch, kernel in zip(launches, kernels)):
            for launch, kernel in zip(launches, kernels):
                kernel.call = launch

    def link_operators(self):
        by_id = defaultdict(list)
        by_track = defaultdict(list)
        for one in self.file.slices:
            if one.category == 'cpu_op':
                by_track[one.track].append(one)
                if one.external_id is not None:
                    by_id[one.external_id].append(one)
        for track in by_track.values():
            track.sort(key=depth)
        for one in self.file.operations:
            named = [] if self.ids_are_external or one.external_id is None else by_id.get(one.external_id, [])
            if one.call is None:
                one.launcher = min(named, key=lambda op: (op.start, op.index), default=None)
                continue
            around = [op for op in named if encloses(op, one.call)]
            one.launcher = max(around, key=depth, default=None)
            if one.launcher is None:
                one.launcher = innermost(by_track[one.call.track], one.call)

    # Kinds of kernels.

    def is_comm(self, one):
        return one.category == 'kernel' and (
            one.name[:4].lower() == 'nccl' or 'Collective name' in one.args)

    def mm_conv(self, one):
        """'operator', 'name', 'layout' or None."""
        if one.category != 'kernel' or re.match(r'triton_(poi|red|per|for|spl)', one.name):
            return None
        if re.search(r'triton_(mm|bmm)|triton_tem_.*(mm|conv)', one.name):
            return 'name'
        family = self.rules.family(one.name)
        if one.launcher and MM_CONV_OPERATOR.fullmatch(one.launcher.name):
            return 'layout' if family == 'layout' else 'operator'
        return 'name' if family in ('gemm', 'conv') else None

    # Steps.

    def find_steps(self):
        named = []
        for one in self.file.slices:
            match = STEP_NAME.fullmatch(one.name)
            if match and one.category in ('cpu_op', 'user_annotation'):
                named.append((one, match[1], int(match[2])))
        steps = [(one, number) for one, text, number in named if text == 'ProfilerStep']
        steps = steps or self.numbered_annotations(named)
        if origin := self.file.document.get('kinetoscopeCut'):
            first, last = origin['start_ns'], origin['end_ns']
            whole = [step for step in steps if first <= step[0].start and step[0].end <= last]
            steps = whole or [step for step in steps if step[0].start < last and first < step[0].end]
        return sorted(steps, key=lambda step: (step[0].start, step[0].index))

    def numbered_annotations(self, named):
        annotations = defaultdict(list)
        for one in self.file.slices:
            if one.category == 'user_annotation':
                annotations[one.track].append(one)
        series = defaultdict(list)
        for one, text, number in named:
            nested = any(encloses(other, one) and depth(other) < depth(one)
                         for other in annotations[one.track])
            if one.category == 'user_annotation' and not nested and not one.name.startswith(
                    ('nccl:', 'Optimizer.', '## Call ')):
                series[one.track, text].append((one, number))
        fitting = []
        for members in series.values():
            members.sort(key=lambda step: (step[0].start, step[0].index))
            numbers = [number for _, number in members]
            if len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
                fitting.append(members)
        return min(fitting, key=lambda members: (-len(members), members[0][0].start), default=[])

    def step_rows(self):
        rows = []
        for cpu, number in self.steps:
            inside = [one for one in self.file.operations
                      if one.call and one.call.track[0] == cpu.track[0]
                      and cpu.start <= one.call.start < cpu.end]
            span = (cpu.start, max([cpu.end] + [one.end for one in inside]))
            rows.append({
                'name': cpu.name, 'number': number, 'start_ns': span[0], 'end_ns': span[1],
                'cpu_end_ns': cpu.end, 'busy_ns': length(clipped(self.file.operations, span)),
                'kernels': sum(one.category == 'kernel' for one in inside),
                'gpus': [{'gpu': gpu, 'busy_ns': length(clipped(self.rows[gpu], span))}
                         for gpu in sorted(self.rows)]})
        return rows

    # Windows.

    def window_of(self, gpu, kind):
        if kind == 'gpu':
            row = self.rows[gpu]
            return min(one.start for one in row), max(one.end for one in row)
        if kind == 'trace':
            return self.extent
        if isinstance(kind, int):
            step = next(row for row in self.step_rows() if row['number'] == kind)
            return step['start_ns'], step['end_ns']
        return self.extent[0] + kind[0], self.extent[0] + kind[1]

    def inside(self, gpu, kind):
        window = self.window_of(gpu, kind)
        return [one for one in self.rows[gpu]
                if kind in ('gpu', 'trace') or window[0] <= one.start < window[1]]

    # The parts of the report.

    def gpu_row(self, gpu, kind):
        window = self.window_of(gpu, kind)
        row = self.rows[gpu]
        kernels = [one for one in row if one.category == 'kernel']
        comm = clipped([one for one in kernels if self.is_comm(one)], window)
        comp = clipped([one for one in kernels if not self.is_comm(one)], window)
        copy = clipped([one for one in row if one.category != 'kernel'], window)
        sums = {how: sum(end - start for start, end in clipped(
            [one for one in kernels if self.mm_conv(one) == how], window))
            for how in ('operator', 'name', 'layout')}
        counts = Counter(one.category for one in self.inside(gpu, kind))
        streams = [self.stream_row(stream, gpu, kind)
                   for stream in sorted({one.stream for one in row})]
        idle = {reason: sum(stream['idle_gaps'][reason] for stream in streams)
                for reason in IDLE_REASONS}
        gaps = self.gaps(gpu, kind)
        longest = max(((end - start, start, end) for start, end, *_ in gaps), key=lambda gap: gap[0],
                      default=(0, None, None))
        return {
            'gpu': gpu, 'name': self.file.device_name(gpu), 'window_ns': window[1] - window[0],
            'busy_ns': length(clipped(row, window)),
            'kernel_busy_ns': length(clipped(kernels, window)),
            'kernel_time_sum_ns': sum(end - start for start, end in clipped(kernels, window)),
            'mm_conv_ns': length(clipped([one for one in kernels if self.mm_conv(one)
                                          in ('operator', 'name')], window)),
            'mm_conv_by': {how + '_ns': ns for how, ns in sums.items()},
            'breakdown': {
                'compute_ns': length(comp),
                'exposed_comm_ns': length(minus(comm, comp)),
                'exposed_copy_ns': length(minus(copy, comp + comm)),
                'idle_ns': length(minus([window], comp + comm + copy))},
            'longest_gap_ns': longest[0], 'longest_gap_start_ns': longest[1], 'longest_gap_end_ns': longest[2],
            'idle': self.idle_row(gaps),
            'operations': {what: counts[what] for what in ('kernel', 'memcpy', 'memset')},
            'idle_gaps': idle, 'streams': streams,
            'launches': self.launch_row(self.inside(gpu, kind))}

    # Idle of a GPU, by reason.

    def gaps(self, gpu, kind):
        """[(start, end, {reason: ns}, host part, call, next operation)] of the window, by start."""
        window = self.window_of(gpu, kind)
        found, last = [], None
        row = [one for one in self.rows[gpu] if one.duration > 0]
        for following in row + [None]:
            start = last.end if last else min(window[0], row[0].start)
            shown = clip((start, following.start if following else max(window[1], start)), window)
            if shown[1] > shown[0]:
                found.append((*shown, *self.parts_of(shown, last, following)))
            if following and (last is None or following.end >= last.end):
                last = following
        return found

    def overhead_in(self, span):
        """The profiler's own work that overlaps the span."""
        if self.overhead is None:
            self.overhead = union((one.start, one.end) for one in self.file.slices if one.category == 'overhead')
        first = bisect_right(self.overhead, span[0], key=lambda one: one[1])
        last = bisect_left(self.overhead, span[1], key=lambda one: one[0])
        return self.overhead[first:last]

    def parts_of(self, shown, last, following):
        begin = last.end if last else shown[0]
        overhead = self.overhead_in((min(begin, shown[0]), max(shown[1], following.start if following else shown[1])))
        parts = dict.fromkeys(GPU_IDLE_REASONS, 0)
        left = length(minus([shown], overhead))
        parts['profiler_ns'] = shown[1] - shown[0] - left
        call = following.call if following else None
        if following and last and (last.call is call and (call or following.correlation
                                                         and following.correlation == last.correlation)):
            parts['graph_ns'] = left
            return parts, None, call, following
        if call is None:
            parts['unknown_ns'] = left
            return parts, None, None, following
        launched = min(max(call.start, begin), following.start)
        host = clip((begin, launched), shown)
        parts['host_ns'] = length(minus([host], overhead))
        budget = 30000
        for start, end in minus([(launched, following.start)], overhead):
            quick = (start, min(end, start + budget))
            budget -= quick[1] - quick[0]
            parts['launch_ns'] += length([clip(quick, shown)])
            parts['dependency_ns'] += length([clip((quick[1], end), shown)])
        return parts, host, call, following

    @staticmethod
    def idle_row(gaps):
        return {reason: sum(gap[2][reason] for gap in gaps) for reason in GPU_IDLE_REASONS}

    def gap_rows(self, gpu, kind, most):
        gaps = [gap for gap in self.gaps(gpu, kind) if gap[1] - gap[0] >= 1000]
        gaps.sort(key=lambda gap: (gap[0] - gap[1], gap[0]))
        rows = []
        for start, end, parts, host, call, following in gaps[:most]:
            activity = self.host_activity(host, call, self.window_of(gpu, kind))
            rows.append({'start_ns': start, 'end_ns': end, **parts,
                         'reason': max(parts, key=lambda reason: parts[reason])[:-3],
                         'host_activity': activity and activity.name,
                         'next': following and following.name})
        return rows

    def host_activity(self, host, call, window):
        if not host or host[1] <= host[0]:
            return None
        outermost = self.outermost(call.track, window)
        first = bisect_right(outermost, host[0], key=lambda one: one.end)
        last = bisect_left(outermost, host[1], key=lambda one: one.start)
        overlaps = [(length([clip((one.start, one.end), host)]), one) for one in outermost[first:last]]
        best = max(overlaps, key=lambda pair: pair[0], default=(0, None))
        nothing = host[1] - host[0] - sum(ns for ns, _ in overlaps)
        return best[1] if best[0] > 0 and nothing <= best[0] else None

    @functools.cache
    def outermost(self, track, window):
        steps = {(cpu.start, cpu.end) for cpu, _ in self.steps}
        known = [one for one in self.file.slices
                 if one.track == track and one.duration > 0 and (one.start, one.end) not in steps
                 and not (one.start <= window[0] and one.end >= window[1])]
        found = []
        for one in sorted(known, key=lambda one: (one.start, -one.end, one.index)):
            if not found or one.start >= found[-1].end:
                found.append(one)
        return found

    def stream_row(self, stream, gpu, kind):
        window = self.window_of(gpu, kind)
        overhead = [(one.start, one.end) for one in self.file.slices
                    if one.category == 'overhead']
        idle = Counter()
        last = None
        for one in (one for one in self.rows[gpu] if one.stream == stream):
            if last and one.start > last.end:
                gap = (last.end, one.start)
                shown = length([clip(gap, window)])
                left = length(minus([clip(gap, window)], overhead))
                idle['overhead_ns'] += shown - left
                idle[self.reason(last, one, length(minus([gap], overhead)))] += left
            if last is None or one.end >= last.end:
                last = one
        return {'stream': stream,
                'operations': sum(one.stream == stream for one in self.inside(gpu, kind)),
                'busy_ns': length(clipped([one for one in self.rows[gpu]
                                           if one.stream == stream], window)),
                'idle_gaps': {reason: idle[reason] for reason in IDLE_REASONS}}

    @staticmethod
    def reason(last, one, left):
        if one.call is last.call and (one.call or one.correlation and one.correlation == last.correlation):
            return 'inside_graph_ns'
        if one.call and one.call.start > last.end:
            return 'host_wait_ns'
        return 'kernel_wait_ns' if left < 30000 else 'other_ns'

    @staticmethod
    def launch_row(operations):
        linked = [one for one in operations if one.call]
        delays = sorted(one.start - one.call.end for one in linked if not one.of_graph)
        return {'linked': len(linked), 'unlinked': len(operations) - len(linked),
                'graph_operations': sum(one.of_graph for one in linked),
                'before_api_start': sum(one.start < one.call.start for one in linked),
                'negative_delay': sum(delay < 0 for delay in delays),
                'median_delay_ns': median(delays) if delays else None, 'max_delay_ns': max(delays, default=None)}

    def category_rows(self, group, kind):
        groups = defaultdict(list)
        for gpu in self.rows:
            for one in self.inside(gpu, kind):
                groups[{
                    'inductor': lambda one: inductor_category(one.name),
                    'family': lambda one: self.rules.family(one.name),
                    'operator': lambda one: one.launcher.name if one.launcher else '(no operator)',
                    'stream': lambda one: f'GPU {one.gpu} stream {one.stream}',
                }[group](one)].append(one.duration)
        whole = sum(sum(durations) for durations in groups.values())
        rows = [{'group': group, 'name': name, 'total_ns': sum(durations),
                 'count': len(durations),
                 'percent_of_sum': 100 * sum(durations) / whole if whole else 0.0}
                for name, durations in groups.items()]
        return sorted(rows, key=lambda row: (-row['total_ns'], row['name'].encode()))

    def kernel_rows(self, kind):
        rows = []
        for gpu in self.rows:
            by_name = defaultdict(list)
            for one in self.inside(gpu, kind):
                if one.category == 'kernel':
                    by_name[one.name].append(one)
            rows += [self.kernel_row(gpu, name, ones) for name, ones in by_name.items()]
        return sorted(rows, key=lambda row: (-row['total_ns'], row['name'].encode(), row['gpu']))

    def kernel_row(self, gpu, name, launches):
        durations = sorted(one.duration for one in launches)
        total = sum(durations)
        count = len(durations)
        # n times the sum of squares minus the square of the sum: exact in integers.
        spread = count * sum(ns * ns for ns in durations) - total * total
        shapes = Counter(launch_shape(one) for one in launches)
        shape, _ = shapes.most_common(1)[0]
        first = next(one for one in launches if launch_shape(one) == shape)
        occupancy = whole_or_none(first.args.get(
            'est. achieved occupancy %', first.args.get('est. achieved occupancy')))
        return {
            'gpu': gpu, 'name': name, 'category': inductor_category(name),
            'family': self.rules.family(name),
            'mm_conv': any(self.mm_conv(one) in ('operator', 'name') for one in launches),
            'count': count, 'total_ns': total, 'mean_ns': total / count,
            'median_ns': median(durations), 'min_ns': durations[0], 'max_ns': durations[-1],
            'std_ns': math.sqrt(spread / count / (count - 1)) if count > 1 else 0.0,
            'grid': list(shape[0]), 'block': list(shape[1]), 'registers': shape[2],
            'shared_bytes': shape[3], 'occupancy': occupancy, 'shapes': len(shapes)}

    def report(self, kind, group):
        return {'schema': 'kinetoscope.report/1',
                'gpus': [self.gpu_row(gpu, kind) for gpu in sorted(self.rows)],
                'categories': self.category_rows(group, kind),
                'kernels': self.kernel_rows(kind), 'steps': self.step_rows()}


def whole_or_none(value):
    return None if value is None or int(value) < 0 else int(value)


def launch_shape(one):
    def three(*keys):
        value = next((one.args[key] for key in keys if key in one.args), [0, 0, 0])
        return tuple(int(size) for size in value)
    return (three('grid', 'grid dim'), three('block', 'block dim'),
            int(one.args.get('registers per thread', 0)), int(one.args.get('shared memory', 0)))
