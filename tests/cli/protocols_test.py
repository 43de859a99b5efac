"""`mmt run --backend` and `--protocol`: which libraries the program gets, and what is refused."""

import pathlib
import time

from support import Lab, library, main, mmt

LIBRARIES = pathlib.Path(library()).parent
PRINT = "echo $LD_PRELOAD; echo $MMT_PROTOCOL_OPTIONS"


class Libraries(Lab):
    """A protocol's library, and the backend's behind it."""

    def preload(self, *flags):
        done = mmt("run", *flags, "--", "sh", "-c", PRINT)
        self.assertEqual(done.status, 0, done)
        preload, options, _ = done.out.split("\n")
        return preload, options

    def test_over_glibc_there_is_one(self):
        expected = (str(LIBRARIES / "libmmt-protocol-mmt.so"), "")
        self.assertEqual(self.preload("--backend", "glibc"), expected)
        self.assertEqual(self.preload("--protocol", "mmt"), expected)

    def test_a_heap_of_layers_stands_behind(self):
        expected = f"{LIBRARIES}/libmmt-protocol-sync.so:{LIBRARIES}/libmmt-lea.so"
        self.assertEqual(self.preload("--backend", "lea", "--protocol", "sync")[0], expected)

    def test_any_library_stands_behind(self):
        other = self.compile("other.so", "int mmt_test_other;", "-shared", "-fPIC")
        preload, _ = self.preload("--backend", str(other))
        self.assertEqual(preload, f"{LIBRARIES}/libmmt-protocol-mmt.so:{other}")

    def test_options_reach_the_library(self):
        _, options = self.preload("--protocol", "preallocate:base=10,slope=0,refill=at-half")
        self.assertEqual(options, "base=10,slope=0,refill=at-half")

    def test_the_native_heap_has_the_protocol_mmt(self):
        self.assertEqual(self.preload("--backend", "native")[0], library())
        self.assertEqual(self.preload("--backend", "native", "--protocol", "mmt")[0], library())


class Starved(Lab):
    """A memory thread that sleeps as soon as it is there, and a program that allocates 8 MiB."""

    PROGRAM = "BEGIN { for (i = 0; i < 50000; ++i) a[i] = i \"_\" i; print length(a) }"

    def seconds(self, protocol):
        begin = time.monotonic()
        done = mmt("run", "--protocol", protocol, "--", "awk", self.PROGRAM)
        self.assertEqual((done.status, done.out), (0, "50000\n"))
        return time.monotonic() - begin

    def test_waiting_protocols_wait(self):
        self.assertGreaterEqual(self.seconds("sync:starve=1000"), 1)

    def test_the_others_do_not(self):
        for protocol in ("main-alloc-pthread", "main-alloc-minimalist", "main-alloc-bulk"):
            self.assertLess(self.seconds(f"{protocol}:starve=60000"), 60, protocol)


class Refused(Lab):
    def refuse(self, *flags, says):
        self.assert_fails(mmt("run", *flags, "--", "true"), 125, says)

    def test_unknown_names(self):
        self.refuse("--protocol", "none", says="no protocol 'none'")
        self.refuse("--backend", "none", says="no backend 'none'")

    def test_options_of_others(self):
        self.refuse("--protocol", "sync:base=1", says="'sync' has no option 'base'")
        self.refuse("--protocol", "mmt:base=1", says="it has none")
        self.refuse("--protocol", "preallocate:base", says="'base' is no OPTION=VALUE")
        self.refuse("--protocol", "preallocate:", says="'' is no OPTION=VALUE")

    def test_values_out_of_range(self):
        for value in ("0", "65537", "x", "", "-1", "99999999999999999999"):
            self.refuse("--protocol", f"preallocate:base={value}", says="from 1 to 65536")
        self.refuse("--protocol", "preallocate:refill=now", says="at-once|at-half")

    def test_files_that_are_no_library(self):
        self.refuse("--backend", str(self.folder / "none.so"), says="No such file")
        text = self.folder / "text.so"
        text.write_text("text")
        self.refuse("--backend", str(text), says="not a shared library")

    def test_choices_that_exclude_each_other(self):
        self.refuse("--heap", "lea", "--protocol", "sync", says="give one of them")
        self.refuse("--heap", "lea", "--backend", "phk", says="give one of them")
        self.refuse("--backend", "native", "--protocol", "sync", says="its own protocol")

    def test_options_of_the_native_heap(self):
        self.refuse("--backend", "glibc", "--huge-pages", "off", says="'huge_pages'")


if __name__ == "__main__":
    main()
