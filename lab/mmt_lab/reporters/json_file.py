"""The result as JSON, schema 1: docs/laboratory.md."""

from ..results.result import as_plain
from ..text.plain_data import json_of


def render(result):
    return json_of(as_plain(result), indent=1)
