"""What serves malloc: one grammar, which `mmt resolve` shows and every verb that runs programs takes."""

import json
import pathlib
import shutil

from support import Lab, library, main, mmt


def names(kind):
    return [item["name"] for item in json.loads(mmt("list", kind, "--json").out)[kind]]


class Resolve(Lab):
    def one(self, spec):
        done = mmt("resolve", "--", spec)
        self.assertEqual((done.status, done.err), (0, ""), spec)
        data = json.loads(done.out)
        self.assertEqual((data["schema"], len(data["allocators"])), (1, 1))
        return data["allocators"][0]

    def files(self, spec):
        return [pathlib.Path(path).name for path in self.one(spec)["libraries"]]

    def test_every_listed_name_is_one(self):
        for kind in ("heaps", "backends", "protocols", "allocators"):
            for name in names(kind):
                one = self.one(name)
                self.assertIsNone(one["missing"], name)
                self.assertTrue(all(pathlib.Path(path).is_file() for path in one["libraries"]), one)

    def test_the_native_heap_has_two_names_and_options(self):
        self.assertEqual(self.one("mmt")["libraries"], [library()])
        self.assertEqual(self.one("native")["libraries"], [library()])
        for spec in ("mmt:decay=0,nice=5", "mmt:decay=0:nice=5"):
            self.assertEqual(self.one(spec)["environment"], {"MMT_DECAY": "0", "MMT_NICE": "5"})
            self.assertEqual(self.one(spec)["name"], spec)

    def test_in_line_and_behind_a_protocol(self):
        self.assertEqual(self.files("glibc"), [])
        self.assertEqual(self.files("lea"), ["libmmt-lea.so"])
        self.assertEqual(self.files("lea+mmt"), ["libmmt-protocol-mmt.so", "libmmt-lea.so"])
        self.assertEqual(self.files("glibc+sync"), ["libmmt-protocol-sync.so"])
        self.assertEqual(self.files("sync"), ["libmmt-protocol-sync.so"])
        self.assertEqual(self.files("native+mmt"), ["libmmt.so"])
        one = self.one("phk+recycle-shared:depth=5,base=7")
        self.assertEqual(one["environment"], {"MMT_PROTOCOL_OPTIONS": "depth=5,base=7"})
        self.assertEqual(pathlib.Path(one["serves_malloc"]).name, "libmmt-protocol-recycle-shared.so")

    def test_files_and_own_names(self):
        heap = str(pathlib.Path(library()).with_name("libmmt-phk.so"))
        for spec, name in ((heap, heap), (f"mine={heap}", "mine"), ("mine=phk", "mine")):
            one = self.one(spec)
            self.assertEqual((one["libraries"], one["name"]), ([heap], name))
            self.assertTrue(one["is_mmt"])

    def test_a_file_behind_a_protocol(self):
        heap = pathlib.Path(library()).with_name("libmmt-phk.so")
        plus = self.folder / "c++" / "a+sync.so"
        plus.parent.mkdir()
        shutil.copy(heap, plus)
        own = "libmmt-protocol-mmt.so"
        for path in (heap, plus):
            for prefix in ("", "mine="):
                self.assertEqual(self.files(f"{prefix}{path}"), [path.name])
                self.assertEqual(self.files(f"{prefix}{path}+mmt"), [own, path.name])
        one = self.one(f"{heap}+preallocate:base=7,queue=9")
        self.assertEqual(one["environment"], {"MMT_PROTOCOL_OPTIONS": "base=7,queue=9"})

    def test_what_nothing_is(self):
        for spec, says in (
            ("jemaloc", "did you mean 'jemalloc'?"),
            ("kingsly", "did you mean 'kingsley'?"),
            ("glibc+snyc", "did you mean 'sync'?"),
            ("haord+mmt", "did you mean 'hoard'?"),
            ("recycle-shared:dpth=5", "did you mean 'depth'?"),
            ("nonsense", "mmt list allocators"),
            ("glibc:quiet=on", "takes no options"),
            ("mmt:nonsense=1", "unknown option"),
            ("native+sync", "its own protocol"),
            ("/no/such.so", "/no/such.so"),
            ("/no/such.so+mmt", "'/no/such.so'"),
            (f"{library()}+snyc", "did you mean 'sync'?"),
            ("x=/no/such.so", "/no/such.so"),
            (__file__, "no shared library"),
        ):
            self.assert_fails(mmt("resolve", "--", spec), 2, says)


if __name__ == "__main__":
    main()
