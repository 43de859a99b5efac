"""The programs of Table II: our own implementations, but for gawk, which is the system's."""

from ...experiment import Program

SMALL = ("--small",)


def _classic(name, *words):
    return Program(name, (f"{{workloads}}/classic/{name}", *words), SMALL)


GAWK = Program("gawk", ("/usr/bin/gawk", "-f", "{scripts}/words.awk", "-v", "lines=75000"), (), "gawk")

# The paper has 8192 vertices, 13 levels and 27 levels. 8192 vertices and 27 levels need more memory
# than most machines of two cores have; 13 levels are done in a millisecond.
ALL = (
    _classic("cfrac"),
    _classic("deltablue", "--constraints", "300000"),
    GAWK,
    _classic("mst", "--vertices", "2048"),
    _classic("perimeter", "--levels", "17"),
    _classic("roboop"),
    _classic("treeadd", "--levels", "21"),
)

# The same, shorter: a simulator takes some fifty times as long.
SHORT = (
    _classic("cfrac", "--small"),
    _classic("deltablue", "--constraints", "60000"),
    Program("gawk", (*GAWK.command[:-1], "lines=10000"), (), "gawk"),
    _classic("mst", "--vertices", "1024"),
    _classic("perimeter", "--levels", "16"),
    _classic("roboop", "--small"),
    _classic("treeadd", "--levels", "20"),
)

# What synchronisation costs; nothing of it allocates.
PRIMITIVES = Program("primitives", ("{workloads}/primitives",), ("--pairs", "20000"))


def paced(work):
    """A program that computes for `work` nanoseconds between two requests."""
    words = ("{workloads}/paced", "--steps", "100000", "--work-ns", str(work))
    return Program(f"paced, {work} ns between requests", words, ("--steps", "20000"))


NOTE = (
    "Inputs: cfrac 36 digits (the paper: 35), deltablue 300,000 (1,000,000), gawk a script of ours, mst "
    "2048 vertices (8192), perimeter 17 levels (13), roboop as it is, treeadd 21 levels (27)."
)
