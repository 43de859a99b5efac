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
            "the originals are the C library's, and work is not measured; of our own pairs XallocHeap has "
            "about 120 lines against 40 by hand, KingsleyHeap 10 besides its layers against 115",
        ),
        NotCompared(
            "Virtual methods cost much beside an allocation",
            "the paper states it, and does not measure it",
        ),
        NotCompared(
            "Memory operations are a significant share of run time, but in lrusim",
            "the paper gives no share, and none is measured here",
        ),
        NotCompared(
            "Bars of Figures 3 and 4 that the text gives no number for",
            "nothing to compare with; ours stand in the tables",
        ),
        NotCompared(
            "DebugHeap found errors in p2c and in a layer",
            "told of single cases; ours is in include/mmt/layers/observe",
        ),
        NotCompared(
            "LeaHeap with a lock, several times in one program, or scalable like Hoard",
            "the paper measures none of them; such layers are in include/mmt/layers",
        ),
        NotCompared(
            "A region allocates in a handful of cycles, others in a hundred",
            "the paper cites it, and does not measure it",
        ),
    ),
)
