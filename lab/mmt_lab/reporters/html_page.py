"""The result of a study as one page."""

from . import page, study_section


def _body(result):
    yield f"<h1>{page.text(result.title)}</h1>"
    yield from page.answer(study_section.answers(result))
    yield from study_section.summary(result)
    yield from study_section.contents(result)
    yield from study_section.body(result)


def render(result):
    return page.document(result.title, _body(result))
