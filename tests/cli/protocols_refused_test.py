"""What `mmt run --backend` and `--protocol` refuse, and what they say then."""

import os

from backend_support import ALLOCATOR, LIBRARIES, BackendLab
from support import clean_environment, library, main, mmt

PROGRAM = "int main(void) { return 0; }\n"


class Refused(BackendLab):
    def refuse(self, *flags, says):
        self.assert_fails(mmt("run", *flags, "--", "true"), 125, says)

    def refuse_file(self, path, reason):
        self.refuse("--backend", path, says=f"cannot use the backend '{path}': ")
        self.refuse("--backend", path, says=reason)

    def test_unknown_names(self):
        self.refuse("--protocol", "none", says="no protocol 'none'")
        self.refuse("--backend", "none", says="no backend 'none'")

    def test_empty_names(self):
        self.refuse("--heap", "", says="no heap ''")
        self.refuse("--backend", "", says="no backend ''")
        self.refuse("--protocol", "", says="no protocol ''")
        self.refuse("--backend", "native", "--protocol", "", says="no protocol ''")
        self.refuse("--backend", "", "--protocol", "", says="no protocol ''")

    def test_options_of_others(self):
        self.refuse("--protocol", "sync:base=1", says="'sync' has no option 'base'")
        self.refuse("--protocol", "mmt:base=1", says="'mmt' has no option 'base'")
        self.refuse("--protocol", "preallocate:base", says="'base' is no OPTION=VALUE")
        self.refuse("--protocol", "preallocate:", says="'' is no OPTION=VALUE")

    def test_options_of_the_native_heaps_protocol(self):
        self.refuse("--backend", "native", "--protocol", "mmt:pad=0", says="options of its own")

    def test_another_malloc_that_is_preloaded(self):
        other = self.allocator("other.so")
        env = clean_environment(LD_PRELOAD=str(other))
        done = mmt("run", "--backend", "glibc", "--", "true", env=env)
        self.assert_fails(done, 125, f"LD_PRELOAD names '{other}'")
        self.assertEqual(mmt("run", "--backend", str(other), "--", "true", env=env).status, 0)

    def test_another_malloc_that_is_preloaded_by_its_bare_name(self):
        folder = self.allocator("other.so").parent
        env = clean_environment(LD_PRELOAD="other.so", LD_LIBRARY_PATH=f"/nowhere:{folder}")
        done = mmt("run", "--protocol", "sync", "--", "true", env=env)
        self.assert_fails(done, 125, "LD_PRELOAD names 'other.so'")

    def test_options_given_twice(self):
        self.refuse("--protocol", "preallocate:base=1,slope=1,base=2", says="option 'base' is given twice")

    def test_values_out_of_range(self):
        for value in ("0", "65537", "x", "", "-1", "99999999999999999999"):
            self.refuse("--protocol", f"preallocate:base={value}", says="from 1 to 65536")
        self.refuse("--protocol", "preallocate:refill=now", says="at-once|at-half")

    def test_near_names_and_values_are_suggested(self):
        for protocol, meant in (
            ("preallocat:base=1", "preallocate"),
            ("preallocate:bas=1", "base"),
            ("preallocate:refill=at-halff", "at-half"),
            ("sync:model=forkjoin", "fork-join"),
        ):
            self.refuse("--protocol", protocol, says=f"; did you mean '{meant}'?")
            done = mmt("bench", "--allocators", f"glibc+{protocol}", "--", "true")
            self.assertEqual(done.status, 2)
            self.assertIn(f"; did you mean '{meant}'?", done.err)

    def test_libraries_that_cannot_stand_behind(self):
        own = LIBRARIES / "libmmt-protocol-sync.so"
        for path in (library(), own):
            self.refuse_file(path, "it has a memory thread of its own")
        sanitizer = self.allocator("sanitizer.so", source=ALLOCATOR + "void __tsan_init(void) {}\n")
        self.refuse_file(sanitizer, "it is a sanitizer's runtime")

    def test_files_that_are_no_library(self):
        path = self.folder / "other.so"
        self.refuse_file(path, "No such file")
        os.mkfifo(path)
        self.refuse_file(path, "no regular file")
        self.refuse_file(self.folder, "no regular file")
        whole = self.allocator("whole.so").read_bytes()
        for content, reason in (
            (b"", "no shared library"),
            (b"text", "no shared library"),
            (whole[:100], "no shared library"),
            (whole[:4096], "cut off"),
            (whole[:4] + b"\1" + whole[5:], "built for"),
            (whole[:18] + b"\xf3" + whole[19:], "built for riscv"),
        ):
            path.unlink()
            path.write_bytes(content)
            self.refuse_file(path, reason)

    def test_programs_are_no_libraries(self):
        for kind in (("-fPIE", "-pie"), ("-fno-pie", "-no-pie")):
            program = self.allocator("program", *kind, "-rdynamic", source=ALLOCATOR + PROGRAM)
            self.refuse_file(program, "a program")

    def test_libraries_without_malloc(self):
        calls = "#include <stdlib.h>\nvoid* mmt_test_other(void) { return malloc(1); }"
        self.refuse_file(self.allocator("calls.so", source=calls), "does not define malloc")
        hidden = self.allocator("hidden.so", "-shared", "-fPIC", "-fvisibility=hidden")
        self.refuse_file(hidden, "does not define malloc")

    def test_paths_that_ld_preload_cannot_express(self):
        for name in ("with space", "with:colon", "with$dollar"):
            (self.folder / name).mkdir()
            other = self.allocator(f"{name}/other.so")
            self.refuse("--backend", other, says=f"'{other}': LD_PRELOAD knows no path")
            self.refuse("--backend", other, says="give --backend the path of a copy elsewhere")

    def test_choices_that_exclude_each_other(self):
        self.refuse("--heap", "lea", "--protocol", "sync", says="give one of them")
        self.refuse("--heap", "lea", "--backend", "phk", says="give one of them")
        self.refuse("--backend", "native", "--protocol", "sync", says="its own protocol")

    def test_options_of_the_native_heap(self):
        for flags, says in (
            (("--huge-pages", "off"), "--huge-pages is"),
            (("-o", "huge_pages=off"), "huge_pages of -o is"),
            (("--no-follow",), "--no-follow is"),
        ):
            self.refuse("--backend", "glibc", *flags, says=f"{says} an option of the native heap, not of '--backend glibc'")


if __name__ == "__main__":
    main()
