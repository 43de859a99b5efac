"""Table 1: the benchmarks, and what stands in for each here."""

from ...study.experiment import Experiment, Fact, NotCompared
from ...traces import programs as traced

DESCRIPTIONS = {
    "check": "A simple program that tests various features of JVM",
    "compress": "Modified Lempel-Ziv method (LZW)",
    "db": "Performs data base functions",
    "jack": "A Java parser generator",
    "javac": "Java compiler for JDK 1.0.2",
    "jess": "Java expert shell system",
    "mpegaudio": "Decompresses audio files that conform MPEG3",
    "mtrt": "A threaded raytracer",
}

EXPERIMENT = Experiment(
    name="table-1",
    title="The benchmarks, and what stands in for them",
    grids=(),
    relations=(),
    facts=(
        *(Fact(one.name, one.about, DESCRIPTIONS[one.name]) for one in traced.JAVA),
        *(Fact(one.name, one.about, "not in the paper") for one in traced.NATIVE),
    ),
    not_compared=(
        NotCompared("Table 1: the programs of SPECjvm98", "not free; eight others do the same kind of work"),
    ),
    notes=("SPECjvm98 is not free, so the programs are others that do the same kind of work.",),
)
