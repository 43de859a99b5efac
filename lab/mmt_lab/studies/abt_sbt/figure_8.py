"""Figure 8: internal fragmentation."""

from ...study.experiment import Experiment, NotCompared, Part, Relation
from ...study.ranking import Computed
from ...study.relation import AtLeast
from .allocators import COUNTERPARTS, SHAPE_NOTE, TODAY, model
from .shapes import INTERNAL, against, all_boxes, average, means, of_metric

_KINDS = ("header", "rounding", "minimum", "total")
MOSTLY = 0.5  # the paper has no number


def _of_kind(allocator, kind):
    return average(allocator, f"internal_fragmentation.{kind}")


def _share_of_minimum(tree, other):
    """What small requests are rounded up for a node, of all that a tree wastes beyond a list."""
    of_both = (_of_kind(model(one), kind) for kind in ("minimum", "total") for one in (tree, other))
    return Computed(lambda v: (v[0] - v[1]) / (v[2] - v[3]) if v[2] != v[3] else None, tuple(of_both))

EXPERIMENT = Experiment(
    name="figure-8",
    title="Internal fragmentation, bytes beyond what was asked for",
    grids=(
        *all_boxes("Bytes of internal fragmentation", "count", of_metric(INTERNAL)),
        *(
            means(
                f"By cause, summed over all allocations, mean of the slices: {title}",
                "count",
                {one: model(one, *shape) for one in ("SqF-FF", "ABT-FF", "SgF-FF", "SBT-FF")},
                {kind: lambda allocator, kind=kind: _of_kind(allocator, kind) for kind in _KINDS},
            )
            for title, shape in (("the paper's shape", ()), ("64 bits", (TODAY,)))
        ),
    ),
    relations=(
        Relation(
            "Trees have more of it than lists, as their models' larger nodes imply",
            against("bytes", AtLeast(1.0), lambda one: average(one, INTERNAL), COUNTERPARTS),
        ),
        Relation(
            "Small requests that are rounded up to a node are most of what trees have more",
            tuple(
                Part(f"{one} against {other}", _share_of_minimum(one, other), AtLeast(MOSTLY), unit="share")
                for one, other in (("ABT-FF", "SqF-FF"), ("SBT-FF", "SgF-FF"))
            ),
            reason="rests too small to split off, which count as rounding, are more",
        ),
    ),
    not_compared=(
        NotCompared("A tree's node takes 24 bytes, a list's 12", "the models are made so"),
    ),
    notes=(
        SHAPE_NOTE,
        "header: words of our own; rounding: granule, class, rests too small to split off; minimum: "
        "what a free chunk's node needs beyond a small request.",
        f"'Most' is taken as {MOSTLY:.0%}; the paper has no number.",
    ),
)
