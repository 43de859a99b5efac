"""Which version of each peer is taken, and the SHA-256 of the file that the registry gives: another
file is refused."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Pin:
    name: str  # of the allocator
    version: str
    package: str  # in the registry
    package_version: str
    digest: str
    library: str  # the file that is loaded
    registry: typing.Literal["PyPI", "crates"]


PINS = (
    Pin(
        name="mimalloc",
        version="3.4.3",
        package="cmeel-mimalloc",
        package_version="3.4.3",
        digest="627d9e379503fd8a1001bed618f7434477c221f017cf31d4caca65d464731ff0",
        library="libmimalloc.so.3",
        registry="PyPI",
    ),
    Pin(
        name="jemalloc",
        version="5.3.1",
        package="tikv-jemalloc-sys",
        package_version="0.7.1+5.3.1-0-g81034ce1f1373e37dc865038e1bc8eeecf559ce8",
        digest="1a2825c78386b4ae0314074867860ba9577875de945f05992c38815cbec327f0",
        library="libjemalloc.so.2",
        registry="crates",
    ),
    Pin(
        name="snmalloc",
        version="0.7.6",
        package="snmalloc-sys",
        package_version="0.7.6",
        digest="f09c93c55f9a2b8dab75738a83c771231c5f408af65b8657433fe5bc93cc76cb",
        library="libsnmallocshim.so",
        registry="crates",
    ),
)
