"""Programs run under `mmt trace`, and what their traces hold."""

import collections
import json
import os
import subprocess

from support import MMT, Lab, clean_environment, mmt


class Trace(Lab):
    def trace(self, *arguments, output="t.mtr", **more):
        return mmt("trace", "-o", output, *arguments, cwd=self.folder, **more)

    def recorded(self, *arguments, status=0, **more):
        """The files that there are of the program: those of a list, or the one."""
        done = self.trace(*arguments, **more)
        self.assertEqual(done.status, status, done)
        # Nothing but what was recorded is told.
        self.assertRegex(done.err, r"^(mmt: t\.mtr: .*\nmmt: [\d.]+ bytes an event.*\n)?$")
        text = (self.folder / "t.mtr").read_bytes()
        if not text.startswith(b"{"):
            return ["t.mtr"]
        return [one["file"] for one in json.loads(text)["processes"]]

    def start(self, *command):
        """The recorder of a program that reads and writes pipes."""
        tool = [os.path.abspath(MMT), "trace", "-o", "t.mtr", "--", *command]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(tool, cwd=self.folder, env=clean_environment(), **pipes)

    def events(self, name="t.mtr"):
        """Words of each event. The reader has checked that frees and resizes are of live objects."""
        done = mmt("trace", "--export", "text", self.folder / name, "-o", "-")
        self.assertEqual((done.status, done.err), (0, ""))
        return [line.split() for line in done.out.splitlines()]

    def sizes(self, name="t.mtr"):
        return collections.Counter(int(one[3]) for one in self.events(name) if one[1] in ("allocate", "resize"))
