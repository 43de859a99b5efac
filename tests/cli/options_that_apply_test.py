"""`mmt run` on another than the native heap, and options that are set for all runs."""

import json
import os

from support import MMT, Lab, clean_environment, library, main, mmt


class OptionsThatApply(Lab):
    """Those of the native heap do not, and a line tells; `quiet` does."""

    CHOICES = (("--heap", "lea"), ("--backend", "glibc"), ("--protocol", "sync"))

    def told(self, *flags, **env):
        env = clean_environment(XDG_CONFIG_HOME=self.folder, **env)
        done = mmt("run", *flags, "--", "sh", "-c", "echo $MMT_QUIET", env=env, cwd=self.folder)
        self.assertEqual(done.status, 0, done)
        return done.out.strip(), done.err

    def test_each_is_named_with_its_place(self):
        (self.folder / "mmt.toml").write_text("[options]\nnice = 5\n")
        env = {"MMT_DECAY": "500", "MMT_OPTIONS": "huge_pages=off"}
        for flags in self.CHOICES:
            _, err = self.told(*flags, **env)
            head, places = err.split(" ignores options of the native heap: ")
            self.assertEqual(head, "mmt: " + " ".join(flags))
            self.assertCountEqual(
                places.strip().split(", "), ["nice of ./mmt.toml", "MMT_DECAY", "huge_pages of MMT_OPTIONS"]
            )
        self.assertEqual(self.told(**env), ("", ""))

    def test_every_option_of_the_native_heap_is(self):
        for item in json.loads(mmt("list", "options", "--json").out)["options"]:
            name = "MMT_" + item["name"].upper()
            _, err = self.told("--heap", "lea", **{name: item["default"] or "/dev/null"})
            self.assertEqual(name in err, item["name"] != "quiet", item)

    def test_quiet_is_for_all(self):
        for flags in self.CHOICES:
            for more, env in ((("-q",), {}), (("-o", "quiet=on"), {}), ((), {"MMT_QUIET": "on"})):
                self.assertEqual(self.told(*flags, *more, **env, MMT_DECAY="500"), ("on", ""))
        (self.folder / "mmt.toml").write_text("[options]\nquiet = true\nnice = 5\n")
        self.assertEqual(self.told("--heap", "lea"), ("on", ""))

    def test_what_an_outer_run_has_set_for_itself_is_not(self):
        inner = (os.path.abspath(MMT), "run", "--heap", "lea", "--", "true")
        done = mmt("run", "--stats", "--", *inner)
        self.assertNotIn("ignores", done.err)
        self.assertEqual(done.status, 0, done)

    def test_bench_tells_where_no_contender_takes_them(self):
        line = "mmt: options of the native heap are ignored by lea, glibc: MMT_DECAY\n"
        for names, env, told in (
            ("lea,glibc", {}, True),
            ("lea,glibc", {"MMT_QUIET": "on"}, False),
            ("lea,mmt", {}, False),
            (f"lea,mine={library()}", {}, False),
        ):
            env = clean_environment(MMT_DECAY="500", **env)
            done = mmt("bench", "--runs", "1", "--allocators", names, "--", "true", env=env)
            self.assertEqual(done.status, 0, done)
            self.assertEqual(line in done.err, told, done)
            self.assertEqual("ignored" in done.err, told, done)

    def test_a_failure_is_told_alone(self):
        done = mmt("run", "--heap", "leaa", "--", "true", env=clean_environment(MMT_DECAY="500"))
        self.assert_fails(done, 125, "no heap 'leaa'")


if __name__ == "__main__":
    main()
