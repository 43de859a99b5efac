"""Composing High-Performance Memory Allocators (PLDI 2001): allocators made of layers against
monolithic ones.
"""

from ...study.experiment import Study
from ..experiments import experiments_of

NAMES = (
    "figure_1",
    "figure_3",
    "figure_4",
    "figure_6",
    "table_2",
    "table_3",
    "table_4",
    "table_5",
    "table_6",
    "not_compared",
)

STUDY = Study(
    name="heap-layers",
    title="Allocators composed of layers against monolithic ones",
    paper="Berger, Zorn, McKinley: Composing High-Performance Memory Allocators, PLDI 2001",
    experiments=experiments_of(__name__, NAMES),
)
