"""A check as JSON: docs/laboratory.md specifies it."""

import dataclasses

from ..text.plain_data import json_of
from .facts import Facts
from .measured import Measured
from .verdict import Evidence, Verdict

SCHEMA = 1


@dataclasses.dataclass(frozen=True)
class Check:
    command: list
    facts: Facts
    measured: Measured | None  # None: nothing was run
    evidence: Evidence
    verdict: Verdict


def dumps(check, sentence, to_take):
    facts, evidence = check.facts, check.evidence
    told = {
        "schema": SCHEMA,
        "kind": "check",
        "command": check.command,
        "answer": check.verdict.answer.value,
        "mode": check.verdict.mode,
        "sentence": sentence,
        "take": to_take,
        "program": {
            "path": facts.path,
            "interpreter": facts.interpreter,
            "obstacle": dataclasses.asdict(facts.obstacle) if facts.obstacle else None,
            "own_new": facts.own_new,
            "bundled": list(facts.bundled),
        },
        "machine": {"cpus": facts.cpus, "quota": facts.quota, "fault_ns": facts.fault_ns},
    }
    if check.measured is not None:
        told |= _measurements(check.measured, evidence)
    return json_of(told, indent=1)


def _measurements(measured, evidence):
    return {
        "wall": evidence.wall,
        "cpu": evidence.cpu,
        "malloc_share": evidence.malloc_share,
        "fault_share": evidence.fault_share,
        "calls": dataclasses.asdict(measured.calls) if measured.calls else None,
        "modes": {name: dataclasses.asdict(one) for name, one in evidence.modes.items()},
        "problems": evidence.problems,
        "remarks": measured.remarks,
        "samples": {
            mode: {metric: list(values.values()) for metric, values in series.items()}
            for mode, series in measured.series.items()
        },
    }
