"""One session of a study: measures what its journal does not have yet, one run at a time."""

import dataclasses
import time

from . import instruments, runs, simulation
from ..machine import machine
from ..study import durations
from ..study.experiment import Inputs
from ..command.failure import Interrupted
from .launcher import RunFailed
from .samples import Samples
from .schedule import LEAST_ROUNDS, Budget, order_of_round


@dataclasses.dataclass(frozen=True)
class Settings:
    seed: int
    rounds: int | None
    budget: float | None  # minutes, of this session
    time_limit: float
    inputs: Inputs
    only: tuple[str, ...]
    warm_ups: int = 1
    least: int = LEAST_ROUNDS  # rounds that a first session runs whatever the budget
    remarks_on_time: bool = True  # how long it took, and what the budget cut


@dataclasses.dataclass
class Outcome:
    samples: Samples
    problems: dict  # run key -> why it is missing
    rounds: int
    complete: bool
    remarks: list
    interrupted: int = 0  # the exit status to end with


class Session:
    def __init__(self, all_runs, bench, journal, settings, progress, clock=time.monotonic):
        self._simulated = [run for run in all_runs if run.kind.is_simulated]
        self._once = [
            run for run in all_runs if not run.kind.is_repeated and not run.kind.is_simulated
        ]
        self._repeated = [run for run in all_runs if run.kind.is_repeated]
        self._bench = bench
        self._journal = journal
        self._settings = settings
        self._progress = progress
        self._clock = clock
        least = 0 if journal.records else settings.least
        self._budget = Budget(settings.rounds, settings.budget, clock, least)
        self._seconds = {}  # what one run took last
        self._samples = Samples()
        self._problems = {}
        self._remarks = []
        for record in journal.records:
            if "remark" in record:
                self._remarks.append(record["remark"])
            else:
                self._samples.add(record["run"], record["round"], record["metrics"])

    def run(self):
        status = 0
        before = machine.cpu_times()
        others = machine.Others()
        try:
            self._measure_once()
            self._simulate()
            if self._has_time_for_a_round():
                self._warm_up()
                self._run_rounds()
        except Interrupted as interrupted:
            status = interrupted.status
        if self._repeated and (busy := machine.busy_remark(others.cpus())):
            self._note(busy)
        for key in self._problems:
            self._samples.drop(key)
        rounds = self._rounds_done()
        complete = rounds >= self._budget.wanted or not self._active()
        complete = complete and not self._unsimulated()
        if self._settings.remarks_on_time:
            self._remark_on_time(rounds, before, status)
        elif remark := machine.steal_remark(before):
            self._note(remark)
        return Outcome(self._samples, self._problems, rounds, complete, self._remarks, status)

    def _remark_on_time(self, rounds, before, status):
        if self._active() and not status:
            self._remarks += self._budget.remarks(rounds)
        if self._seconds:
            minutes = self._budget.elapsed() / 60
            self._note(f"measured for {minutes:.1f} minutes; {machine.host_remark(before)}")

    def _active(self):
        return [run for run in self._repeated if run.key not in self._problems]

    def _due_in(self, index):
        return [
            run
            for run in self._active()
            if run.program.rounds is None or index < run.program.rounds
        ]

    def _missing_in(self, index):
        return [run for run in self._due_in(index) if not self._samples.has(run.key, index)]

    def _rounds_done(self):
        index = 0
        while self._due_in(index) and not self._missing_in(index):
            index += 1
        return index

    def _pending_round(self):
        """The first round that is not whole and may be wanted."""
        index = self._rounds_done()
        return index if self._due_in(index) and index < self._budget.most else None

    def _has_time_for_a_round(self):
        if (index := self._pending_round()) is None:
            return False
        needed = durations.of_runs(self._missing_in(index), 1, self._settings.inputs)
        return self._budget.allows(index, needed)

    def _attempt(self, run, measure):
        """True when it worked; else the study goes on without this run."""
        start = self._clock()
        try:
            measure()
        except RunFailed as failure:
            self._problems[run.key] = str(failure)
            return False
        self._seconds[run.key] = self._clock() - start
        return True

    def _keep(self, run, index):
        metrics = instruments.measure(self._bench, run)
        self._journal.append(run.key, index, metrics)
        self._samples.add(run.key, index, metrics)

    def _note(self, remark):
        self._journal.remark(remark)
        self._remarks.append(remark)

    def _measure_once(self):
        pending = [run for run in self._once if not self._samples.has(run.key, None)]
        for number, run in enumerate(pending):
            self._progress.show(run.key, number / len(pending))
            self._attempt(run, lambda run=run: self._keep(run, None))

    def _unsimulated(self):
        return [
            run
            for run in self._simulated
            if not self._samples.has(run.key, None) and run.key not in self._problems
        ]

    def _simulate(self):
        """Nothing is timed in these: they go on side by side, the short ones first, and end with the
        budget."""
        pending = sorted(self._unsimulated(), key=durations.of_run)
        done = 0

        def measure(run):
            return instruments.measure(self._bench, run)

        for run, told in simulation.side_by_side(pending, measure, self._budget.is_spent):
            done += 1
            self._progress.show(run.key, done / len(pending))
            if isinstance(told, RunFailed):
                self._problems[run.key] = str(told)
                continue
            self._journal.append(run.key, None, told)
            self._samples.add(run.key, None, told)
        if done < len(pending):
            self._remarks.append(
                f"the budget left {len(pending) - done} of {len(pending)} simulations out; "
                "the same command goes on with them"
            )

    def _warm_up(self):
        """Every session has its own: caches are cold, and no proof outlives its session. Runs that
        look at one program on one allocator in several ways share one."""
        pairs = {}
        for run in self._repeated:
            pairs.setdefault((run.program, run.allocator), []).append(run)
        for number, (first, *others) in enumerate(pairs.values()):
            share = self._budget.warm_up_share(self._settings.warm_ups, number / len(pairs))
            self._progress.show(f"warm-up: {first.key}", share)
            self._attempt(first, lambda run=first: self._warm_up_pair(run))
            for told in (self._seconds, self._problems):
                if first.key in told:
                    told |= {run.key: told[first.key] for run in others}

    def _warm_up_pair(self, run):
        for _ in range(self._settings.warm_ups):
            runs.warm_up(self._bench, run)

    def _round_seconds(self, runs):
        return sum(self._seconds.get(run.key, 0.0) for run in runs)

    def _run_rounds(self):
        while (index := self._pending_round()) is not None:
            if not self._budget.allows(index, self._round_seconds(self._missing_in(index))):
                return
            for run in order_of_round(self._due_in(index), self._settings.seed, index):
                if self._samples.has(run.key, index) or run.key in self._problems:
                    continue
                self._show(index, run)
                self._attempt(run, lambda run=run: self._keep(run, index))

    def _show(self, index, run):
        whole = self._round_seconds(self._due_in(index))
        done = whole - self._round_seconds(self._missing_in(index))
        left = max(self._budget.seconds_left(index, whole) - done, 0.0)
        passed = self._budget.elapsed()
        text = f"round {index + 1}: {run.program.name} {run.allocator.name}"
        self._progress.show(text, passed / (passed + left) if left else 1.0, left)
