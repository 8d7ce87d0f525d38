# SPDX-License-Identifier: Apache-2.0
"""Reads a trace file with Python's own JSON reader into plain lists, times in whole nanoseconds."""
import gzip
import json
import re
from decimal import ROUND_HALF_EVEN, Context, Decimal, InvalidOperation

EXACT = Context(prec=60)
CATEGORIES = {
    'kernel': 'kernel', 'gpu_memcpy': 'memcpy', 'memcpy': 'memcpy', 'gpu_memset': 'memset',
    'memset': 'memset', 'cpu_op': 'cpu_op', 'operator': 'cpu_op',
    'user_annotation': 'user_annotation', 'gpu_user_annotation': 'gpu_user_annotation',
    'cuda_sync': 'cuda_sync', 'overhead': 'overhead', 'runtime': 'api',
    'cuda_runtime': 'api', 'cuda_driver': 'api', 'hip_runtime': 'api', 'xpu_runtime': 'api',
    'xpu_driver': 'api', 'mtia_runtime': 'api', 'glow_runtime': 'api',
    'privateuse1_runtime': 'api', 'privateuse1_driver': 'api',
}
GPU_WORK = ('kernel', 'memcpy', 'memset')


class Slice:
    """Something with a beginning and an end."""

    def __init__(self, index, event, start, duration):
        args = event.get('args')
        self.args = args if isinstance(args, dict) else {}
        self.index = index
        self.start = start
        self.duration = duration
        self.phase = event['ph']
        self.written_category = str(event.get('cat', '')).lower()
        self.category = CATEGORIES.get(self.written_category, '')
        self.name = str(event.get('name', ''))
        if self.category == 'kernel' and self.name.lower() == 'kernel' and self.args.get('kernel'):
            self.name = self.args['kernel']
        self.track = (event.get('pid', 0), event.get('tid', 0))
        self.correlation = whole(self.args.get('correlation'))
        external = self.args.get('External id', self.args.get('external id'))
        self.external_id = whole(external)
        self.is_gpu_work = event['ph'] == 'X' and self.category in GPU_WORK
        if self.is_gpu_work:
            self.gpu = self.track[0] if isinstance(self.track[0], int) else self.args['device']
            self.stream = whole(self.args.get('stream'))
            if self.stream is None:
                self.stream = int(re.search(r'-?\d+', str(self.track[1])).group())

    @property
    def end(self):
        return self.start + self.duration


def whole(value):
    """A number, or a number in quotes, as an integer; None for anything else."""
    try:
        return None if value is None else int(Decimal(value).to_integral_value(ROUND_HALF_EVEN))
    except (InvalidOperation, TypeError, ValueError):
        return None


def nanoseconds(value):
    """Microseconds to whole nanoseconds, half to even; None when there is no number."""
    try:
        scaled = EXACT.multiply(Decimal(value), Decimal(1000))
        return int(scaled.to_integral_value(ROUND_HALF_EVEN))
    except (InvalidOperation, TypeError, ValueError):
        return None


class TraceFile:
    """All slices of a file in the order of the file, and the events as Python reads them."""

    def __init__(self, path):
        with open(path, 'rb') as file:
            text = file.read()
        if text[:2] == b'\x1f\x8b':
            text = gzip.decompress(text)
        document = json.loads(text, parse_float=Decimal)
        self.document = document if isinstance(document, dict) else {'traceEvents': document}
        plain = json.loads(text)
        self.plain_events = plain['traceEvents'] if isinstance(plain, dict) else plain
        self.slices = self.read_slices()
        self.operations = [slice_ for slice_ in self.slices if slice_.is_gpu_work]

    def read_slices(self):
        slices = []
        still_open = {}
        for event in self.document['traceEvents']:
            phase = event.get('ph')
            start = nanoseconds(event.get('ts'))
            if start is None or phase not in ('X', 'B', 'E', 'b', 'e'):
                continue
            row = (event.get('pid', 0), event.get('tid', 0), event.get('id') if phase in 'be' else None)
            if phase in 'Ee':
                opened = still_open[row].pop()
                opened.duration = max(start - opened.start, 0)
                continue
            duration = max(nanoseconds(event.get('dur')) or 0, 0) if phase == 'X' else 0
            slices.append(Slice(len(slices), event, start, duration))
            if phase != 'X':
                still_open.setdefault(row, []).append(slices[-1])
        return slices

    def device_name(self, gpu):
        devices = self.document.get('deviceProperties') or []
        return next((device['name'] for device in devices if device.get('id') == gpu), '')
