"""The programs of the study: our own implementations, but for perl, which is the system's."""

from ...study.experiment import Program

SMALL = ("--small",)


def _classic(name):
    return Program(name, (f"{{workloads}}/classic/{name}",), SMALL)


# The memory-intensive programs of Tables 3 to 6.
MEMORY_INTENSIVE = (
    _classic("cfrac"),
    _classic("espresso"),
    _classic("lindsay"),
    _classic("lrusim"),
    Program("perl", ("/usr/bin/perl", "{scripts}/perfect.pl"), ("2000",), "perl"),
    _classic("roboop"),
)

# One natural-language parser on allocators of its own (Section 5.1): functions that are called,
# unless they are said to be inlined.
PARSER = {
    "system malloc": _classic("parser_system"),
    "xalloc": _classic("parser_monolithic"),
    "xalloc (inlined)": _classic("parser_inlined"),
    "XallocHeap": _classic("parser_layered_functions"),
    "XallocHeap (inlined)": _classic("parser_layered"),
}

# One C front end on five kinds of obstacks (Section 5.2).
FRONT_END = {
    "macros": _classic("cfront_macros"),
    "functions": _classic("cfront_functions"),
    "inline C": _classic("cfront_inline_c"),
    "ObstackHeap": _classic("cfront_layered"),
    "ObstackHeap + freelist": _classic("cfront_layered_freelist"),
}
