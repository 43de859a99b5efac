"""The split bars of figures 7 to 9: where the program's own thread spends its time under a design.
By samples of the CPU clock, so that waiting counts as far as it spins, and sleep does not.
"""

from ...study.experiment import Cell, Grid
from ...study.quantity import Average, Difference, OfMedians, Ratio
from . import programs
from .shapes import sampled

# The programs are few, as each is sampled in a run of its own. The first frees small blocks at once,
# the second frees them much later, and the third only grows its heap.
PROGRAMS = programs.among(programs.WAITING, "cfrac", "deltablue", "treeadd")
BASE_COLUMN = "base"


def _own(program, allocator):
    """Without the C library, which has pthread's locks."""
    return Difference(sampled(program, allocator, "own"), sampled(program, allocator, "libc"))


def _of(metric):
    return lambda program, allocator: sampled(program, allocator, metric)


ROWS = {
    "own code": _own,
    "C library": _of("libc"),
    "allocator's library": _of("library"),
    "protocol's library": _of("protocol"),
    "kernel": _of("kernel"),
}
# What malloc and free take in this thread, together: calls, waits, and pthread's locks.
CALLS = ("C library", "allocator's library", "protocol's library")


def _first_half_over_second(numbers):
    half = len(numbers) // 2
    below = sum(numbers[half:])
    return sum(numbers[:half]) / below if below else None


def _shares(row, allocator, base):
    return tuple(Ratio(ROWS[row](one, allocator), sampled(one, base, "sampled")) for one in PROGRAMS)


def share(row, allocator, base):
    """Seconds of the first thread over all CPU seconds of the base, averaged over programs."""
    return Average(_shares(row, allocator, base))


def against_base(rows, allocator, base):
    """Some rows' sum under a design over the base's; no value where no sample fell into the base's."""
    tops = tuple(one for row in rows for one in _shares(row, allocator, base))
    bottoms = tuple(one for row in rows for one in _shares(row, base, base))
    return OfMedians(_first_half_over_second, tops + bottoms)


def grid(base, designs):
    """`designs`: {column: allocator}."""
    columns = {BASE_COLUMN: base} | designs
    cells = {
        (row, column): Cell(share(row, allocator, base))
        for row in ROWS
        for column, allocator in columns.items()
    }
    title = (
        "Where the program's thread spends its time, base: the whole CPU time over the base allocator"
    )
    return Grid(title, "ratio", "part", tuple(ROWS), tuple(columns), cells, chart_column="*")


PAPER_NOTE = (
    "The paper's bars split malloc from free, which samples by library do not. By its text: the base "
    "spends 30% of its time in the two, much more of it in malloc; from design 1 to 2 free's part "
    "falls by 88%; in design 3 malloc's doubles (five times in cfrac and gawk) and free's triples; "
    "from design 3 to 4 they fall by 21% and 13%; the final design has 50 to 70% less of either than "
    "the base."
)
NOTE = (
    f"Where the time goes: averages over {', '.join(one.name for one in PROGRAMS[:-1])} and "
    f"{PROGRAMS[-1].name}, by samples of the program's thread as in figure-1. The protocol's library "
    "has what it waits for, its locks and its queues; pthread's locks and semaphores are the C "
    "library's, and their system calls the kernel's, as page faults are."
)
