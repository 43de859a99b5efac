"""The Python packages that the laboratory needs, checked before anything imports them."""

import importlib.util

from .failure import Failure

PACKAGES = {"numpy": "python3-numpy", "rich": "python3-rich", "plotly": "python3-plotly"}


def check(*modules):
    """A Failure names those that are missing, of the modules given or of all."""
    missing = [
        name
        for module, name in PACKAGES.items()
        if (not modules or module in modules) and not importlib.util.find_spec(module)
    ]
    if missing:
        raise Failure(f"the laboratory needs packages: apt-get install {' '.join(missing)}")
