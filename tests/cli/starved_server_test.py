"""Behind which protocols a program waits for a memory thread that sleeps for two seconds. It waits
as long as it has patience behind those that wait by design. It never does behind the others, whose
patience is not what ends the wait. What is measured is the longest call; alone on the machine."""

import pathlib

from support import Lab, main, mmt

import machine  # of tests/support

SOURCE = pathlib.Path(__file__).with_name("longest_call.c").read_text(encoding="utf-8")
STARVED = "starve=2000"
ATTEMPTS = 5
# Over which allocators: what ends the wait is the protocol's affair, so one is enough for most.
WAITING = {
    "sync": ("glibc", "phk"),
    "async-free": ("glibc",),
    "preallocate": ("glibc",),
    "recycle-shared": ("phk",),
    "recycle-sized": ("glibc",),
}
OTHERS = {
    "main-alloc-pthread": ("glibc",),
    "main-alloc-minimalist": ("phk",),
    "main-alloc-bulk": ("glibc",),
    "mmt": ("glibc", "phk"),
}


class Starved(Lab):
    def setUp(self):
        super().setUp()
        if why := machine.lacks("two-cpus"):
            self.skipTest(why)
        self.program = self.compile("longest_call", SOURCE, "-fno-builtin")

    def run_for_a_second(self, protocol, backend):
        """The longest call in milliseconds, and whether the memory thread was asleep most of the time."""
        flags = ("--protocol", protocol, "--backend", backend)
        done = mmt("run", *flags, "--", str(self.program))
        self.assertEqual((done.status, done.err), (0, ""), (flags, done))
        longest, looks, times_asleep = map(int, done.out.split())
        return longest, times_asleep > looks / 2

    def run_within(self, limit, protocol, backend):
        """The same; more than once where the program did not get its CPU."""
        for _ in range(ATTEMPTS):
            longest, asleep = self.run_for_a_second(protocol, backend)
            if longest < limit:
                break
        self.assertLess(longest, limit, (protocol, backend))
        return longest, asleep

    def test_the_waiting_ones_wait_as_long_as_they_have_patience(self):
        for protocol, backends in WAITING.items():
            for backend in backends:
                longest, _ = self.run_for_a_second(f"{protocol}:{STARVED},patience=10000", backend)
                self.assertGreaterEqual(longest, 1000, (protocol, backend))
                longest, asleep = self.run_within(700, f"{protocol}:{STARVED}", backend)
                self.assertTrue(asleep, (protocol, backend))
                self.assertGreaterEqual(longest, 150, (protocol, backend))

    def test_the_others_do_not(self):
        for protocol, backends in OTHERS.items():
            for backend in backends:
                patient = f"{protocol}:{STARVED}" + (",patience=10000" if protocol != "mmt" else "")
                _, asleep = self.run_within(500, patient, backend)
                self.assertTrue(asleep, (protocol, backend))
                _, asleep = self.run_for_a_second(protocol, backend)
                self.assertFalse(asleep, (protocol, backend))


if __name__ == "__main__":
    main()
