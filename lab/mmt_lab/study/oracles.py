"""`mmt study NAME --oracles`: commands that print exact values beside those expected, in turn."""

import os
import subprocess
import time

from . import durations
from ..command.failure import FAILED, USAGE, Failure, raise_on_signals, tell
from ..measuring.schedule import Budget


def run(study, minutes=None, clock=time.monotonic):
    """FAILED as soon as all were run and one did not hold, or when one did not fit into `minutes`."""
    from ..machine.installation import Installation

    if not study.oracles:
        raise Failure(f"--oracles: {study.name} has none", USAGE)
    raise_on_signals()
    installation = Installation.from_environment()
    commands = [installation.in_place(one.command) for one in study.oracles]
    for words in commands:
        if not os.path.exists(words[0]):
            raise Failure(f"there is no program '{words[0]}'; 'make workloads' makes it")
    budget = Budget(len(commands), minutes, clock, least=0)
    status, left_out = 0, []
    for done, (one, words) in enumerate(zip(study.oracles, commands, strict=True)):
        if not budget.allows(done, one.seconds):
            left_out.append(one)
        elif subprocess.run(words, stdin=subprocess.DEVNULL, check=False).returncode:
            status = FAILED
    if not left_out:
        return status
    needed = durations.in_words(sum(one.seconds for one in left_out))
    tell(
        f"the budget of {minutes:g} minute{'' if minutes == 1 else 's'} leaves no time for "
        f"{', '.join(one.name for one in left_out)}: not run; they take about {needed}"
    )
    return FAILED
