"""Table 5: what each application allocates, by region and size."""

from ...study.experiment import Cell, Experiment, Grid, Part, Relation
from ...study.quantity import Ratio
from ...study.ranking import Sum
from ...study.relation import AtMost, Between, WithinFactor
from . import programs
from .allocators import GLIBC
from .paper_table_5 import COLUMNS, ROWS
from .shapes import exact

# The paper's Vacation compares two types so that they are never equal.
NAMES = {one: "vacation-quirk" if one == "vacation" else one for one in programs.APPLICATIONS}
REGIONS = ("seq", "par", "tx")
MALLOCS = COLUMNS[:8]
# What any program that does the same must allocate; the rest depends on how it is written.
DETERMINED = {
    ("genome", "tx"): ("16", "mallocs", "frees", "bytes"),
    ("intruder", "tx"): ("16", "32", "48", "64", "96", "128", "256", "mallocs", "frees", "bytes"),
    ("kmeans", "tx"): ("mallocs", "frees"),
    ("labyrinth", "par"): ("16", "32", "48", "64", "128", "256"),
    ("labyrinth", "tx"): ("16", "mallocs", "frees", "bytes"),
    ("ssca2", "tx"): ("mallocs", "frees"),
    ("vacation", "tx"): ("16", "32", "48", "mallocs", "frees", "bytes"),
}
# Inputs of Bayes and Yada are our own; their counts are compared within a fifth.
NEARLY = {("bayes", "seq"): ("mallocs", "bytes"), ("yada", "tx"): ("mallocs", "bytes")}


def _count(application, region, column):
    program = programs.characterised(NAMES[application])
    return exact(program, GLIBC, f"{region}.{column}")


def _grid(application):
    cells = {
        (region, column): Cell(_count(application, region, column), paper)
        for region in REGIONS
        for column, paper in zip(COLUMNS, ROWS[application, region], strict=True)
    }
    return Grid(application, "count", "region", REGIONS, COLUMNS, cells)


def _parts(wanted, condition):
    for (application, region), columns in wanted.items():
        for column in columns:
            paper = ROWS[application, region][COLUMNS.index(column)]
            yield Part(
                f"{application}, {region}, {column}",
                _count(application, region, column),
                condition(paper),
                paper,
                "count",
            )


def _searched():
    """Bayes's search takes other steps: its counts go by what its transactions allocate."""
    mallocs = COLUMNS.index("mallocs")
    paper = ROWS["bayes", "par"][mallocs] / ROWS["bayes", "tx"][mallocs]
    return Part(
        "bayes, par, mallocs for each of tx",
        Ratio(_count("bayes", "par", "mallocs"), _count("bayes", "tx", "mallocs")),
        WithinFactor(1.2, paper),
        paper,
        "count",
    )


def _blocks(bins):
    return Sum(
        tuple(
            _count(application, region, column)
            for application in programs.APPLICATIONS
            for region in REGIONS
            for column in bins
        )
    )


def _small(limit):
    """The share of all blocks that are not larger."""
    return Ratio(_blocks(MALLOCS[: MALLOCS.index(limit) + 1]), _blocks(MALLOCS))


EXPERIMENT = Experiment(
    name="table-5",
    title="Allocations of STAMP by region and size, sequential runs on the large inputs",
    grids=tuple(map(_grid, programs.APPLICATIONS)),
    relations=(
        Relation(
            "What is determined is the paper's, exactly",
            tuple(_parts(DETERMINED, lambda paper: Between(paper, paper))),
        ),
        Relation(
            "Bayes and Yada allocate as much, within a fifth",
            (*_parts(NEARLY, lambda paper: WithinFactor(1.2, paper)), _searched()),
        ),
        Relation(
            "Nearly all blocks are small",
            (
                Part("64 bytes or less", _small("64"), Between(0.959, 0.979), 0.969, "share"),
                Part("256 bytes or less", _small("256"), Between(0.989, 1.0), 0.999, "share"),
            ),
        ),
        Relation(
            "kmeans and ssca2 allocate nothing in transactions",
            tuple(
                Part(one, _count(one, "tx", "mallocs"), AtMost(0), 0, "count")
                for one in ("kmeans", "ssca2")
            ),
        ),
    ),
    notes=(
        "seq and par are plain allocations before and in the parallel phase, tx those through a "
        "transaction. 'mmt study stm --oracles' compares the same with the exact oracles.",
        "Inputs of Bayes and Yada are not the paper's: they are made here, of the same size.",
    ),
)
