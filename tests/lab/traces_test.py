"""Traces of the study: which part of one is its slice, what is kept, what is refused."""

import json
import pathlib
import time
import unittest
from unittest import mock

import lab_support
import numpy
from mmt_lab.command.failure import Failure
from mmt_lab.machine.installation import Installation
from mmt_lab.measuring import simulation
from mmt_lab.measuring.launcher import RunFailed
from mmt_lab.traces import folder, jars, programs, slices

ALLOCATE, FREE, NOTHING = 0, 1, 3


def events(text):
    """"a0:8 f0 -": an allocation in slot 0 of 8 bytes, its free, something else."""
    ops, slots, sizes = [], [], []
    for word in text.split():
        slot, _, size = word[1:].partition(":")
        ops.append({"a": ALLOCATE, "f": FREE, "-": NOTHING}[word[0]])
        slots.append(int(slot or 0))
        sizes.append(int(size or 0))
    return numpy.array(ops), numpy.array(slots), numpy.array(sizes)


class Slices(unittest.TestCase):
    def test_the_window_whose_live_bytes_are_nearest(self):
        quiet, busy = "a0:10 f0 " * 4, "a0:10 a1:10 a2:10 a3:10 f0 f1 f2 f3 "
        for live, found in ((20.0, (8, 8)), (5.0, (0, 8))):
            wanted = slices.Wanted(4, 4, live)
            self.assertEqual(slices.choose(*events(quiet + busy), wanted), found)

    def test_the_frees_count_too(self):
        """By live bytes alone it would be the first."""
        several = "a0:10 a1:10 a2:10 a3:10 " + "a4:10 a5:10 f4 f5 " * 2
        self.assertEqual(slices.choose(*events(several), slices.Wanted(4, 4, 20.0)), (4, 8))

    def test_what_was_born_before_is_none_of_it(self):
        """Its frees are passed over: they would make less than nothing live."""
        found = slices.choose(
            *events("a0:90 a1:90 a2:1 f0 f1 a3:1 -"), slices.Wanted(2, 1, 1.5)
        )
        self.assertEqual(found, (2, 5))

    def test_slots_are_used_again(self):
        born = slices._births_of(*events("a0:1 f0 - a0:2 a1:3 f0 f1")[:2])
        self.assertEqual(list(born), [0, 0, -1, 3, 4, 3, 4])

    def test_a_trace_that_is_too_short(self):
        with self.assertRaisesRegex(Failure, "has 1 requests, fewer than the slice's 2"):
            slices.choose(*events("a0:1"), slices.Wanted(2, 1, 1.0))


class Kept(lab_support.Bench):
    def setUp(self):
        super().setUp()
        self.java = self.scripts.parent / "java"
        self.java.mkdir()
        self.installation = Installation(
            self.binary, self.libraries, self.workloads, self.scripts, traces_at=self.folder / "kept"
        )
        self.made = []

    def record(self, traced, output):
        self.made.append(traced.name)
        output.write_text(traced.name)

    def provide(self, *names):
        with (
            mock.patch.object(folder.recording.Recorder, "record", self.record),
            mock.patch.object(folder.commands, "require"),
        ):
            return folder.provide(self.installation, names, quiet=True)

    def test_each_is_made_once(self):
        for _ in range(2):
            self.assertEqual(self.provide("gawk", "perl"), {})
        self.assertEqual(self.made, ["gawk", "perl"])
        self.assertEqual(folder.path_of(self.installation.traces, "perl").read_text(), "perl")

    def test_another_command_makes_it_anew(self):
        self.provide("gawk")
        note = self.installation.traces / "gawk.json"
        note.write_text(json.dumps(json.loads(note.read_text()) | {"command": ["other"]}))
        self.provide("gawk")
        self.assertEqual(self.made, ["gawk", "gawk"])

    def test_one_that_fails_is_told_and_the_rest_goes_on(self):
        def record(_, traced, output):
            if traced.name == "gawk":
                raise Failure("no")
            self.record(traced, output)

        with (
            mock.patch.object(folder.recording.Recorder, "record", record),
            mock.patch.object(folder.commands, "require"),
        ):
            problems = folder.provide(self.installation, ("gawk", "perl"), quiet=True)
        self.assertEqual((problems, self.made), ({"gawk": "no"}, ["perl"]))
        self.assertFalse((self.installation.traces / "gawk.json").exists())

    def test_what_is_missing_is_named(self):
        with mock.patch.dict("os.environ", {"PATH": "/none"}):
            problems = folder.provide(self.installation, ("mpegaudio",), quiet=True)
        self.assertRegex(
            problems["mpegaudio"],
            r"^the trace of mpegaudio needs java \(package openjdk.*, mvn \(package maven\), lame ",
        )

    def test_another_library_than_the_pinned_is_refused(self):
        (self.folder / "jars").mkdir()
        for one in jars.JARS:
            (self.folder / "jars" / one.file).write_text("x")
        with mock.patch.object(jars.commands, "run"):
            with self.assertRaisesRegex(Failure, "'javacc-.*' is not the file that was pinned"):
                jars.fetch(self.folder)

    def test_pins_are_whole(self):
        for one in jars.JARS:
            self.assertRegex(one.digest, "^[0-9a-f]{64}$", one.artifact)


