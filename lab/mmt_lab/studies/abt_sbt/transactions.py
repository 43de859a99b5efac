"""Section 5.3: web applications, whose objects die with their transaction, are served better without
coalescing; the paper takes that from Inoue, Komatsu and Nakatani (2009).
"""

from ...study.experiment import Experiment, NotCompared, Part, Program, Relation
from ...study.relation import AtMost, Between
from . import real

SERVER = tuple(
    Program(
        f"transactions, {count} thread{'s' if count > 1 else ''}",
        ("{workloads}/transactions", "--threads", str(count)),
        ("--transactions", "1000"),
        seconds=seconds,
    )
    for count, seconds in ((1, 0.05), (2, 0.2))
)
PAIRS = {"SBT-FF": "SBT-FFWC", "ABT-FF": "ABT-FFWC"}
SHOWN = tuple(real.malloc(one) for pair in PAIRS.items() for one in pair)
METRIC = "reported.transaction"
# "It makes 11.4% to 51.5% performance improvement."
LEAST, MOST = 1.114, 1.515
LITTLE = 1.3  # the paper has no number for "good"

EXPERIMENT = Experiment(
    name="transactions",
    title="A server's transactions, with and without coalescing",
    grids=(real.grid("Time of a transaction, base: glibc", SERVER, SHOWN, real.GLIBC, METRIC),),
    relations=(
        Relation(
            "Transactions are faster without coalescing",
            tuple(
                Part(f"{one.name}, {bare} against {joined}",
                     real.over(one, real.malloc(bare), real.malloc(joined), METRIC), AtMost(1.0))
                for one in SERVER
                for bare, joined in PAIRS.items()
            ),
        ),
        Relation(
            "By 11.4% to 51.5%",
            tuple(
                Part(f"{one.name}, SBT-FF", real.over(one, real.malloc("SBT-FF"), real.malloc("SBT-FFWC"), METRIC),
                     Between(1 / MOST, 1 / LEAST))
                for one in SERVER
            ),
        ),
        Relation(
            "SBT-FF is a good candidate for web applications: it takes little more of glibc's time",
            tuple(
                Part(one.name, real.over(one, real.malloc("SBT-FF"), real.GLIBC, METRIC), AtMost(LITTLE))
                for one in SERVER
            ),
        ),
    ),
    not_compared=(
        NotCompared("Without coalescing there is less bus traffic", "the study counts none"),
    ),
    notes=(
        "Each transaction allocates 60 objects and frees them at its end, all but one, which a session "
        "keeps. The allocators have one lock for all threads. SqF-FF is left out: its list grows until each "
        "search takes milliseconds.",
    ),
)  # fmt: skip
