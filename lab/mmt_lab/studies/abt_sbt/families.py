"""What the text says of whole families of allocators, without a figure of its own."""

from ...study.experiment import Experiment, Relation
from ...study.relation import AtLeast, AtMost
from .allocators import COALESCING_NOTE, COUNTERPARTS, PLAIN, SEGREGATED
from .shapes import ALLOCATION, PAGES, against, average

NO_MORE_PAGES = 1.05  # the paper has no number for "retaining"
FAR = 0.5  # nor for "far better"

WITH_OVER_WITHOUT = {f"{one}WC": one for one in (*PLAIN, *SEGREGATED)}
SEVERAL_OVER_ONE = {f"SBT-{one}": f"ABT-{one}" for one in ("FF", "BF", "FFWC", "BFWC")}
JOINING_TREES = {f"{tree}-{fit}WC": f"SgF-{fit}" for tree in ("ABT", "SBT") for fit in ("FF", "BF")}
BEST_OVER_FIRST = {f"SqF-BF{wc}": f"SqF-FF{wc}" for wc in ("", "WC")}
FIRST_OVER_BEST = {first: best for best, first in BEST_OVER_FIRST.items()}
# Simple segregated storage: a list a size, nothing split or joined.
LISTS_OVER_SIMPLE = dict.fromkeys(("SqF-FF", "SqF-BF", "SgF-FF", "SgF-BF"), "SSS")
FITS_OVER_SIMPLE = dict.fromkeys(("SgF-FF", "SgF-BF"), "SSS")
CLASSES_OVER_ONE_LIST = {f"SgF-{fit}": f"SqF-{fit}" for fit in ("FF", "BF")}


def _nodes(claim, condition, pairs):
    return Relation(claim, against("nodes", condition, lambda one: average(one, ALLOCATION), pairs))


def _pages(claim, condition, pairs):
    return Relation(claim, against("pages", condition, lambda one: average(one, PAGES), pairs))


EXPERIMENT = Experiment(
    name="families",
    title="Families of allocators against each other",
    grids=(),
    relations=(
        _nodes("All allocators search fewer nodes at an allocation with coalescing", AtMost(1.0), WITH_OVER_WITHOUT),
        _pages("All allocators need fewer pages with coalescing", AtMost(1.0), WITH_OVER_WITHOUT),
        _nodes("SBT's small trees search fewer nodes than ABT", AtMost(1.0), SEVERAL_OVER_ONE),
        _pages("SBT needs no more pages than ABT", AtMost(NO_MORE_PAGES), SEVERAL_OVER_ONE),
        _nodes("Trees with coalescing search fewer nodes than segregated lists", AtMost(1.0), JOINING_TREES),
        _pages("Trees with coalescing need fewer pages than segregated lists", AtMost(1.0), JOINING_TREES),
        _nodes("A list's best fit searches more nodes than its first fit", AtLeast(1.0), BEST_OVER_FIRST),
        _pages("A list's first fit needs more pages than its best fit", AtLeast(1.0), FIRST_OVER_BEST),
        _pages("Segregated lists need more pages than sequential ones", AtLeast(1.0), CLASSES_OVER_ONE_LIST),
        _nodes("Segregated lists search fewer nodes than sequential ones", AtMost(1.0), CLASSES_OVER_ONE_LIST),
        _nodes("Section 3: no list searches fewer nodes than simple segregated storage", AtLeast(1.0), LISTS_OVER_SIMPLE),
        _pages("Section 3: segregated fits need fewer pages than that", AtMost(1.0), FITS_OVER_SIMPLE),
        _nodes("On the whole trees search far fewer nodes than lists", AtMost(FAR), COUNTERPARTS),
    ),
    notes=(
        f"'Far fewer' is taken as at most {FAR:g} of them, and 'no more pages' as at most {NO_MORE_PAGES:g} times; "
        "the paper has no number. Nodes are those at an allocation, which it calls the dominant metric.",
        COALESCING_NOTE,
    ),
)
