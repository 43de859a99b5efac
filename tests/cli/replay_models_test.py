"""`mmt-replay-models`: what it prints of a trace, and what it says when something is wrong."""

import json
import os
import pathlib
import random
import subprocess

from memory_support import LAUNCHER, lives, most_memory
from support import MMT, Lab, clean_environment, main, mmt

TRACES = pathlib.Path(__file__).resolve().parents[2] / "workloads/traces"
PROGRAMS = ("gawk", "perl", "sqlite3", "raytracer")
BUILD = pathlib.Path(os.path.realpath(MMT)).parent.parent
LIBRARIES = BUILD / "lib"
MODELS = BUILD / "bin" / "mmt-replay-models"
REAL = BUILD / "bin" / "mmt-replay-real"

KEYS = (
    "trace", "allocator", "events", "allocations", "frees", "nodes_searched",
    "coalescing_frequency", "integer_operations", "internal_fragmentation", "free_chunks",
    "os_pages", "growth_calls", "peak_bytes", "live_bytes", "rebalancing_nodes", "touched_lines",
    "touched_pages", "seconds", "events_per_second",
)  # fmt: skip


def replay_models(*words):
    return mmt(*words, binary=MODELS)


class ReplayModels(Lab):
    def trace(self, lines, name="small.rep"):
        path = self.folder / name
        path.write_text("0\n0\n0\n1\n" + "\n".join(lines) + "\n")
        return path

    def mixed(self, events=3000):
        """Objects of several sizes that die in any order."""
        numbers = random.Random(1)
        lines, live = [], []
        for at in range(events):
            if live and numbers.random() < len(live) / 200:
                lines.append(f"f {live.pop(numbers.randrange(len(live)))}")
            else:
                lines.append(f"a {at} {numbers.randint(1, 300)}")
                live.append(at)
        return self.trace(lines, "mixed.rep")

    def replay(self, *words):
        done = replay_models(*words)
        self.assertEqual((done.status, done.err), (0, ""), words)
        return [json.loads(line) for line in done.out.splitlines()]

    def test_an_object_a_model(self):
        path = self.mixed()
        found = self.replay(path, "--allocator", "sbt-ff", "--allocator", "sqf-bfwc:paper", "--bounds")
        self.assertEqual([one.get("allocator") for one in found], ["sbt-ff", "sqf-bfwc:paper", None])
        for one in found[:2]:
            self.assertLessEqual(set(KEYS), set(one))
            self.assertEqual(one["events"], 3000)
            self.assertEqual(one["allocations"] + one["frees"], 3000)
            self.assertGreaterEqual(one["peak_bytes"], one["live_bytes"]["max"])
            searches = one["nodes_searched"]
            self.assertEqual(sum(n for _, n in searches["free"]["histogram"]), one["frees"])
            waste = one["internal_fragmentation"]
            self.assertEqual(waste["total"], waste["header"] + waste["rounding"] + waste["minimum"])
        # A list's free looks at one node; without headers nothing goes to them.
        self.assertEqual(found[1]["nodes_searched"]["free"]["max"], 1)
        self.assertEqual(found[1]["internal_fragmentation"]["header"], 0)
        self.assertEqual(found[0]["internal_fragmentation"]["header"], 8 * found[0]["allocations"])
        bounds = found[2]["bounds"]
        self.assertEqual(bounds["most_live"], found[0]["live_bytes"]["max"])
        self.assertLessEqual(bounds["rounded_most_live"], bounds["packing_bytes"])
        self.assertLess(bounds["packing_bytes"], bounds["bump_bytes"])

    def test_figures_by_hand(self):
        """Three blocks of which the middle one joins both neighbours."""
        path = self.trace(["a 0 100", "a 1 100", "a 2 100", "f 0", "f 2", "f 1"])
        (one,) = self.replay(path, "--allocator", "sqf-ffwc:split=low")
        # The last block joins what the page has left.
        self.assertEqual(one["coalescing"], {"chunks_freed": 3, "chunks_joined": 2, "neighbours": 3})
        self.assertAlmostEqual(one["coalescing_frequency"], 2 / 3)
        self.assertAlmostEqual(one["integer_operations"], 6 * 2 / 3 + 1 / 3)
        self.assertEqual(one["growth_calls"], 1)
        self.assertEqual(one["peak_bytes"], 8192)
        self.assertEqual(one["os_pages"]["max"], 1)

    def test_frees_in_order_of_address_by_hand(self):
        """Each looks at what lies before its place and at the node behind, new memory's first block,
        too."""
        path = self.trace(["a 0 100", "a 1 100", "a 2 100", "f 0", "f 2"])
        for more in ((), ("--walk",)):
            (one,) = self.replay(path, "--allocator", "sqf-ff:order=address,split=low", *more)
            self.assertEqual(one["nodes_searched"]["free"]["mean"], 1.5, more)

    def test_slices(self):
        path = self.mixed()
        (one,) = self.replay(path, "--allocator", "tlsf", "--first", "1000", "--events", "500")
        self.assertEqual(one["events"], 500)
        self.assertLess(one["frees"] + one["allocations"], 501)

    def test_curves_and_map(self):
        path = self.mixed()
        (one,) = self.replay(path, "--allocator", "abt-ff", "--series", "--samples", "64", "--map", "32")
        series = one["series"]
        self.assertEqual(len({len(series[name]) for name in ("event", "used", "live", "free")}), 1)
        self.assertEqual(series["event"][-1], 2999)
        self.assertEqual(max(series["used"]), one["peak_bytes"])
        self.assertLessEqual(series["map"]["rows"], 32)

    def test_touches(self):
        (one,) = self.replay(self.mixed(), "--allocator", "sqf-bf", "--touches")
        self.assertGreaterEqual(one["touched_lines"]["mean"], one["touched_pages"]["mean"])
        self.assertGreater(one["touched_lines"]["max"], 1)

    def test_tree_and_path(self):
        path = self.mixed()
        (one,) = self.replay(path, "--allocator", "abt-ff")
        event = one["nodes_searched"]["allocation"]["max_event"]
        (seen,) = self.replay(path, "--allocator", "abt-ff", "--tree", event)
        tree = seen["tree"]
        by_address = {node["at"]: node for node in tree["nodes"]}
        self.assertEqual(tree["does"]["kind"], "allocate")
        # From the root down: each is a child of the one before.
        searched = one["nodes_searched"]["allocation"]["max"]
        for above, below in zip(tree["path"][: searched - 1], tree["path"][1:searched], strict=True):
            self.assertIn(below, (by_address[above]["left"], by_address[above]["right"]))
        for node in tree["nodes"]:
            if node["left"] in by_address:
                self.assertLess(node["left"], node["at"])

    def test_lists_by_index_are_as_by_walk(self):
        """All figures, the touches among them; the free chunks, and the path through them."""
        path = self.mixed()
        for name in ("sqf-ff", "sqf-bf", "sqf-ffwc", "sqf-bfwc:split=low", "sqf-ff:paper"):
            words = (path, "--allocator", name)
            told = [self.replay(*words, "--touches", *more)[0] for more in ((), ("--walk",))]
            for one in told:
                del one["seconds"], one["events_per_second"]
            self.assertEqual(*told)
            longest = told[0]["nodes_searched"]["allocation"]
            self.assertGreater(longest["max"], 20)
            for event in (0, 1000, 2999, longest["max_event"]):
                by_index, by_walk = (
                    self.replay(*words, "--tree", event, *more)[0]["tree"] for more in ((), ("--walk",))
                )
                self.assertEqual(by_index, by_walk, (name, event))
            self.assertGreaterEqual(by_index["looked_at"], longest["max"])

    def test_where_models_part(self):
        path = self.trace(["a 0 100", "a 1 100", "f 0", "a 2 100", "a 3 100"])
        words = [w for one in ("sqf-ff", "sqf-ffwc", "sqf-ff:split=low") for w in ("--allocator", one)]
        (one,) = self.replay(path, *words, "--partings")
        first = {(part["one"], part["other"]): part["event"] for part in one["partings"]}
        # Cut from the other end, the second block lies elsewhere, seen from the first.
        self.assertEqual(first["sqf-ff", "sqf-ff:split=low"], 0)

    def test_addresses(self):
        path = self.trace(["a 0 100", "a 1 50", "f 0", "a 2 100"])
        out = self.folder / "addresses"
        self.replay(path, "--allocator", "sss", "--addresses", out)
        lines = [list(map(int, line.split())) for line in out.read_text().splitlines()]
        self.assertEqual([line[0] for line in lines], [0, 1, 3])
        self.assertEqual(lines[0][1], lines[2][1])  # the block that was freed

    def test_a_model_and_its_malloc_give_the_same_addresses(self):
        """Distances from the first block, on real programs."""
        names = self.models_that_are_mallocs()
        for program in PROGRAMS:
            trace = TRACES / f"{program}.mtr"
            flat = self.folder / program
            self.replay(trace, "--events", 30000, "--flat", flat)
            for name in names:
                model, real = self.folder / "model", self.folder / "real"
                self.replay(trace, "--events", 30000, "--allocator", name, "--addresses", model)
                self.replay_real(name, flat, real)
                self.assertEqual(self.distances(real), self.distances(model), f"{name} on {program}")

    def test_a_models_peak_is_its_mallocs(self):
        """The end of the real malloc's heap, counted from its first block, on whole traces."""
        for program in PROGRAMS:
            flat, real = self.folder / program, self.folder / "real"
            self.replay(TRACES / f"{program}.mtr", "--flat", flat)
            names = ("sqf-bf", "sgf-bfwc", "abt-ffwc", "sbt-ff", "sss", "cartesian", "buddy", "tlsf")
            words = [word for one in names for word in ("--allocator", one)]
            for told in self.replay(TRACES / f"{program}.mtr", *words):
                with self.subTest(program=program, allocator=told["allocator"]):
                    self.replay_real(told["allocator"], flat, real)
                    blocks = [[int(one) for one in line.split()] for line in real.read_text().splitlines()]
                    end = max(at + size for _, at, size in blocks) - min(at for _, at, _ in blocks)
                    self.assertLessEqual(abs(told["peak_bytes"] / end - 1), 0.03)

    def test_a_models_resident_memory_is_its_mallocs(self):
        """Where blocks are larger than what is asked for, parts of the heap are never written to."""
        names = self.models_that_are_mallocs()
        words = [word for one in names for word in ("--allocator", one)]
        untouched = set()
        for program in PROGRAMS:
            flat = self.folder / program
            self.replay(TRACES / f"{program}.mtr", "--flat", flat)
            for told in self.replay(TRACES / f"{program}.mtr", "--resident", *words):
                with self.subTest(program=program, allocator=told["allocator"]):
                    real = json.loads(self.replay_real(told["allocator"], flat))
                    self.assertLessEqual(abs(told["resident_bytes"] / real["peak_rss"] - 1), 0.03)
                    self.assertLessEqual(told["resident_bytes"], told["peak_bytes"])
                    if told["resident_bytes"] < 0.9 * told["peak_bytes"]:
                        untouched.add((program, told["allocator"]))
        self.assertEqual(untouched, {("gawk", "sss"), ("gawk", "buddy")})

    def models_that_are_mallocs(self):
        """Libraries of heaps have their models' names."""
        specs = {one["name"] for one in json.loads(mmt("list", "models", "--json").out)["models"]}
        heaps = [one["name"] for one in json.loads(mmt("list", "heaps", "--json").out)["heaps"]]
        names = [one for one in heaps if one in specs]
        self.assertGreaterEqual(len(names), 18)
        return names

    def replay_real(self, name, flat, *addresses):
        """What it says."""
        with open(flat, "rb") as stream:
            done = subprocess.run(
                [REAL, *addresses], stdin=stream, capture_output=True, check=False, timeout=60,
                env=clean_environment(LD_PRELOAD=LIBRARIES / f"libmmt-{name}.so"),
            )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, b""), name)
        return done.stdout

    def distances(self, path):
        lines = [line.split() for line in path.read_text().splitlines()]
        first = int(lines[0][1])
        return [(event, int(at) - first, bytes_of) for event, at, bytes_of in lines]

    def test_memory_is_that_of_what_lives(self):
        """Beyond what it takes with next to nothing alive, which is measured, too. A trace ten
        times as long takes no more, ten times as much alive ten times as much."""
        launcher = self.compile("launcher", LAUNCHER)
        idle, live, long, much = (
            self.most_memory(launcher, *of)
            for of in ((10, 100_000), (20_000, 100_000), (20_000, 1_000_000), (200_000, 400_000))
        )
        # More than an address each, so that it is the objects that are measured.
        self.assertGreater(live - idle, 20_000 * 8 / 1024)
        self.assertLess(long - idle, 1.5 * (live - idle))
        self.assertLess(much - idle, 15 * (live - idle))

    def most_memory(self, launcher, alive, objects):
        """KiB, of a replay in which so many of them live at a time."""
        path = self.folder / "lives.mtr"  # what is text is read whole
        done = mmt("trace", "-q", "--import", "rep", self.trace(lives(alive, objects)), "-o", path)
        self.assertEqual(done.status, 0, done)
        return most_memory(launcher, MODELS, path, "--allocator", "sbt-ffwc")

    def test_check(self):
        done = replay_models(self.mixed(600), "--allocator", "sbt-bfwc", "--check", 1)
        self.assertEqual(done.status, 0, done)
        self.assertEqual(json.loads(done.out)["checked"], 600)

    def test_what_is_wrong_is_named(self):
        path = self.mixed()
        for words, status, says in (
            ((path, "--allocator", "abt-fx"), 2, ("abt-fx", "did you mean 'abt-ff'?")),
            ((path, "--allocator", "abt-ff:balance=trep"), 2, ("balance", "trep", "'treap'")),
            ((path, "--allocator", "abt-ff:blance=treap"), 2, ("blance", "'balance'")),
            ((path, "--allocator", "tlsf", "--tree", 99999), 2, ("99999", "3000 events")),
            ((path, "--allocator", "tlsf", "--allocator", "sss", "--addresses", "x"), 2, ("single",)),
            ((self.folder / "none.mtr", "--allocator", "tlsf"), 1, ("none.mtr",)),
            ((self.trace(["a 0 8", "f 1"], "bad.rep"), "--allocator", "tlsf"), 1,
             ("bad.rep", "line 6", "id 1")),
            ((self.trace(["x 0 8"], "odd.rep"), "--allocator", "tlsf"), 1, ("odd.rep", "line 5")),
        ):  # fmt: skip
            self.assert_fails(replay_models(*words), status, *says)


if __name__ == "__main__":
    main()
