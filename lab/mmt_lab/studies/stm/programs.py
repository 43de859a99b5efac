"""The programs: small transactions on structures, the applications of STAMP, and probes."""

import os

from ...study.experiment import Program

THREADS = (1, 2, 4, 6, 8)
STRUCTURES = ("list", "hash", "tree")
TITLES = {"list": "Linked-list", "hash": "HashSet", "tree": "RBTree"}
UPDATES = 60  # percent
APPLICATIONS = (
    "bayes", "genome", "intruder", "kmeans", "labyrinth", "ssca2", "vacation", "yada",
)  # fmt: skip
# kmeans and ssca2 allocate at their beginning only; the paper shows them no more.
SHOWN = tuple(one for one in APPLICATIONS if one not in ("kmeans", "ssca2"))
STAMP_ROUNDS = 30  # the paper's; of structures it has 50


def _words(options):
    """{"shift": 4, "attribute": True} as a command line has it."""
    words = []
    for name, value in options.items():
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            words.append(str(value))
    return tuple(words)


def _said(options):
    return "".join(
        f", {name.replace('_', '-')}" + ("" if value is True else f" {value}")
        for name, value in options.items()
    )


def synthetic(structure, threads, updates=UPDATES, **options):
    """For two seconds; ten, as in the paper, with its inputs. Verdicts within an hour leave it 0.3."""
    return Program(
        f"{structure}, {threads} threads, {updates}% updates{_said(options)}",
        (
            "{workloads}/stm/synthetic", "--structure", structure, "--threads", str(threads),
            "--updates", str(updates), "--milliseconds", "2000", *_words(options),
        ),
        ("--milliseconds", "100"),
        short=("--milliseconds", "300"),
        paper=("--milliseconds", "10000"),
        seconds=2,
        short_seconds=0.35,
    )  # fmt: skip


# How many reads and writes a thread makes before it yields, about: a few times a transaction.
_YIELDS = {"list": 64, "hash": 2, "tree": 8}


def interleaved(structure, threads, updates=UPDATES, **options):
    """The same with threads that yield within transactions, and with causes of aborts. Its
    throughput says nothing."""
    return synthetic(
        structure, threads, updates, yield_every=_YIELDS[structure], attribute=True, **options
    )


def counted(structure, threads, **options):
    """So many operations of each thread, whatever they take: for runs that are simulated."""
    return Program(
        f"{structure}, {threads} threads, counted operations{_said(options)}",
        (
            "{workloads}/stm/synthetic", "--structure", structure, "--threads", str(threads),
            "--updates", str(UPDATES), "--operations", "400", *_words(options),
        ),
        ("--operations", "50"),
        seconds=0.2,
    )  # fmt: skip


def threadtest(threads, size):
    return Program(
        f"threadtest, {threads} threads, {size} bytes",
        (
            "{workloads}/stm/synthetic", "--structure", "threadtest", "--threads", str(threads),
            "--bytes", str(size), "--milliseconds", "2000",
        ),
        ("--milliseconds", "100"),
        short=("--milliseconds", "300"),
        paper=("--milliseconds", "10000"),
        seconds=2,
        short_seconds=0.35,
    )  # fmt: skip


def stamp(application, threads=1, **options):
    """On an input of a second or so; on the large one of STAMP, with the paper's inputs. Verdicts within an
    hour have a third of it, or half."""
    return Program(
        f"{application}, {threads} threads{_said(options)}",
        (
            "{workloads}/stm/stamp", "--application", application, "--threads", str(threads),
            "--size", "middle", *_words(options),
        ),
        ("--size", "small"),
        short=("--size", "short"),
        paper=("--size", "native"),
        rounds=STAMP_ROUNDS,
        seconds=1.5,
        short_seconds=0.6,
    )  # fmt: skip


def sequential(application):
    """Without transactions."""
    return stamp(application, 1, sequential=True)


# The same, to be counted on the large input whatever is asked for, but a trial.
def characterised(application):
    return Program(
        f"{application}, characterised",
        (
            "{workloads}/stm/stamp", "--application", application, "--sequential",
            "--size", "native",
        ),
        ("--size", "small"),
        seconds=30,
    )  # fmt: skip


PROBE = Program("allocator_probe", ("{workloads}/stm/allocator_probe",), seconds=0.2)

_CPUS = len(os.sched_getaffinity(0))


def count_of(threads):
    """"4 threads", and on how many CPUs, where those are fewer."""
    words = f"{threads} thread{'' if threads == 1 else 's'}"
    return words if threads <= _CPUS else f"{words} on {_CPUS} CPUs"



def few_cpus(what):
    """A reason why a relation may not hold: empty on machines like the paper's, of eight CPUs."""
    return f"{_CPUS} threads run at once here, 8 in the paper, and {what}" if _CPUS < 8 else ""


LITTLE_WAITING = few_cpus("so few of them wait for an allocator's locks, or for a line that they share")
SHORT_RUNS = "runs take tenths of a second, and single ones up to twice as long on a virtual machine"
LITTLE_OVERLAP = few_cpus("so few short transactions overlap that aborts cost little time")

STM_NOTE = (
    "The transactional memory privatizes safely and frees after quiescence: commits that wrote wait for the "
    "attempts that then run. By default the paper's TinySTM does neither."
)
NOTE = (
    "Rows that name CPUs are oversubscribed: more threads than CPUs. What they show is how transactions "
    "fare that are descheduled in the middle, not how they scale. "
    f"{STM_NOTE}"
)
STAMP_NOTE = (
    "Inputs of STAMP are between its small ones, which take milliseconds, and its large ones, which "
    "--full takes."
)
INTERLEAVED_NOTE = (
    "Aborts are those of interleaved runs: threads yield within transactions, which so overlap on two CPUs "
    "as on the paper's eight. What conflicts is then decided by addresses, not by the scheduler."
)
