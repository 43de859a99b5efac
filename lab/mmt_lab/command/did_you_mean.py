"""What a message adds when a name is almost one of those there are."""

import difflib


def did_you_mean(word, names):
    """"; did you mean 'name'?", or "" when none is near."""
    near = difflib.get_close_matches(word, names, 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def with_help(text, command):
    """`text`, and where to read on."""
    return f"{text}{' See' if text.endswith('?') else '; see'} '{command} --help'"
