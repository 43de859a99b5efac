"""Conditions of relations, and the sentence that says whether a relation was reproduced.

A condition judges an interval. It is true when all of it fulfils the condition, false when none of
it does, and None, undecided, when the limit lies inside.
"""

import dataclasses

from ..results.statistics import ENOUGH
from ..text.units import in_words

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
NOT_MEASURED = "not measured"
NOT_JUDGED = "not judged"  # a trial on small inputs, or too few rounds
NOT_COMPARED = "not compared"  # the paper's, without a counterpart here

# What is said of a part, by what its condition gave.
_OF_PART = {True: "as asked", False: "not as asked", None: UNDECIDED, "missing": NOT_MEASURED}


@dataclasses.dataclass(frozen=True)
class AtMost:
    limit: float

    def judge(self, estimate):
        if estimate.high <= self.limit:
            return True
        return False if estimate.low > self.limit else None

    def words(self, unit):
        return f"at most {in_words(self.limit, unit)}"


@dataclasses.dataclass(frozen=True)
class AtLeast:
    limit: float

    def judge(self, estimate):
        if estimate.low >= self.limit:
            return True
        return False if estimate.high < self.limit else None

    def words(self, unit):
        return f"at least {in_words(self.limit, unit)}"


@dataclasses.dataclass(frozen=True)
class BoundAtLeast(AtLeast):
    """For a number that bounds from above what the claim speaks of: it can only refute."""

    def judge(self, estimate):
        return False if super().judge(estimate) is False else None

    def words(self, unit):
        return f"{super().words(unit)}, which can only refute"


@dataclasses.dataclass(frozen=True)
class Between:
    low: float
    high: float

    def judge(self, estimate):
        if self.low <= estimate.low and estimate.high <= self.high:
            return True
        return False if estimate.high < self.low or estimate.low > self.high else None

    def words(self, unit):
        if self.low == self.high:
            return f"exactly {in_words(self.low, unit)}"
        return f"from {in_words(self.low, unit)} to {in_words(self.high, unit)}"


@dataclasses.dataclass(frozen=True)
class WithinFactor:
    """At most `factor` times above or below the reference."""

    factor: float
    reference: float

    def judge(self, estimate):
        low, high = self.reference / self.factor, self.reference * self.factor
        if low <= estimate.low and estimate.high <= high:
            return True
        return False if estimate.high < low or estimate.low > high else None

    def words(self, unit):
        return f"within {self.factor:g} times of the paper's {in_words(self.reference, unit)}"


def verdict_of(judgements):
    """The verdict of all parts together; None in the list is undecided, "missing" was not measured."""
    if False in judgements:
        return NOT_REPRODUCED
    if "missing" in judgements or not judgements:
        return NOT_MEASURED
    return UNDECIDED if None in judgements else REPRODUCED


def judge_part(part, samples):
    """(estimate, judgement) of a part: None and "missing" where it was not measured."""
    estimate = part.quantity.estimate(samples)
    return estimate, "missing" if estimate is None else part.condition.judge(estimate)


def of_part(judgement):
    """In words: "as asked", "not as asked", "undecided", "not measured"."""
    return _OF_PART[judgement]


def judge(relation, samples, trial=False):
    """(verdict, sentence) of a relation."""
    judgements, details = [], []
    too_few = 0
    for part in relation.parts:
        estimate, judgement = judge_part(part, samples)
        judgements.append(judgement)
        if estimate is not None and estimate.samples < ENOUGH and _is_repeated(part.quantity):
            too_few = estimate.samples
        # Many parts: only what does not hold is worth a reader's time.
        if len(relation.parts) <= 3 or judgement is not True:
            details.append(_detail(part, estimate))
    verdict = verdict_of(judgements)
    unfounded = [one for one in relation.premise if not _holds(one, samples)]
    if unfounded and verdict in (REPRODUCED, NOT_REPRODUCED):
        verdict = UNDECIDED
    details += [f"not found: {_detail(one, one.quantity.estimate(samples))}" for one in unfounded]
    if trial or (too_few and verdict != NOT_MEASURED):
        verdict = NOT_JUDGED
    count = len(relation.parts)
    if count > 3:
        held = judgements.count(True)
        details.insert(0, f"{held} of {count} numbers are as required")
    why = f" ({too_few} of {ENOUGH} rounds that a verdict needs)" if too_few and not trial else ""
    sentence = f"{relation.claim}: {verdict}{why}. {'; '.join(details)}."
    if relation.reason and verdict in (NOT_REPRODUCED, UNDECIDED):
        sentence += f" What is known of it: {relation.reason}."
    return verdict, sentence


def _holds(part, samples):
    return judge_part(part, samples)[1] is True


def _is_repeated(quantity):
    return any(one.run.kind.is_repeated for one in quantity.measured())


def _detail(part, estimate):
    beside = [f"asked for: {part.condition.words(part.unit)}"]
    if part.paper is not None:
        beside.append(f"the paper has {in_words(part.paper, part.unit)}")
    here = "not measured"
    if estimate is not None:
        here, low, high = (in_words(one, part.unit) for one in (estimate.value, estimate.low, estimate.high))
        if estimate.has_interval:
            beside.insert(0, f"{low} to {high}")
    return f"{part.label}: {here} ({'; '.join(beside)})"
