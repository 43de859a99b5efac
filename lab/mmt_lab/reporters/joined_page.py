"""Results of studies and benches as one page: contents, where they come from, a section each."""

from ..results import origins
from . import bench_section, page, study_section

SECTIONS = {"study": study_section, "bench": bench_section}


def _contents(found):
    yield "<h2>Contents</h2><ol>"
    for number, one in enumerate(found, 1):
        section = SECTIONS[one.result.kind]
        yield f"<li>{page.link(f'result-{number}', section.title(one.result))}"
        yield f" {page.code(one.path)}"
        yield from section.contents(one.result, f"result-{number}-")
        yield "</li>"
    yield f"</ol><p>{page.link('origins', 'Where they come from')}</p>"


def _differences(results):
    remarks = list(origins.remarks(results))
    for remark in remarks:
        yield f'<p class="missing">{page.text(remark)}</p>'
    if len(results) > 1 and not remarks:
        yield "<p>All results come from one machine and one commit, by what they note of it.</p>"


def _origins(results):
    yield page.heading(2, "origins", "Where they come from")
    headings = ("", *(f"result {number}" for number in range(1, len(results) + 1)))
    rows = (
        page.row(map(page.text, (fact, *texts)), kind="differs" if differs else "")
        for fact, texts, differs in origins.table(results)
    )
    yield from page.table(headings, rows, "text")
    commands = (
        (f"result {number}", " ".join(one.command)) for number, one in enumerate(results, 1)
    )
    yield "<h3>Their commands</h3>"
    yield from page.table(
        ("", "command"),
        (page.row((page.text(name), page.code(command))) for name, command in commands),
        "text",
    )


def _section(number, one):
    section = SECTIONS[one.result.kind]
    name = f'<span class="name">{number}</span>'
    words = f"{name} {page.text(section.title(one.result))}"
    yield page.heading(2, f"result-{number}", words)
    yield f'<p class="note">{page.code(one.path)}</p>'
    yield from section.summary(one.result)
    yield from section.body(one.result, f"result-{number}-", level=3)


def _body(found, title):
    results = [one.result for one in found]
    yield f"<h1>{page.text(title)}</h1>"
    for one in results:
        yield from page.answer(SECTIONS[one.kind].answers(one))
    yield from _differences(results)
    yield from _contents(found)
    for number, one in enumerate(found, 1):
        yield from _section(number, one)
    yield from _origins(results)


def render(found):
    """`found`: of result_files.py, in the order of the page."""
    title = f"MMT: {len(found)} result{'' if len(found) == 1 else 's'}"
    return page.document(title, _body(found, title))
