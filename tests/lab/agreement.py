"""Where the answer of `mmt check` and the figures of `mmt bench` contradict each other, from numbers
alone. Speeds are times as fast as the plain program."""

import dataclasses
import re

from mmt_lab.check.verdict import CLEARLY, FEW, WORTH
from mmt_lab.results.statistics import ENOUGH, ratio_of_medians

PLAIN = "plain"
# Modes as `mmt check` and as `mmt bench --allocators` call them.
ALLOCATORS = {PLAIN: "glibc", "native": "mmt", "glibc": "glibc+mmt"}
LABELS = {None: "none", PLAIN: "the plain program", "native": "native", "glibc": "--backend glibc"}


@dataclasses.dataclass(frozen=True)
class Speed:
    value: float
    low: float
    high: float

    def __str__(self):
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"

    @property
    def kind(self):
        if self.low > 1 and self.value >= 1 + WORTH:
            return "faster"
        return "slower" if self.high < 1 and self.value <= 1 - WORTH else "even"


@dataclasses.dataclass(frozen=True)
class Checked:
    answer: str
    mode: str | None  # to take
    speeds: dict  # mode -> Speed
    sentence: str = ""
    allocations: int | None = None


@dataclasses.dataclass(frozen=True)
class Benched:
    times: dict = dataclasses.field(default_factory=dict)  # mode or PLAIN -> {round: seconds}
    problem: str = ""  # why there are none

    def speed_of(self, mode, than=PLAIN):
        """None where one of both was not measured, or too few times."""
        if mode not in self.times or than not in self.times:
            return None
        ratio = ratio_of_medians(self.times[than], self.times[mode])
        return Speed(ratio.value, ratio.low, ratio.high) if ratio.samples >= ENOUGH else None


def checked_of(told):
    """What the object says that `mmt check --json` writes."""
    speeds = {
        mode: Speed(one["speed"], *one["interval"])
        for mode, one in told.get("modes", {}).items()
        if one["interval"]
    }
    allocations = (told.get("calls") or {}).get("allocations")
    return Checked(told["answer"], told["mode"], speeds, told["sentence"], allocations)


def benched_of(told):
    """What the object says that `mmt bench --json` writes about one program."""
    cells = {one["allocator"]: one for one in told["programs"][0]["cells"]}
    problems = {name: one["problem"] for name, one in cells.items() if one["problem"]}
    times = {
        mode: {one["round"]: one["value"] for one in cells[name]["metrics"]["wall"]["samples"]}
        for mode, name in ALLOCATORS.items()
        if name in cells and name not in problems
    }
    return Benched(times, "; ".join(f"{name}: {why}" for name, why in problems.items()))


def contradictions(checked, benched, expected=()):
    """Sentences, of which each is enough. `expected`: the answers that are right for the program;
    none: any may be."""
    found = []
    if expected and checked.answer not in expected:
        right = "' or '".join(expected)
        found.append(f"mmt check answers '{checked.answer}', not '{right}'")
    if checked.answer != "undecided":
        found += _who_can(checked, benched)
        found += _better_choices(checked, benched)
    found += _intervals_apart(checked, benched)
    return found


def _who_can(checked, benched):
    can = {mode for mode in benched.times if mode != PLAIN}
    if checked.answer == "cannot" and can:
        yield f"mmt check says that MMT cannot serve it, mmt bench ran it {len(can)} ways"
    if checked.answer != "cannot":
        for mode in checked.speeds.keys() - can:
            yield f"mmt check measured {LABELS[mode]}, mmt bench could not: {benched.problem}"


def _intervals_apart(checked, benched):
    for mode, mine in checked.speeds.items():
        other = benched.speed_of(mode)
        if other is None:
            continue
        is_apart = max(mine.low, other.low) > min(mine.high, other.high)
        # A difference that neither calls one may be of the hour.
        if is_apart and abs(mine.value - other.value) > WORTH:
            yield f"{LABELS[mode]}: {mine} and {other} have no speed in common"


def _better_choices(checked, benched):
    """What `mmt bench` shows to be faster than what `mmt check` says to take."""
    taken = checked.mode or PLAIN
    for mode in benched.times:
        speed = benched.speed_of(mode, taken)
        # The native heap is taken unless the other mode is clearly faster: it takes less CPU time.
        least = CLEARLY if (taken, mode) == ("native", "glibc") else 1 + WORTH
        if mode != taken and speed and speed.low > 1 and speed.value >= least:
            yield f"{LABELS[mode]} is {speed} times as fast as {LABELS[taken]}, which is to be taken"


def false_words(checked):
    """What the answer or its sentence says that the figures do not."""
    sentence, speeds = checked.sentence, checked.speeds
    if (checked.answer == "gain") != (checked.mode is not None):
        yield f"the answer is '{checked.answer}', the mode {LABELS[checked.mode]}"
    mode = "glibc" if "--backend glibc" in sentence else checked.mode or "native"
    quoted = re.search(r"([\d.]+) times as fast", sentence)
    if quoted and (mode not in speeds or quoted[1] != f"{speeds[mode].value:.2f}"):
        yield f"'{quoted[0]}' is not of {LABELS[mode]}"
    few = checked.allocations is not None and checked.allocations < FEW
    if "This program allocates" in sentence and few:
        yield f"it allocates {checked.allocations} times"
    kinds = {one.kind for one in speeds.values()}
    if "MMT makes it slower" in sentence and kinds != {"slower"}:
        yield "not all modes are slower"
    if "gains" in sentence and "faster" not in kinds:
        yield "no mode is faster"


def summary(answers, wrong, least):
    """(exit status, sentence). `answers`: {program: answer}; `wrong`: those with contradictions;
    `least`: so many have to be decided, as what is undecided hardly contradicts anything."""
    decided = sum(one != "undecided" for one in answers.values())
    told = f"{decided} of {len(answers)} decided; contradictions: {', '.join(wrong) or 'none'}"
    if decided < least:
        return 1, f"{told}; fewer than {least}: the machine has other things to do"
    return (1 if wrong else 0), told


def rows(checked, benched):
    """What both found of each mode, a line each."""
    yield f"{'':18}{'mmt check':24}mmt bench"
    for mode in ("native", "glibc"):
        mine, other = checked.speeds.get(mode), benched.speed_of(mode)
        yield f"{LABELS[mode]:18}{str(mine or 'not measured'):24}{other or 'not measured'}"
    if benched.problem:
        yield f"mmt bench: {benched.problem}"
