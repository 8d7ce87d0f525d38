# SPDX-License-Identifier: Apache-2.0
"""The compat figures, computed from the definitions with Python's own numbers."""

TABLES = ['triton_pointwise', 'triton_reduction', 'triton_persistent_reduction', 'triton_unknown',
          'unknown']
DEVICE_CATEGORIES = ('kernel', 'memcpy', 'memset', 'gpu_user_annotation', 'cuda_sync')


def table_of(name):
    if not name.startswith('triton_'):
        return 'unknown'
    return {'triton_poi': TABLES[0], 'triton_red': TABLES[1],
            'triton_per': TABLES[2]}.get(name[:10], 'triton_unknown')


def covered(events):
    """Merged microseconds; the first event counts as it is written, even when it is negative."""
    total = 0
    reached = None
    for event in events:
        end = event['ts'] + event['dur']
        if reached is None:
            total, reached = event['dur'], end
            continue
        total += max(end - max(event['ts'], reached), 0)
        reached = max(reached, end)
    return total


def utilization(events, wall_us):
    """Both shares; None and None where some event lacks what is needed."""
    try:
        labels = [event for event in events if event.get('name') == 'process_labels']
        gpus = [event['pid'] for event in labels if 'GPU' in event['args']['labels']]
        ours = [event for event in events
                if event.get('ph') == 'X' and 'pid' in event and event['pid'] in gpus]
        ours.sort(key=lambda event: event['ts'])
        mm_conv = [event for event in ours if any(
            part in event.get('name', '') for part in ('gemm', 'conv', 'cutlass', 'wgrad'))]
        return covered(ours) / wall_us, covered(mm_conv) / wall_us
    except KeyError:
        return None, None


def compat(file, extent, wall_ms, runs):
    measured = wall_ms is not None
    wall = wall_ms if measured else (extent[1] - extent[0]) / 1e6 / runs
    sums = {}
    ordered = sorted(file.slices, key=lambda one: (one.start, -one.duration, one.index))
    for one in ordered:
        if one.category in DEVICE_CATEGORIES:
            entry = sums.setdefault(one.name, [0, 0])
            entry[0] += one.duration
            entry[1] += 1
    categories = []
    for table in TABLES:
        rows = [{'key': name, 'ms': ns / 1e6 / runs, 'count': count / runs}
                for name, (ns, count) in sums.items() if table_of(name) == table]
        rows.sort(key=lambda row: -row['ms'])
        if rows:
            categories.append({'name': table, 'total_ms': sum(row['ms'] for row in rows),
                               'kernels': rows})
    busy = sum(category['total_ms'] for category in categories)
    shares = {category['name']: category['total_ms'] for category in categories}
    percents = [f'{shares.get(table, 0) / wall * 100:.2f}%' for table in TABLES]
    both = utilization(file.plain_events, wall * runs * 1000)
    return {'utilization': both[0], 'mm_conv_utilization': both[1], 'gpu_busy': busy / wall,
            'wall_ms': wall, 'wall_measured': measured, 'runs': runs, 'categories': categories,
            'tabulate_line': 'Output for tabulate: None, ' + ', '.join(
                percents + [f'{busy / wall * 100:.2f}%', f'{wall:.3f}ms'])}
