"""Runs the program as often as its budget allows: plainly and under each mode of MMT, in turn."""

import dataclasses
import random
import statistics

from ..machine import machine
from ..measuring.launcher import RunFailed
from ..results.statistics import ENOUGH
from .measured import Measured, calls_of
from .runs import PLAIN

MODES = ("native", "direct", "glibc")
COUNTED_RUNS = 3
# A program with a smaller share of its time in malloc and page faults is measured in one mode, not in all.
# Any gain there would be less than what can be seen.
TINY_SHARE = 0.01
# What a disturbance of a machine adds to a run is more than a tenth of it.
SHORT_SECONDS = 0.05
_COARSE = 0.01  # seconds of the kernel's that its clock may not have seen


@dataclasses.dataclass(frozen=True)
class Settings:
    rounds: int  # of each mode, at most
    budget: float | None  # seconds
    seed: int
    has_input: bool  # its standard input is a file


class Measuring:
    def __init__(self, runs, facts, settings, progress, clock):
        self._runs = runs
        self._facts = facts
        self._settings = settings
        self._progress = progress
        self._clock = clock
        self._start = clock()
        self._others = machine.Others()
        self._measured = Measured()
        self._seconds = {}  # mode -> what its last run took

    def run(self):
        """Measured. RunFailed when the program does not work plainly."""
        first = self._once(PLAIN, observe=True)
        # A program that runs long has no run to spare.
        spare = self._fits(first["wall"] * (len(MODES) + 1 + (len(MODES) + 1) * ENOUGH))
        self._count(first["wall"] if spare else None)
        answers = {PLAIN: first}
        for mode in self._candidates(first):
            try:
                answers[mode] = self._once(mode, observe=True)
            except RunFailed as failure:
                self._measured.problems[mode] = str(failure)
        if not spare:
            for mode, answer in answers.items():
                self._measured.add(mode, 0, answer)
        self._rounds(list(answers), 0 if spare else 1)
        self._remark()
        return self._measured

    def _passed(self):
        return self._clock() - self._start

    def _fits(self, seconds):
        budget = self._settings.budget
        return budget is None or self._passed() + seconds <= budget

    def _once(self, mode, observe=False):
        budget = self._settings.budget
        share = min(self._passed() / budget, 1.0) if budget else 0.0
        self._progress.show(mode if mode == PLAIN else f"under MMT: {mode}", share)
        answer = self._runs.once(mode, observe)
        self._seconds[mode] = answer["wall"]
        return answer

    def _count(self, seconds):
        """Once for a program that has no run to spare, whose `seconds` are None."""
        several = seconds is not None and self._fits(20 * seconds)
        self._progress.show("its calls of malloc", 0.0)
        found = []
        try:
            for _ in range(COUNTED_RUNS if several else 1):
                found.append(calls_of(self._runs.counted()))
        except RunFailed as failure:
            self._measured.remarks.append(f"its calls could not be timed: {failure}")
        if found and all(found):
            self._measured.calls = sorted(found, key=lambda one: one.seconds)[len(found) // 2]

    def _candidates(self, first):
        modes = [one for one in MODES if one in self._facts.modes]
        calls = self._measured.calls
        if calls is None or first["cpu"] <= 0:
            return modes
        share = (calls.seconds + fault_seconds(first, self._facts)) / first["cpu"]
        return modes if share >= TINY_SHARE else modes[:1]

    def _rounds(self, modes, index):
        shuffle = random.Random(self._settings.seed)
        while index < self._settings.rounds and (
            index == 0 or self._fits(sum(self._seconds[mode] for mode in modes))
        ):
            for mode in shuffle.sample(modes, len(modes)):
                if mode in self._measured.problems:
                    continue
                try:
                    self._measured.add(mode, index, self._once(mode))
                except RunFailed as failure:
                    if mode == PLAIN:
                        raise
                    self._measured.problems[mode] = str(failure)
                    self._measured.series.pop(mode, None)
            index += 1

    def _remark(self):
        remarks = self._measured.remarks
        walls = list(self._measured.series[PLAIN]["wall"].values())
        if len(walls) < min(ENOUGH, self._settings.rounds):
            remarks.append(
                f"the budget of {self._settings.budget:g} s gave {len(walls)} of {ENOUGH} "
                "runs; --budget takes more"
            )
        if statistics.median(walls) < SHORT_SECONDS:
            empty = "" if self._settings.has_input else " and have nothing to read (--input gives a file)"
            remarks.append(f"its runs are short{empty}: give it more work for a surer answer")
        self._measured.others = self._others.cpus()
        if busy := machine.busy_remark(self._measured.others):
            remarks.append(busy)


def fault_seconds(answer, facts):
    """What its page faults took: their number at the price of this machine. It is no more than all
    that the kernel did for it, where that is more than a tick or two of its clock."""
    faults = answer["minor_faults"] * facts.fault_ns * 1e-9
    return min(faults, answer["system"]) if answer["system"] > _COARSE else min(faults, answer["cpu"])
