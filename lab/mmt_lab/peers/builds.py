"""From what was fetched to the library that is loaded."""

import os
import shutil

from ..command.failure import Failure
from . import commands, sources


def mimalloc(pin, folder):
    unpacked = sources.wheel(pin, folder)
    return unpacked / "cmeel.prefix" / "lib" / pin.library


def jemalloc(pin, folder):
    crate = sources.crate(pin, folder)
    source = folder / "jemalloc"
    shutil.copytree(crate / "jemalloc", source)
    shutil.copy(crate / "configure" / "configure", source / "configure")
    version = pin.package_version.partition("+")[2]
    flags = [f"--with-version={version}", "--disable-cxx", "--disable-doc", "--disable-static"]
    commands.run("configure jemalloc", ["/bin/sh", "configure", *flags], source)
    commands.run("build jemalloc", ["make", f"-j{_jobs()}", "build_lib_shared"], source)
    return source / "lib" / pin.library


def snmalloc(pin, folder):
    source = sources.crate(pin, folder) / "upstream"
    built = folder / "built"
    flags = ["-DCMAKE_BUILD_TYPE=Release", "-DSNMALLOC_BUILD_TESTING=OFF"]
    commands.run("configure snmalloc", ["cmake", "-S", source, "-B", built, *flags], folder)
    commands.run(
        "build snmalloc",
        ["cmake", "--build", built, "--target", "snmallocshim", f"-j{_jobs()}"],
        folder,
    )
    return built / pin.library


BUILDS = {
    "mimalloc": (mimalloc, ("pip",)),
    "jemalloc": (jemalloc, ("cargo", "cc", "make")),
    "snmalloc": (snmalloc, ("cargo", "c++", "cmake")),
}


def build(pin, folder):
    """The library of a pin, made in an empty folder."""
    make, _ = BUILDS[pin.name]
    library = make(pin, folder)
    if not library.is_file():
        raise Failure(f"{pin.package} gave no '{library.name}'")
    return library


def programs_for(pin):
    return BUILDS[pin.name][1]


def _jobs():
    return len(os.sched_getaffinity(0))
