"""Pages are claims: what a program puts into the folder of `mmt run --stats` costs a line each, and
no figure of others."""

import json

from support import Lab, main, mmt

# Puts files into its own folder of pages. A good page is among them, to show that the form is right.
FORGING = """
import os, sys
sys.path.insert(0, {here!r})
from page_support import page, MOST
folder = os.environ["MMT_STATS"]
def put(name, content, mode=0o600):
    path = folder + name
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, mode)
put("77.5", page(77, 5, program=b"good", values=[1000, 10], ended=9))
put("78.5", page(78, 5, values=[MOST, 10], ended=9))
put("79.5", page(79, 5, values=[0] * 8 + [MOST] * 44, ended=9))
put("80.5", page(80, 5, peaks=(MOST, MOST), ended=9))
put("81.5", page(81, 5, inherited=[MOST] * 52, ended=9))
put("82.5", page(82, 5, count=0, ended=9))
put("83.5", page(83, MOST, ended=MOST))
put("84.5", page(0, 5))
put("85.5", page(MOST >> 32, 5))
put("86.5", page(1, 5, ended=9))
put("87.5", page(87, 5, version=7, ended=9))
put("88.5", page(88, 5, magic=b"ELEPHANT", ended=9))
put("89.5", page(89, 5, ended=9), 0o666)
os.mkfifo(folder + "90.5")
os.symlink(folder + "77.5", folder + "91.5")
os.mkdir(folder + "92.5")
put("93.5", page(93, 5, ended=9))
os.truncate(folder + "93.5", 1 << 40)
os.mkfifo(folder + "\\x1b[31m\\n")
os.link(folder + "77.5", folder + "94.5") if {link} else None
"""
REFUSED = {78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93}


class Pages(Lab):
    def run_forging(self, *more, link=False):
        code = FORGING.format(here=str(__file__).rsplit("/", 1)[0], link=link)
        return mmt("run", *more, "--", "/usr/bin/python3", "-c", code, cwd=self.folder)

    def told(self):
        return json.loads((self.folder / "told.json").read_text())

    def test_one_line_each_and_few_of_them(self):
        done = self.run_forging("--stats=told.json")
        self.assertEqual(done.status, 0, done)
        lines = done.err.splitlines()
        self.assertLessEqual(len(lines), 6, done)
        for line in lines[:-1]:
            self.assertRegex(line, r"^mmt: '/.*' is not taken for statistics: .")
        self.assertRegex(lines[-1], r"^mmt: and so are 1\d more files$")
        self.assertNotIn("\x1b", done.err)

    def test_what_is_good_is_taken(self):
        self.run_forging("--stats=told.json")
        processes = {one["pid"]: one for one in self.told()["processes"]}
        self.assertEqual(REFUSED & set(processes), set())
        self.assertEqual((processes[77]["program"], processes[77]["stats"]["in_use_bytes"]), ("good", 1000))
        self.assertEqual(self.told()["totals"]["processes"], 2)

    def test_file_that_has_another_name(self):
        """What is linked may change its contents elsewhere."""
        self.run_forging("--stats=told.json", link=True)
        self.assertEqual(self.told()["totals"]["processes"], 1)

    def test_ten_plain_lines(self):
        done = self.run_forging("--stats")
        report = done.err[done.err.index("mmt: python3") :]
        self.assertLessEqual(len(report.splitlines()), 10, done)
        self.assertNotRegex(report, r"\d{8}|EiB|PiB|inf|nan", done)


if __name__ == "__main__":
    main()
