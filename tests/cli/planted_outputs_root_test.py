"""What each verb writes, where another user has put a link, a pipe or a file of that name before."""

import os
import stat

from support import NOBODY, Lab, clean_environment, main, mmt

OUTPUTS = {
    "report.html": ["report", "result.json"],
    "joined.html": ["report", "result.json", "--output", "joined.html"],
    "bench.json": ["bench", "-q", "--runs", "1", "--allocators", "glibc", "--json", "bench.json", "--", "true"],
    "bench.md": ["bench", "-q", "--runs", "1", "--allocators", "glibc", "--markdown", "bench.md", "--", "true"],
    "run.txt": ["run", "--stats=run.txt", "--", "true"],
    "exit.json": ["run", "--", "true"],
    "true.mtr": ["trace", "-q", "-o", "true.mtr", "--", "true"],
    "good.rep": ["trace", "--export", "rep", "t.mtr", "-o", "good.rep"],
    "simulated.json": ["simulate", "-q", "--json", "simulated.json", "--allocator", "tlsf", "t.mtr"],
    "simulated.html": ["simulate", "-q", "--html", "simulated.html", "--allocator", "tlsf", "t.mtr"],
    "simulated.csv": ["simulate", "-q", "--csv", "simulated.csv", "--allocator", "tlsf", "t.mtr"],
}


class Planted(Lab):
    def setUp(self):
        super().setUp()
        self.precious = self.folder / "precious"
        self.precious.write_text("precious")
        done = mmt("bench", "-q", "--runs", "1", "--allocators", "glibc", "--json", "result.json", "--", "true", cwd=self.folder)
        self.assertEqual(done.status, 0, done)
        self.assertEqual(mmt("trace", "-q", "-o", "t.mtr", "--", "true", cwd=self.folder).status, 0)

    def written_in(self, name, plant):
        """How the verb that writes `name` ends in a folder for all, where `plant` was there first."""
        place = self.folder / "shared"
        place.mkdir()
        place.chmod(0o777)
        for one in ("result.json", "t.mtr"):
            os.link(self.folder / one, place / one)
        plant(place / name)
        # Temporary names that can be guessed.
        for suffix in (".new", ".tmp"):
            plant(place / f".{name}{suffix}")
        env = clean_environment(MMT_STATS="exit.json") if name == "exit.json" else None
        done = mmt(*OUTPUTS[name], cwd=place, env=env)
        written = place / name
        status = os.lstat(written)
        for one in place.iterdir():
            one.unlink()
        place.rmdir()
        return done, status

    def test_link(self):
        def plant(path):
            path.symlink_to(self.precious)
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)

        for name in OUTPUTS:
            with self.subTest(name=name):
                done, status = self.written_in(name, plant)
                self.assertEqual(self.precious.read_text(), "precious")
                self.assertTrue(stat.S_ISLNK(status.st_mode))
                self.assertIn(name, done.err)

    def test_pipe(self):
        """Nobody reads it."""

        def plant(path):
            os.mkfifo(path, 0o666)
            os.chown(path, NOBODY, NOBODY)

        for name in OUTPUTS:
            with self.subTest(name=name):
                done, status = self.written_in(name, plant)  # within the time limit
                self.assertTrue(stat.S_ISREG(status.st_mode) or name in done.err, done)

    def test_file(self):
        """Its former owner cannot change what is written."""

        def plant(path):
            path.write_text("theirs")
            path.chmod(0o666)
            os.chown(path, NOBODY, NOBODY)

        for name in OUTPUTS:
            if name == "exit.json":  # written by the library in the program, into the file that is there
                continue
            with self.subTest(name=name):
                done, status = self.written_in(name, plant)
                self.assertEqual((done.status, status.st_uid, status.st_mode & 0o022), (0, 0, 0), done)


if __name__ == "__main__":
    main()
