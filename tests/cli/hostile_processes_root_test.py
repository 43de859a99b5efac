"""Statistics of another account: root's `mmt stats` and `mmt run --stats` beside a user who lies."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from hostile_support import HOSTILE_COMM, shown
from support import MMT, Lab, clean_environment, main, mmt

import machine  # of tests/support

# Nobody's account.
STRANGER = 54321
# Maps a file named libmmt.so. Argument 1: what the image says of itself.
IMAGE = """
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#define CHUNK (2ul << 20)
int main(int argc, char** argv) {
  (void)argc;
  const int kind = atoi(argv[1]);
  Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1}, .e_type = ET_DYN,
    .e_machine = EM_X86_64, .e_version = 1, .e_phoff = 64, .e_ehsize = 64, .e_phentsize = 56, .e_phnum = 2};
  Elf64_Phdr segments[2] = {{.p_type = PT_LOAD, .p_memsz = -1ul, .p_filesz = -1ul},
    {.p_type = PT_DYNAMIC, .p_vaddr = CHUNK, .p_memsz = -1ul / 2, .p_filesz = -1ul / 2}};
  if (kind == 1) header.e_phnum = 0xffff;
  if (kind == 2) header.e_phoff = -1ul;
  if (kind == 3) segments[0].p_vaddr = 1ul << 63, segments[1].p_vaddr = -1ul - 7;
  if (kind == 4) memset(&header, 0xff, sizeof header), memcpy(&header, "\\177ELF", 4);
  const int file = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ftruncate(file, CHUNK) != 0) return 1;
  if (pwrite(file, &header, sizeof header, 0) < 0 || pwrite(file, segments, sizeof segments, 64) < 0) return 1;
  // What lies behind the header never ends, and is no end of a table.
  const int fill = memfd_create("fill", 0);
  if (ftruncate(fill, CHUNK) != 0) return 1;
  char* at = mmap(NULL, CHUNK, PROT_WRITE, MAP_SHARED, fill, 0);
  memset(at, 2, CHUNK);
  const unsigned long chunks = kind == 5 ? 60000 : 20000;
  at = mmap(NULL, (chunks + 1) * CHUNK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED || mmap(at, CHUNK, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) != at) return 1;
  for (unsigned long i = 1; i <= chunks; ++i)
    if (mmap(at + i * CHUNK, CHUNK, PROT_READ, MAP_SHARED | MAP_FIXED, fill, 0) == MAP_FAILED) return 1;
  if (argc > 3) prctl(PR_SET_NAME, argv[3]);
  puts("ready");
  fflush(stdout);
  return pause();
}
"""
# A double of the library: the page alone.
PAGE = """
#include <stdint.h>
#include <string.h>
struct Page { char magic[8]; uint32_t version, count; uint64_t sequence, values[64]; };
struct Page mmt_stats_page = { MAGIC, 1, COUNT, SEQUENCE, { 4711, 4712 } };
uint64_t* mmt_stats_peaks = PEAKS;
__attribute__((constructor)) static void fill(void) { memset(mmt_stats_page.values, FILL, sizeof mmt_stats_page.values); }
"""
WAITING = '#include <stdio.h>\n#include <unistd.h>\nint main(void) { puts("ready"); fflush(stdout); return pause(); }'


# Maps memory that it will never provide, under the library's name.
SILENT = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  const int file = memfd_create("x/libmmt.so", 0);
  const int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
  struct uffdio_api api = {.api = UFFD_API};
  if (file < 0 || ftruncate(file, 4096) != 0) return 1;
  void* at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  struct uffdio_register part = {.range = {(unsigned long)at, 4096}, .mode = UFFDIO_REGISTER_MODE_MISSING};
  if (faults >= 0 && (ioctl(faults, UFFDIO_API, &api) != 0 || ioctl(faults, UFFDIO_REGISTER, &part) != 0)) return 1;
  puts("ready");
  puts(faults < 0 ? "answers" : "silent");
  fflush(stdout);
  return pause();
}
"""


