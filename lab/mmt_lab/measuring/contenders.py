"""The allocators that take part in a benchmark, found by the names that `mmt list` gives."""

import dataclasses
import functools
import json
import os
import subprocess

from ..study.experiment import Allocator
from ..command.failure import FAILED, USAGE, Failure, tell
from ..peers.pins import PINS

USUAL = ("mmt", "glibc", "jemalloc", "mimalloc", "tcmalloc-minimal", "tbbmalloc")
# With today's peers, which the machine has none of by itself.
TODAY = ("mmt", "glibc", *sorted(pin.name for pin in PINS))


@dataclasses.dataclass(frozen=True)
class Contender:
    allocator: Allocator
    is_mmt: bool
    options: str = ""  # of MMT only
    missing: str = ""  # what would bring it; empty: it is there
    version: str = ""  # ours, and where the library itself does not say

    @property
    def name(self):
        return self.allocator.name

    @property
    def path(self):
        """That of the library that is loaded first; empty for the C library's own."""
        return self.allocator.library


def specs(options):
    """Names of allocators. A backend and a protocol make one more, beside the allocator alone."""
    names = list(options.allocators)
    if options.backend or options.protocol:
        backend = options.backend or "glibc"
        joined = f"{backend}+{options.protocol or 'mmt'}"
        names += [one for one in (joined, backend, "glibc") if one not in names]
        names = list(dict.fromkeys(names))
    return names


def whole_specs(parts, installation):
    """The specs that parts between commas make: "lea+preallocate:base=7" and "slope=1" are one."""
    whole = []
    for part in parts:
        if whole and ":" in whole[-1] and _is_option(part, installation):
            whole[-1] += f",{part}"
        else:
            whole.append(part)
    return whole


def _is_option(part, installation):
    """Or an allocator under a name of one's own."""
    key, equals, value = part.partition("=")
    name = key.replace("-", "_")
    if not equals or not name.isidentifier():
        return False
    return value[:1].isdigit() or name in _option_names(installation.binary)


@functools.cache
def _option_names(binary):
    """The names of the native heap's options, and of those of protocols."""
    return {
        one["name"]
        for kind in ("options", "protocol-options")
        for listed in _told(binary, "list", kind, "--json").values()
        if isinstance(listed, list)
        for one in listed
    }


def choose(specs, installation, peers=None):
    """[Contender] of a list of names, none missing. An empty list gives MMT, glibc and the usual
    peers, of which those that are not installed say so. `peers`: {name: (library, version)} that
    stand for the machine's own. A Failure names what is unknown or, when it was asked for by name,
    not installed."""
    specs = whole_specs(specs, installation)
    if not specs:
        return _resolved(TODAY if peers else USUAL, installation, peers or {})
    found = _resolved(specs, installation, peers or {})
    names = set()
    for spec, one in zip(specs, found, strict=True):
        if one.missing:
            raise Failure(f"allocator '{spec}' is not installed: {one.missing}", FAILED)
        if one.name in names:
            raise Failure(f"--allocators: '{spec}' is named twice", USAGE)
        names.add(one.name)
    return found


def _resolved(specs, installation, peers):
    words = [f"{one}={peers[one][0]}" if one in peers else one for one in specs]
    return [
        dataclasses.replace(one, version=peers[spec][1]) if spec in peers else one
        for spec, one in zip(specs, resolve(words, installation), strict=True)
    ]


def resolve(specs, installation):
    """[Contender] of names, as `mmt resolve` knows them."""
    told = _told(installation.binary, "resolve", "--", *specs)
    if told["ignored"]:
        ignored = ", ".join(told["ignored"])
        tell(f"options of the native heap are ignored by {', '.join(specs)}: {ignored}")
    return [_contender(one) for one in told["allocators"]]


def _told(binary, *words):
    """What `mmt WORDS` prints: JSON, in which paths are as they are, any bytes."""
    done = subprocess.run(
        [str(binary), *words], capture_output=True, text=True, errors="surrogateescape", check=False
    )
    if done.returncode:
        said = done.stderr.strip().removeprefix("mmt: ")
        raise Failure(said, done.returncode)
    return json.loads(done.stdout)


def _contender(told):
    library, behind = (*told["libraries"], "", "")[:2]
    environment = dict(told["environment"])
    if told["is_mmt"]:
        environment = _own_variables() | environment
    allocator = Allocator(told["name"], library, behind, tuple(environment.items()))
    return Contender(allocator, told["is_mmt"], told["options"], told["missing"] or "", told["version"])


def _own_variables():
    """The user's options of MMT: they reach MMT alone."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith("MMT_") and not name.startswith(("MMT_LAB", "MMT_BENCH"))
    }


def environment():
    """The user's, without preloads and MMT's options: what every measured program has."""
    return {
        name: value
        for name, value in os.environ.items()
        if name != "LD_PRELOAD" and not name.startswith("MMT_")
    }
