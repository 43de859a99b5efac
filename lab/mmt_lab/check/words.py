"""A check told in twelve lines of at most 80 columns; notes, and what is unusual, take more."""

import os
import shlex
import textwrap

from ..text.bench_units import byte_count, in_words, number
from ..text.units import with_interval
from ..results.statistics import ENOUGH
from . import advice
from .evidence import median_of
from .runs import PLAIN
from .verdict import Answer, best_in_cpu, best_in_time, is_slower

WIDTH = 80
LABEL = 17
LABELS = {"native": "mmt run", "direct": "--server off", "glibc": "--backend glibc"}
FLAGS = {"native": (), "direct": ("--server", "off"), "glibc": ("--backend", "glibc")}
HEAVIER = 1.1


def lines(check):
    """`check`: a document.Check."""
    said = textwrap.wrap(sentence(check), WIDTH)
    command = to_take(check)
    if command:
        said.append("  " + shlex.join(command))
    said.append("")
    for label, text in _rows(check):
        said += textwrap.wrap(
            text, WIDTH, initial_indent=f"{label:<{LABEL}}", subsequent_indent=" " * LABEL
        )
    return said


def to_take(check):
    """The words of the command line that gains; None where none does."""
    mode = check.verdict.mode
    return ["mmt", "run", *FLAGS[mode], "--", *check.command] if mode else None


def sentence(check):
    """The answer."""
    answer, evidence = check.verdict.answer, check.evidence
    if answer is Answer.CANNOT:
        return _cannot(check)
    figures = evidence.modes[check.verdict.shown]
    speed = f"{in_times(figures)}{_by(check.verdict.shown)}"
    if answer is Answer.GAIN:
        return f"This program gains: {in_times(figures)}{_price(figures)}:"
    if answer is Answer.WAITS:
        share = percent(evidence.busy)
        return (
            f"This program waits: it uses a CPU for {share} of the time that it runs, so there is "
            "nothing to gain. Run it as it is."
        )
    if answer is Answer.TOO_LITTLE:
        often = counted(evidence.allocations, "allocation")
        share = percent(evidence.malloc_share)
        return (
            f"This program does not allocate enough to gain: {often}, {share} of its CPU time. "
            "Run it as it is."
        )
    if answer is Answer.UNDECIDED:
        return _undecided(check)
    return f"This program allocates, but {_not_faster(check)}: {speed}. Run it as it is."


def _not_faster(check):
    if check.verdict.answer is Answer.SLOWER:
        return "MMT makes it slower"
    # Then --backend glibc does not.
    if is_slower(check.evidence.modes[check.verdict.shown]):
        return "MMT's own heap makes it slower"
    return "MMT does not make it faster"


def in_times(figures):
    """ "1.31 times as fast (1.28 to 1.33)" """
    text = f"{figures.speed:.2f} times as fast"
    if figures.interval is None:
        return text
    return with_interval(text, *map("{:.2f}".format, figures.interval))


def count(value):
    """ "12.3 million" """
    for limit, name in ((1e9, " billion"), (1e6, " million")):
        if value >= limit:
            return number(value / limit) + name
    return f"{value:,.0f}"


def counted(value, one):
    """ "1 run", "12.3 million allocations" """
    return f"{count(value)} {one}{'' if value == 1 else 's'}"


def percent(share):
    return f"{100 * share:.1f}%" if share < 0.0995 else f"{100 * share:.0f}%"


def _cannot(check):
    reason = check.evidence.obstacle
    if reason:
        return f"MMT cannot be loaded into this program: {reason}. {advice.against(check.facts)}"
    reasons = "; ".join(f"{mode}: {text}" for mode, text in check.evidence.problems.items())
    return f"This program does not work under MMT ({reasons}). Run it as it is."


