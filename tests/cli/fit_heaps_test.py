"""Fit policies as mallocs, by the names that the simulator has for them."""

import json
import pathlib

from support import Lab, clean_environment, library, main, mmt

LIBRARIES = pathlib.Path(library()).parent
BALANCED = "abt-ffwc:balance=weight"


def file_of(heap):
    return str(LIBRARIES / f"libmmt-{heap.translate(str.maketrans(':=,', '---'))}.so")


class FitHeaps(Lab):
    def preloads(self, *flags):
        done = mmt("run", *flags, "--", "sh", "-c", "echo $LD_PRELOAD", env=clean_environment())
        self.assertEqual(done.status, 0, done)
        return done.out.strip().split(":")

    def test_in_line(self):
        for heap in ("sbt-ff", "sqf-bfwc", "tlsf", BALANCED, "abt-ffwc-balance-weight"):
            with self.subTest(heap=heap):
                self.assertEqual(self.preloads("--heap", heap), [file_of(heap)])

    def test_behind_the_memory_thread_and_a_protocol(self):
        for heap in ("abt-ffwc", BALANCED):
            with self.subTest(heap=heap):
                mmt_first = self.preloads("--backend", heap)
                self.assertEqual(mmt_first, [str(LIBRARIES / "libmmt-protocol-mmt.so"), file_of(heap)])
                sync_first = self.preloads("--backend", heap, "--protocol", "sync")
                self.assertEqual(sync_first, [str(LIBRARIES / "libmmt-protocol-sync.so"), file_of(heap)])

    def test_programs_end_as_without(self):
        words = ["gawk", 'BEGIN { for (i = 0; i < 20000; i++) a[i % 997] = a[i % 997] i; print length(a[3]) }']
        expected = mmt("run", "--", *words).out
        for flags in (("--heap", "sbt-ff"), ("--backend", "sbt-ff"), ("--backend", "sbt-ff", "--protocol", "sync")):
            with self.subTest(flags=flags):
                done = mmt("run", *flags, "--", *words)
                self.assertEqual((done.status, done.out), (0, expected), done)

    def test_bench_takes_their_names(self):
        words = ("sbt-ff", BALANCED, BALANCED + "+mmt", "mine=" + BALANCED)
        done = mmt("resolve", "--", *words)
        self.assertEqual(done.status, 0, done)
        found = json.loads(done.out)["allocators"]
        self.assertEqual([one["name"] for one in found], [*words[:3], "mine"])
        self.assertEqual([one["libraries"][-1] for one in found], [file_of("sbt-ff"), *[file_of(BALANCED)] * 3])

    def test_other_words_for_the_same(self):
        for words, heap in (("sbt-ff:trees=8,growth=8192", "sbt-ff"), ("abt-ffwc:align=16,balance=weight", BALANCED)):
            with self.subTest(words=words):
                self.assertEqual(self.preloads("--heap", words), [file_of(heap)])
                self.assertEqual(self.preloads("--backend", words)[-1], file_of(heap))

    def test_models_that_are_no_heaps_are_refused(self):
        for model in ("sqf-nf", "abt-ffwc:balance=treap", "bump"):
            for flag in ("--heap", "--backend"):
                with self.subTest(model=model, flag=flag):
                    self.assert_fails(mmt("run", flag, model, "--", "true"), 125, model, "mmt simulate")
            self.assert_fails(mmt("resolve", "--", model), 2, model, "mmt simulate")


if __name__ == "__main__":
    main()
