"""The user's cache, also of a user whom nobody has named."""

import os
import pathlib
import pwd
import unittest
import unittest.mock

import lab_support  # noqa: F401 (finds the laboratory)

from mmt_lab.command.failure import Failure
from mmt_lab.machine import cache
from mmt_lab.machine.installation import Installation

INSTALLATION = Installation(*(pathlib.Path("/mmt") / one for one in ("mmt", "lib", "w", "s")))


class Cache(unittest.TestCase):
    def with_environment(self, **variables):
        patched = unittest.mock.patch.dict(os.environ, variables, clear=True)
        patched.start()
        self.addCleanup(patched.stop)

    def without_name(self):
        patched = unittest.mock.patch.object(pwd, "getpwuid", side_effect=KeyError("no such user"))
        patched.start()
        self.addCleanup(patched.stop)

    def test_is_where_the_variables_say(self):
        self.with_environment(HOME="/home/x")
        self.assertEqual(cache.folder("peers"), pathlib.Path("/home/x/.cache/mmt/peers"))
        self.with_environment(HOME="/home/x", XDG_CACHE_HOME="/var/y")
        self.assertEqual(INSTALLATION.traces, pathlib.Path("/var/y/mmt/traces"))

    def test_who_has_none_is_told(self):
        self.with_environment()
        self.without_name()
        with self.assertRaisesRegex(Failure, "no home folder: set HOME, or XDG_CACHE_HOME"):
            cache.folder("peers")

    def test_who_needs_none_is_not(self):
        self.with_environment()
        self.without_name()
        self.assertEqual(INSTALLATION.in_place(["{workloads}/x", "y"]), ["/mmt/w/x", "y"])


if __name__ == "__main__":
    unittest.main()
