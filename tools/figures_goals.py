"""The rows of the table of figures, each with the goals that the project set itself."""

from collections import namedtuple

# `best` and `glibc`: goals for the ratios, None where there is none. `kind`: "ratio" for figures
# that are compared with peers, "own" for those that have a bound of their own (`best` is it).
Row = namedtuple("Row", "program metric label best glibc kind", defaults=(None, None, "ratio"))

Goal = namedtuple("Goal", "ratio most whose")  # `whose`: "the best peer's", "glibc's", "a fresh one's"

ROWS = [
    Row("growth/all", "total", "`growth`: tree, maps, vectors", 0.85, 0.60),
    Row("growth/tree", "build_tree", "- tree of 16M nodes", 0.85, 0.60),
    Row("growth/maps", "fill_maps", "- maps", 0.85, 0.60),
    Row("growth/vectors", "append_vectors", "- vectors", 0.85, 0.60),
]
for _shape in ("tree", "mixed", "lists", "scattered"):
    ROWS += [
        Row(f"rebuild/{_shape}", "rebuild", f"`rebuild` {_shape}: built again", 1.00),
        Row(f"rebuild/{_shape}", "retraverse", "- walked then", 1.05),
        Row(f"rebuild/{_shape}", "retraverse_ratio", "- the same, of a fresh one", 1.05, None, "own"),
        Row(f"rebuild/{_shape}", "teardown", "- torn down", 1.05, 0.60),
        Row(f"rebuild/{_shape}", "reteardown", "- torn down again", 1.05, 0.60),
    ]
ROWS += [
    Row("churn/small_1", "op", "`churn` small, one thread", 1.02),
    Row("churn/small_2", "op", "- two threads", 1.02),
    Row("churn/larson_small", "op", "- two threads, larson", 1.02),
    Row("churn/mixed_1", "op", "`churn` mixed, one thread", 1.02),
    Row("churn/mixed_2", "op", "- two threads", 1.02),
    Row("churn/larson_mixed", "op", "- two threads, larson", 1.02),
    Row("large/blocks", "blocks", "`large`: 64 KiB to 64 MiB", 0.70),
    Row("large/calloc", "blocks", "- zeroed, then touched", 0.70),
    Row("large/realloc", "grow_factor", "- growing by half", 0.70),
    Row("large/realloc", "grow_step", "- growing by 64 KiB", 0.70),
]
ROWS += [
    Row(f"programs/{_name}", "wall", f"`programs`: {_name}", 1.02)
    for _name in ("gawk", "perl", "python3", "sqlite3", "lua", "cc1plus")
]
for _program, _suite in (("grow_free_grow", "`latency`"), ("grow_free_grow_64k", "`latency` to 64 KiB,")):
    ROWS += [
        Row(f"latency/{_program}", f"{_call}_{_metric}", f"{_suite} {_call}: {_label}", _goal)
        for _call, _metric, _label, _goal in (
            ("malloc", "total", "total", 0.60),
            ("malloc", "p99", "p99", 0.50),
            ("malloc", "p9999", "p99.99", 1.00),
            ("malloc", "over10us", "in calls over 10 us", 1.00),
            ("free", "total", "total", 0.60),
            ("free", "p99", "p99", None),
            ("free", "p9999", "p99.99", 1.00),
            ("free", "over10us", "in calls over 10 us", 1.00),
        )
    ]
ROWS += [
    Row(f"onecpu/{_program}", _metric, f"one CPU: {_program} {_metric}", None, 1.05)
    for _program, _metrics in (
        ("growth", ("build_tree", "fill_maps", "append_vectors")),
        ("rebuild", ("build", "traverse", "teardown", "rebuild", "retraverse", "reteardown")),
        ("churn_small", ("op",)), ("churn_mixed_2", ("op",)), ("larson_small_2", ("op",)),
        ("large", ("blocks",)),
        ("latency", tuple(f"{_call}_{_metric}" for _call in ("malloc", "free")
                          for _metric in ("total", "p99", "p9999", "over10us"))),
    )
    for _metric in _metrics
]  # fmt: skip
ROWS += [
    Row(f"onecpu/{_name}", "wall", f"one CPU: {_name}", None, 1.05)
    for _name in ("growth", "rebuild", "churn_small", "churn_mixed_2", "larson_small_2", "large",
                  "latency", "gawk", "perl", "python3", "sqlite3", "lua", "cc1plus")
]  # fmt: skip

MEANS = Row("programs", "geometric mean", "`programs`, geometric mean")
