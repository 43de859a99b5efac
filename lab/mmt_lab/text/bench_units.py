"""Values as src/report/units.h has them: "1.53 s", "12.3 MiB", "252 ns", "1,234", "5,000 1/s"."""

import math

_BYTES = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def number(value):
    """Three significant digits, without an exponent."""
    size = abs(value)
    if size == 0:
        return "0"
    if size < 0.9995:
        return f"{value:.{min(2 - math.floor(math.log10(size)), 6)}f}"
    if size < 9.995:
        return f"{value:.2f}"
    return f"{value:.1f}" if size < 99.95 else f"{value:.0f}"


def byte_count(value):
    unit = 0
    while abs(value) >= 1023.5 and unit + 1 < len(_BYTES):
        value /= 1024
        unit += 1
    return f"{number(value) if unit else f'{value:.0f}'} {_BYTES[unit]}"


def _seconds(value):
    size = abs(value)
    if size == 0:
        return "0 s"
    for limit, scale, name in ((0.9995e-6, 1e9, "ns"), (0.9995e-3, 1e6, "us"), (0.9995, 1e3, "ms")):
        if size < limit:
            return f"{number(value * scale)} {name}"
    return f"{number(value)} s"


def higher_is_better(unit):
    """More is better of rates such as "1/s"."""
    return unit.endswith("/s")


def in_words(value, unit):
    """A value with its unit: s, ms, us, ns, bytes, count, flag, or any other by its name."""
    if unit in _SECONDS:
        return _seconds(value * _SECONDS[unit])
    if unit == "bytes":
        return byte_count(value)
    text = f"{value:,.0f}" if 0 <= value < 1e15 and value.is_integer() else number(value)
    return text if unit in ("count", "flag", "") else f"{text} {unit}"
