"""The statistics page of a program that runs: how old its figures may be."""

import unittest

from support import Lab


class Page(Lab):
    def page(self, *arguments, **options):
        done = self.run_holder(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [int(line) for line in done.stdout.split()]

    def test_is_there_from_the_start(self):
        (in_use,) = self.page("page")
        self.assertLess(in_use, 1 << 20)

    def test_follows_at_once_without_a_memory_thread(self):
        """At most 8 MiB of allocation behind, and a quarter of what there is while that is less.

        The rest is for looks that took long and therefore keep others from following at once.
        """
        for mib in (1, 4, 100):
            late = min(mib, 9) * 1000
            take = ("take", mib * 1000 - late, 1000, "rest", 500, "take", late, 1000)
            (in_use,) = self.page(*take, "page", server="off")
            expected = mib * 1000 * 1024
            self.assertGreaterEqual(in_use, max(expected // 5, expected - (9 << 20)), mib)
            self.assertLessEqual(in_use, expected + (1 << 20), mib)

    def test_is_exact_when_program_and_memory_thread_rest(self):
        before, after = self.page(
            "take", 10000, 1000, "rest", 500, "page", "take", 100000, 1000, "rest", 500, "page",
            server="on",
        )
        self.assertLess(abs(after - before - 100000 * 1024), 1 << 19)


if __name__ == "__main__":
    unittest.main()
