"""The Python packages that the laboratory needs, checked before anything imports them."""

import importlib.util

from .failure import Failure

PACKAGES = {"numpy": "python3-numpy", "rich": "python3-rich", "plotly": "python3-plotly"}
# Needed by single options.
CLUSTER = {"distributed": "python3-distributed"}
# Not among Debian's packages (packages/pypi.txt).
OTHERS = {
    "pyarrow": "python3 -m venv --system-site-packages FOLDER; FOLDER/bin/pip install pyarrow==19.0.1; "
    "export MMT_LAB_PYTHON=FOLDER/bin/python3"
}


def check(*modules):
    """A Failure names those that are missing, of the modules given or of all that every study needs."""
    for module in modules:
        if module in OTHERS and not importlib.util.find_spec(module):
            raise Failure(f"this needs {module}: {OTHERS[module]}")
    known = PACKAGES | (CLUSTER if modules else {})
    missing = [
        name
        for module, name in known.items()
        if (not modules or module in modules) and not importlib.util.find_spec(module)
    ]
    if missing:
        raise Failure(f"the laboratory needs packages: apt-get install {' '.join(missing)}")
