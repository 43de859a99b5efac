"""What to do about an obstacle, and what to know of a program that has none."""

import os
import re

from .verdict import is_slower

_PYTHON = re.compile(r"python[\d.]*")

_AGAINST = {
    "static": "Link it dynamically, and check that one; Go would not gain even then.",
    "sanitizer": "Build it without the sanitizer, and check that one.",
    "own_allocator": "Build it without that allocator, and check that one.",
    "privilege": "Check a copy without that privilege.",
    "linker": "Build it for glibc.",
    "machine": "Check it on a machine of its kind.",
}


def against(facts):
    return f"Run it as it is. {_AGAINST[facts.obstacle.kind]}"


def loadable(facts):
    """What is said of a program without an obstacle."""
    if facts.bundled:
        names = " and ".join(facts.bundled)
        return f"yes, but it also has {names} inside, whose memory MMT does not see"
    if facts.own_new:
        return "yes; its own operator new goes first, and what that takes by malloc counts"
    if facts.interpreter:
        return f"yes, into {facts.interpreter}, which runs this script"
    return "yes"


def of_glibc_mode(evidence):
    """What `--backend glibc` does, and why it is what to take."""
    native = evidence.modes.get("native")
    if native is None:
        why = "MMT's own heap did not work"
    elif native.speed > 1:
        why = "MMT's own heap gained less"
    elif is_slower(native):
        why = "MMT's own heap made it slower"
    else:
        why = "MMT's own heap gained nothing"
    return f"glibc serves malloc as before; a thread finds its memory ahead of use. {why}"


def of_python(facts, environment):
    """Empty for other programs, and where malloc is asked for all objects."""
    places = [facts.path, facts.interpreter]
    names = [os.path.basename(os.path.realpath(one)) for one in places if one]
    names += [os.path.basename(one) for one in places if one]
    if environment.get("PYTHONMALLOC") or not any(map(_PYTHON.fullmatch, names)):
        return ""
    return "small objects come to malloc only with PYTHONMALLOC=malloc"
