"""Table 2: executable sizes of the parser's variants."""

from ...study.experiment import Experiment, Kind, Part, Relation, Run
from ...study.quantity import Measured, Ratio
from ...study.relation import AtLeast, AtMost, WithinFactor
from . import programs
from .shapes import beside_baseline

CALLED, INLINED = "xalloc", "xalloc (inlined)"
LAYERED, LAYERED_INLINED = "XallocHeap", "XallocHeap (inlined)"
PAPER = {CALLED: 211_286, INLINED: 266_342, LAYERED: 249_958, LAYERED_INLINED: 249_958}
PAPER_RATIOS = {name: size / PAPER[CALLED] for name, size in PAPER.items()}
SIZES = {name: Measured(Run(Kind.SIZED, programs.PARSER[name]), "text") for name in PAPER}
OPENS_ITSELF = "the composed arena opens itself at each place where it is inlined"


def _part(top, bottom, condition):
    ratio = Ratio(SIZES[top], SIZES[bottom])
    return Part(f"{top} against {bottom}", ratio, condition, PAPER[top] / PAPER[bottom])


def _in_between(claim, variant, reason=""):
    """Larger than functions that are called, smaller than the same functions inlined whole."""
    parts = (_part(variant, CALLED, AtLeast(1.0)), _part(variant, INLINED, AtMost(1.0)))
    return Relation(claim, parts, reason=reason)


EXPERIMENT = Experiment(
    name="table-2",
    title="Executable sizes of the parser's variants",
    grids=(beside_baseline("Code size", "bytes", SIZES, CALLED, PAPER, PAPER_RATIOS),),
    relations=(
        Relation(
            "xalloc's code is larger inlined than as functions that are called",
            (_part(INLINED, CALLED, AtLeast(1.0)),),
        ),
        _in_between("XallocHeap's code lies between the two", LAYERED),
        _in_between("So does XallocHeap's inlined", LAYERED_INLINED, OPENS_ITSELF),
        Relation(
            "XallocHeap's code has one size, whether it is declared inline or not",
            (_part(LAYERED_INLINED, LAYERED, WithinFactor(1.01, 1.0)),),
            reason=f"one version is compiled apart from the parser here; {OPENS_ITSELF}",
        ),
    ),
    notes=(
        "Ours is the text segment, as size(1) has it; the paper's is the whole executable. In the "
        "paper both versions of XallocHeap were the same code.",
    ),
)