class Stranger(Lab):
    def setUp(self):
        super().setUp()
        if why := machine.lacks("others", "no-filter"):
            self.skipTest(why)
        # Open to everybody, which the build tree need not be.
        self.public = pathlib.Path(tempfile.mkdtemp(prefix="mmt-stranger-", dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, self.public, ignore_errors=True)
        self.public.chmod(0o777)

    def built(self, name, source, *flags):
        path = self.public / name
        shutil.copy(self.compile(name.replace("/", "_"), source, *flags), path)
        return path

    def start(self, *command, user=STRANGER, **env):
        process = subprocess.Popen(
            [str(one) for one in command], env=clean_environment(**env), stdout=subprocess.PIPE, text=True,
            cwd=self.public, **({"user": user, "group": user, "extra_groups": []} if user else {}),
        )  # fmt: skip
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def assert_costs_one_line(self, *processes):
        """`mmt stats` tells of a good process, and in a line of each of these."""
        good = self.start(MMT, "run", "--", "sh", "-c", "echo ready; exec sleep 60", user=None)
        done = mmt("stats")
        self.assertEqual((done.status, done.err), (0, ""))
        self.assertRegex(done.out, rf"(?m)^ *{good.pid}  sleep +[\d.<= ]+ [KM]iB ")
        for one in processes:
            told = [line for line in done.out.splitlines() if f"process {one.pid} " in line]
            self.assertEqual(len(told), 1, done)
            self.assert_fails(mmt("stats", one.pid), 1, one.pid)
        listed = {one["pid"]: one for one in json.loads(mmt("stats", "--json").out)["processes"]}
        for one in processes:
            self.assertIsNone(listed[one.pid]["asked_bytes"])
            self.assertIn(str(one.pid), listed[one.pid]["doubt"])
        self.assertIsNone(listed[good.pid]["doubt"])


class Images(Stranger):
    def test_absurd_headers(self):
        image = self.built("image", IMAGE)
        processes = []
        for kind in range(6):
            (self.public / str(kind)).mkdir(mode=0o777)
            (self.public / str(kind)).chmod(0o777)
            processes.append(self.start(image, kind, f"{kind}/libmmt.so"))
        self.assert_costs_one_line(*processes)

    def test_memory_that_never_comes(self):
        """Where a container forbids userfaultfd, the process is one without a page."""
        self.assert_costs_one_line(self.start(self.built("silent", SILENT), user=None))

    def test_name_of_the_process(self):
        (self.public / "0").mkdir()
        (self.public / "0").chmod(0o777)
        name = HOSTILE_COMM.decode(errors="surrogateescape")
        process = self.start(self.built("image", IMAGE), 0, "0/libmmt.so", name)
        out = mmt("stats").out
        self.assertNotIn("\x1b", out)
        self.assertIn(shown(HOSTILE_COMM), out)
        self.assert_fails(mmt("stats", process.pid), 1, process.pid)


class Figures(Stranger):
    def start_double(self, magic='"MMTSTAT"', count="64", sequence="0", peaks="0", fill="0"):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.public))
        folder.chmod(0o755)
        defined = {"MAGIC": magic, "COUNT": count, "SEQUENCE": sequence, "PEAKS": peaks, "FILL": fill}
        library = self.built(
            f"{folder.name}/libmmt.so", PAGE, "-shared", "-fPIC", *(f"-D{name}={value}" for name, value in defined.items())
        )
        return self.start(self.built(f"{folder.name}/waiting", WAITING), LD_PRELOAD=library)

    def test_absurd_numbers(self):
        self.assert_costs_one_line(
            self.start_double(fill="0xff"),
            self.start_double(fill="0x7f"),
            self.start_double(count="0"),
            self.start_double(count="0xffffffff", fill="0x80"),
            self.start_double(magic='"ELEPHAN"'),
            self.start_double(sequence="1"),
        )

    def test_peaks_that_point_anywhere(self):
        for place in ("(uint64_t*)1", "(uint64_t*)-8ul", "(uint64_t*)mmt_stats_page.magic"):
            process = self.start_double(peaks=place)
            for words in ((), (process.pid,), (process.pid, "--full")):
                self.assertNotRegex(mmt("stats", *words).out, "[EP]iB")

    def test_process_that_is_stopped(self):
        process = self.start_double(fill="0xff")
        process.send_signal(signal.SIGSTOP)
        self.assert_costs_one_line(process)


