"""The result as JSON, schema 1: docs/laboratory.md."""

import json

from ..results.result import as_plain


def render(result):
    return json.dumps(as_plain(result), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
