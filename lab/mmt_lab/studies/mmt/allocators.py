"""The paper's two allocators, and each of its designs over them."""

import dataclasses

from ...study.experiment import SYSTEM, Allocator

LEA = Allocator("Lea", "libmmt-lea.so")
PHK = Allocator("PHK", "libmmt-phk.so")
# New blocks are zeroed, freed ones overwritten; what PHK always checks, it checks in either case.
CHECKS = "JZ"

GLIBC = SYSTEM
# As Debian 12 has them.
_SYSTEMS = "/usr/lib/x86_64-linux-gnu/"
JEMALLOC = Allocator("jemalloc", f"{_SYSTEMS}libjemalloc.so.2")
MIMALLOC = Allocator("mimalloc", f"{_SYSTEMS}libmimalloc.so.2")
GLIBC_HUGE = Allocator(
    "glibc, huge pages", environment=(("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"),)
)

# What our protocol sets of glibc's parameters, without a thread.
GLIBC_THRESHOLDS = Allocator(
    "glibc, the same thresholds",
    environment=(
        ("MALLOC_MMAP_THRESHOLD_", str(32 << 20)),
        ("MALLOC_TOP_PAD_", str(16 << 20)),
        ("MALLOC_TRIM_THRESHOLD_", str(64 << 20)),
    ),
)

LEA_NOTE = (
    "Lea is our composition of Doug Lea's 2.7.0, which like the paper's knows nothing of threads: a "
    "lock stands before it as soon as there are two."
)


def over(base, protocol, name, options=""):
    """A protocol over an allocator."""
    environment = dict(base.environment)
    if options:
        environment["MMT_PROTOCOL_OPTIONS"] = options
    return Allocator(
        f"{name} over {base.name}",
        f"libmmt-protocol-{protocol}.so",
        base.library,
        tuple(sorted(environment.items())),
    )


def delayed(nanoseconds):
    """Lea, each of whose calls takes so much longer."""
    environment = (("MMT_DELAY_NS", str(nanoseconds)),)
    return Allocator(f"Lea, {nanoseconds} ns longer", "libmmt-lea-delayed.so", "", environment)


def with_idle_thread(base):
    """For delayed(): the process has a second thread, which sleeps."""
    environment = (*base.environment, ("MMT_IDLE_THREAD", "1"))
    return dataclasses.replace(
        base, name=f"{base.name}, an idle second thread", environment=environment
    )


def ceiling(mib):
    """Allocation at nearly no cost, with so much memory made resident before."""
    environment = (("MMT_CEILING_MIB", str(mib)),)
    return Allocator(f"ceiling, {mib} MiB", "libmmt-ceiling.so", "", environment)


def checked(allocator, checks=CHECKS):
    """The same with PHK's checks on."""
    environment = tuple(sorted((*allocator.environment, ("MALLOC_OPTIONS", checks))))
    return dataclasses.replace(
        allocator, name=f"{allocator.name}, checks {checks}", environment=environment
    )
