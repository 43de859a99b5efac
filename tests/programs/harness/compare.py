"""Says where two runs of a case differ."""

import difflib

_LINES = 30


def _lines(value):
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    return text.splitlines()


def differences(plain, tested, tested_name):
    """One text for each label whose values differ; empty when the records are the same."""
    found = []
    for index in range(max(len(plain), len(tested))):
        if index >= len(plain) or index >= len(tested):
            found.append(f"{len(plain)} records under plain, {len(tested)} under {tested_name}")
            break
        (label, before), (other, after) = plain[index], tested[index]
        if label != other:
            found.append(f"record {index}: {label!r} under plain, {other!r} under {tested_name}")
            break
        if before != after:
            diff = difflib.unified_diff(
                _lines(before), _lines(after), "plain", tested_name, "", "", 1
            )
            shown = [line.rstrip("\n")[:200] for _, line in zip(range(_LINES), diff)]
            found.append("\n".join([f"{label}: differs", *shown]))
    return found
