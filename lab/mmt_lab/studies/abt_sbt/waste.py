"""Section 5.1: how much memory is wasted, and how many pages a process takes."""

from ...study.experiment import Experiment, Part, Relation
from ...study.ranking import Computed
from ...study.relation import AtMost, Between, WithinFactor
from . import traces
from .allocators import COALESCING_NOTE, TWELVE, model
from .shapes import LIVE, MOST_PAGES, PAGE, PAGES, all_boxes, average, figure, highest, of_metric

PAGES_AT_MOST, PAGES_NEEDED = 300, 260
_LEAST, _MOST = 0.4, 0.6


def wasted(trace, allocator):
    """The share of the heap that no live object has."""
    return Computed(
        lambda values: 1 - values[0] / (values[1] * PAGE) if values[1] else None,
        (figure(trace, allocator, LIVE), figure(trace, allocator, PAGES)),
    )


def _mean_wasted(name):
    shares = tuple(wasted(one, model(name)) for one in traces.SLICES)
    return Computed(lambda values: sum(values) / len(values), shares)


EXPERIMENT = Experiment(
    name="waste",
    title="Memory that is wasted, and pages that are taken",
    grids=(
        *all_boxes("Share of the heap that is not live", "share", wasted),
        *all_boxes("Most OS pages of 8 KiB", "count", of_metric(MOST_PAGES)),
    ),
    relations=(
        Relation(
            "About half of the memory is wasted",
            tuple(
                Part(one, _mean_wasted(one), Between(_LEAST, _MOST), 0.5, "share") for one in TWELVE
            ),
        ),
        Relation(
            f"An allocator needs about {PAGES_NEEDED} OS pages",
            tuple(
                Part(one, average(model(one), PAGES), WithinFactor(1.25, PAGES_NEEDED), PAGES_NEEDED, "count")
                for one in TWELVE
            ),
        ),
        Relation(
            f"A process takes at most {PAGES_AT_MOST} OS pages",
            tuple(
                Part(one, highest(model(one), MOST_PAGES), AtMost(PAGES_AT_MOST), PAGES_AT_MOST, "count")
                for one in TWELVE
            ),
        ),
    ),
    notes=(
        f"'About half' is taken as {_LEAST:.0%} to {_MOST:.0%}. The claim is on traces of about 1 MB live, "
        "so the slices are judged; whole traces hold more.",
        COALESCING_NOTE,
    ),
)
