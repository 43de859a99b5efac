"""Nobody guesses where a heap lies. At least 25 bits of its addresses vary from start to start,
each about evenly, none with the time of the start. Without address randomisation all are the
same."""

import math
import pathlib
import statistics
import subprocess

from support import Lab, clean_environment, library, main

import machine  # of tests/support

# The start in nanoseconds, then a small block, a middling one, a large one.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  void* blocks[] = {malloc(32), malloc(3000), malloc(1 << 20)};
  printf("%lld", now.tv_sec * 1000000000LL + now.tv_nsec);
  for (int i = 0; i < 3; ++i) printf(" %lld", (long long)blocks[i]);
  return 0;
}
"""
STARTS = 1000
FEW_STARTS = 100  # of each library that shares its sources of memory with others
BITS = 25
TIME_BITS = range(8, 30)  # microseconds and less are the noise of a start itself
# The distance is that of a sum of fair coins, in standard deviations. Among so many bits, none lies farther off by
# chance.
FAR = 6


def is_even(ones, of):
    return abs(ones - of / 2) < FAR * math.sqrt(of) / 2


class Placement(Lab):
    def starts(self, name, count=STARTS, prefix=()):
        program = self.folder / "placed"
        if not program.exists():
            self.compile("placed", PROGRAM, "-fno-builtin-malloc")
        path = pathlib.Path(library()).parent / f"lib{name}.so"
        env = clean_environment() | {"LD_PRELOAD": str(path)}
        rows = []
        for _ in range(count):
            done = subprocess.run([*prefix, program], env=env, capture_output=True, text=True, timeout=60, check=True)
            rows.append([int(word) for word in done.stdout.split()])
        return list(zip(*rows))

    def varying(self, values):
        """The bits that are about as often 1 as 0."""
        ones = [sum(value >> bit & 1 for value in values) for bit in range(48)]
        return [bit for bit in range(48) if is_even(ones[bit], len(values))]

    def assert_unguessable(self, name, count=STARTS, least=BITS):
        times, *blocks = self.starts(name, count)
        for block in blocks:
            bits = self.varying(block)
            self.assertGreaterEqual(len(bits), least, (name, bits))
            for bit in bits:
                for other in set(TIME_BITS) & set(self.varying(times)):
                    agreements = sum((value >> bit ^ time >> other) & 1 for value, time in zip(block, times))
                    self.assertTrue(is_even(agreements, len(times)), (name, bit, other, agreements))
        # Close in time, far in place.
        by_time = [block for _, block in sorted(zip(times, blocks[0]))]
        steps = [abs(after - before) for before, after in zip(by_time, by_time[1:])]
        spread = max(by_time) - min(by_time)
        self.assertGreater(statistics.median(steps), spread / 8, name)

    def test_native_heap(self):
        self.assert_unguessable("mmt")

    def test_composed_heap(self):
        self.assert_unguessable("mmt-lea")

    def test_beside_glibc(self):
        self.assert_unguessable("mmt-protocol-mmt")

    def test_every_other_library(self):
        """Superblocks of 64 KiB leave 24 of the kernel's 28 bits; nothing else binds."""
        folder = pathlib.Path(library()).parent
        names = {one.stem.removeprefix("lib") for one in folder.glob("libmmt-*.so")}
        names -= {"mmt-lea", "mmt-protocol-mmt"}  # as above
        names -= {"mmt-trace", "mmt-latency", "mmt-java", "mmt-ceiling"}  # no heaps
        self.assertLessEqual({"mmt-tlsf", "mmt-hoard", "mmt-phk", "mmt-protocol-sync"}, names)
        for name in sorted(names):
            with self.subTest(name=name):
                self.assert_unguessable(name, FEW_STARTS, 24 if "hoard" in name else BITS)

    def test_without_randomisation(self):
        if why := machine.lacks("personality"):
            self.skipTest(why)
        for name in ("mmt", "mmt-lea"):
            _, *blocks = self.starts(name, 5, ("setarch", "-R"))
            for block in blocks:
                self.assertEqual(len(set(block)), 1, (name, block))


if __name__ == "__main__":
    main()
