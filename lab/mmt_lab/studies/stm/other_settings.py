"""The figures and tables that may follow from the setting of the transactional memory, in the others."""

from . import (
    aborts,
    attribution,
    figure_1,
    figure_4,
    figure_6,
    figure_7,
    figure_8,
    table_3,
    table_4,
    table_6,
    table_7,
)
from .settings import OTHERS, in_setting

BASES = (
    figure_1, table_3, figure_4, table_4, aborts, figure_6, attribution, figure_7, table_6, figure_8, table_7,
)  # fmt: skip

EXPERIMENTS = tuple(in_setting(setting, base.EXPERIMENT) for setting in OTHERS for base in BASES)
