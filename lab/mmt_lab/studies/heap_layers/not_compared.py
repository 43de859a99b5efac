"""What of the paper has no counterpart here."""

from ...study.experiment import Experiment, NotCompared

EXPERIMENT = Experiment(
    name="not-compared",
    title="What of the paper is not compared",
    grids=(),
    relations=(),
    not_compared=(
        NotCompared("Table 1: a library of layers", "a list of classes; ours are in include/mmt/layers"),
        NotCompared(
            "Figures 2, 5 and 8: FreelistHeap, StrictSegHeap and DebugHeap",
            "listings, nothing in them is measured; ours are in include/mmt/layers",
        ),
        NotCompared("Figure 7: LeaHeap's layers", "a drawing; ours is in include/mmt/layers"),
        NotCompared(
            "Lines of code and weeks of work of obstacks and LeaHeap",
            "nothing that a program measures",
        ),
        NotCompared(
            "A region allocates in a handful of cycles, others in a hundred",
            "the paper cites it, and does not measure it",
        ),
    ),
)
