"""Section III: the choices that the paper made for its design, each against the other one. It names
which did better, without numbers.
"""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtLeast
from . import allocators, figure_7, programs
from .shapes import wall

BASE = allocators.LEA
# Small blocks in quick succession; and many sizes, some of them once only.
PROGRAMS = programs.among(programs.WAITING, "cfrac", "gawk")
AS_IT_IS = "as it is"
PREALLOCATE = {
    AS_IT_IS: allocators.over(BASE, "preallocate", "preallocate"),
    **{
        option: allocators.over(BASE, "preallocate", f"preallocate, {option},", option)
        for option in ("learn=1000", "refill=at-half", "buckets=chunk")
    },
}
SYNC = {
    "client-server": figure_7.DESIGNS["design 1"],
    "fork-join": allocators.over(BASE, "sync", "sync, model=fork-join,", "model=fork-join"),
}


def _grid(title, designs, of):
    cells = {
        (program.name, column): Cell(Ratio(wall(program, allocator), wall(program, BASE)))
        for program in of
        for column, allocator in designs.items()
    }
    rows = tuple(one.name for one in of)
    return Grid(title, "ratio", "benchmark", rows, tuple(designs), cells, chart_column="*")


def _no_better(claim, option):
    parts = tuple(
        Part(
            f"{one.name}, {option} against the design as it is",
            Ratio(wall(one, PREALLOCATE[option]), wall(one, PREALLOCATE[AS_IT_IS])),
            AtLeast(1.0),
        )
        for one in PROGRAMS
    )
    return Relation(claim, parts)


EXPERIMENT = Experiment(
    name="choices",
    title="The paper's choices in its final design, and in its first",
    grids=(
        _grid("The final design: wall time, base: Lea", PREALLOCATE, PROGRAMS),
        _grid("Design 1: wall time, base: Lea", SYNC, PROGRAMS[:1]),
    ),
    relations=(
        _no_better("To learn which sizes are worth a bucket is no better", "learn=1000"),
        _no_better("To refill a bucket when it is half empty is no better", "refill=at-half"),
        _no_better("A bucket for each size of the library's chunks is no better", "buckets=chunk"),
    ),
    notes=(
        "As it is: a bucket from the first request of a size on (learn=0), the next one prepared as "
        "soon as one is handed over (refill=at-once), one for each size that is asked for "
        "(buckets=request). The paper calls the first two aggressive, and says that the second "
        "'always outperforms' refilling at half; docs/protocols.md has the options. Where another "
        "choice is no worse here, the cause is not known: each spares hand-overs, and each has fewer "
        "blocks ready.",
        "In both models of design 1 malloc waits for its answer. In client-server, free does too; in "
        "fork-join it is waited for by the next request only. The paper prefers client-server because "
        "it needs no change to program and library, and leaves open when and in which order requests are "
        "served; it compares no times: no relation is asked for.",
        programs.WAITING_NOTE,
    ),
)
