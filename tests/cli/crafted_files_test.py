"""Files that ask for more memory than there is, or are no files. Each reader ends within its bound,
with one line that names the file and the place."""

import gzip
import json
import os
import re
import resource
import struct
import subprocess
import zlib

from crafted_trace import CraftedTrace, stored, varint, zstd
from memory_support import LAUNCHER
from support import MMT, Lab, clean_environment, main, mmt

MODELS = os.path.join(os.path.dirname(os.path.realpath(MMT)), "mmt-replay-models")
MEMORY = 64 << 20
SLACK = 48 << 20  # of the program itself, and of what is asked for between two looks
# Runs a command, then says how many KiB the largest of its processes had.
MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(done.returncode)
"""
TAKES = "it takes more than the 64 MiB of memory that --memory gives"


class Crafted(Lab):
    def setUp(self):
        super().setUp()
        self.launcher = None

    def put(self, name, content):
        (self.folder / name).write_bytes(content.bytes() if isinstance(content, CraftedTrace) else content)
        return name

    def run_bounded(self, *words, binary=MMT, limit=None):
        """(status, what it said) with a bound of 64 MiB, which it has kept."""
        if self.launcher is None:
            self.launcher = self.compile("launcher", LAUNCHER.replace("return status != 0", "return WEXITSTATUS(status)"))
        done = subprocess.run(
            [self.launcher, os.path.abspath(binary), *map(str, words)], cwd=self.folder, text=True, check=False,
            capture_output=True, timeout=100, env=clean_environment(), stdin=subprocess.DEVNULL,
            preexec_fn=limit,
        )  # fmt: skip
        said, taken = re.fullmatch(r"((?:.*\n)*)(\d+)", done.stderr).groups()
        if limit is None:
            self.assertLess(int(taken) * 1024, MEMORY + SLACK, words)
        return done.returncode, said

    def assert_told(self, told, *fragments):
        """One line of ours, and status 1."""
        status, said = told
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"\Ammt: [^\n]+\n\Z")
        for fragment in fragments:
            self.assertIn(fragment, said)
        for name in ("bad_alloc", "exception", "Traceback", "std::"):
            self.assertNotIn(name, said)

    def many_objects(self, frames=400):
        trace = CraftedTrace()
        for _ in range(frames):
            trace.births()
        return self.put("many.mtr", trace)


class Traces(Crafted):
    def replay(self, *words, **more):
        return self.run_bounded(*words, "--memory", "64M", binary=MODELS, **more)

    def test_objects_that_all_live(self):
        path = self.many_objects()
        self.assertLess(os.path.getsize(self.folder / path), 100_000)
        told = self.replay(path, "--allocator", "tlsf", "--allocator", "sbt-ff")
        self.assert_told(told, "'many.mtr', event ", TAKES)
        for words in (("--bounds",), ("--flat", "out"), ("--check", "100000", "--allocator", "buddy")):
            self.assert_told(self.replay(path, *words), "'many.mtr', ", TAKES)
        told = self.run_bounded("trace", "--show", path, "--memory", "64M")
        self.assert_told(told, "'many.mtr', byte ", TAKES)

    def test_pages_that_a_policy_writes_to(self):
        """A header on each page: next to nothing by itself, and gigabytes of the model's heap."""
        trace = CraftedTrace()
        for _ in range(4):
            sizes = stored(varint(4088) * (1 << 15))
            trace.frame(stored(b"\0" * (1 << 15)), sizes, 1 << 15, 1 << 15)
        path = self.put("pages.mtr", trace)
        for model in ("sqf-ff", "buddy", "bump"):
            self.assert_told(self.replay(path, "--allocator", model), "'pages.mtr', event ", TAKES)

    def test_call_sites_of_no_text(self):
        trace = CraftedTrace()
        for number in range(8):
            trace.sites(1 << 26, 1 + (number << 26))
        trace.birth(16, site=1)
        path = self.put("sites.mtr", trace)
        for words in (("--show", path), ("--export", "text", path, "-o", "out"), ("--export", "sites", path, "-o", "out")):
            told = self.run_bounded("trace", *words, "--memory", "64M")
            if "sites" not in words:
                self.assert_told(told, "'sites.mtr', byte ")
        self.assert_told(self.replay(path, "--allocator", "tlsf"), "'sites.mtr'")

    def test_numbers_of_call_sites_far_apart(self):
        trace = CraftedTrace()
        for site in (1, 2**31, 2**32 - 1):
            trace.birth(16, site=site)
        path = self.put("far.mtr", trace)
        status, said = self.run_bounded("trace", "--show", path, "--memory", "64M")
        self.assertEqual((status, said), (0, ""))
        (self.folder / "list.mtr").write_text(json.dumps({"mmt_trace_processes": 1, "processes": [{"file": path}]}))
        self.assertEqual(self.run_bounded("trace", "--export", "text", "list.mtr", "-o", "out", "--memory", "64M")[0], 0)
        self.assertEqual(self.replay(path, "--allocator", "tlsf"), (0, ""))

    def test_sizes_that_no_memory_has(self):
        trace = CraftedTrace()
        for size in (2**47, 2**64 - 1, 2**63, 2**40, 2**39, 8):
            trace.birth(size)
        path = self.put("large.mtr", trace)
        for model in ("sbt-ff", "tlsf", "buddy", "sqf-bf:paper", "bump", "cartesian"):
            for more in ((), ("--touches", "--series", "--map", "4096", "--samples", "65536"), ("--resident",)):
                status, said = self.replay(path, "--allocator", model, *more)
                self.assertTrue(status == 0 and said == "" or TAKES in said, (model, more, said))
        self.assertEqual(self.replay(path, "--bounds")[0], 0)

    def test_under_a_limit_of_address_space(self):
        path = self.many_objects()

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

        for words in ((path, "--allocator", "tlsf"), (path, "--bounds"), (path, "--memory", "1T", "--allocator", "tlsf")):
            self.assert_told(self.run_bounded(*words, binary=MODELS, limit=limit), "'many.mtr', ")
        self.assert_told(self.run_bounded("trace", "--show", path, "--memory", "1T", limit=limit), "'many.mtr', byte ")

    def test_all_models_have_room_under_a_limit(self):
        (self.folder / "small.rep").write_text("\n".join(f"a {at} 100" for at in range(2000)) + "\n")
        models = [word for one in ("sqf-ff", "abt-ff", "sgf-ff", "sbt-ff", "tlsf", "buddy") * 2 for word in ("--allocator", one)]
        done = mmt("small.rep", *models, cwd=self.folder, binary=MODELS, limits={resource.RLIMIT_AS: 400 << 20})
        self.assertEqual((done.status, done.err), (0, ""))
        self.assertEqual({json.loads(line)["failed"] for line in done.out.splitlines()}, {0})

    def test_what_is_no_file(self):
        os.mkfifo(self.folder / "pipe")
        for path in ("pipe", ".", "/dev/zero"):
            self.assert_told(self.replay(path, "--allocator", "tlsf"), f"'{path}' is no regular file")
            self.assert_told(self.run_bounded("trace", "--show", path), f"'{path}' is no regular file")

    def test_list_that_names_no_files(self):
        os.mkfifo(self.folder / "pipe.mtr")
        entry = {"file": "pipe.mtr", "process": 1, "program": "p", "events": 1, "objects": 1}
        (self.folder / "list.mtr").write_text(json.dumps({"mmt_trace_processes": 1, "processes": [entry]}))
        told = self.run_bounded("trace", "--show", "list.mtr")
        self.assertIn("pipe.mtr' is no regular file", told[1])
        self.assertEqual(told[0], 1)
        done = mmt("trace", "--export", "text", "list.mtr", "-o", "out.txt", cwd=self.folder)
        self.assertIn("pipe.mtr' is no regular file", done.err)

    def test_names_of_a_program_that_takes_too_much(self):
        """The names of functions: 256 MiB of text, compressed. The trace is shown without them."""
        source = "#include <stdlib.h>\nint main(void) { for (int i = 0; i < 100; i++) { void* volatile b = malloc(70001); free(b); } }"
        program = self.compile("program", source, "-g", "-O0")
        done = mmt("trace", "-q", "--sites", "-o", "sites.mtr", "--", program, cwd=self.folder)
        self.assertEqual(done.status, 0, done)
        status, said, out = self.shown_in_bound("sites.mtr")
        self.assertEqual((status, said), (0, ""))
        self.assertIn("main (", out)
        self.blow_up(program, b".debug_str", 256 << 20)
        status, said, out = self.shown_in_bound("sites.mtr")
        self.assertEqual((status, said), (0, ""))
        self.assertIn("program+0x", out)

    def shown_in_bound(self, path):
        """Status, messages and output; the largest process has kept the bound."""
        command = ["/usr/bin/python3", "-c", MEASURED, os.path.abspath(MMT), "trace", "--memory", "64M", "--show", path]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=100, check=False, env=clean_environment())
        *said, taken = done.stderr.splitlines()
        self.assertLess(int(taken) * 1024, MEMORY + SLACK)
        return done.returncode, "\n".join(said), done.stdout

    def blow_up(self, program, section, size):
        """Gives the section zeros to so many bytes, compressed. The file looks as old as it was."""
        before = os.stat(program)
        image = bytearray(program.read_bytes())
        table, = struct.unpack_from("<Q", image, 0x28)
        count, names = struct.unpack_from("<HH", image, 0x3C)
        headers = [list(struct.unpack_from("<IIQQQQIIQQ", image, table + 64 * at)) for at in range(count)]
        for at, header in enumerate(headers):
            if not image[headers[names][4] + header[0]:].startswith(section + b"\0"):
                continue
            content = bytes(image[header[4]:header[4] + header[5]])
            deflate = zlib.compressobj(1)
            packed = deflate.compress(content)
            zeros = bytes(1 << 24)
            for _ in range(size >> 24):
                packed += deflate.compress(zeros)
            packed += deflate.flush()
            image += bytes(-len(image) % 16)
            header[2] |= 0x800  # SHF_COMPRESSED
            header[4] = len(image)
            chunk = struct.pack("<IIQQ", 1, 0, len(content) + (size >> 24 << 24), 1) + packed
            header[5] = len(chunk)
            image += chunk
            struct.pack_into("<IIQQQQIIQQ", image, table + 64 * at, *header)
        self.assertGreater(len(image), before.st_size)
        program.write_bytes(image)
        os.utime(program, ns=(before.st_atime_ns, before.st_mtime_ns))

    def test_sizes_of_memory(self):
        path = self.many_objects(1)
        for text in ("0", "-1", "2X", "1.5G", "G", "99999999999999999999", "2048T"):
            done = mmt("trace", "--show", path, "--memory", text, cwd=self.folder)
            self.assertEqual(done.status, 2, done)
            self.assertIn(f"--memory: '{text}' is no number of bytes from 1M to 1024G", done.err)
        done = mmt("trace", "--show", path, "--memory", "1G", cwd=self.folder)
        self.assertEqual((done.status, done.err), (0, ""))


