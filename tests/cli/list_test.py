"""`mmt list`, `mmt doctor`, and what all verbs have in common."""

import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios

from support import MMT, Lab, clean_environment, library, main, mmt

import machine  # of tests/support

# What no file name has.
FILE_SIGNS = str.maketrans(":=,", "---")
KINDS = [one["name"] for one in json.loads(mmt("list", "--json").out)["kinds"]]


class List(Lab):
    def items(self, kind):
        done = mmt("list", kind, "--json")
        self.assertEqual((done.status, done.err), (0, ""))
        data = json.loads(done.out)
        self.assertEqual(data["schema"], 1)
        self.assertEqual(set(data), {"schema", kind})
        return data[kind]

    def test_every_kind_has_a_schema_and_names(self):
        for kind in KINDS:
            names = [item["name"] for item in self.items(kind)]
            self.assertEqual(len(names), len(set(names)), kind)
            text = mmt("list", kind)
            self.assertEqual(text.status, 0)
            for name in names:
                self.assertIn(name, text.out)

    def test_what_there_is(self):
        names = [item["name"] for item in self.items("heaps")]
        self.assertEqual(names[0], "native")
        self.assertLessEqual({"hoard", "kingsley", "kingsley-coalescing", "lea", "phk"}, set(names[1:]))
        for heap in names[1:]:
            path = pathlib.Path(library()).parent / f"libmmt-{heap.translate(FILE_SIGNS)}.so"
            self.assertTrue(os.access(path, os.R_OK), heap)
        protocols = [item["name"] for item in self.items("protocols")]
        self.assertEqual(protocols[:3], ["mmt", "sync", "async-free"])
        for protocol in protocols:
            path = pathlib.Path(library()).parent / f"libmmt-protocol-{protocol}.so"
            self.assertTrue(os.access(path, os.R_OK), protocol)
        backends = [item["name"] for item in self.items("backends")]
        self.assertEqual(backends[:len(names)], names)
        self.assertIn("glibc", backends)
        studies = [(item["name"], item["help"]) for item in self.items("studies")]
        declared = [re.split(r"  +", line) for line in mmt("study").out.splitlines()]
        self.assertCountEqual(studies, [(name, title) for name, _, title in declared])
        for kind in ("heaps", "models"):
            names = [item["name"] for item in self.items(kind)]
            for item in self.items(kind):
                if item["name"].startswith(("abt", "sbt")) and item["help"].partition(",")[0] not in names:
                    self.assertRegex(item["help"], "a rebalanced .*the paper's", item["name"])
        for item in self.items("allocators"):
            self.assertTrue(item["name"] == "glibc" or os.access(item["path"], os.R_OK), item)
        self.assertIn("glibc", [item["name"] for item in self.items("allocators")])

    def test_every_option_is_accepted_with_its_default(self):
        options = self.items("options")
        self.assertTrue({"follow", "quiet", "stats"} <= {item["name"] for item in options})
        for item in options:
            self.assertEqual(set(item), {"name", "kind", "values", "default", "help"})
            self.assertTrue(item["help"].endswith("."), item)
            if item["kind"] == "path":
                continue
            # The plain heap does not understand those of the hardened one.
            choice = ["--harden"] if item["name"].startswith("harden_") else []
            done = mmt("run", *choice, "-o", f"{item['name']}={item['default']}", "--", "true")
            self.assertEqual(done.status, 0, done)
            done = mmt("run", "-o", f"{item['name']}=@", "--", "true")
            self.assert_fails(done, 125, item["name"], "'@'", item["values"])

    def test_the_table_has_a_row_an_option(self):
        head, rule, *rows = mmt("list", "options", "--markdown").out.splitlines()
        self.assertEqual((head.split(" | ")[0], set(rule)), ("| option", set("|-")))
        self.assertEqual([row.split("`")[1] for row in rows], [item["name"] for item in self.items("options")])

    def test_wrong_use(self):
        self.assert_fails(mmt("list", "nonsense"), 2, "nonsense", *KINDS)
        self.assert_fails(mmt("list", "haeps"), 2, "did you mean 'heaps'?")
        self.assert_fails(mmt("list", "heaps", "lea"), 2, "'lea'")
        self.assert_fails(mmt("list", "heaps", "--markdown", "--json"), 2, "--markdown")

    def test_options_of_protocols(self):
        items = {item["name"]: item for item in self.items("protocol-options")}
        names = [item["name"] for item in self.items("protocols")]
        self.assertEqual((items["patience"]["protocols"], items["patience"]["default"]), ("all but mmt", "200"))
        self.assertEqual((items["model"]["protocols"], items["model"]["values"]), ("sync", "client-server|fork-join"))
        for item in items.values():
            named = item["protocols"].removeprefix("all but ").split(", ")
            taking = [one for one in names if (one in named) != item["protocols"].startswith("all")]
            setting = f"{taking[0]}:{item['name']}={item['default']}"
            self.assertEqual(mmt("run", "--backend", "glibc", "--protocol", setting, "--", "true").status, 0, setting)

    def test_figures_are_those_of_a_report(self):
        report = self.folder / "a.json"
        self.assertEqual(mmt("run", f"--stats={report}", "--", "true").status, 0)
        units = json.loads(report.read_text(encoding="utf-8"))["units"]
        self.assertEqual({item["name"]: item["unit"] for item in self.items("figures")}, units)

    def test_without_a_kind_the_kinds_are_listed(self):
        for done in (mmt("list"), mmt("list", "--help")):
            self.assertEqual((done.status, done.err), (0, ""))
            for kind in KINDS:
                self.assertIn(kind, done.out)
        self.assertLessEqual({"heaps", "protocols", "options", "variables"}, set(KINDS))

    def test_every_kind_is_a_table_of_markdown(self):
        for kind in KINDS:
            lines = mmt("list", kind, "--markdown").out.splitlines()
            self.assertRegex(lines[1], r"^\|(---\|)+$")
            columns = lines[1].count("|")
            for line in lines:
                self.assertEqual(line.replace("\\|", "").count("|"), columns, line)
            for item in self.items(kind):
                name = item["name"].replace("|", "\\|")
                self.assertTrue(any(line.startswith(f"| `{name}` |") for line in lines), item)


