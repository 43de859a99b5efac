"""The studies, each a folder with one file a figure or table."""

from . import abt_sbt, heap_layers, mmt, stm

ALL = (heap_layers.STUDY, mmt.STUDY, abt_sbt.STUDY, stm.STUDY)
