"""The end of a file of tests: what the machine lacks is told to ctest and to whoever reads."""

import sys
import unittest

SKIPPED = 77  # what ctest takes for "skipped" (mmt_script_test), which only CI counts as failed


def main():
    """Runs the tests of the main module; does not return."""
    result = unittest.main(verbosity=2, exit=False).result
    for _, reason in result.skipped:
        print(f"not tried here: {reason}")
    sys.exit(1 if not result.wasSuccessful() else SKIPPED if result.skipped else 0)
