"""Grids as figures of plotly, in plain data: the page draws them in the browser."""

import html

import numpy

from ..study.experiment import BOXES, HEAT
from ..text.units import in_figures
from ..text.visible import visible

# Told apart by people who do not see all colours, too.
COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#7f7f7f", "#cc79a7", "#d55e00", "#56b4e9", "#000000", "#b8a800",
)  # fmt: skip
PAPER_COLOUR = "#c8c8c8"


def label(name):
    """A name where plotly would read markup, or a place to put a value."""
    return html.escape(visible(name), quote=False).replace("%{", "%&#123;")


def _bars(name, rows, values, colour, **more):
    return {
        "type": "bar",
        "name": label(name),
        "x": list(map(label, rows)),
        "y": values,
        "marker": {"color": colour},
        "hovertemplate": "%{x}<br>%{text}<extra>" + label(name) + "</extra>",
        **more,
    }


def measured_bars(name, rows, estimates, texts, colour, **more):
    """A trace: one bar with its interval a row, none where the estimate is None. Texts are shown at
    the pointer."""
    return _bars(
        name,
        rows,
        [one.value if one else None for one in estimates],
        colour,
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [one.high - one.value if one and one.has_interval else None for one in estimates],
            "arrayminus": [
                one.value - one.low if one and one.has_interval else None for one in estimates
            ],
            "thickness": 1,
            "width": 3,
        },
        text=texts,
        textposition="none",
        **more,
    )


def _ours(grid, column, name, colour, **more):
    cells = [grid.cell(row, column) for row in grid.rows]
    ours = [cell.ours if cell else None for cell in cells]
    pairs = zip(ours, cells, strict=True)
    texts = [in_figures(one.value, cell.unit) if one else "" for one, cell in pairs]
    return measured_bars(name, grid.rows, ours, texts, colour, **more)


def _papers(grid, column, name, colour, **more):
    cells = [grid.cell(row, column) for row in grid.rows]
    values = [cell.paper if cell else None for cell in cells]
    texts = [in_figures(cell.paper, cell.unit) if cell else "" for cell in cells]
    return _bars(name, grid.rows, values, colour, text=texts, textposition="none", **more)


def layout_of_bars(title):
    """`title`: of the vertical axis."""
    return {
        "barmode": "group",
        "height": 360,
        "margin": {"l": 60, "r": 20, "t": 40, "b": 40},
        "legend": {"orientation": "h", "y": -0.15},
        "font": {"family": "sans-serif", "size": 13},
        "yaxis": {"title": {"text": label(title)}, "rangemode": "tozero"},
        "xaxis": {"type": "category"},
    }


# An axis over more than this is logarithmic: on a linear one the small values are all alike.
DECADE = 10.0


def spread(axis, values):
    """Makes an axis logarithmic where its values, all positive, span more than a decade."""
    if values and min(values) > 0 and max(values) > DECADE * min(values):
        axis.pop("rangemode", None)
        axis["type"] = "log"


def _spread_of(data):
    return [value for trace in data for value in trace["y"] if value is not None]


def _one_column(grid):
    column = grid.chart_column
    data = [
        _ours(grid, column, "here", COLOURS[0]),
        _papers(grid, column, "the paper", PAPER_COLOUR),
    ]
    layout = layout_of_bars(column)
    layout["xaxis"]["title"] = {"text": label(grid.row_title)}
    spread(layout["yaxis"], _spread_of(data))
    return {"data": data, "layout": layout}


def _two_panels(grid):
    """Ours on the left, the paper's on the right, on one scale."""
    data = []
    for colour, column in zip(COLOURS, grid.columns, strict=False):
        data.append(_ours(grid, column, column, colour, legendgroup=column))
        data.append(
            _papers(
                grid,
                column,
                column,
                colour,
                legendgroup=column,
                showlegend=False,
                xaxis="x2",
                yaxis="y2",
            )
        )
    layout = layout_of_bars(grid.title)
    layout["xaxis"] |= {"domain": [0, 0.48], "title": {"text": "here"}, "side": "top"}
    layout["xaxis2"] = layout["xaxis"] | {"domain": [0.52, 1], "title": {"text": "the paper"}}
    layout["xaxis2"]["anchor"] = "y2"
    layout["yaxis2"] = {"matches": "y", "anchor": "x2", "showticklabels": False}
    layout["margin"]["t"] = 70
    spread(layout["yaxis"], _spread_of(data))
    if "type" in layout["yaxis"]:
        layout["yaxis2"]["type"] = layout["yaxis"]["type"]
    return {"data": data, "layout": layout}


def _boxes(grid):
    """A box a column over its rows: extremes, quartiles, median, and each row as a point."""
    data, every = [], []
    for column in grid.columns:
        cells = [(row, grid.cell(row, column)) for row in grid.rows]
        found = [(row, cell.ours.value) for row, cell in cells if cell and cell.ours]
        if not found:
            continue
        values = [value for _, value in found]
        every += values
        first, median, third = (float(one) for one in numpy.percentile(values, [25, 50, 75]))
        data.append(
            {
                "type": "box",
                "name": label(column),
                "x": [label(column)],
                "q1": [first],
                "median": [median],
                "q3": [third],
                "lowerfence": [min(values)],
                "upperfence": [max(values)],
                "y": [values],
                "text": [[label(row) for row, _ in found]],
                "boxpoints": "all",
                "pointpos": 0,
                "jitter": 0.3,
                "marker": {"color": COLOURS[0], "size": 4},
                "hovertemplate": "%{text}<br>%{y:,.2f}<extra>" + label(column) + "</extra>",
                "showlegend": False,
            }
        )
    layout = layout_of_bars(grid.title)
    layout["margin"]["b"] = 90
    layout["xaxis"]["automargin"] = True
    spread(layout["yaxis"], every)
    return {"data": data, "layout": layout}


def _heat(grid):
    """Rows and columns as in the table, each field coloured by its number."""
    cells = [[grid.cell(row, column) for column in grid.columns] for row in grid.rows]
    values = [[cell.ours.value if cell and cell.ours else None for cell in row] for row in cells]
    texts = [
        [in_figures(cell.ours.value, cell.unit) if cell and cell.ours else "" for cell in row]
        for row in cells
    ]
    trace = {
        "type": "heatmap",
        "x": list(map(label, grid.columns)),
        "y": list(map(label, grid.rows)),
        "z": values,
        "text": texts,
        "texttemplate": "%{text}",
        "hovertemplate": "%{x}<br>%{y}: %{text}<extra></extra>",
        "colorscale": "Viridis",
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
    }
    layout = layout_of_bars(grid.title)
    layout["height"] = max(360, 24 * len(grid.rows) + 100)
    layout["margin"] |= {"l": 90, "b": 90}
    layout["yaxis"] = {"type": "category", "autorange": "reversed"}
    return {"data": [trace], "layout": layout}


def chart_of(grid):
    """None for a grid that is a table only."""
    if grid.chart_column is None:
        return None
    if grid.chart_column == BOXES:
        return _boxes(grid)
    if grid.chart_column == HEAT:
        return _heat(grid)
    return _two_panels(grid) if grid.chart_column == "*" else _one_column(grid)
