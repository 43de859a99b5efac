"""The answer, from facts and numbers alone: the same ones give the same answer.

    cannot      MMT cannot be loaded into it, or it does not work under it
    waits       it hardly uses a CPU
    gain        it is faster in a mode
    too_little  it is not, and hardly allocates: few times, or for a small share of its time
    slower      it allocates, and is slower
    no_gain     it allocates, and is as fast
    undecided   the runs do not tell: too few, too different, or beside too much else
"""

import dataclasses
import enum

from ..results.statistics import Estimate

# A difference that a person would care for, and a machine can show.
WORTH = 0.02
# The share of its time below which the allocator is not what to look at. Page faults are none of it:
# a program has most of those for its own start.
LITTLE = 0.02
# Fewer allocations cannot repay what loading a library takes. So few allocations in so short a run
# (seconds) cannot gain at all, whatever chance makes of its times.
FEW = 1000
SHORT = 0.05
# A program that uses less of a CPU than this waits; more than this it could not gain.
IDLE = 0.05
# By how much glibc's heap behind the memory thread has to beat the native heap: that takes less CPU.
CLEARLY = 1.05
# The native heap, with a memory thread and without.
OWN = ("native", "direct")


class Answer(enum.Enum):
    CANNOT = "cannot"
    WAITS = "waits"
    GAIN = "gain"
    TOO_LITTLE = "too_little"
    SLOWER = "slower"
    NO_GAIN = "no_gain"
    UNDECIDED = "undecided"


@dataclasses.dataclass(frozen=True)
class Figures:
    """The figures of a mode beside the plain program."""

    speed: float  # times as fast
    interval: tuple[float, float] | None  # of it; None of too few runs
    cpu: float  # times its CPU time
    memory: float  # times its peak


@dataclasses.dataclass(frozen=True)
class Evidence:
    obstacle: str = ""  # empty: there is none
    wall: float = 0.0  # seconds
    cpu: float = 0.0
    busy: float = 1.0  # CPU time over time, of the run that others disturbed least
    malloc_share: float | None = None  # of the CPU time; None: not known
    fault_share: float = 0.0
    allocations: int | None = None  # None: not known
    modes: dict = dataclasses.field(default_factory=dict)  # name -> Figures
    problems: dict = dataclasses.field(default_factory=dict)  # name -> why it did not work
    is_crowded: bool = False  # other programs left too few CPUs for the times to tell

    @property
    def allocates_little(self):
        if self.malloc_share is None or self.allocations is None:
            return False
        return self.allocations < FEW or self.malloc_share < LITTLE

    @property
    def cannot_gain(self):
        few = FEW if self.wall < SHORT else 1
        return self.allocations is not None and self.allocations < few


@dataclasses.dataclass(frozen=True)
class Verdict:
    answer: Answer
    mode: str | None  # to take; None: the program as it is
    shown: str | None  # the mode whose figures tell why


def judge(evidence):
    if evidence.obstacle or not evidence.modes:
        return Verdict(Answer.CANNOT, None, None)
    shown = "native" if "native" in evidence.modes else _fastest(evidence.modes)
    if evidence.busy < IDLE:
        return Verdict(Answer.WAITS, None, shown)
    if evidence.cannot_gain:
        return Verdict(Answer.TOO_LITTLE, None, shown)
    gains = {name: one for name, one in evidence.modes.items() if _is_gain(one)}
    if evidence.is_crowded and (gains or not evidence.allocates_little):
        return Verdict(Answer.UNDECIDED, None, _fastest(evidence.modes))
    if gains:
        mode = _best_of(gains)
        return Verdict(Answer.GAIN, mode, mode)
    if evidence.allocates_little:
        return Verdict(Answer.TOO_LITTLE, None, shown)
    answer = _without_gain(evidence.modes)
    # Where nothing is decided, the mode that promises most is the one to run more often.
    return Verdict(answer, None, _fastest(evidence.modes) if answer is Answer.UNDECIDED else shown)


def _is_gain(figures):
    return bool(figures.interval) and figures.interval[0] > 1 and figures.speed >= 1 + WORTH


def is_slower(figures):
    return bool(figures.interval) and figures.interval[1] < 1 and figures.speed <= 1 - WORTH


def _fastest(modes):
    return max(modes, key=lambda name: modes[name].speed)


def _best_of(gains):
    best = _fastest(gains)
    own = {name: gains[name] for name in OWN if name in gains}
    if own and gains[best].speed < max(one.speed for one in own.values()) * CLEARLY:
        return best_in_time(own)
    return best


def best_in_time(modes):
    """The one that takes the least CPU time of those that nobody could tell apart."""
    fastest = modes[_fastest(modes)].speed
    close = {name: one for name, one in modes.items() if one.speed * (1 + WORTH) >= fastest}
    return best_in_cpu(close)


def best_in_cpu(modes):
    """The first, which is what `mmt run` does, unless another takes less by what one would care for."""
    first = next(iter(modes))
    least = min(modes, key=lambda name: modes[name].cpu)
    return least if modes[least].cpu * (1 + WORTH) < modes[first].cpu else first


def _without_gain(modes):
    figures = modes.values()
    if not all(one.interval for one in figures):
        return Answer.UNDECIDED
    if all(map(is_slower, figures)):
        return Answer.SLOWER
    could = any(one.interval[0] < 1 - WORTH and one.interval[1] > 1 + 2 * WORTH for one in figures)
    close = any(one.interval[1] >= 1 + 2 * WORTH and one.speed > 1 for one in figures)
    return Answer.UNDECIDED if could or close else Answer.NO_GAIN


def figures_of(speed: Estimate, cpu, memory, has_interval):
    interval = (speed.low, speed.high) if has_interval else None
    return Figures(speed.value, interval, cpu, memory)
