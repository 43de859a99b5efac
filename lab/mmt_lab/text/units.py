"""Numbers as people read them, by unit: s, ns (of a value in seconds), bytes, count, ratio,
share (of a ratio), per_s, mean."""


def in_words(value, unit):
    """With its unit, where that is not plain from the place."""
    number = in_figures(value, unit)
    return {
        "s": f"{number} s",
        "ns": f"{number} ns",
        "bytes": f"{number} bytes",
        "per_s": f"{number}/s",
    }.get(unit, number)


def with_interval(value, low, high):
    """The interval behind its middle, as texts: 1.25 (1.20 to 1.31)."""
    return f"{value} ({low} to {high})"


def in_figures(value, unit):
    if value is None:
        return ""
    if unit == "ratio":
        return f"{value:.3f}"
    if unit == "share":
        return f"{100 * value:.1f}%"
    if unit == "ns":
        return f"{1e9 * value:.1f}"
    if unit == "s":
        return _seconds(abs(value))
    if unit == "mean":
        return f"{value:,.2f}"
    return f"{value:,.0f}"


def _seconds(value):
    if value >= 100:
        return f"{value:.2f}"
    return f"{value:.3f}" if value >= 1 else f"{value:#.3g}"
