"""The twelve as mallocs of real programs: time and memory against glibc's, and SgF beside Lea."""

from ...study.experiment import Experiment, Part, Relation
from ...study.quantity import GeometricMean, Highest
from ...study.relation import AtMost, WithinFactor
from . import real

SBT = real.malloc("SBT-FF")
SHOWN = (real.LEA, *map(real.malloc, ("SgF-FF", "SgF-BF", "SBT-FF", "SBT-BF", "ABT-FFWC")))
RESEMBLES = 1.25  # the paper has no number


def _over(allocator, base, metric):
    return tuple(real.over(one, allocator, base, metric) for one in real.PROGRAMS)


def _beside_lea(title, metric):
    parts = tuple(
        Part(name, GeometricMean(_over(real.malloc(name), real.LEA, metric)), WithinFactor(RESEMBLES, 1.0))
        for name in ("SgF-FF", "SgF-BF")
    )
    return Relation(f"SgF resembles Lea's allocator in {title}", parts)


EXPERIMENT = Experiment(
    name="real-programs",
    title="The allocators as mallocs of real programs",
    grids=(
        real.grid("CPU time, base: glibc", real.PROGRAMS, SHOWN, real.GLIBC, "cpu"),
        real.grid("Peak resident memory, base: glibc", real.PROGRAMS, SHOWN, real.GLIBC, "peak_rss"),
    ),
    relations=(
        Relation(
            "Under SBT-FF programs take at most 1.3 of glibc's time, none more than twice",
            (
                Part("geometric mean", GeometricMean(_over(SBT, real.GLIBC, "cpu")), AtMost(1.3)),
                Part("the worst", Highest(_over(SBT, real.GLIBC, "cpu")), AtMost(2.0)),
            ),
        ),
        _beside_lea("time", "cpu"),
        _beside_lea("memory", "peak_rss"),
    ),
    notes=(
        "The first claim is ours. Lea is our composition of Doug Lea's 2.7.0. 'Resembles' is taken as within "
        f"{RESEMBLES:g} times in the geometric mean; the paper has no number.",
    ),
)
