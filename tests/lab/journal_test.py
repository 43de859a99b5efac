"""The journal: what survives the end of the process, and what is refused."""

import json
import os
import pathlib
import tempfile
import unittest

import lab_support
from mmt_lab.command.failure import Failure
from mmt_lab.measuring.journal import Journal

IDENTITY = {"cpu": "one", "seed": 1, "only": ["figure-1"]}


class Journals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "journal.jsonl"

    def begin(self, identity=None, fresh=False):
        journal = Journal(self.folder, identity or IDENTITY, fresh)
        self.addCleanup(journal.close)
        return journal

    def written(self):
        journal = self.begin()
        journal.append("timed p x", 0, {"cpu": 1.5})
        journal.append("sized p x", None, {"text": 7.0})
        journal.close()

    def test_a_journal_of_others_is_not_gone_on_with(self):
        if os.geteuid() != 0:
            self.skipTest("only root gives files away")
        precious = self.folder / "precious"
        precious.write_text("precious")
        self.path.symlink_to(precious)
        os.chown(self.path, 65534, 65534, follow_symlinks=False)
        with self.assertRaises(Failure):
            self.begin()
        self.path.unlink()
        self.path.write_text("theirs")
        os.chown(self.path, 65534, 65534)
        for fresh in (False, True):
            with self.assertRaises(Failure):
                self.begin(fresh=fresh)
        self.assertEqual((self.path.read_text(), precious.read_text()), ("theirs", "precious"))

    def test_what_was_written_is_there(self):
        self.written()
        first, second = self.begin().records
        self.assertEqual(first, {"run": "timed p x", "round": 0, "metrics": {"cpu": 1.5}})
        self.assertEqual(second["round"], None)

    def test_each_record_is_in_the_file_at_once(self):
        journal = self.begin()
        journal.append("timed p x", 0, {"cpu": 1.5})
        self.assertEqual(json.loads(self.path.read_text().splitlines()[1])["metrics"], {"cpu": 1.5})

    def test_a_last_line_cut_off_is_dropped(self):
        self.written()
        whole = self.path.read_bytes()
        for cut in (1, 5, 30):
            self.path.write_bytes(whole[:-cut])
            journal = self.begin()
            self.assertEqual(len(journal.records), 1)
            journal.append("sized p x", None, {"text": 7.0})
            journal.close()
            self.assertEqual(self.path.read_bytes(), whole)

    def test_another_machine_commit_or_setting_is_refused(self):
        self.written()
        for change in ({"cpu": "other"}, {"seed": 2}, {"only": []}, {"libc": "new"}):
            with self.assertRaises(Failure) as caught:
                self.begin(IDENTITY | change)
            self.assertIn(f"{next(iter(change))} (was ", str(caught.exception))
            self.assertIn("--fresh", str(caught.exception))

    def test_fresh_begins_anew(self):
        self.written()
        self.assertEqual(self.begin(IDENTITY | {"seed": 2}, fresh=True).records, [])

    def test_two_at_once_are_refused(self):
        journal = self.begin()
        journal.append("timed p x", 0, {"cpu": 1.5})
        for fresh in (False, True):
            with self.assertRaises(Failure) as caught:
                self.begin(fresh=fresh)
            self.assertIn("another study", str(caught.exception))
        journal.close()
        self.assertEqual(len(self.begin().records), 1)

    def test_damage_is_told(self):
        self.written()
        self.path.write_bytes(b"{\n" + self.path.read_bytes())
        with self.assertRaises(Failure) as caught:
            self.begin()
        self.assertIn("damaged", str(caught.exception))

    def test_another_file_is_refused(self):
        self.path.write_text('{"schema": 99, "kind": "journal", "identity": {}}\n')
        with self.assertRaises(Failure):
            self.begin()


if __name__ == "__main__":
    lab_support.main()
