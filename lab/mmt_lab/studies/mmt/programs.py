"""The programs of Table II: our own implementations, but for gawk, which is the system's."""

import dataclasses

from ...study.experiment import Program

SMALL = ("--small",)


MIB = 1 << 20


def _classic(name, *words, paper=(), paper_mib=0):
    command = (f"{{workloads}}/classic/{name}", *words)
    return Program(name, command, SMALL, paper=paper, paper_bytes=paper_mib * MIB)


GAWK = Program(
    "gawk", ("/usr/bin/gawk", "-f", "{scripts}/words.awk", "-v", "lines=60000"), (), "gawk"
)

# The paper's inputs are taken on demand only. 8192 vertices and 27 levels need more memory than most
# machines of two cores have. 13 levels are done in a millisecond. The paper has only names for the
# inputs of gawk and roboop.
ALL = (
    _classic("cfrac", paper=("--number", "18011526082839904292376276496758929")),
    _classic("deltablue", "--constraints", "240000", paper=("--constraints", "1000000")),
    GAWK,
    _classic("mst", "--vertices", "2048", paper=("--vertices", "8192"), paper_mib=2355),
    _classic("perimeter", "--levels", "17", paper=("--levels", "13")),
    _classic("roboop"),
    _classic("treeadd", "--levels", "21", paper=("--levels", "27"), paper_mib=4608),
)


def _is_named(program, names):
    """A program's name has its input behind a comma."""
    return program.name.split(",")[0] in names


def among(of, *names):
    return tuple(one for one in of if _is_named(one, names))


def without(of, *names):
    return tuple(one for one in of if not _is_named(one, names))


def _short(program, *words):
    """The same on an input of its own; `words` go in front of --small, which overrides them."""
    return dataclasses.replace(
        program, name=f"{program.name}, short", command=(*program.command, *words)
    )


_CFRAC, _DELTABLUE, _, _MST, _PERIMETER, _ROBOOP, _TREEADD = ALL
# These are for designs in which the program waits for each block. They take a third of the time or less.
# So a study of fifteen minutes has its three rounds also where a line takes long to the other core.
WAITING = (
    _short(_CFRAC, "--number", "180115260909891469127771274659413"),
    _short(_DELTABLUE, "--constraints", "80000"),
    _short(GAWK, "-v", "lines=20000"),
    _short(_MST, "--vertices", "1448"),
    _short(_PERIMETER, "--levels", "16"),
    _short(_ROBOOP, "--samples", "150", "--steps", "100"),
    _short(_TREEADD, "--levels", "20"),
)
# Those of them that free. The others leave their blocks to the system, as Olden's do; mst frees one.
FREEING = without(WAITING, "mst", "perimeter", "treeadd")


def _simulated(program):
    """On its small input, whatever is asked for."""
    return dataclasses.replace(program, command=(*program.command, *SMALL), small=(), paper=())


# The same, shorter still: a simulator takes some fifty times as long.
SHORT = (
    _simulated(_CFRAC),
    _classic("deltablue", "--constraints", "60000"),
    Program("gawk", (*GAWK.command[:-1], "lines=10000"), (), "gawk"),
    _classic("mst", "--vertices", "1024"),
    _classic("perimeter", "--levels", "16"),
    _simulated(_ROBOOP),
    _classic("treeadd", "--levels", "20"),
)

# What synchronisation costs; nothing of it allocates.
PRIMITIVES = Program("primitives", ("{workloads}/primitives",), ("--pairs", "20000"))


def paced(work, size=32, live=10_000):
    """A program that computes for `work` nanoseconds between two requests of `size` bytes, and has
    `live` blocks at a time."""
    numbers = {"steps": 100_000, "work-ns": work, "bytes": size, "live": live}
    words = [word for flag, number in numbers.items() for word in (f"--{flag}", str(number))]
    name = f"paced, {work} ns between requests of {size} bytes, {live} live"
    return Program(name, ("{workloads}/paced", *words), ("--steps", "20000"))


NOTE = (
    "Inputs: cfrac 36 digits (the paper: 35), deltablue 240,000 (1,000,000), gawk a script of ours, mst "
    "2048 vertices (8192), perimeter 17 levels (13), roboop as it is, treeadd 21 levels (27)."
)

WAITING_NOTE = (
    "Inputs here: cfrac 33 digits, deltablue 80,000, gawk 20,000 lines, mst 1448 vertices, perimeter "
    "16 levels, roboop 150 samples and 100 steps, treeadd 20 levels: a third of the time of those of "
    "table-2 or less, as designs that wait for the memory thread at each call take long."
)
