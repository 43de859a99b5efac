"""ABT and SBT revisited (2016): placement policies in trees and in lists, on traces of
Java programs and others.
"""

from ...study.experiment import Study
from ..experiments import experiments_of

NAMES = (
    "table_1",
    "table_2",
    "figure_3",
    "figure_4",
    "figure_5",
    "figure_6",
    "figure_7",
    "figure_8",
    "figure_9",
    "ranked_sets",
    "rebalanced",
    "ranked_factors",
    "conclusion",
    "factors",
    "waste",
    "without_coalescing",
    "families",
    "buddies",
    "cartesian",
    "locality",
    "ambiguities",
    "real_programs",
    "transactions",
    "openmp",
    "memory_thread",
)

STUDY = Study(
    name="abt-sbt",
    title="Placement in trees and in lists, on traces",
    paper="Rezaei, Kavi: ABT and SBT revisited: Efficient memory management techniques for object "
    "oriented and web-based applications, Sharif University of Technology, 2016",
    experiments=experiments_of(__name__, NAMES),
)