class Declared(unittest.TestCase):
    def test_names_are_unique_and_places_known(self):
        names = [one.name for one in programs.ALL]
        self.assertEqual(len(names), len(set(names)))
        places = ("java", "classes", "jars", "scripts", "audio", "tmp", "cc1plus", "multiarch")
        for one in programs.ALL:
            for word in (*one.command, *one.load, *one.end):
                word.format(**dict.fromkeys(places, ""))

    def test_java_programs_have_the_papers_slices(self):
        self.assertEqual(len(programs.JAVA), 8)
        self.assertTrue(all(41_000 < one.requests < 133_000 for one in programs.JAVA))


class Simulated(unittest.TestCase):
    def test_numbers_by_their_places(self):
        told = {"a": {"mean": 1, "b": {"max": 2.5}}, "name": "x", "none": None, "list": [1]}
        self.assertEqual(simulation.flat(told), {"a.mean": 1.0, "a.b.max": 2.5})

    def test_a_missing_trace_is_named(self):
        with self.assertRaisesRegex(RunFailed, "there is no '/none.mtr'"):
            simulation.command(["replay", "/none.mtr"], ["sbt-ff"])

    def test_a_slice_is_a_part_of_its_trace(self):
        part = pathlib.Path("slice.json")
        part.write_text('{"first": 7, "events": 9}')
        self.addCleanup(part.unlink)
        words = simulation.command(["replay", __file__, str(part)], ["sbt-ff", "--touches"])
        given = ["--first=7", "--events=9", "--allocator", "sbt-ff", "--touches"]
        self.assertEqual(words, ["replay", __file__, *given])

    def test_side_by_side_until_it_is_to_stop(self):
        def measure(job):
            if job == 3:
                raise RunFailed("three")
            return {"value": job}

        told = dict(simulation.side_by_side(range(6), measure))
        self.assertEqual(str(told.pop(3)), "three")
        self.assertEqual(told, {job: {"value": job} for job in (0, 1, 2, 4, 5)})
        done = []
        for job, _ in simulation.side_by_side(range(100), measure, lambda: len(done) > 2):
            done.append(job)
        self.assertLess(len(done), 100)


class Interrupted(unittest.TestCase):
    def test_simulators_end_with_the_study(self):
        """The second job fails while the first one's process would go on for a minute."""
        words = ["sh", "-c", "exec sleep 60"]
        began = time.monotonic()

        def measure(job):
            if job == "fails":
                until = time.monotonic() + 10
                while not simulation._PROCESSES._running and time.monotonic() < until:
                    time.sleep(0.01)
                raise KeyError(job)
            return simulation._PROCESSES.run(words, 60)

        with mock.patch.object(simulation.os, "sched_getaffinity", return_value={0, 1}):
            with self.assertRaises(KeyError):
                list(simulation.side_by_side(["sleeps", "fails"], measure))
        self.assertLess(time.monotonic() - began, 30)


if __name__ == "__main__":
    lab_support.main()
