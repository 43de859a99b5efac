"""Statistics pages that nobody's library has written: src/interprocess/stats_page.h lays them out."""

import struct

PAGE = struct.Struct("<8sIIQ64Q64QIIQQ16s2Q16s")
FIGURES = 52
MOST = 2**64 - 1


def page(process, opened=1, told=b"", program=b"forged", values=(), count=FIGURES, inherited=(), ended=0, peaks=(0, 0), magic=b"MMTSTAT\0", version=1):
    """The bytes of a page file."""
    return PAGE.pack(
        magic, version, count, 0, *values, *[0] * (64 - len(values)), *inherited, *[0] * (64 - len(inherited)),
        process, 1, opened, ended, program, *peaks, told,
    )  # fmt: skip
