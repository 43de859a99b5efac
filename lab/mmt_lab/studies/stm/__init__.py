"""Performance Implications of Dynamic Memory Allocators on Transactional Memory Systems (PPoPP 2015):
how much the allocator decides how transactional programs perform, and why.
"""

from ...study.experiment import Oracles, Study
from ..experiments import experiments_of

NAMES = (
    "figure_1",
    "table_1",
    "figure_2",
    "figure_3",
    "table_2",
    "table_3",
    "figure_4",
    "table_4",
    "figure_5",
    "aborts",
    "figure_6",
    "attribution",
    "shared_lines",
    "updates",
    "table_5",
    "figure_7",
    "table_6",
    "locality",
    "locks",
    "false_sharing",
    "insensitive",
    "figure_8",
    "table_7",
    "batched_frees",
    "libitm",
    "sweeps",
    "causes",
    "other_settings",
    "large_inputs",
)

# Seconds that the oracles of each application take, about.
APPLICATIONS = {
    "bayes": 60,
    "genome": 15,
    "intruder": 15,
    "kmeans": 10,
    "labyrinth": 60,
    "labyrinth-quirk": 60,
    "ssca2": 15,
    "vacation": 30,
    "vacation-quirk": 30,
    "yada": 30,
}


def _stamp(application, seconds):
    command = ("{workloads}/stm/stamp", "--oracles", "--application", application)
    return Oracles(application, command, seconds)


STUDY = Study(
    name="stm",
    title="Allocators under transactional memory",
    paper="Baldassin, Borin, Araujo: Performance Implications of Dynamic Memory Allocators on "
    "Transactional Memory Systems, PPoPP 2015",
    experiments=experiments_of(__name__, NAMES),
    rounds=10,
    full_rounds=50,
    oracles=(
        Oracles("addresses", ("{workloads}/stm/allocator_probe", "--oracles"), 0.1),
        *(_stamp(*one) for one in APPLICATIONS.items()),
    ),
)