class Doctor(Lab):
    def test_json(self):
        done = mmt("doctor", "--json")
        self.assertEqual(done.err, "")
        data = json.loads(done.out)
        self.assertEqual(data["schema"], 1)
        findings = {one["name"]: one for one in data["findings"]}
        for name in (
            "kernel cpus cpu_quota smt thp populate_write pkeys rseq overcommit max_map_count "
            "limit_address_space limit_processes cgroup_tasks limit_cpu_time limit_locked random_addresses "
            "ptrace_scope perf_counters library"
        ).split():
            self.assertIn(name, findings)
            self.assertTrue(findings[name]["value"], name)
            self.assertIn(findings[name]["verdict"], ("good", "note", "bad"))
        self.assertIn("glibc", [peer["name"] for peer in data["peers"]])
        # A machine with one CPU, or a small quota, is a bad one, and one without a memory thread.
        bad = [name for name, one in findings.items() if one["verdict"] == "bad"]
        self.assertEqual(done.status, 1 if bad else 0, bad)
        away = {"limit_processes", "limit_cpu_time", "cgroup_tasks"}
        self.assertLessEqual(set(bad), {"cpus", "cpu_quota"} | away)

    def test_affinity_is_respected(self):
        done = mmt("run", "-q", "--", "taskset", "-c", "0", os.path.abspath(os.environ["MMT_TEST_BINARY"]), "doctor", "--json")
        findings = {one["name"]: one for one in json.loads(done.out)["findings"]}
        self.assertEqual((findings["cpus"]["value"], findings["cpus"]["verdict"]), ("1 usable", "bad"))
        self.assertEqual(done.status, 1)

    def test_text_names_a_missing_library(self):
        done = mmt("doctor", env=clean_environment(MMT_LIBRARY="/no/such.so"))
        self.assertEqual(done.status, 1)
        self.assertRegex(done.out, r"(?m)^bad +library +/no/such.so: No such file or directory: 'mmt run'\s+cannot work$")
        self.assertRegex(done.out, r"MMT cannot do its work, because of: [^\n]*library\.\n$")

    def test_what_keeps_the_memory_thread_away(self):
        for prefix, name, verdict in (
            (["prlimit", "--cpu=100"], "limit_cpu_time", "bad"),
            (["prlimit", "--nproc=1000"], "limit_processes", "bad"),
            (["setarch", "-R"], "random_addresses", "note"),
        ):
            if prefix[0] == "setarch" and (why := machine.lacks("personality")):
                self.skipTest(why)
            done = subprocess.run([*prefix, MMT, "doctor", "--json"], capture_output=True, text=True, check=False)
            (found,) = [one for one in json.loads(done.stdout)["findings"] if one["name"] == name]
            self.assertEqual(found["verdict"], verdict, found)
            if verdict == "bad":
                self.assertEqual(done.returncode, 1)
            self.assertIn("no memory thread", found["meaning"])

    def test_wrong_environment(self):
        for name, value, words in (
            ("MMT_DECAY", "abc", "not a whole number"),
            ("MMT_DECAY", "99999999999999999999", "out of range"),
            ("MMT_DECAI", "5", "unknown option"),
            ("MMT_CPU", "1000", "cannot be bound to CPU 1000"),
            ("MMT_OPTIONS", "nice=1:huge_pages=maybe", "huge_pages"),
            ("MMT_BENCH_SUITES", "/no/such/folder", "mmt bench"),
        ):
            done = mmt("doctor", env=clean_environment(**{name: value}))
            self.assertEqual(done.status, 1, done)
            (line,) = re.findall(rf"(?m)^bad +(?:environment|{name}) .*(?:\n .*)*", done.out)
            self.assertIn(value, line)
            self.assertIn(words, " ".join(line.split()))
        done = mmt("doctor", env=clean_environment(MMT_DECAY="5"))
        self.assertRegex(done.out, r"(?m)^good +environment +MMT_DECAY=5")

    def test_wrong_configuration(self):
        (self.folder / "mmt.toml").write_text("[options]\nnonsense = 1\n", encoding="utf-8")
        done = mmt("doctor", cwd=self.folder)
        self.assertEqual(done.status, 1, done)
        self.assertRegex(done.out, r"(?m)^bad +configuration .*(\n .*)*nonsense")

    def test_fits_a_console(self):
        lines = mmt("doctor").out.splitlines()
        self.assertLessEqual(max(len(line) for line in lines if "/" not in line), 80)


