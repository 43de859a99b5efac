"""The experiments of a study, by the names of its modules: each has an EXPERIMENT, or EXPERIMENTS."""

import importlib


def experiments_of(study, names):
    """`study`: the package; in the order of `names`."""
    return tuple(
        experiment
        for name in names
        for experiment in _of_module(importlib.import_module(f"{study}.{name}"))
    )


def _of_module(module):
    return module.EXPERIMENTS if hasattr(module, "EXPERIMENTS") else (module.EXPERIMENT,)
