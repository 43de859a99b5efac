"""Section 6: kmeans and ssca2, which allocate at their beginning, do not care for the allocator."""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import OfMedians
from ...study.relation import AtMost
from . import allocators, programs
from .best_and_worst import spread
from .shapes import by_threads, seconds

APPLICATIONS = ("kmeans", "ssca2")


def _spread(application, threads):
    program = programs.stamp(application, threads)
    return OfMedians(spread, tuple(seconds(program, one) for one in allocators.FOUR))


EXPERIMENT = Experiment(
    name="insensitive",
    title="kmeans and ssca2: time by threads and allocator",
    grids=tuple(
        by_threads(
            f"{application}: time",
            "s",
            lambda threads, one, application=application: seconds(
                programs.stamp(application, threads), one
            ),
        )
        for application in APPLICATIONS
    ),
    relations=tuple(
        Relation(
            f"{application}: allocators differ by less than 5%",
            tuple(
                Part(f"{threads} threads", _spread(application, threads), AtMost(0.05), 0.05, "share")
                for threads in (1, 2, 8)
            ),
            reason=programs.SHORT_RUNS,
        )
        for application in APPLICATIONS
    ),
    notes=(
        "The difference is that of the medians of the worst and the best of the paper's four.",
        allocators.NOTE,
        programs.STAMP_NOTE,
        programs.NOTE,
    ),
)
