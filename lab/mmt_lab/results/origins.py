"""Where results come from: what each notes of its machine and commit, and what of it differs.

A study and a bench note some of the same under the same names, in other words; those are brought
into one form here. What only one of two notes is not compared.
"""

import re

from ..text import bench_units

# A machine with another of these is another machine; other facts are how it is set up.
HARDWARE = ("cpu", "cpus", "memory", "virtual", "caches", "cache_l1", "cache_l2", "cache_l3", "smt")
# These are facts of MMT, not of the machine.
SOFTWARE = ("commit", "compiler")
WITH_CHANGES = " with changes"


def _memory(text):
    found = re.fullmatch(r"([0-9]{1,18}) kB", text)
    return bench_units.byte_count(int(found.group(1)) * 1024) if found else text


def _cpus(text):
    found = re.match(r"[0-9]+", text)
    return found.group() if found else text


_FORMS = {"memory": _memory, "cpus": _cpus}


def facts_of(result):
    """{fact: text} of a result, in the form that is compared."""
    return {
        name: _FORMS.get(name, lambda text: text)(str(value))
        for name, value in result.machine.items()
    }


def table(results):
    """[(fact, (text or "" of each result), whether two differ)], what matters most first."""
    facts = [facts_of(one) for one in results]
    names = dict.fromkeys(name for one in facts for name in one)
    first = [name for name in (*SOFTWARE, *HARDWARE) if name in names]
    order = dict.fromkeys([*first, *names])
    return [
        (name, tuple(one.get(name, "") for one in facts), len(_values(facts, name)) > 1)
        for name in order
    ]


def _values(facts, name):
    return list(dict.fromkeys(one[name] for one in facts if name in one))


def remarks(results):
    """Sentences: whether the results are of one machine and one commit."""
    facts = [facts_of(one) for one in results]
    differing = [name for name, _, differs in table(results) if differs]
    hardware = [name for name in differing if name in HARDWARE]
    settings = [name for name in differing if name not in (*HARDWARE, *SOFTWARE)]
    if hardware:
        yield f"These results come from different machines: they differ in {_listed(hardware)}."
    if settings:
        of = "These machines are" if hardware else "The machine was not always"
        how = "set up differently" if hardware else "set up the same"
        yield f"{of} {how}: {_listed(settings)} {'differ' if len(settings) > 1 else 'differs'}."
    yield from _commits(facts)


def _commits(facts):
    commits = _values(facts, "commit")
    if len(commits) > 1:
        yield f"These results are of different commits: {'; '.join(commits)}."
    elif len(_values(facts, "compiler")) > 1:
        yield "These results are of one commit, compiled by different compilers."
    if any(one.endswith(WITH_CHANGES) for one in commits):
        yield "Sources had changes that no commit has; two such trees may differ."
    silent = [str(number) for number, one in enumerate(facts, 1) if "commit" not in one]
    if silent:
        which = f"Result {silent[0]} does" if len(silent) == 1 else f"Results {_listed(silent)} do"
        yield f"{which} not say of which commit."


def _listed(names):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
