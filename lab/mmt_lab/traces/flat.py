"""The events of a trace as `mmt-replay-models --flat` writes them (src/sim/real/flat_trace.h)."""

import os
import subprocess

import numpy

from ..command.failure import Failure
from ..machine.installation import MODELS
from ..measuring.launcher import clean_environment

MAGIC = b"MMTFLAT3"
HEAD = numpy.dtype(
    [("magic", "S8"), ("header_bytes", "<u4"), ("event_bytes", "<u4"), ("events", "<u8"), ("rows", "<u8"), ("peak_event", "<u8")]
)  # fmt: skip
EVENT = numpy.dtype(
    [("op", "u1"), ("alignment", "u1"), ("unused", "<u2"), ("row", "<u4"), ("bytes", "<u8")]
)
ALLOCATE, FREE, RESIZE, NOTHING = range(4)


def events_of(installation, trace, flat):
    """Those of a trace, by way of the file `flat`, which is removed."""
    done = subprocess.run(
        [str(installation.own_program(MODELS)), str(trace), "--flat", str(flat)],
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Failure(f"cannot read '{trace}': {done.stderr.strip().removeprefix('mmt: ')}")
    events = read(flat)
    flat.unlink()
    return events


def read(path):
    """Its events. A file of another layout than ours is a Failure, as is one that contradicts itself."""
    with open(path, "rb") as file:
        head = file.read(HEAD.itemsize)
        if len(head) < HEAD.itemsize or not head.startswith(MAGIC):
            raise Failure(f"'{path}' is no flat trace that begins with {MAGIC.decode()}: mmt and its laboratory differ")
        (head,) = numpy.frombuffer(head, HEAD)
        found = (int(head["header_bytes"]), int(head["event_bytes"]))
        if found != (HEAD.itemsize, EVENT.itemsize):
            ours = (HEAD.itemsize, EVENT.itemsize)
            raise Failure(f"'{path}': header and event have {found} bytes, not {ours}: mmt and its laboratory differ")
        size = os.fstat(file.fileno()).st_size
        if size != HEAD.itemsize + int(head["events"]) * EVENT.itemsize:
            raise Failure(f"'{path}' has {size} bytes: not those of the {head['events']} events that its header tells")
        events = numpy.fromfile(file, EVENT)
    is_of_object = events["op"] != NOTHING
    if (events["op"] > NOTHING).any() or (events["row"][is_of_object] >= head["rows"]).any():
        raise Failure(f"'{path}' has an event of no known kind, or of no object")
    return events
