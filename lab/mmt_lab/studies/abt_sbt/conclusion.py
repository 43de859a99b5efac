"""Sections 5.3 and 6: the numbers that the paper names, of searches, coalescing and fragmentation."""

from ...study.experiment import Cell, Experiment, Grid, NotCompared, Part, Relation
from ...study.ranking import Field
from ...study.relation import AtLeast, AtMost, Between, WithinFactor
from . import traces
from .allocators import COALESCING, SEGREGATED, TWELVE, model
from .shapes import (
    ALLOCATION,
    COALESCED,
    FREE,
    FREE_CHUNKS,
    OPERATIONS,
    PAGES,
    WORST_ALLOCATION,
    average,
    average_both,
    figure,
    highest,
    means,
    ratio,
)

SBT, SQF = "SBT-BFWC", "SqF-BFWC"
WITH = tuple(f"{one}WC" for one in SEGREGATED)
ALL_WITH = (*COALESCING, *WITH)
_NAMES = ("nodes at allocation", "nodes at free", "both", "most at allocation", "OS pages", "free chunks")
_PAPER = {
    (SBT, "nodes at allocation"): 17,
    (SBT, "nodes at free"): 12,
    (SBT, "both"): 29,
    (SBT, "most at allocation"): 110,
    (SQF, "nodes at allocation"): 286,
}
_QUANTITIES = (
    lambda one: average(one, ALLOCATION),
    lambda one: average(one, FREE),
    average_both,
    lambda one: highest(one, WORST_ALLOCATION),
    lambda one: average(one, PAGES),
    lambda one: average(one, FREE_CHUNKS),
)


def _per_trace(title, unit, metric):
    cells = {
        (trace.name, name): Cell(figure(trace, model(name), metric))
        for trace in traces.SLICES
        for name in ALL_WITH
    }
    rows = tuple(one.name for one in traces.SLICES)
    return Grid(title, unit, "trace", rows, ALL_WITH, cells)


def _less(metric):
    return ratio(average(model(SQF), metric), average(model(SBT), metric))


SIXTEEN = (*TWELVE, *WITH)
BEST = ("SBT-FFWC", "SBT-BFWC")
_SEARCHES = Field(tuple((one, average(model(one), ALLOCATION)) for one in SIXTEEN))
_WORST_SEARCHES = Field(tuple((one, highest(model(one), WORST_ALLOCATION)) for one in SIXTEEN))
NEGLIGIBLE = 0.25  # operations a node searched; the paper has no number

EXPERIMENT = Experiment(
    name="conclusion",
    title="The numbers that the paper names",
    grids=(
        means(
            "SBT better fit and SqF best fit, both coalescing; mean of the slices",
            "mean",
            {one: model(one) for one in (SBT, SQF)},
            dict(zip(_NAMES, _QUANTITIES, strict=True)),
            _PAPER,
        ),
        _per_trace("Share of frees that coalesce", "share", COALESCED),
        _per_trace("Integer operations a free", "mean", OPERATIONS),
    ),
    relations=(
        Relation(
            "SBT better fit searches about 90% fewer nodes than SqF best fit",
            (
                Part(
                    "allocation and free against allocation alone",
                    ratio(average_both(model(SBT)), average(model(SQF), ALLOCATION)),
                    AtMost(0.15),
                    29 / 286,
                ),
            ),
        ),
        Relation(
            "That is 17 at an allocation and 12 at a free, within 1.5 times",
            (
                Part("at an allocation", average(model(SBT), ALLOCATION), WithinFactor(1.5, 17), 17, "mean"),
                Part("at a free", average(model(SBT), FREE), WithinFactor(1.5, 12), 12, "mean"),
            ),
        ),
        Relation(
            "Together that is 29, within 1.5 times",
            (Part("at both", average_both(model(SBT)), WithinFactor(1.5, 29), 29, "mean"),),
        ),
        Relation(
            "SqF best fit searches 286 nodes at an allocation, within 1.5 times",
            (Part("nodes", average(model(SQF), ALLOCATION), WithinFactor(1.5, 286), 286, "mean"),),
        ),
        Relation(
            "The worst search of SBT better fit takes 110 nodes, within a factor of 2",
            (
                Part(
                    "most nodes at an allocation",
                    highest(model(SBT), WORST_ALLOCATION),
                    WithinFactor(2, 110),
                    110,
                    "count",
                ),
            ),
        ),
        Relation(
            "No allocation search is shorter than SBT's with coalescing",
            (
                Part(
                    "SBT-FFWC and SBT-BFWC among the best two of sixteen",
                    _SEARCHES.shared(BEST, 2),
                    AtLeast(2),
                    2,
                    "count",
                ),
            ),
        ),
        Relation(
            "The shortest worst search is one of SBT's with coalescing",
            (Part("of them the best of sixteen", _WORST_SEARCHES.shared(BEST, 1), AtLeast(1), 1, "count"),),
        ),
        Relation(
            "46 to 59% of the frees coalesce",
            tuple(
                Part(one, average(model(one), COALESCED), Between(0.46, 0.59), unit="share")
                for one in ALL_WITH
            ),
        ),
        Relation(
            "Coalescing adds at most 3.95 integer operations to a free",
            tuple(
                Part(one, average(model(one), OPERATIONS), AtMost(3.95), 3.95, "mean")
                for one in ALL_WITH
            ),
        ),
        Relation(
            "A free's integer operations are few beside the nodes searched",
            tuple(
                Part(one, ratio(average(model(one), OPERATIONS), average_both(model(one))), AtMost(NEGLIGIBLE))
                for one in ALL_WITH
            ),
        ),
        Relation(
            "SqF-BFWC needs less than SBT-BFWC",
            (
                Part("OS pages", _less(PAGES), AtMost(1.0), 0.86),
                Part("free chunks", _less(FREE_CHUNKS), AtMost(1.0), 0.86),
            ),
        ),
        Relation(
            "SqF-BFWC needs about 14% less OS pages than SBT-BFWC",
            (Part("OS pages", _less(PAGES), Between(0.81, 0.91), 0.86),),
        ),
        Relation(
            "SqF-BFWC has about 14% less free chunks than SBT-BFWC",
            (Part("free chunks", _less(FREE_CHUNKS), Between(0.81, 0.91), 0.86),),
        ),
    ),
    not_compared=(
        NotCompared("A coalescence takes six integer operations, else one", "the simulator counts them so"),
        NotCompared(
            "Section 4.1.2: INSERT, COALESCE, SEARCH and DELETE take O(l), DELETE itself visits one node",
            "it follows from the code; l is bounded by the nodes alone, and figure 9 has the worst searches",
        ),
        NotCompared(
            "Figures 1 and 2: levels of memory management, areas of a process", "drawings of no measurement"
        ),
    ),
    notes=(
        "The paper does not say which figure its 14% is of: both are shown. 'About' is within 5 percent points.",
        f"'Few' is taken as at most {NEGLIGIBLE:g} for each node searched, at an allocation and a free; the paper "
        "has no number. It says that SBT 'reports the worst case search time', which is taken as the shortest.",
        "A coalescence counts as six integer operations, a free without one as one, as in the paper.",
    ),
)
