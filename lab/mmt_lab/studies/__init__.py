"""The studies, each a folder with one file a figure or table."""

from . import heap_layers

ALL = (heap_layers.STUDY,)
