"""Section 6: SBT with coalescing for a memory management thread: it hides frees, so that
allocation alone is waited for.
"""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtMost
from . import real
from .openmp import OPENMP
from .transactions import SERVER

JOINING, PLAIN = "SBT-FFWC", "SBT-FF"
OTHERS = ("SBT-BF", "ABT-FFWC", "SgF-FF")
NAMES = (JOINING, PLAIN, *OTHERS)
PROGRAMS = (real.GAWK, real.PERL, OPENMP, SERVER[0])
SHOWN = tuple(make(one) for one in NAMES for make in (real.malloc, real.behind_thread))



def _over(program, name, base):
    return real.over(program, real.behind_thread(name), base, "wall")


def _faster(name):
    return Relation(
        f"A memory thread makes programs on {name} faster",
        tuple(Part(one.name, _over(one, name, real.malloc(name)), AtMost(1.0)) for one in PROGRAMS),
    )


def _best(name, others):
    return Relation(
        f"{name} is the best of them behind a memory thread",
        tuple(
            Part(f"{program.name}, against {one}", _over(program, name, real.behind_thread(one)), AtMost(1.0))
            for program in PROGRAMS
            for one in others
        ),
    )


EXPERIMENT = Experiment(
    name="memory-thread",
    title="The allocators behind a memory thread",
    grids=(real.grid("Wall time, base: glibc", PROGRAMS, SHOWN, real.GLIBC, "wall"),),
    relations=(
        _faster(JOINING),
        _best(JOINING, (PLAIN, *OTHERS)),
        _faster(PLAIN),
        _best(PLAIN, OTHERS),
    ),
    notes=(
        "The paper's candidate is SBT with coalescing; SBT-FF, its candidate for web applications, is asked too.",
        "Behind the thread each allocator is loaded as it is: 'mmt run --backend sbt-ff -- prog'. "
        "Sequential fits are left out: gawk takes 80 s on them, with and without the thread.",
    ),
)  # fmt: skip
