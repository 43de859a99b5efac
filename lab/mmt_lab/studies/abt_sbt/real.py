"""The allocators as mallocs, and the programs that are run on them."""

from ...study.experiment import SYSTEM, Allocator, Cell, Grid, Kind, Program, Run
from ...study.quantity import Measured, Ratio

GLIBC = SYSTEM
LEA = Allocator("Lea", "libmmt-lea.so")


def malloc(name):
    """One of the twelve, or another that `mmt list` has."""
    return Allocator(name, f"libmmt-{name.lower()}.so")


def behind_thread(name):
    """The same, served by the memory thread."""
    return Allocator(f"{name}+mmt", "libmmt-protocol-mmt.so", f"libmmt-{name.lower()}.so")


GAWK = Program("gawk, 60,000 lines", ("gawk", "-v", "lines=60000", "-f", "{scripts}/words.awk"), ("-v", "lines=2000"), package="gawk", same_output=True, seconds=1.6)
PERL = Program("perl, records", ("perl", "{scripts}/records.pl"), ("2000",), package="perl", environment=(("PERL_HASH_SEED", "0"),), seconds=2.7)
GCC = Program("gcc, templates", ("g++", "-std=c++20", "-O1", "-S", "-o", "{tmp}/out.s", "{scripts}/templates.cpp"), package="g++", seconds=1.5)
SQLITE = Program("sqlite3, shop", ("sqlite3", "-bail", ":memory:", ".read {scripts}/shop.sql"), package="sqlite3", same_output=True, seconds=2.1)
PYTHON = Program("python3, documents", ("/usr/bin/python3", "{scripts}/documents.py"), ("300",), package="python3", environment=(("PYTHONMALLOC", "malloc"), ("PYTHONHASHSEED", "0")), seconds=1.8)
REDIS = Program("redis, keys and lists", ("/bin/sh", "{scripts}/redis_load.sh", "{tmp}"), package="redis-server", seconds=1.8)
PROGRAMS = (GAWK, PERL, GCC, SQLITE, PYTHON, REDIS)


def timed(program, allocator, metric):
    return Measured(Run(Kind.TIMED, program, allocator), metric)


def over(program, allocator, base, metric):
    return Ratio(timed(program, allocator, metric), timed(program, base, metric))


def grid(title, programs, allocators, base, metric):
    """Ratios to a base: a row a program, a column an allocator."""
    cells = {
        (program.name, one.name): Cell(over(program, one, base, metric))
        for program in programs
        for one in allocators
    }
    rows, columns = tuple(one.name for one in programs), tuple(one.name for one in allocators)
    return Grid(title, "ratio", "program", rows, columns, cells, chart_column="*")
