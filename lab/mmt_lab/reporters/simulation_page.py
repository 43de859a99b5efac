"""A simulation as one page."""

from ..simulate import figures, words
from . import page, simulation_ablation, simulation_charts, simulation_explorer

COLUMNS = (
    ("nodes/alloc", "alloc", "{:.2f}"),
    ("nodes/free", "free", "{:.2f}"),
    ("longest search", "worst", "{:.0f}"),
    ("joined", "joined", "{:.0%}"),
    ("internal", "internal", "{:.1%}"),
    ("free chunks", "chunks", "{:.1f}"),
    ("pages", "pages", "{:.0f}"),
    ("calls", "calls", "{:.0f}"),
    ("balancing/event", "balancing", "{:.2f}"),
    ("failed", "failed", "{}"),
)


def render(simulation):
    title = f"MMT: {_number(len(simulation.models), 'model')} on {_number(len(simulation.traces), 'trace')}"
    return page.document(title, _body(simulation, title), simulation_explorer.SCRIPT)


def _number(count, word):
    return f"{count} {word}{'' if count == 1 else 's'}"


def _body(simulation, title):
    yield f"<h1>{page.text(title)}</h1>"
    yield from page.answer(words.sentences(simulation))
    for one in simulation.problems:
        yield f'<p class="missing">{page.text(one.text)}</p>'
    yield from _tables(simulation)
    if simulation.results:
        yield from _figures(simulation)
        yield from _pareto(simulation)
        yield from _ablation(simulation)
        yield from _partings(simulation)
        yield from simulation_explorer.body(simulation)
    yield from page.details(
        "Where it comes from",
        [("command", " ".join(simulation.command))]
        + [(one["name"], one["path"]) for one in simulation.traces],
    )


def _tables(simulation):
    for name in simulation.trace_names():
        results = [one for one in simulation.results if one["trace"] == name]
        if results:
            yield page.heading(3, f"trace-{name}", page.text(name))
            yield from _of_trace(simulation, name, results)
    yield from _real(simulation)


def _of_trace(simulation, name, results):
    one = results[0]
    most_live = figures.most_live(simulation, name)
    sentence = (
        f"{one['events']:,} events, {one['allocations']:,} allocations"
        + ("." if most_live is None else f"; at most {words.size(most_live)} live.")
    )
    if bound := simulation.bounds.get(name):
        sentence += (
            f" The best packing known needs {words.size(bound['packing_bytes'])} ({bound['packing']}); "
            f"without reuse it is {words.size(bound['bump_bytes'])}."
        )
    yield f'<p class="note">{page.text(sentence)}</p>'
    headings = ("allocator", *(title for title, _, _ in COLUMNS), "peak", "over live")
    yield from page.table(headings, (_row(simulation, one) for one in results), "values")


def _row(simulation, one):
    cells = [form.format(figures.FIGURES[key](one)) for _, key, form in COLUMNS]
    over = figures.over_bound(simulation, one)
    cells += [words.size(one["peak_bytes"]), "" if over is None else f"{over:.3f}"]
    return page.row(map(page.text, (one["allocator"], *cells)))


def _real(simulation):
    if not simulation.real:
        return
    yield page.heading(2, "real", "Real allocators on the same traces")
    headings = ("trace", "allocator", "peak RSS", "to model", "time", "CPU", "minor faults", "failed")
    yield from page.table(
        headings,
        (
            page.row(
                map(page.text, (
                    one["trace"], one["allocator"], words.size(one["peak_rss"]),
                    words.signed_percent(figures.over_model(simulation, one)),
                    words.seconds(one["seconds"]), words.seconds(one["cpu_seconds"]), one["minor_faults"],
                    one["failed"],
                ))
            )
            for one in simulation.real
        ),
        "named",
    )  # fmt: skip


def _figures(simulation):
    yield page.heading(2, "figures", "The paper's figures")
    yield '<p class="note">A box over traces: quartiles and median; each point is a trace.</p>'
    for anchor, title, axis, chosen, only_better in simulation_charts.BOXES:
        yield page.heading(3, anchor, page.text(title))
        figure = simulation_charts.boxes(simulation, axis, chosen, only_better)
        yield from page.chart(f"chart-{anchor}", figure)


def _pareto(simulation):
    yield page.heading(2, "speed-and-space", "Speed against space")
    yield from page.chart("chart-pareto", simulation_charts.speed_and_space(simulation))


def _ablation(simulation):
    rows = simulation_ablation.matrix(simulation)
    if not rows:
        return
    yield page.heading(2, "ablation", "What one choice changes")
    yield '<p class="note">Models that differ in one factor: the second over the first.</p>'
    headings = ("factor", "from → to", "of", *simulation_ablation.TITLES)
    yield from page.table(
        headings,
        (
            page.row(
                map(page.text, (
                    factor, change, name,
                    *("" if ratio is None else f"{ratio:.3f}" for ratio in ratios),
                ))
            )
            for factor, change, name, ratios in rows
        ),
        "named",
    )  # fmt: skip


def _partings(simulation):
    for trace, found in simulation.partings.items():
        yield page.heading(2, f"partings-{trace}", f"Where two models part: {page.text(trace)}")
        yield '<p class="note">The first event whose block lies elsewhere; addresses count from the first.</p>'
        names = simulation.model_names()
        by_pair = {(one["one"], one["other"]): one for one in found}
        rows = (
            page.row(
                [page.text(row)]
                + [_parting(by_pair.get((row, column)) or by_pair.get((column, row)), row == column)
                   for column in names]
            )
            for row in names
        )  # fmt: skip
        yield from page.table(("", *names), rows, "values")


def _parting(one, is_same):
    if is_same:
        return ""
    if one is None:
        return "never"
    where = f"{one['bytes']} bytes at {one['at_one']} and at {one['at_other']}"
    return f'<span title="{page.text(where)}">{one["event"]}</span>'