class Common(Lab):
    def test_help_and_version(self):
        for arguments in (["--help"], ["run", "--help"], ["bench", "--help"], ["--version"]):
            done = mmt(*arguments)
            self.assertEqual((done.status, done.err), (0, ""))
            self.assertTrue(done.out)

    def test_wrong_use(self):
        self.assert_fails(mmt(), 2, "no verb")
        self.assert_fails(mmt("nonsense"), 2, "nonsense")
        self.assert_fails(mmt("doctor", "--nonsense"), 2, "--nonsense")
        self.assert_fails(mmt("doctor", "--", "true"), 2, "no command")
        self.assert_fails(mmt("doctor", "extra"), 2, "mmt: 'extra' is one word too many; see 'mmt doctor --help'")

    def test_help_in_a_terminal_goes_on_below_the_name(self):
        terminal, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        mmt("list", "heaps", stdout=other)
        os.close(other)
        lines = os.read(terminal, 65536).decode().splitlines()
        os.close(terminal)
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(lines, mmt("list", "heaps").out.splitlines(), "80 elsewhere, too")

    def test_lists_fit_the_width(self):
        for columns in (60, 100, 200):
            env = clean_environment(COLUMNS=str(columns))
            for kind in ("heaps", "backends", "protocols", "figures", "options", "protocol-options"):
                for line in mmt("list", kind, env=env).out.splitlines():
                    if "/" not in line:  # a path is not broken
                        self.assertLessEqual(len(line), columns, (kind, line))
        wide = mmt("list", "heaps", env=clean_environment(COLUMNS="200")).out.splitlines()
        self.assertLess(len(wide), len(mmt("list", "heaps").out.splitlines()))
        for wrong in ("", "0", "many"):
            self.assertEqual(mmt("list", "heaps", env=clean_environment(COLUMNS=wrong)).out, mmt("list", "heaps").out)

    def test_output_onto_a_full_disk(self):
        for arguments in (["list", "options"], ["doctor", "--json"], ["stats"], ["--help"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = mmt(*arguments, stdout=full)
            self.assert_fails(done, 1, "cannot write to standard output: No space left on device")


if __name__ == "__main__":
    main()