class FlatTraces(Crafted):
    def replayed(self, events, slots, *slot_numbers, layout=(b"MMTFLAT3", 40, 16)):
        """By the program that replays by real allocators."""
        content = struct.pack("<8sIIQQQ", *layout, events, slots, 0)
        content += b"".join(struct.pack("<BBHIQ", 0, 0, 0, one, 8) for one in slot_numbers)
        self.put("flat", content)
        with open(self.folder / "flat", "rb") as file:
            done = mmt(binary=MODELS.replace("models", "real"), stdin=file)
        return done.status, done.err

    def test_headers_and_rows(self):
        self.assertEqual(self.replayed(2, 2, 0, 1), (0, ""))
        for events, slots in ((2**36, 2**36), (2, 2**36), (2**60, 2), (3, 2)):
            self.assertEqual(self.replayed(events, slots, 0, 1), (1, "mmt-replay-real: the trace's header is wrong\n"))
        self.assertEqual(self.replayed(2, 1, 0, 1), (1, "mmt-replay-real: an object of the trace has no row\n"))

    def test_another_layout(self):
        for layout in ((b"MMTFLAT2", 40, 16), (b"MMTFLAT3", 32, 16), (b"MMTFLAT3", 40, 24)):
            told = (1, "mmt-replay-real: the input is no trace of 'mmt-replay-models --flat'\n")
            self.assertEqual(self.replayed(2, 2, 0, 1, layout=layout), told)


