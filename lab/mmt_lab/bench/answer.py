"""What a bench says in sentences: who won, and what makes that doubtful. For console and page."""

import statistics as plain

from ..results.statistics import ENOUGH, geometric_mean_of_ratios
from .tell import ratio_of, series_of

# A run this much longer than the median, in deviations and as a factor, was disturbed.
OUTLIER_DEVIATIONS = 5
OUTLIER_FACTOR = 1.1
# A run shorter than this (seconds) is mostly start-up and chance.
SHORT = 0.05
MOST_NAMED = 3
BESIDE = (("cpu", "CPU"), ("peak_rss", "memory"))


def reference_of(result):
    """Where the allocator is that others are compared with: glibc, else the first that is not ours,
    else the first."""
    measured = [
        at
        for at in range(len(result.allocators))
        if any(program.cells[at].metric("wall") for program in result.programs)
    ]
    allocators = result.allocators
    others = [at for at in measured if not allocators[at].is_ours]
    glibc = [at for at in measured if allocators[at].name == "glibc"]
    return next(iter((*glibc, *others, *measured)), 0)


def subjects_of(result):
    """Those that a sentence is about: ours, else the first beside the reference."""
    reference = reference_of(result)
    others = [at for at in range(len(result.allocators)) if at != reference]
    return [at for at in others if result.allocators[at].is_ours] or others[:1]


def sentences(result):
    """The answer, one sentence for each allocator of ours."""
    measured = [one for one in result.programs if any(cell.metric("wall") for cell in one.cells)]
    if not measured:
        return ["Nothing was measured."]
    reference = reference_of(result)
    subjects = subjects_of(result)
    if not subjects:
        return [f"Only {result.allocators[0].name} was measured: there is nothing to compare."]
    return [
        sentence
        for at in subjects[:MOST_NAMED]
        for sentence in _of_subject(result, measured, at, reference)
    ]


def _of_subject(result, programs, at, reference):
    yield from _against(result, programs, at, reference)
    if len(programs) == 1:
        wall = programs[0].cells[at].metric("wall")
        best = wall.to_best_peer.against if wall and wall.to_best_peer else ""
        names = [one.name for one in result.allocators]
        if best and best != names[reference]:
            yield from _against(result, programs, at, names.index(best), ", the best of the others")


def _against(result, programs, at, reference, which=""):
    """One sentence about one allocator and another, over the programs that have both."""
    mine, other = result.allocators[at].name, result.allocators[reference].name
    both = [
        one
        for one in programs
        if one.cells[at].metric("wall") and one.cells[reference].metric("wall")
    ]
    ratio = _mean(both, "wall", at, reference)
    if ratio is None:
        return
    beside = [
        f"{name} {mean.value:.2f}"
        for metric, name in BESIDE
        if (mean := _mean(both, metric, at, reference))
    ]
    over = f"Over {len(both)} programs " if len(both) > 1 else ""
    words = "; ".join([_compared(mine, other, which, ratio), ", ".join(beside)])
    yield f"{over}{words}."


def _compared(mine, other, which, ratio):
    """In words; `which` says more of the other, `ratio` is cost over cost."""
    value, low, high = ratio.value, ratio.low, ratio.high
    if ratio.samples < ENOUGH:
        runs = "one run" if ratio.samples == 1 else f"{ratio.samples} runs"
        return (
            f"{mine} took {value:.2f} of the time of {other}{which}, in {runs} each: too few for an "
            f"interval, --runs {ENOUGH} gives one"
        )
    if low <= 1 <= high:
        return (
            f"{mine} and {other}{which}: no difference that {ratio.samples} runs can show (time "
            f"{value:.2f}, {low:.2f} to {high:.2f})"
        )
    if value < 1:
        speed = f"{1 / value:.2f} times as fast as"
        return f"{mine} ran {speed} {other}{which} ({1 / high:.2f} to {1 / low:.2f})"
    return f"{mine} took {value:.2f} times as long as {other}{which} ({low:.2f} to {high:.2f})"


def _mean(programs, metric, at, reference):
    sides = [
        (series_of(mine), series_of(other))
        for one in programs
        if (mine := one.cells[at].metric(metric)) and (other := one.cells[reference].metric(metric))
    ]
    if len(sides) == 1:
        (one,) = [p for p in programs if p.cells[at].metric(metric)][:1]
        return ratio_of(one.cells[at].metric(metric), one.cells[reference].metric(metric))
    return geometric_mean_of_ratios(sides)


def mean_ratio(result, metric, at, reference):
    """The mean ratio of one allocator to another over all programs that have both: an Estimate or None."""
    both = [
        one
        for one in result.programs
        if one.cells[at].metric(metric) and one.cells[reference].metric(metric)
    ]
    return _mean(both, metric, at, reference)


def warnings(result):
    """What makes figures doubtful, a sentence each."""
    yield from result.remarks
    pairs = [
        (f"{program.name} with {cell.allocator}", [one.value for one in wall.samples])
        for program in result.programs
        for cell in program.cells
        if (wall := cell.metric("wall"))
    ]
    short = [name for name, walls in pairs if plain.median(walls) < SHORT]
    if short:
        yield (
            f"runs of less than {SHORT * 1000:.0f} ms are mostly start-up and chance: "
            f"{_some(short)}; give the program more to do"
        )
    disturbed = [name for name, walls in pairs if _outliers(walls)]
    if disturbed:
        yield f"some runs took far longer than the others, so something disturbed them: {_some(disturbed)}"


def _outliers(walls):
    if len(walls) < ENOUGH:
        return []
    median = plain.median(walls)
    deviation = 1.4826 * plain.median(abs(one - median) for one in walls)
    limit = max(median + OUTLIER_DEVIATIONS * deviation, median * OUTLIER_FACTOR)
    return [one for one in walls if one > limit]


def _some(names):
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
