"""A simulation as JSON, CSV, Parquet and one page."""

from ..simulate import figures
from ..simulate.result import as_plain
from ..text.plain_data import csv_of, json_of


def render_json(simulation):
    return json_of(as_plain(simulation))


def _table(simulation):
    """(names of the columns, rows): a row a trace and model, then one a trace and real allocator;
    `is_real` tells which."""
    rows = [{"is_real": False} | figures.flat(one) for one in simulation.results]
    rows += [{"is_real": True} | figures.flat(one) for one in simulation.real]
    for row in rows:
        if bound := simulation.bounds.get(row["trace"]):
            row |= {f"bounds.{name}": value for name, value in bound.items()}
    names = list(dict.fromkeys(name for row in rows for name in row))
    return names, [[row.get(name) for name in names] for row in rows]


def render_csv(simulation):
    return csv_of(*_table(simulation))


def _as_utf8(value):
    """File names are any bytes."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


def render_parquet(simulation):
    import pyarrow
    import pyarrow.parquet

    names, rows = _table(simulation)
    columns = {name: [_as_utf8(row[at]) for row in rows] for at, name in enumerate(names)}
    table = pyarrow.table(columns)
    out = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, out)
    return out.getvalue().to_pybytes()


def render_html(simulation):
    from . import simulation_page

    return simulation_page.render(simulation)
