"""Names and messages as they may be shown, on a terminal or in a report: they are anybody's. What
would move a cursor, end a line, turn the order of letters or stay unseen becomes a visible escape,
as include/mmt/core/visible.h has it."""

import re

_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Bytes that are no UTF-8, as Python has them in its texts.
_BYTES = range(0xDC80, 0xDD00)


def _escape(found):
    letter = found[0]
    code = ord(letter)
    if letter in _SHORT:
        return _SHORT[letter]
    if code < 0x80:
        return f"\\x{code:02x}"
    if code in _BYTES:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def visible(text):
    """In one line. What is visible already stays as it is."""
    return _HIDDEN.sub(_escape, str(text))