class Imports(Crafted):
    LINES = {
        "rep": "a {0} 16\n",
        "mtrace": "@ m:[0x1] + 0x{0:x} 0x10\n",
        "memory_replay": "1: malloc 0x{0:x} 16\n",
        "heaptrack": "+ 10 1 {0:x}\n",
    }

    def test_blocks_that_all_live(self):
        for form, line in self.LINES.items():
            text = "v 10400 3\n" if form == "heaptrack" else ""
            text += "".join(line.format(at + 1) for at in range(2_000_000))
            path = self.put(f"{form}.txt", text.encode())
            told = self.run_bounded("trace", "--import", form, path, "-o", "out.mtr", "--memory", "64M")
            self.assert_told(told, f"'{path}', line ", TAKES)
            # What stands before it is there.
            self.assertEqual(mmt("trace", "--show", "out.mtr", cwd=self.folder).status, 0)
            told = self.run_bounded(path, "--allocator", "tlsf", "--memory", "64M", binary=MODELS)
            self.assert_told(told, f"'{path}', ", TAKES)

    def test_names_that_are_named_often(self):
        """Lines of some bytes that name a string of a megabyte."""
        name = "s f0000 " + "f" * 0xF0000 + "\n"
        many = "".join(f"i {at:x} 1 1 1 {at:x}\nt {at + 1:x} 0\n" for at in range(2000))
        calls = "".join(f"+ 10 {at + 1:x} {at + 1:x}\n" for at in range(2000))
        module = "m 80000 " + "p" * 0x80000 + " 0" + " 1 1" * 100_000 + "\n"
        for text in (name + many + calls, module + "t 2 0\n+ 10 1 10\n"):
            path = self.put("names.txt", ("v 10400 3\n" + text).encode())
            told = self.run_bounded("trace", "-q", "--import", "heaptrack", path, "-o", "out.mtr", "--memory", "64M")
            self.assertEqual(told, (0, ""))
            self.assertEqual(mmt("trace", "--show", "out.mtr", cwd=self.folder).status, 0)

    def test_lines_without_end(self):
        for form in self.LINES:
            for path in (self.put("long.txt", b"v" * (3 << 20)), "/dev/zero"):
                told = self.run_bounded("trace", "--import", form, path, "-o", "out.mtr", "--memory", "64M")
                self.assert_told(told, f"'{path}', line 1: the line is too long")

    def test_bombs(self):
        bomb = zstd(ord("a"), 1 << 30, window=17)
        for content, says in (
            (bomb, "line 1: "), (bomb[:4000], "line 1: "), (gzip.compress(b"a" * (64 << 20)), "line 1: "),
            (zstd(ord("a"), 1 << 30), "too much memory"), (zstd(10, 1 << 30, window=31), "too much memory"),
            (zstd(ord("a"), 1 << 20, window=17)[:20], "ends early"), (b"\x28\xb5\x2f\xfd", "ends early"),
        ):  # fmt: skip
            path = self.put("bomb.zst", content)
            told = self.run_bounded("trace", "--import", "heaptrack", path, "-o", "out.mtr", "--memory", "64M")
            self.assert_told(told, "'bomb.zst'", says)
            self.assert_told(self.run_bounded(path, "--memory", "64M", binary=MODELS), "'bomb.zst'")

    def test_lines_that_repeat(self):
        """Compressed to nothing, and each makes an object."""
        text = "v 10400 3\na 10 0\n" + "+ 0\n" * 3_000_000
        path = self.put("many.gz", gzip.compress(text.encode()))
        self.assertLess(os.path.getsize(self.folder / path), 100_000)
        told = self.run_bounded("trace", "--import", "heaptrack", path, "-o", "out.mtr", "--memory", "64M")
        self.assert_told(told, "'many.gz', line ", TAKES)


