#!/usr/bin/env python3
"""Each check of the hardened heap that is switched off reports nothing, on fast paths as well."""

import subprocess
import sys
import unittest

MMT, CASES = sys.argv.pop(1), sys.argv.pop(1)


def run(case, *flags):
    words = [MMT, "run", "--harden=sync", *flags, "--", f"{CASES}/harden_{case}", "24"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


class Switches(unittest.TestCase):
    def test_off_reports_nothing(self):
        for case, switch in (
            ("overflow_byte", "--harden-bounds"),
            ("malloc_deleted", "--harden-types"),
            ("waf_first_byte", "--harden-freed"),
        ):
            with self.subTest(case=case):
                status, error = run(case)
                self.assertNotEqual(status, 0)
                self.assertIn("mmt: ", error)
                self.assertEqual(run(case, switch, "off"), (0, ""))


if __name__ == "__main__":
    unittest.main()
