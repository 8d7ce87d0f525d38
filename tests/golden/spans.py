# SPDX-License-Identifier: Apache-2.0
"""Sets of (start, end) pairs and how slices lie in each other."""
from bisect import bisect_right


def union(spans):
    """Disjoint spans, sorted."""
    result = []
    for start, end in sorted(spans):
        if end > start:
            if result and start <= result[-1][1]:
                result[-1][1] = max(result[-1][1], end)
            else:
                result.append([start, end])
    return result


def length(spans):
    return sum(end - start for start, end in union(spans))


def minus(spans, holes):
    """What of the spans lies in no hole."""
    result = []
    holes = union(holes)
    at = 0
    for start, end in union(spans):
        while at < len(holes) and holes[at][1] <= start:
            at += 1
        look = at
        while start < end:
            if look == len(holes) or holes[look][0] >= end:
                result.append((start, end))
                break
            if holes[look][0] > start:
                result.append((start, holes[look][0]))
            start = max(start, holes[look][1])
            look += 1
    return result


def clip(span, window):
    start = min(max(span[0], window[0]), window[1])
    return start, max(start, min(span[1], window[1]))


def clipped(slices, window):
    return [clip((one.start, one.end), window) for one in slices]


def encloses(outer, inner):
    return outer.start <= inner.start and inner.end <= outer.end


def depth(one):
    """Sorts from the outside in."""
    return one.start, -one.duration, one.index


def innermost(operators, call):
    """The last of the operators, sorted from the outside in, that encloses the call."""
    at = bisect_right(operators, call.start, key=lambda operator: operator.start)
    return next((op for op in reversed(operators[:at]) if encloses(op, call)), None)


def median(values):
    if not values:
        return 0
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
