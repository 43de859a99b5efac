"""`mmt report` where it cannot do its work: what it says, and that it leaves nothing behind."""

import contextlib
import copy
import json
import os
import re
import resource

import lab_support
import report_support
from mmt_lab.command.failure import Failure
from mmt_lab.reporters import joined_page
from mmt_lab.results import result_files, verb


def places_of(value, way=()):
    """The way to each field, and to the first of each list."""
    if isinstance(value, dict):
        below = value.items()
    else:
        below = enumerate(value[:1]) if isinstance(value, list) else ()
    for key, one in below:
        yield (*way, key)
        yield from places_of(one, (*way, key))


class Refused(report_support.Reports):
    def setUp(self):
        super().setUp()
        (self.folder / "empty").mkdir()
        (self.folder / "report.html").write_text("as it was")

    def refused(self, status, fragment, *arguments, **options):
        """One line on stderr that has the fragment; the old page is there, and nothing new."""
        before = sorted(self.folder.rglob("*"))
        result = self.mmt("report", *arguments, **options)
        self.assertEqual(result[:2], (status, ""), result)
        self.assertRegex(result[2], rf"^mmt: [^\n]*{re.escape(fragment)}[^\n]*\n$")
        self.assertEqual((self.folder / "report.html").read_text(), "as it was")
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def file(self, content, name="bad.json"):
        (self.folder / name).write_text(content)
        return name

    def test_wrong_use(self):
        self.refused(2, "FOLDER|FILE")
        self.refused(2, "an argument is empty", "")
        self.refused(2, "an argument is empty", "", "empty")
        self.refused(2, "there is no 'nothing'", "nothing")
        self.refused(2, "no result of 'mmt bench' or 'mmt study' in 'empty'", "empty")
        self.refused(2, "'bad.json' is no result", self.file('{"schema": 1, "kind": "stats"}'))
        self.refused(2, "'bad.json' is no result", self.file("[1]"))
        self.refused(2, "--nonsense", "empty", "--nonsense")
        self.refused(2, "mmt report takes no command", "empty", "--", "true")

    def test_files_that_are_not_whole(self):
        for content, fragment in (
            ("", "'empty/bad.json' is empty"),
            ('{"schema": 1,\n"kind": "be', "'empty/bad.json' is no JSON: something is wrong in line 2"),
            ("[" * 100000, "'empty/bad.json' is no JSON"),
            ("\0\xff", "'empty/bad.json' is no JSON"),
        ):  # fmt: skip
            self.file(content, "empty/bad.json")
            self.refused(1, fragment, "empty/bad.json")
            self.refused(1, fragment, "empty")

    def test_what_is_read_is_told(self):
        for content in ("hello\n", "[1]"):
            self.refused(2 if content == "[1]" else 1, "read are a file of 'mmt bench --json'", self.file(content))

    def test_pipes_and_devices_are_not_waited_for(self):
        os.mkfifo(self.folder / "empty" / "pipe.json")
        (self.folder / "empty" / "device.json").symlink_to("/dev/zero")
        (self.folder / "empty" / "study").mkdir()
        os.mkfifo(self.folder / "empty" / "study" / "report.json")
        self.refused(2, "no result of 'mmt bench' or 'mmt study' in 'empty'", "empty")
        self.refused(2, "'empty/pipe.json' is no file and no folder", "empty/pipe.json")
        self.refused(2, "'empty/device.json' is no file and no folder", "empty/device.json")

    def test_files_that_cannot_be_read(self):
        (self.folder / "circle.json").symlink_to("circle.json")
        self.refused(1, "cannot read 'circle.json': Too many levels", "circle.json")

    def test_other_schemas_are_named(self):
        for kind in ("bench", "study"):
            for schema in ("2", '"1"', "true", "null"):
                name = self.file(f'{{"schema": {schema}, "kind": "{kind}"}}')
                self.refused(1, f"'bad.json' has schema {schema}; of 'mmt {kind}'", name)

    def test_damaged_results_are_refused(self):
        self.make_bench("bench.json", self.reporting)
        whole = json.loads((self.folder / "bench.json").read_text())
        cells = whole["programs"][0]["cells"]
        wrong = {"unit": "s", "median": 1, "low": 1, "samples": []}
        for changes, fragment in (
            ({"programs": 3}, "programs is no list"),
            ({"rounds": 1.5}, "rounds is no whole number"),
            ({"machine": []}, "machine is no object"),
            ({"rss_floor": 1e300}, "rss_floor is no finite number"),
            ({"rss_floor": 10**400}, "rss_floor is no finite number"),
            ({"command": ["mmt", 1]}, "command[1] is no text"),
            ({"allocators": []}, "programs[0].cells are not those of its allocators"),
            (
                {"programs": [whole["programs"][0] | {"cells": [cells[0] | {"metrics": {"wall": wrong}}]}]},
                "programs[0].cells[0].metrics.wall.high is missing",
            ),
        ):  # fmt: skip
            name = self.file(json.dumps(whole | changes))
            self.refused(1, f"'bad.json' is damaged: {fragment}", name)

    def test_any_field_with_any_value(self):
        """A page, or a line of ours, never an exception of Python's."""
        self.make_bench("bench.json", self.reporting)
        self.make_study("study")
        for path in (self.folder / "bench.json", self.folder / "study" / "report.json"):
            whole = json.loads(path.read_text())
            for place in places_of(whole):
                for value in (None, "x", -1, 10**400, 1e308, [], {}, True, 0):
                    other = copy.deepcopy(whole)
                    *way, last = place
                    holder = other
                    for key in way:
                        holder = holder[key]
                    holder[last] = value
                    path.write_text(json.dumps(other))
                    with contextlib.suppress(Failure):
                        found = result_files.find([str(path)])
                        verb.rendered(joined_page, found)

    def test_values_that_contradict_each_other(self):
        self.make_bench("bench.json", self.reporting)
        whole = json.loads((self.folder / "bench.json").read_text())
        wall = whole["programs"][0]["cells"][1]["metrics"]["wall"]
        for change, fragment in (
            ({"samples": []}, "has no samples"),
            ({"to_best_peer": {"median": 1, "low": 1, "high": 1, "against": "nobody"}}, "none of its allocators"),
        ):
            before = dict(wall)
            wall.update(change)
            self.refused(1, f"'bad.json' is damaged: programs[0].cells[1].metrics.wall", self.file(json.dumps(whole)))
            self.refused(1, fragment, self.file(json.dumps(whole)))
            wall.update(before)

    def test_a_study_without_its_report(self):
        self.make_study("study").unlink()
        fragment = "the study in 'study' has not come to a report"
        self.refused(1, fragment, "study")
        (self.folder / "outer").mkdir()
        (self.folder / "study").rename(self.folder / "outer" / "study")
        self.refused(1, "the study in 'outer/study' has not", "outer")

    def test_output_that_cannot_be_written(self):
        self.make_bench("bench.json", self.reporting)
        self.refused(1, "cannot write", "bench.json", "--output", "nowhere/page.html")
        self.refused(1, "cannot write", "bench.json", "--output", "empty")
        self.refused(1, "cannot write '/dev/full': No space left", "bench.json", "--output", "/dev/full")

    def test_a_full_disk_leaves_the_old_page(self):
        self.make_bench("bench.json", self.reporting)

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

        self.refused(1, "cannot write", "bench.json", preexec_fn=limit)

    def test_no_result_is_written_over(self):
        self.make_bench("bench.json", self.reporting)
        self.make_study("study")
        fragment = "is part of a result; name another file"
        self.refused(2, fragment, "bench.json", "--output", "bench.json")
        self.refused(2, fragment, "study", "--output", "study/report.html")
        self.refused(2, fragment, "study", "--output", "study/samples.csv")


if __name__ == "__main__":
    lab_support.main()
