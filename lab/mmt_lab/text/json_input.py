"""JSON that others wrote, of which nothing is taken for granted."""

import json
import re

DEEPEST = 64  # lists and objects within each other

_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}\n]')


class NotJson(Exception):
    """Says what is wrong, behind the name of a file: "is no JSON: something is wrong in line 2"."""


def parse(content):
    """The data of bytes. A NotJson is raised where they are no JSON, where an object has a key
    twice, or where it lies too deep for its reader."""
    try:
        data = json.loads(content, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise NotJson(f"is no JSON: something is wrong in line {error.lineno}") from None
    except RecursionError:
        raise _too_deep(content) from None
    except ValueError:  # no UTF-8; a number of thousands of digits
        raise NotJson("is no JSON") from None
    if _is_deep(data):
        raise _too_deep(content)
    return data


def _object(pairs):
    made = dict(pairs)
    if len(made) != len(pairs):
        seen = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))
        raise NotJson(f"is no JSON that can be used: an object has the key {json.dumps(twice)[:80]} twice")
    return made


def _constant(name):
    raise NotJson(f"is no JSON: {name} is no number of it")


def _is_deep(data):
    level = [data]
    for _ in range(DEEPEST + 1):
        level = [one for some in level for one in _parts(some) if isinstance(one, (dict, list))]
        if not level:
            return False
    return True


def _parts(some):
    if isinstance(some, dict):
        return some.values()
    return some if isinstance(some, list) else ()


def _too_deep(content):
    depth, line = 0, 1
    for found in _BRACKETS.finditer(content):
        one = found[0]
        line += one == b"\n"
        depth += (one in b"[{") - (one in b"]}")
        if depth > DEEPEST:
            break
    return NotJson(f"is no JSON that can be used: lists and objects lie too deep in each other in line {line}")
