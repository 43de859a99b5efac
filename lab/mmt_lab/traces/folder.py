"""The folder where traces are kept, each made whole or not at all, beside a note of what it was
made of. Another input, program or library makes it anew.
"""

import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import tempfile

from ..text import json_input, whole_file
from ..command.failure import Failure, tell
from ..peers import commands
from . import audio, jars, programs, recording, slices


def path_of(folder, name):
    return folder / f"{name}.mtr"


def slice_of(folder, name):
    """Where it is said which part of a trace is its slice."""
    return folder / f"{name}-slice.json"


def provide(installation, names=None, quiet=False, progress=None):
    """{name: what is wrong} of the traces that could not be made; all others are there afterwards."""
    folder = installation.traces
    _make(folder)
    problems = {}
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two that begin at once make one after the other
        maker = _Maker(installation, folder, quiet)
        wanted = [one for one in programs.ALL if names is None or one.name in names]
        for number, one in enumerate(wanted):
            if progress:
                progress.show(f"trace of {one.name}", number / len(wanted))
            try:
                maker.provide(one)
            except Failure as failure:
                problems[one.name] = str(failure)
    return problems


def _make(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot make the folder '{folder}': {error.strerror}") from None


class _Maker:
    def __init__(self, installation, folder, quiet):
        self._installation = installation
        self._folder = folder
        self._quiet = quiet
        self._java = installation.scripts.parent / "java"
        self._places = {
            "java": self._java,
            "scripts": installation.scripts,
            "cc1plus": recording.told_by_compiler("-print-prog-name=cc1plus"),
            "multiarch": recording.told_by_compiler("-print-multiarch"),
            "classes": folder / "classes",
            "jars": folder / "jars",
            "audio": folder / "chords.mp3",
        }

    def provide(self, traced):
        path, note = path_of(self._folder, traced.name), self._folder / f"{traced.name}.json"
        made_of = self._made_of(traced)
        if path.is_file() and _read(note) == made_of:
            return
        if not self._quiet:
            tell(f"making the trace of {traced.name} in '{self._folder}': once")
        note.unlink(missing_ok=True)
        self._prepare(traced)
        work = pathlib.Path(tempfile.mkdtemp(prefix=f"{traced.name}.", dir=self._folder))
        recording.Recorder(self._installation, self._places).record(traced, work / path.name)
        if traced.requests:
            part = slice_of(work, traced.name)
            wanted = slices.Wanted(traced.requests, traced.frees, traced.live)
            slices.make(self._installation, work / path.name, part, wanted)
            os.replace(part, slice_of(self._folder, traced.name))
        os.replace(work / path.name, path)
        shutil.rmtree(work)  # after a Failure it stays, with its log
        whole_file.write(note, json.dumps(made_of, indent=1) + "\n")

    def _made_of(self, traced):
        """What decides how a trace looks."""
        made_of = {
            "command": list(traced.command),
            "environment": dict(traced.environment),
            "precision": traced.precision,
            "requests": traced.requests,
            "frees": traced.frees,
            "live": traced.live,
            "rule": slices.RULE if traced.requests else 0,
        }
        if traced.is_java:
            made_of["sources"] = self._sources()
        if "jars" in traced.needs:
            made_of["jars"] = [one.digest for one in jars.JARS]
        return made_of

    def _sources(self):
        digest = hashlib.sha256()
        for one in sorted(self._java.glob("*")):
            digest.update(one.name.encode() + b"\0" + one.read_bytes())
        return digest.hexdigest()

    def _prepare(self, traced):
        program = self._places["cc1plus"] if traced.name == "gcc" else traced.command[0]
        needed = [program or "g++", *(("javac",) if traced.is_java else ())]
        needed += ["mvn"] if "jars" in traced.needs else []
        needed += ["lame"] if "audio" in traced.needs else []
        needed += [words[0] for words in (traced.load,) if words]
        commands.require(*needed, wanted_by=f"the trace of {traced.name}")
        if "jars" in traced.needs:
            self._fetch_jars()
        if traced.is_java:
            self._compile()
        if "audio" in traced.needs and not self._places["audio"].is_file():
            with tempfile.TemporaryDirectory(dir=self._folder) as work:
                os.replace(audio.make(pathlib.Path(work)), self._places["audio"])

    def _fetch_jars(self):
        folder = self._places["jars"]
        if all((folder / one.file).is_file() for one in jars.JARS):
            return
        if not self._quiet:
            tell(f"fetching {', '.join(one.file for one in jars.JARS)}: once")
        work = pathlib.Path(tempfile.mkdtemp(prefix="jars.", dir=self._folder))
        fetched = jars.fetch(work)
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(fetched, folder)
        shutil.rmtree(work)

    def _compile(self):
        """Our own programs; those on libraries that are not there are left out."""
        folder = self._places["classes"]
        note = folder / "sources"
        have_jars = self._places["jars"].is_dir()
        made_of = f"{self._sources()} {'with' if have_jars else 'without'} libraries"
        if note.is_file() and note.read_text() == made_of:
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        plain = ("Check.java", "RayTracer.java")
        sources = [one for one in sorted(self._java.glob("*.java")) if have_jars or one.name in plain]
        words = ["javac", "-d", folder, "-cp", f"{self._places['jars']}/*", *sources]
        commands.run("compile the Java programs", words, folder)
        note.write_text(made_of)


def _read(note):
    try:
        return json_input.parse(note.read_bytes())
    except (OSError, json_input.NotJson):
        return None
