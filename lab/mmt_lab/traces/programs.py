"""Which programs are traced, on which inputs, and for which of the paper's each stands."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Traced:
    """Words may begin with {java} (our Java sources), {classes} (compiled), {jars}, {scripts},
    {audio} (a file of MPEG audio) and {tmp} (an empty folder)."""

    name: str
    command: tuple[str, ...]
    about: str
    needs: tuple[str, ...] = ()  # "jars", "audio": made beforehand
    precision: str = ""  # of a Java program: bytes of allocation after which a death is known at the latest
    requests: int = 0  # of its slice; 0: none is made
    frees: int = 0  # that it is to have
    live: float = 0.0  # bytes that it is to hold in the mean
    environment: tuple[tuple[str, str], ...] = ()
    load: tuple[str, ...] = ()  # what asks of it, where it is a server
    end: tuple[str, ...] = ()  # ends the server

    @property
    def is_java(self):
        return bool(self.precision)


PRECISION = "512K"
# The same programs, whose deaths are known sooner: collections are forced more often.
FINER = ("64K", "16K")

def _java(name, main, about, requests, frees, live, *needs):
    path = "{classes}:{jars}/*" if "jars" in needs else "{classes}"
    where = () if main[0] == "-m" else ("-cp", path)
    command = ("java", "-XX:+UseSerialGC", *where, *main)
    return Traced(name, command, about, needs, PRECISION, requests, frees, live * 1e6)


# Requests, frees and live megabytes: Table 2 of the paper.
JAVA = (
    _java("check", ("Check", "150"), "features of a Java machine, our own", 46_665, 40_991, 0.82),
    _java(
        "compress",
        ("Compress", "12", "1500"),
        "commons-compress: LZ4 and deflate",
        41_239, 35_849,
        0.77,
        "jars",
    ),
    _java("db", ("Database", "1500"), "H2: an address book in memory", 43_176, 37_727, 0.79, "jars"),
    _java(
        "jack",
        ("Parsers", "{tmp}", "{java}/Calculator.jj", "6"),
        "JavaCC: a parser of a small language",
        80_814, 73_854,
        1.12,
        "jars",
    ),
    _java(
        "javac",
        (
            "-m", "jdk.compiler/com.sun.tools.javac.Main", "-d", "{tmp}",
            "{java}/Check.java", "{java}/RayTracer.java",
        ),
        "the JDK's compiler on two of our programs",
        132_745, 123_222,
        1.68,
    ),
    _java("jess", ("Rules", "15"), "Evrete: rules on who descends from whom", 81_857, 74_298, 1.29, "jars"),
    _java(
        "mpegaudio",
        ("Audio", "{audio}", "400"),
        "JLayer: decodes audio of MPEG layer 3",
        97_430, 91_095,
        1.23,
        "jars",
        "audio",
    ),
    _java("mtrt", ("RayTracer", "100", "75"), "a ray tracer of two threads, our own", 54_682, 48_662, 0.92),
)  # fmt: skip

_SOCKET = "{tmp}/socket"
NATIVE = (
    Traced("gawk", ("gawk", "-v", "lines=10000", "-f", "{scripts}/words.awk"), "word statistics"),
    Traced(
        "perl",
        ("perl", "{scripts}/records.pl", "12000"),
        "records in hashes",
        environment=(("PERL_HASH_SEED", "0"),),
    ),
    Traced(
        "gcc",
        (
            "{cc1plus}", "-quiet", "-imultiarch", "{multiarch}", "-D_GNU_SOURCE", "-std=c++20", "-O1",
            "{scripts}/templates.cpp", "-o", "{tmp}/out.s",
        ),
        "the compiler proper of GCC on templates",
    ),
    Traced(
        "sqlite3",
        ("sqlite3", "-bail", ":memory:", ".read {scripts}/orders.sql"),
        "orders in memory",
    ),
    Traced(
        "python3",
        ("/usr/bin/python3", "{scripts}/documents.py", "300"),
        "documents parsed, changed and written",
        environment=(("PYTHONMALLOC", "malloc"), ("PYTHONHASHSEED", "0")),
    ),
    Traced(
        "redis",
        ("redis-server", "--port", "0", "--unixsocket", _SOCKET, "--save", "", "--appendonly", "no"),
        "a server of keys and lists under load",
        load=(
            "redis-benchmark", "-s", _SOCKET, "-n", "40000", "-r", "20000", "-d", "90", "-q",
            "-t", "set,get,lpush,lpop,sadd,hset",
        ),
        end=("redis-cli", "-s", _SOCKET, "shutdown", "nosave"),
    ),
)  # fmt: skip

JAVA_FINER = {
    precision: tuple(
        dataclasses.replace(one, name=f"{one.name}-{precision.lower()}", precision=precision)
        for one in JAVA
    )
    for precision in FINER
}
ALL = (*JAVA, *(one for of in JAVA_FINER.values() for one in of), *NATIVE)


def named(name):
    return next(one for one in ALL if one.name == name)