class Lists(Crafted):
    def shown(self, told, name="all.mtr"):
        text = told if isinstance(told, str) else json.dumps(told)
        (self.folder / name).write_text(text)
        return self.run_bounded("trace", "--show", name, "--memory", "64M")

    def test_files_outside_of_the_folder(self):
        whole = CraftedTrace()
        whole.birth(8)
        inner = self.folder / "inner"
        inner.mkdir()
        self.put("secret.mtr", whole)
        (inner / "link.mtr").symlink_to("../secret.mtr")
        (inner / "up").symlink_to("..")
        for kind in ("processes", "failed"):
            for name in ("../secret.mtr", str(self.folder / "secret.mtr"), "link.mtr", "up/secret.mtr", "",
                         "x/../../secret.mtr", "secret.mtr\0"):  # fmt: skip
                told = {"mmt_trace_processes": 1, "processes": [], kind: [{"file": name}]}
                said = self.shown(told, "inner/all.mtr")
                self.assert_told(said, f"'inner/all.mtr', {kind}[0]: its file '", "' is none of the list's folder")
        digits = b"../secret.mtr".hex()
        said = self.shown({"mmt_trace_processes": 1, "processes": [{"file": "x", "file_bytes": digits}]}, "inner/all.mtr")
        self.assert_told(said, "is none of the list's folder")

    def test_files_within_it(self):
        whole = CraftedTrace()
        whole.birth(8)
        (self.folder / "below").mkdir()
        self.put("below/one.mtr", whole)
        (self.folder / "two.mtr").symlink_to("below/one.mtr")
        told = {"mmt_trace_processes": 1, "processes": [{"file": "below/one.mtr"}, {"file": "two.mtr"}]}
        self.assertEqual(self.shown(told), (0, ""))

    def test_what_is_no_list(self):
        start = '{"mmt_trace_processes": 1, '
        for text, says in (
            ('{"mmt_trace_processes": 1,\n"processes": [', "'all.mtr', line 2: it is no JSON"),
            (start + '"processes": ' + "[" * 200_000, "too deep"),
            (start + '"processes": [], "failed": ' + "[" * 100 + "]" * 100 + "}", "too deep"),
            (start + '"processes": [],\n"processes": []}', "'all.mtr', line 2: an object has the key 'processes' twice"),
            (start + '"processes": [NaN]}', "line 1: it is no JSON"),
            (start + '"processes": [1e999]}', "line 1: a number is too large"),
            (start + '"processes": 3}', "has no list 'processes'"),
            (start + '"failed": []}', "has no list 'processes'"),
            (start + '"processes": [3]}', "processes[0]: it is no object"),
            (start + '"processes": [{}]}', "processes[0]: it has no 'file'"),
            (start + '"processes": [{"file": 3}]}', "processes[0]: its 'file' is no text"),
            (start + '"processes": [{"file": "x", "file_bytes": "zz"}]}', "processes[0]: its 'file_bytes' are no bytes"),
            (start + '"processes": [], "failed": [{"file": "x", "error": 3}]}', "failed[0]: its 'error' is no text"),
            ('{"processes": []}', "has no 'mmt_trace_processes'"),
            ('{"mmt_trace_processes": "1", "processes": []}', 'unknown version "1"'),
        ):  # fmt: skip
            self.assert_told(self.shown(text), "'all.mtr'", says)

    def test_lists_that_are_large(self):
        told = '{"mmt_trace_processes": 1, "processes": [' + ",".join(["[]"] * 8_000_000) + "]}"
        self.assert_told(self.shown(told), "'all.mtr': " + TAKES)
        with open(self.folder / "sparse.mtr", "wb") as file:
            file.write(b"{")
            file.truncate(1 << 40)
        self.assert_told(self.run_bounded("trace", "--show", "sparse.mtr"), "more than 64 MiB")


