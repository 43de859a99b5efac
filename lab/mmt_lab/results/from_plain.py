"""Results read back: the plain data of a JSON file into the dataclasses that it was made of."""

import dataclasses
import types
import typing


class Mismatch(Exception):
    """Says where the data is not what it should be: "programs[0].name is no text"."""


# Sums and differences of numbers below are numbers, and have no thousands of digits.
_LARGEST = 1e150
_LARGEST_WHOLE = 2**64
_NAMES = {str: "text", int: "whole number", float: "number", bool: "yes or no", dict: "object"}


def decode(kind, data, place=""):
    """An object of a type: a dataclass, tuple[X, ...], dict[str, X], X | None, dict, str, int,
    float or bool. Fields that the dataclass does not have are passed over; those that have a
    default may be missing. `place` names the data in a Mismatch."""
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, data, place)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        (some,) = (one for one in inner if one is not type(None))
        return None if data is None else decode(some, data, place)
    if origin is tuple:
        _require(isinstance(data, list), place, "list")
        return tuple(decode(inner[0], one, f"{place}[{at}]") for at, one in enumerate(data))
    if origin is dict:
        _require(isinstance(data, dict), place, "object")
        return {name: decode(inner[1], one, f"{place}.{name}") for name, one in data.items()}
    return _value(kind, data, place)


def _require(holds, place, what):
    if not holds:
        raise Mismatch(f"{place.lstrip('.') or 'it'} is no {what}")


def _dataclass(kind, data, place):
    _require(isinstance(data, dict), place, "object")
    hints = typing.get_type_hints(kind)
    values = {}
    for field in dataclasses.fields(kind):
        inside = f"{place}.{field.name}"
        if field.name in data:
            values[field.name] = decode(hints[field.name], data[field.name], inside)
        elif field.default is dataclasses.MISSING:
            raise Mismatch(f"{inside.lstrip('.')} is missing")
    return kind(**values)


def _value(kind, data, place):
    if kind is float and type(data) in (int, float):
        _require(abs(data) <= _LARGEST, place, "finite number")
        return float(data)
    _require(type(data) is kind, place, _NAMES[kind])
    _require(kind is not int or abs(data) <= _LARGEST_WHOLE, place, "whole number of 64 bits")
    return data
