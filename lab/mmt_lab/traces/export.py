"""`mmt trace --export parquet`: a row an event, of what the command line tool reads for it."""

import json
import os
import subprocess

from ..command import requirements
from ..command.failure import FAILED, USAGE, Failure
from ..text.output_path import open_output

# tracefile::Event in memory.
FIELDS = [
    ("kind", "u1"), ("zeroed", "u1"), ("alignment", "u1"), ("", "V1"), ("thread", "<u4"),
    ("site", "<u4"), ("", "V4"), ("object", "<u8"), ("bytes", "<u8"),
]  # fmt: skip
KINDS = ["allocate", "free", "resize", "thread_start", "thread_end", "phase"]
ROWS = 1 << 20


def main(arguments):
    if len(arguments) != 2:
        raise Failure("want a trace and the file to write", USAGE)
    trace, output = arguments
    requirements.check("numpy")
    requirements.check("pyarrow")
    import numpy
    import pyarrow
    import pyarrow.parquet

    write(numpy, pyarrow, trace, output)
    return 0


def _known(numpy, numbers, count):
    """Those of which the trace has no text are none."""
    return numpy.where(numbers < count, numbers, 0).astype("i4")


def write(numpy, pyarrow, trace, output):
    """Where the trace is damaged, the rows before the damage are written."""
    tool = os.environ["MMT_LAB_BINARY"]
    bound = ["--memory", memory] if (memory := os.environ.get("MMT_LAB_MEMORY", "0")) != "0" else []
    texts = json.loads(subprocess.run([tool, "trace", "--export", "sites", trace, "-o", "-", *bound], check=False,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout or "[]")  # fmt: skip
    names = [name or f"unused_{at}" for at, (name, _) in enumerate(FIELDS)]
    layout = numpy.dtype({"names": names, "formats": [kind for _, kind in FIELDS]})
    kinds = pyarrow.array(KINDS)
    sites = pyarrow.array(["", *texts])
    reader = subprocess.Popen([tool, "trace", "--export", "events", trace, "-o", "-", *bound], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)  # fmt: skip
    writer = None
    while True:
        rows = numpy.frombuffer(reader.stdout.read(ROWS * layout.itemsize), layout)
        # No file is left of a trace that cannot be read.
        if writer is None and len(rows) == 0 and reader.wait() != 0:
            break
        columns = {
            "kind": pyarrow.DictionaryArray.from_arrays(rows["kind"].astype("i1"), kinds),
            "thread": rows["thread"].copy(),
            "object": rows["object"].copy(),
            "bytes": rows["bytes"].copy(),
            "alignment": numpy.where(rows["alignment"] == 0, 0, 1 << rows["alignment"].astype("u8")).astype("u8"),
            "zeroed": rows["zeroed"].astype(bool),
            "site": pyarrow.DictionaryArray.from_arrays(_known(numpy, rows["site"], len(sites)), sites),
        }
        table = pyarrow.table(columns)
        if writer is None:
            # By its name pyarrow opens none that is no UTF-8.
            file = open(open_output(output), "wb")
            file.truncate()
            writer = pyarrow.parquet.ParquetWriter(file, table.schema, compression="zstd")
        writer.write_table(table)
        if len(rows) < ROWS:
            break
    if writer is not None:
        writer.close()
        file.close()
    error = reader.stderr.read().decode(errors="replace").strip()
    if reader.wait() != 0:
        raise Failure(error.removeprefix("mmt: "), FAILED)