class Configurations(Crafted):
    def test_files_that_are_none(self):
        for text, says in (
            ("[options]\n" + "a." * 400_000 + "a = 1\n", "mmt.toml: line 2: "),
            ("[" + "a." * 400_000 + "a]\n", "mmt.toml: line 1: "),
            ("[options]\na = " + "[" * 400_000 + "\n", "mmt.toml: line 2: "),
            ("[options]\na = " + "{a=" * 200_000 + "\n", "mmt.toml: line 2: "),
            ("[options]\n" + "a" * (2 << 20) + "\n", "more than 1 MiB"),
            ("[options]\ndecay = nan\n", "mmt.toml: "),
            ("[options]\ndecay = 99999999999999999999\n", "mmt.toml: line 2"),
            ("[options]\ndecay = 1\ndecay = 2\n", "mmt.toml: line 3"),
            ("\xff\xfe", "mmt.toml: line 1"),
        ):  # fmt: skip
            (self.folder / "mmt.toml").write_bytes(text.encode("latin-1"))
            status, said = self.run_bounded("run", "--", "true")
            self.assertEqual(status, 125, said[:200])
            self.assertRegex(said, r"\Ammt: [^\n]+\n\Z")
            self.assertIn(says, said)
        (self.folder / "mmt.toml").unlink()
        (self.folder / "mmt.toml").mkdir()
        status, said = self.run_bounded("run", "--", "true")
        self.assertEqual(status, 125)
        self.assertIn("no regular file", said)


if __name__ == "__main__":
    main()
