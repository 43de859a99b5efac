"""What of the paper and its slides has no counterpart here."""

from ...study.experiment import Experiment, NotCompared

EXPERIMENT = Experiment(
    name="not-compared",
    title="What of the paper is not compared",
    grids=(),
    relations=(),
    not_compared=(
        NotCompared(
            "Figures 3 to 6: fork-join and client-server, protocols, buckets, queues by epoch",
            "drawings and pseudo-code; docs/protocols.md has ours",
        ),
        NotCompared(
            "Preallocation below 512 bytes, as most objects are; larger ones are rarer and less repeated",
            "taken over and not varied; table-2 has the average sizes, which are far below",
        ),
        NotCompared(
            "Both queues of freed blocks are full rarely",
            "no run counts how often the program waits for one",
        ),
        NotCompared(
            "PHK is faster in deltablue by its use of virtual memory",
            "it is slower in it here, and no run counts misses over PHK",
        ),
        NotCompared(
            "Heap Server, a process with an allocator of its own, slows programs down",
            "another's design, which is not built here",
        ),
        NotCompared(
            "Table II: deltablue's 37,908 calls a second",
            "of another unit or program than the others: at 50 ns a call it would spend 0.2% in them",
        ),
        NotCompared(
            "Slides: less interference of resources",
            "no number; decoupling and figure-10 have what can be measured",
        ),
    ),
)