def _undecided(check):
    modes, shown = check.evidence.modes, check.verdict.shown
    if check.evidence.is_crowded:
        return (
            "The machine was too busy to tell whether MMT helps: beside other programs "
            f"{in_times(modes[shown])}{_by(shown)}. Try again when it is quiet."
        )
    runs = check.measured.rounds(PLAIN)
    if runs < ENOUGH:
        few = f"{counted(runs, 'run')} of each {'is' if runs == 1 else 'are'} too few"
        return f"The runs do not tell whether MMT helps: {few}; --budget or --runs takes more."
    told, what, by = "", "MMT helps", _by(shown)
    if shown != "native" and "native" in modes and is_slower(modes["native"]):
        told = f"MMT's own heap makes it slower: {in_times(modes['native'])}. "
        what, by = f"{LABELS[shown]} helps", ""
    return (
        f"{told}The runs do not tell whether {what}: {in_times(modes[shown])}{by}. "
        "More runs may: --runs 31 --budget 300."
    )


def _by(mode):
    """What to add to figures that are not those of plain `mmt run`."""
    return "" if mode == "native" else f" by {LABELS[mode]}"


def _price(figures):
    extra = [
        f"{ratio:.1f} times the {what}"
        for what, ratio in (("CPU", figures.cpu), ("memory", figures.memory))
        if ratio > HEAVIER
    ]
    return f", for {' and '.join(extra)}" if extra else ""


def _rows(check):
    yield "Can be loaded", "no" if check.evidence.obstacle else advice.loadable(check.facts)
    if check.measured is None:
        yield "CPUs", cpus(check.facts)
    else:
        yield from _rows_of_runs(check)


def cpus(facts, calls=None):
    """What there is for the memory thread, and what else asks for a CPU."""
    quota = f"a quota of {facts.quota:g}" if facts.quota else "no quota"
    enough = facts.cpus >= 2 and (facts.quota is None or facts.quota >= 2)
    meaning = "one for the memory thread" if enough else "the memory thread stands back below two"
    if not facts.server:
        meaning = "mmt run has no memory thread, as server is off"
    return f"{facts.cpus}, {quota}: {meaning}{_who_allocates(calls)}"


def _who_allocates(calls):
    if calls is None:
        return ""
    if calls.processes > 1:
        return f"; {calls.processes} processes allocate"
    return f"; {calls.threads} thread{' allocates' if calls.threads == 1 else 's allocate'}"


def _rows_of_runs(check):
    measured, evidence, facts = check.measured, check.evidence, check.facts
    yield "Plainly", _plainly(measured, evidence)
    calls = measured.calls
    if calls is None:
        yield "malloc and free", "not known: its calls could not be timed"
    else:
        yield (
            "malloc and free",
            f"up to {percent(evidence.malloc_share)} of CPU time: "
            f"{counted(calls.allocations, 'allocation')}, "
            f"{count(calls.allocations / evidence.wall)}/s",
        )
    faults = median_of(measured, PLAIN, "minor_faults")
    yield (
        "Page faults",
        f"{percent(evidence.fault_share)} of CPU time, some in malloc: {faults:,.0f}, each "
        f"at most {in_words(facts.fault_ns, 'ns')}",
    )
    yield "CPUs", cpus(facts, calls)
    yield from _rows_of_modes(check)
    if check.verdict.mode == "glibc":
        yield "What it does", advice.of_glibc_mode(evidence)
    if hint := advice.of_python(facts, os.environ):
        yield "Python", hint
    for remark in measured.remarks:
        yield "Note", remark


def _plainly(measured, evidence):
    runs = measured.rounds(PLAIN)
    of_runs = f"{counted(runs, 'run')}, no intervals" if runs < ENOUGH else f"medians of {runs} runs"
    return (
        f"{in_words(evidence.wall, 's')}, CPU time {in_words(evidence.cpu, 's')}, "
        f"{byte_count(median_of(measured, PLAIN, 'peak_rss'))}; {of_runs}"
    )


def _rows_of_modes(check):
    for mode, label in LABELS.items():
        if figures := check.evidence.modes.get(mode):
            yield (
                label,
                f"{in_times(figures)}; CPU {figures.cpu:.2f}, memory {figures.memory:.2f}",
            )
        elif problem := check.evidence.problems.get(mode):
            yield label, f"does not work: {problem}"
    if len(check.evidence.modes) > 1:
        yield "Best", _best(check.evidence.modes)


def _best(modes):
    time, cpu = (" ".join(("mmt run", *FLAGS[best(modes)])) for best in (best_in_time, best_in_cpu))
    return f"{time}, in time as in CPU time" if time == cpu else f"in time {time}; in CPU time {cpu}"
