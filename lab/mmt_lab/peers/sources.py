"""Fetching what a pin names, by the registries' own clients and their configuration."""

import os
import pathlib
import shutil
import zipfile

from ..machine import cache, installation
from ..command.failure import Failure
from . import commands

_MANIFEST = """[package]
name = "peers"
version = "0.0.0"
edition = "2021"

[lib]
path = "lib.rs"

[dependencies]
{package} = "={version}"
"""


def wheel(pin, folder):
    """Unpacks a wheel of PyPI into a folder, which is given."""
    commands.run(
        f"download {pin.package}",
        [
            commands.path_of("pip"), "download", "--no-deps", "--no-cache-dir", "--only-binary", ":all:",
            "--dest", folder, f"{pin.package}=={pin.package_version}",
        ],
        folder,
    )  # fmt: skip
    files = sorted(folder.glob("*.whl"))
    if len(files) != 1:
        raise Failure(f"pip gave {len(files)} files for {pin.package}, not one")
    _check(files[0], pin)
    with zipfile.ZipFile(files[0]) as archive:
        archive.extractall(folder / "wheel")
    return folder / "wheel"


def crate(pin, folder):
    """The sources of a crate, below a folder of cargo's own: the user's is left alone, but for its
    configuration, which is read."""
    home = folder / "cargo"
    home.mkdir()
    for name in ("config.toml", "config"):
        if (configuration := _cargo_home() / name).is_file():
            shutil.copy(configuration, home / name)
    (folder / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(
        _MANIFEST.format(package=pin.package, version=pin.package_version.split("+")[0])
    )
    commands.run(
        f"fetch {pin.package}", [commands.path_of("cargo"), "fetch"], folder, CARGO_HOME=home
    )
    name = f"{pin.package}-{pin.package_version}"
    files = list(home.glob(f"registry/cache/*/{name}.crate"))
    sources = list(home.glob(f"registry/src/*/{name}"))
    if not files or not sources:
        raise Failure(f"cargo fetched another version of {pin.package} than {pin.package_version}")
    _check(files[0], pin)
    return sources[0]


def _cargo_home():
    return pathlib.Path(os.environ.get("CARGO_HOME") or cache.home() / ".cargo")


def _check(file, pin):
    digest = installation.digest(file)
    if digest != pin.digest:
        raise Failure(
            f"'{file.name}' is not the file that was pinned: its SHA-256 is {digest}, not {pin.digest}"
        )
