"""Data as text for other programs: in ASCII, or quoted, so that a name in it does nothing to a
terminal that shows it."""

import csv
import io
import json

from .visible import visible


def json_of(value, indent=None):
    """Ended by a line's end. A name is what it was to its reader, but for bytes that are no UTF-8."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return json.dumps(json.loads(text.encode(errors="replace")), indent=indent) + "\n"


def csv_of(header, rows, line_end="\r\n"):
    """Texts as they may be shown, on one line each."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=line_end)
    writer.writerow(map(visible, header))
    for row in rows:
        writer.writerow([visible(one) if isinstance(one, str) else one for one in row])
    return out.getvalue()
