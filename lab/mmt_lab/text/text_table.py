"""Tables of text for terminals: columns that fit are shown, the dearest first. What they are given is
anybody's, and made visible."""

import dataclasses
import os
import sys
import textwrap

from .visible import visible

GAP = "  "
# Into a file or a pipe.
WIDTH_ELSEWHERE = 80


@dataclasses.dataclass(frozen=True)
class Column:
    title: str
    left: bool = False  # aligned
    rank: int = 0  # in a table that is too wide, those of the highest rank go first


@dataclasses.dataclass
class Section:
    """A line of its own between rows."""

    text: str


class TextTable:
    def __init__(self, columns):
        self._columns = [dataclasses.replace(one, title=visible(one.title)) for one in columns]
        self._rows = []

    def __bool__(self):
        return any(not isinstance(one, Section) for one in self._rows)

    def add_section(self, text):
        self._rows.append(Section(visible(text)))

    def add(self, *cells):
        self._rows.append([*map(visible, cells), *[""] * (len(self._columns) - len(cells))])

    def by_section(self):
        """[(section, cells)] of all rows."""
        section = ""
        for row in self._rows:
            if isinstance(row, Section):
                section = row.text
            else:
                yield section, row

    def filled(self):
        """(titles, [(section, cells)]) of the first column and those that hold something."""
        shown = [at for at, width in enumerate(self._widths()) if width or not at]
        rows = [(section, [row[at] for at in shown]) for section, row in self.by_section()]
        return [self._columns[at].title for at in shown], rows

    def _widths(self):
        """The width of each column; 0 of one that holds nothing."""
        widths = []
        for at, column in enumerate(self._columns):
            cells = [len(row[at]) for row in self._rows if not isinstance(row, Section)]
            widest = max(cells, default=0)
            widths.append(max(widest, len(column.title)) if widest else 0)
        return widths

    def left_out(self, width):
        """The titles of those columns that `width` has no room for."""
        widths = self._widths()
        shown = self._shown(widths, width)
        return [
            column.title
            for at, column in enumerate(self._columns)
            if widths[at] and at not in shown
        ]

    def _shown(self, widths, width):
        shown = [at for at, one in enumerate(widths) if one]
        while len(shown) > 1 and _whole(widths, shown) > width:
            last = max(shown, key=lambda at: (self._columns[at].rank, at))
            if not self._columns[last].rank:
                break
            shown.remove(last)
        return shown

    def lines(self, width):
        """None is wider than `width`: columns are left out by rank, and what is still too wide is cut."""
        widths = self._widths()
        shown = self._shown(widths, width)
        yield self._line([column.title for column in self._columns], widths, shown)[:width]
        for row in self._rows:
            text = row.text if isinstance(row, Section) else self._line(row, widths, shown)
            yield text[:width]

    def chunks(self, width):
        """The table as several ones, where it is too wide: each has the first column, and as many of the
        others as fit."""
        widths = self._widths()
        rest = [at for at, one in enumerate(widths) if one and at]
        while rest:
            part = [0, rest.pop(0)]
            while rest and _whole(widths, [*part, rest[0]]) <= width:
                part.append(rest.pop(0))
            table = TextTable([self._columns[at] for at in part])
            table._rows = [
                row if isinstance(row, Section) else [row[at] for at in part] for row in self._rows
            ]
            yield table

    def _line(self, cells, widths, shown):
        texts = [
            cells[at].ljust(widths[at]) if self._columns[at].left else cells[at].rjust(widths[at])
            for at in shown
        ]
        return GAP.join(texts).rstrip()


def _whole(widths, shown):
    return sum(widths[at] for at in shown) + len(GAP) * (len(shown) - 1)


def hanging(head, text):
    """`text` behind `head`, wrapped to the terminal: its further lines begin where it does."""
    head, text = visible(head), visible(text)
    width = max(terminal_width(), len(head) + 20)
    return textwrap.fill(
        text,
        width,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_on_hyphens=False,
        break_long_words=False,
    )


def terminal_width(stream=None):
    """Columns that lines may have: COLUMNS, or those of the terminal; 80 elsewhere."""
    told = os.environ.get("COLUMNS", "")
    if told.isdigit() and int(told) > 0:
        return int(told)
    try:
        return os.get_terminal_size((stream or sys.stdout).fileno()).columns or WIDTH_ELSEWHERE
    except (OSError, ValueError):
        return WIDTH_ELSEWHERE
