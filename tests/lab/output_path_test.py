"""Where what is written for the user goes, and where it does not."""

import errno
import os
import pathlib
import tempfile
import unittest

import lab_support
from mmt_lab.text import output_path, whole_file

OTHER = 65534


class Output(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "out"

    def write(self):
        with open(output_path.open_output(self.path), "wb") as file:
            file.write(b"text")
        return self.path.read_text()

    def give_away(self, path):
        if os.geteuid() != 0:
            self.skipTest("only root gives files away")
        os.chown(path, OTHER, OTHER, follow_symlinks=False)

    def test_a_new_file_and_an_own_one(self):
        self.assertEqual(self.write(), "text")
        self.path.write_text("a longer text")
        self.assertEqual(self.write(), "textnger text")
        self.assertTrue(whole_file.write(self.path, "whole"))
        self.assertEqual(self.path.read_text(), "whole")
        self.assertEqual(os.listdir(self.folder), ["out"])

    def test_the_mode_is_that_of_any_file(self):
        before = os.umask(0o027)
        self.addCleanup(os.umask, before)
        whole_file.write(self.path, "whole")
        self.assertEqual(self.path.stat().st_mode & 0o777, 0o640)

    def test_own_links_lead_on(self):
        self.path.symlink_to("middle")
        (self.folder / "middle").symlink_to("target")
        self.write()
        whole_file.write(self.path, "whole")
        self.assertEqual((self.folder / "target").read_text(), "whole")
        self.assertTrue(self.path.is_symlink())
        (self.folder / "self").symlink_to("self")
        with self.assertRaises(OSError) as caught:
            output_path.behind_links(self.folder / "self")
        self.assertEqual(caught.exception.errno, errno.ELOOP)

    def test_folders_that_are_links_lead_as_for_the_kernel(self):
        (self.folder / "deep" / "deeper").mkdir(parents=True)
        (self.folder / "link").symlink_to("deep/deeper")
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        whole_file.write("link/../out", "whole")
        whole_file.write("here", "whole")
        os.close(output_path.open_output("link/../other"))
        self.assertEqual(sorted(os.listdir("deep")), ["deeper", "other", "out"])
        self.assertEqual(sorted(os.listdir(".")), ["deep", "here", "link"])

    def test_what_is_open_already(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.write(output_path.open_output(f"/dev/fd/{writer}"), b"text")
        self.assertFalse(whole_file.write(f"/proc/self/fd/{writer}", "more"))
        os.close(writer)
        self.assertEqual(os.read(reader, 100), b"textmore")

    def test_links_of_others_lead_nowhere(self):
        precious = self.folder / "precious"
        precious.write_text("precious")
        (self.folder / "theirs").symlink_to(precious)
        self.give_away(self.folder / "theirs")
        self.path.symlink_to("theirs")
        for write in (self.write, lambda: whole_file.write(self.path, "whole")):
            with self.assertRaises(OSError) as caught:
                write()
            self.assertEqual((caught.exception.errno, precious.read_text()), (errno.ELOOP, "precious"))

    def test_files_and_pipes_of_others_are_replaced(self):
        for make in (lambda: self.path.write_text("theirs"), lambda: os.mkfifo(self.path)):
            for write in (self.write, lambda: whole_file.write(self.path, "text")):
                make()
                self.give_away(self.path)
                write()
                self.assertEqual((self.path.read_text(), self.path.stat().st_uid), ("text", os.geteuid()))
                self.path.unlink()

    def test_second_names_are_replaced(self):
        (self.folder / "first").write_text("first")
        os.link(self.folder / "first", self.path)
        self.assertEqual(self.write(), "text")
        self.assertEqual((self.folder / "first").read_text(), "first")


if __name__ == "__main__":
    lab_support.main()
