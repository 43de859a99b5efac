"""A simulation for a terminal: a table a trace, or medians of many, and a closing sentence."""

from ..command.standard_output import say
from ..simulate import figures, words
from ..text.text_table import Column, TextTable, terminal_width

# More traces than these are shown as medians.
FEW = 3


def show(simulation, stream):
    width = terminal_width(stream)
    for lines in _blocks(simulation, width):
        say(*lines, stream=stream)


def _blocks(simulation, width):
    if simulation.checked:
        yield _checked(simulation)
        return
    if simulation.results:
        few = len(simulation.traces) <= FEW
        for name in simulation.trace_names() if few else [None]:
            yield _heading(simulation, name)
            yield [*_models(simulation, name).lines(width), ""]
    if simulation.real:
        yield ["Real allocators on the same trace:"]
        yield [*_real(simulation).lines(width), ""]
    yield words.sentences(simulation)


def _checked(simulation):
    for one in simulation.checked:
        where = "" if "damaged_after" not in one else ", before its damage"
        yield f"{one['allocator']} keeps its invariants at {one['checked']} events of {one['trace']}{where}"


def _heading(simulation, trace):
    if trace is None:
        yield f"Medians of {simulation.replayed()} traces:"
        return
    one = next((one for one in simulation.results if one["trace"] == trace), None)
    if one is None:
        yield f"{trace}: not replayed"
        return
    most_live = figures.most_live(simulation, trace)
    yield (
        f"{trace}: {words.count(one['events'])} events, {words.count(one['allocations'])} allocations"
        + ("" if most_live is None else f", at most {words.size(most_live)} live")
    )
    if (damaged := simulation.damaged_after(trace)) is not None:
        yield f"  damaged after event {damaged}: figures of what comes before it"
    if bound := simulation.bounds.get(trace):
        yield (
            f"  the best packing known needs {words.size(bound['packing_bytes'])}, "
            f"no reuse {words.size(bound['bump_bytes'])}"
        )


def _models(simulation, trace):
    """`trace`: None for medians."""
    table = TextTable([
        Column("allocator", left=True),
        Column("nodes/alloc"),
        Column("nodes/free"),
        Column("worst"),
        Column("joined", rank=1),
        Column("internal", rank=2),
        Column("free chunks", rank=3),
        Column("peak"),
        Column("/live"),
        Column("failed"),
    ])  # fmt: skip
    for name in simulation.model_names():
        results = [one for one in simulation.of_model(name) if trace in (None, one["trace"])]
        if results:
            table.add(name, *_cells(simulation, results))
    return table


def _cells(simulation, results):
    def value(name):
        return figures.median(results, name)

    over = figures.median_of_bounds(simulation, results)
    return (
        f"{value('alloc'):.2f}" if value("alloc") < 1000 else words.count(value("alloc")),
        f"{value('free'):.2f}" if value("free") < 1000 else words.count(value("free")),
        words.count(value("worst")),
        words.percent(value("joined")),
        words.percent(value("internal")),
        words.count(value("chunks")),
        words.size(value("peak")),
        f"{over:.2f}" if over else "",
        _failures(results),
    )


def _real(simulation):
    table = TextTable([
        Column("trace", left=True, rank=1),
        Column("allocator", left=True),
        Column("peak RSS"),
        Column("to model"),
        Column("/live"),
        Column("time"),
        Column("faults"),
        Column("failed"),
    ])  # fmt: skip
    for one in simulation.real:
        least = None if one["failed"] else figures.most_live(simulation, one["trace"])
        table.add(
            one["trace"],
            one["allocator"],
            words.size(one["peak_rss"]),
            words.signed_percent(figures.over_model(simulation, one)),
            f"{one['peak_rss'] / least:.2f}" if least else "",
            words.seconds(one["seconds"]),
            words.count(one["minor_faults"] + one["major_faults"]),
            _failures([one]),
        )
    return table


def _failures(results):
    """Requests that got no memory; nothing where there are none, so that the column goes, too."""
    failed = sum(one["failed"] for one in results)
    return words.count(failed) if failed else ""
