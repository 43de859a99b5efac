"""Figure 8: speedups of Genome and Yada. The paper does not say against what; three bases are shown."""

from ...study.experiment import Experiment, NotCompared, Part, Relation
from ...study.quantity import Ratio
from ...study.relation import AtLeast, AtMost
from . import allocators, programs
from .allocators import GLIBC_2011, HOARD, TBB, TCMALLOC
from .settings import OursAlone
from .shapes import by_threads, seconds

APPLICATIONS = ("genome", "yada")
OTHERS = (HOARD, TBB, TCMALLOC)
BASES = {
    "one thread, the same allocator": lambda one, allocator: seconds(
        programs.stamp(one, 1), allocator
    ),
    "no transactions, the same allocator": lambda one, allocator: seconds(
        programs.sequential(one), allocator
    ),
    "no transactions, Glibc": lambda one, allocator: seconds(
        programs.sequential(one), GLIBC_2011
    ),
}
USUAL, PLAIN, COMMON = BASES


def _speedup(application, threads, allocator, base=USUAL):
    return Ratio(
        BASES[base](application, allocator),
        seconds(programs.stamp(application, threads), allocator),
    )


def _against(application, one, other, base=USUAL):
    return Ratio(
        _speedup(application, 8, one, base), _speedup(application, 8, other, base)
    )


EXPERIMENT = Experiment(
    name="figure-8",
    title="Speedups of Genome and Yada, against three bases",
    grids=tuple(
        by_threads(
            f"{application}: speedup over {base}",
            "ratio",
            lambda threads, one, application=application, base=base: _speedup(
                application, threads, one, base
            ),
        )
        for application in APPLICATIONS
        for base in BASES
    ),
    relations=(
        Relation(
            "Genome seems to scale better with Glibc, which is worse with one thread",
            tuple(
                Part(f"Glibc's speedup over {one.name}'s", _against("genome", GLIBC_2011, one),
                     AtLeast(1.05), 6 / 5)
                for one in OTHERS
            ),
        ),
        Relation(
            "With one base for all, that advantage is gone",
            tuple(
                Part(f"Glibc's speedup over {one.name}'s",
                     _against("genome", GLIBC_2011, one, COMMON), AtMost(1.0))
                for one in OTHERS
            ),
        ),
        Relation(
            "Yada does not scale with Glibc, and does with the others",
            tuple(
                Part(f"Glibc's speedup over {one.name}'s", _against("yada", GLIBC_2011, one),
                     AtMost(0.8))
                for one in OTHERS
            ),
            reason=programs.LITTLE_WAITING,
        ),
        OursAlone(
            "Yada scales with the others",
            tuple(Part(f"2 threads, {one.name}", _speedup("yada", 2, one), AtLeast(1.0)) for one in OTHERS),
        ),
    ),
    not_compared=(
        NotCompared(
            "Genome reaches a speedup of 6 with Glibc, of 5 with the others",
            "eight threads on two CPUs reach two; the advantage of Glibc's is compared",
        ),
    ),
    notes=(
        "The base of the paper's speedups is undefined: a sequential program, or one thread of the STM. "
        "Both are here, of the same allocator, and the sequential program on Glibc for all.",
        allocators.NOTE,
        programs.STAMP_NOTE,
        programs.NOTE,
    ),
)  # fmt: skip
