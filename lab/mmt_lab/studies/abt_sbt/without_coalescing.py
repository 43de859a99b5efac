"""Abstract: the trees use storage well even without coalescing."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtMost
from .allocators import TREES, model
from .shapes import FREE_CHUNKS, GROWTH, PAGES, average, means, ratio

ALMOST = 1.1  # the paper has no number for "well"
PAIRS = {one: f"{one}WC" for one in TREES if not one.endswith("WC")}
LISTS = {one: f"{one}WC" for one in ("SqF-FF", "SqF-BF", "SgF-FF", "SgF-BF")}
_COLUMNS = {
    "OS pages": lambda one: average(one, PAGES),
    "growth calls": lambda one: average(one, GROWTH),
    "free chunks": lambda one: average(one, FREE_CHUNKS),
}

EXPERIMENT = Experiment(
    name="without-coalescing",
    title="Storage with and without coalescing",
    grids=(
        means(
            "Mean of the slices, the paper's shape",
            "count",
            {one: model(one) for pair in (PAIRS | LISTS).items() for one in pair},
            _COLUMNS,
        ),
    ),
    relations=(
        Relation(
            "Trees that coalesce nothing need about as many pages as those that do",
            tuple(
                Part(
                    f"{one} against {other}",
                    ratio(average(model(one), PAGES), average(model(other), PAGES)),
                    AtMost(ALMOST),
                )
                for one, other in PAIRS.items()
            ),
        ),
    ),
    notes=(f"'About as many' is taken as at most {ALMOST:g} times; the paper has no number.",),
)
