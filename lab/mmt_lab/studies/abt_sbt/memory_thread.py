"""Section 6: SBT for a memory management thread: it hides frees, so that allocation alone is waited for."""

from ...study.experiment import Experiment, Part, Relation
from ...study.relation import AtMost
from . import real
from .openmp import OPENMP
from .transactions import SERVER

NAMES = ("SBT-FF", "SBT-BF", "ABT-FFWC", "SgF-FF")
PROGRAMS = (real.GAWK, real.PERL, OPENMP, SERVER[0])
SHOWN = tuple(make(one) for one in NAMES for make in (real.malloc, real.behind_thread))

EXPERIMENT = Experiment(
    name="memory-thread",
    title="The allocators behind a memory thread",
    grids=(real.grid("Wall time, base: glibc", PROGRAMS, SHOWN, real.GLIBC, "wall"),),
    relations=(
        Relation(
            "A memory thread makes programs on SBT-FF faster",
            tuple(
                Part(one.name, real.over(one, real.behind_thread("SBT-FF"), real.malloc("SBT-FF"), "wall"),
                     AtMost(1.0))
                for one in PROGRAMS
            ),
        ),
        Relation(
            "SBT-FF is the best of them behind a memory thread",
            tuple(
                Part(f"{program.name}, against {one}",
                     real.over(program, real.behind_thread("SBT-FF"), real.behind_thread(one), "wall"),
                     AtMost(1.0))
                for program in PROGRAMS
                for one in NAMES[1:]
            ),
        ),
    ),
    notes=(
        "Behind the thread each allocator is loaded as it is: 'mmt run --backend sbt-ff -- prog'. "
        "Sequential fits are left out: gawk takes 80 s on them, with and without the thread.",
    ),
)  # fmt: skip
