"""The paper's twelve allocators, in its order: four plain ones, the same with coalescing, four of
size classes. Each as the paper describes it, for 32-bit machines, and as a malloc of today.
"""

from ...study.experiment import Allocator

PLAIN = ("SqF-FF", "SqF-BF", "ABT-FF", "ABT-BF")
COALESCING = tuple(f"{one}WC" for one in PLAIN)
SEGREGATED = ("SgF-FF", "SgF-BF", "SBT-FF", "SBT-BF")
TWELVE = (*PLAIN, *COALESCING, *SEGREGATED)
TREES = tuple(one for one in TWELVE if one.startswith(("ABT", "SBT")))
# This maps each tree to the list that it is compared with.
COUNTERPARTS = {one: one.replace("ABT", "SqF").replace("SBT", "SgF") for one in TREES}

PAPER = "paper"  # words of 4 bytes, no header, nodes of 24 and 12 bytes
TODAY = "today"  # words of 8 bytes, a header of a word, alignment of 16
SHAPES = {PAPER: "the paper's 32-bit shape", TODAY: "64 bits, a header a block"}


def model(name, shape=PAPER, *changes):
    """The simulator's model: `changes` are keys of its grammar, as "trees=9"."""
    keys = [*((PAPER,) if shape == PAPER else ()), *changes]
    spec = name.lower()
    return Allocator(f"{spec}:{','.join(keys)}" if keys else spec)


SHAPE_NOTE = (
    "In the paper's shape words have 4 bytes and blocks no header, so a tree's node takes 24 bytes and a "
    "list's 12; the heap grows by 8 KiB. The other shape is a malloc's of today: 64 bits, a header of a "
    "word, alignment of 16, so a tree's node takes 48 bytes."
)
COALESCING_NOTE = (
    "The segregated four are shown without coalescing, as they are named; the experiment ambiguities "
    "has them with it. BF is best fit in lists and better fit in trees."
)