# Run by root as the program of a run: looks at the folder, and leaves to another user what it likes.
RUN = """
import os, stat, sys, time
sys.path.insert(0, {here!r})
from page_support import page, MOST
STRANGER = {stranger}
folder = os.environ["MMT_STATS"].rstrip("/")
run, told = os.path.split(folder)
one = folder
while len(one) > len("/dev/shm"):
    mode = os.stat(one).st_mode
    assert mode & 0o077 == 0, (one, oct(mode))
    one = os.path.dirname(one)
first = os.getppid()
if os.fork() == 0:
    os.setgid(STRANGER)
    os.setuid(STRANGER)
    for path in (folder + "/1.1", run + "/1.1"):
        try:
            open(path, "w")
            os._exit(9)
        except PermissionError:
            pass
    os.umask(0)
    def put(process, content, opened=5, mode=0o600):
        path = f"{{run}}.{{process}}.{{opened}}"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        os.write(descriptor, content)
        os.close(descriptor)
        return path
    me, secret = os.getpid(), told.encode()
    values = [1 << 40] * 2
    put(me, page(me, 5, secret[:15] + b"x", values=values, ended=9))  # a guess
    put(me, page(me, 6, b"", values=values, ended=9), 6)
    put(first, page(first, 5, secret, values=values, ended=9))  # of a process of root's
    put(me, page(me, 7, secret, values=[MOST], ended=9), 7)
    put(me, page(me, 8, secret, values=values, ended=9), 8, 0o666)
    os.mkfifo(f"{{run}}.{{me}}.9")
    os.symlink("/etc/shadow", f"{{run}}.{{me}}.10")
    os.truncate(put(me, page(me, 11, secret, values=values, ended=9), 11), 1 << 40)
    os.mkdir(f"{{run}}.{{me}}.12", 0o777)
    # More than anybody reads in one go, for the page that comes after them.
    for process in range(1, 6001):
        put(process, b"", 13)
    for opened in range(14, 2000):
        put(me, b"", opened)
    os.execv("/bin/ls", ["ls", "/"])
assert os.wait()[1] == 0
"""


class Runs(Stranger):
    def run_by_root(self, *words):
        code = RUN.format(here=str(pathlib.Path(__file__).parent), stranger=STRANGER)
        return mmt("run", *words, "--", "/usr/bin/python3", "-c", code, cwd=self.folder)

    def test_pages_of_another_user(self):
        before = set(os.listdir("/dev/shm"))
        done = self.run_by_root("--stats=told.json")
        self.assertEqual(done.status, 0, done)
        told = json.loads((self.folder / "told.json").read_text())
        # What has changed its user tells all the same, where it can load the library.
        programs = {"python3", "ls"} if machine.everyone_may_read(MMT) else {"python3"}
        self.assertEqual({one["program"] for one in told["processes"]}, programs)
        for one in told["processes"]:
            self.assertLess(one["stats"]["in_use_bytes"], 1 << 30, one)
        # What cannot load the library says so by the dynamic loader.
        lines = [line for line in done.err.splitlines() if not line.startswith("ERROR: ld.so: ")]
        self.assertLessEqual(len(lines), 5, done)
        self.assertTrue(all(line.startswith("mmt: ") for line in lines), done)
        self.assertRegex(done.err, r"is not taken for statistics: ")
        # Folders that somebody else has made are not root's to remove.
        new = [pathlib.Path("/dev/shm", one) for one in set(os.listdir("/dev/shm")) - before]
        for one in new:
            with contextlib.suppress(FileNotFoundError):  # another test's, which comes and goes
                if one.stat().st_uid == STRANGER:
                    self.assertTrue(one.name.endswith(".12"), one)
                    one.rmdir()

    def test_folders_of_others_stay(self):
        """Root removes what killed runs of its own have left, not what looks so."""
        for name in ("mmt-stats-abcdef", "mmt-new-stats-abcdef"):
            path = pathlib.Path("/dev/shm") / name
            path.mkdir()
            self.addCleanup(shutil.rmtree, path, ignore_errors=True)
            os.chown(path, STRANGER, STRANGER)
            os.utime(path, (1, 1))
            mmt("run", "--stats", "--", "true")
            self.assertTrue(path.exists(), name)


if __name__ == "__main__":
    main()
