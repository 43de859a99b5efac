"""Figure 8: internal fragmentation."""

from ...study.experiment import Experiment, NotCompared, Relation
from ...study.relation import AtLeast
from .allocators import COUNTERPARTS, SHAPE_NOTE, TODAY, model
from .shapes import INTERNAL, against, all_boxes, average, means, of_metric

_KINDS = ("header", "rounding", "minimum", "total")

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
                {
                    kind: lambda allocator, kind=kind: average(
                        allocator, f"internal_fragmentation.{kind}"
                    )
                    for kind in _KINDS
                },
            )
            for title, shape in (("the paper's shape", ()), ("64 bits", (TODAY,)))
        ),
    ),
    relations=(
        Relation(
            "Trees have more of it than lists",
            against("bytes", AtLeast(1.0), lambda one: average(one, INTERNAL), COUNTERPARTS),
        ),
    ),
    not_compared=(
        NotCompared("A tree's node takes 24 bytes, a list's 12", "the models are made so"),
    ),
    notes=(
        SHAPE_NOTE,
        "header: words of our own; rounding: granule, class, rests too small to split off; minimum: "
        "what a free chunk's node needs beyond a small request.",
    ),
)
