"""MMT: Exploiting Fine-Grained Parallelism in Dynamic Memory Management (IPDPS 2010), with the
designs of the slides of MEDEA 2009. The memory thread's protocols run, one by one, over allocators
that do not know of it.
"""

from ...study.experiment import Study
from ..experiments import experiments_of

NAMES = (
    "figure_1",
    "figure_2",
    "table_1",
    "table_2",
    "figure_7",
    "figure_8",
    "figure_9",
    "figure_10",
    "figure_11",
    "bucket_sizes",
    "choices",
    "any_allocator",
    "footprint",
    "recycling",
    "decoupling",
    "library_cost",
    "not_compared",
)

STUDY = Study(
    name="mmt",
    title="The memory thread's protocols, step by step",
    paper="Tiwari, Lee, Tuck, Solihin: MMT: Exploiting Fine-Grained Parallelism in Dynamic Memory "
    "Management, IPDPS 2010",
    experiments=experiments_of(__name__, NAMES),
)
