"""Slices of a long trace that are as large as the paper's whole ones: so many requests, about so many
bytes live. Node counts of larger traces do not compare with the paper's.

The rule takes one of the windows of N requests that begin at every N/4 requests. It is the nearest
to the wanted in its mean of live bytes and in its frees, by the sum of both relative distances.
Objects that were born before a window are none of it, nor their frees: each slice begins with an
empty heap. A slice is kept as {"first": event, "events": count}.
"""

import dataclasses
import json

import numpy

from ..text import whole_file
from ..command.failure import Failure
from . import flat
from .flat import ALLOCATE, FREE

RULE = 3  # its number: slices by another are made anew
_STEPS = 4


def make(installation, trace, path, wanted):
    """Writes which part of a trace is its slice."""
    events = flat.events_of(installation, trace, path.with_suffix(".flat"))
    first, count = choose(events["op"], events["row"], events["bytes"], wanted)
    whole_file.write(path, json.dumps({"first": first, "events": count}) + "\n")


@dataclasses.dataclass(frozen=True)
class Wanted:
    requests: int
    frees: int
    live: float  # bytes, in the mean


def choose(ops, rows, sizes, wanted):
    """(first event, number of events) of the slice. A row is a live object's, and is used again."""
    requests = wanted.requests
    births = numpy.flatnonzero(ops == ALLOCATE)
    if len(births) < requests:
        raise Failure(f"the trace has {len(births)} requests, fewer than the slice's {requests}")
    born = _births_of(ops, rows)
    best, distance = None, numpy.inf
    for number in range(0, len(births) - requests + 1, max(requests // _STEPS, 1)):
        first = births[number]
        end = births[number + requests] if number + requests < len(births) else len(ops)
        own = born[first:end] >= first  # -1: neither an allocation nor a free
        size = sizes[numpy.maximum(born[first:end], 0)].astype(float)
        changes = numpy.where(ops[first:end] == ALLOCATE, size, -size)
        live = numpy.cumsum(numpy.where(own, changes, 0.0)).mean()
        frees = numpy.count_nonzero(own & (ops[first:end] == FREE))
        off = abs(live / wanted.live - 1) + abs(frees / wanted.frees - 1)
        if off < distance:
            best, distance = (int(first), int(end - first)), off
    return best


def _births_of(ops, rows):
    """The event at which the object of each allocation and free was born; -1 of others."""
    known = numpy.flatnonzero((ops == ALLOCATE) | (ops == FREE))
    order = known[numpy.argsort(rows[known], kind="stable")]
    born = numpy.full(len(ops), -1, dtype=numpy.int64)
    born[order] = order
    # In a row's own order each free follows the allocation that it ends.
    frees = numpy.flatnonzero(ops[order] == FREE)
    born[order[frees]] = order[frees - 1]
    return born
