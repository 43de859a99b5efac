"""`mmt run`: the program it becomes, what reaches it, and how its own errors end."""

import os
import signal
import subprocess

from support import MMT, Lab, clean_environment, library, main, mmt

PRINT_ENV = 'printf "%s\\n" "$LD_PRELOAD" "$MMT_QUIET" "$MMT_FOLLOW" "$MMT_OPTIONS" "$MMT_STATS"'


class Program(Lab):
    """The program is what the user wrote, and everything but its heap is its own."""

    def test_exit_status_passes_through(self):
        for status in (0, 1, 3, 125, 127, 255):
            self.assertEqual(mmt("run", "--", "sh", "-c", f"exit {status}").status, status)

    def test_streams_and_arguments_pass_through(self):
        done = mmt("run", "--", "sh", "-c", 'cat; printf "[%s]" "$@" >&2', "x", "a b", "", "*", stdin="in")
        self.assertEqual((done.status, done.out, done.err), (0, "in", "[a b][][*]"))

    def test_nothing_behind_the_marker_is_parsed(self):
        done = mmt("run", "--", "echo", "--help", "--", "-o", "x")
        self.assertEqual((done.status, done.out), (0, "--help -- -o x\n"))

    def test_the_first_word_that_is_no_flag_begins_the_program(self):
        done = mmt("run", "--quiet", "echo", "--quiet", "--", "run")
        self.assertEqual((done.status, done.out), (0, "--quiet -- run\n"))

    def test_a_program_may_be_called_like_a_verb(self):
        program = self.script("stats", "#!/bin/sh\necho mine\n")
        done = mmt("run", "stats", env=clean_environment(PATH=f"{self.folder}:{os.environ['PATH']}"))
        self.assertEqual((done.status, done.out), (0, "mine\n"), program)

    def test_a_signal_to_the_program_is_seen_by_the_shell(self):
        shell = f'"{os.path.abspath(MMT)}" run -- sh -c \'kill -TERM $$\'; echo $?'
        done = subprocess.run(
            ["sh", "-c", shell], env=clean_environment(), capture_output=True, text=True, check=False
        )
        self.assertEqual(done.stdout, "143\n")

    def test_a_signal_to_mmt_reaches_the_program(self):
        with subprocess.Popen(
            [MMT, "run", "--", "sh", "-c", "trap 'echo got it; exit 7' USR1; echo ready; while :; do sleep 0.05; done"],
            env=clean_environment(),
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(signal.SIGUSR1)
            self.assertEqual(process.stdout.readline(), "got it\n")
            self.assertEqual(process.wait(10), 7)

    def test_it_is_the_same_process(self):
        with subprocess.Popen(
            [MMT, "run", "--", "sh", "-c", "echo $$"],
            env=clean_environment(),
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            self.assertEqual(process.stdout.read(), f"{process.pid}\n")

    def test_ignored_signals_stay_ignored(self):
        shell = f'trap "" INT; "{os.path.abspath(MMT)}" run -- sh -c \'kill -INT $$; echo alive\''
        done = subprocess.run(
            ["sh", "-c", shell], env=clean_environment(), capture_output=True, text=True, check=False
        )
        self.assertEqual(done.stdout, "alive\n")

    def test_a_text_without_interpreter_goes_to_the_shell(self):
        done = mmt("run", "--", self.script("plain", "echo $1\n"), "word")
        self.assertEqual((done.status, done.out), (0, "word\n"))

    def test_works_from_any_folder(self):
        self.assertEqual(mmt("run", "--", "pwd", cwd="/").out, "/\n")

    def test_started_through_a_link(self):
        link = self.folder / "link-to-mmt"
        link.symlink_to(os.path.realpath(MMT))
        self.assertEqual(mmt("run", "--", "echo", "x", binary=link).out, "x\n")


class MemoryThreadsCpu(Lab):
    """The CPU that the memory thread is bound to must be one that it can run on."""

    def test_one_that_does_not_exist_is_refused(self):
        for given in (("--cpu", "1000"), ("-o", "cpu=1000")):
            done = mmt("run", *given, "--", "echo", "x")
            self.assertEqual((done.status, done.out), (125, ""))
            self.assertRegex(done.err, r"\Ammt: .*'cpu'.*CPU 1000.*\n\Z")

    def test_one_outside_the_programs_own_is_taken(self):
        usable = sorted(os.sched_getaffinity(0))
        done = subprocess.run(
            ["taskset", "-c", str(usable[0]), MMT, "run", "--cpu", str(usable[-1]), "--"]
            + ["sed", "-n", "s/^Cpus_allowed_list:[[:space:]]*//p", "/proc/self/status"],
            env=clean_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{usable[0]}\n", ""))


class Environment(Lab):
    """What the program finds in its environment."""

    def variables(self, *flags, **env):
        done = mmt("run", *flags, "--", "sh", "-c", PRINT_ENV, env=clean_environment(**env))
        self.assertEqual(done.status, 0, done)
        return dict(zip(("preload", "quiet", "follow", "options", "stats"), done.out.split("\n")))

    def test_the_library_is_preloaded(self):
        self.assertEqual(self.variables()["preload"], library())

    def test_the_library_goes_before_other_preloads(self):
        other = self.compile("other.so", "int mmt_test_other;", "-shared", "-fPIC")
        found = self.variables(LD_PRELOAD=str(other))
        self.assertEqual(found["preload"], f"{library()}:{other}")

    def test_the_library_is_named_once_when_nested(self):
        command = ("run", "--", MMT, "run", "--", "sh", "-c", "echo $LD_PRELOAD")
        self.assertEqual(mmt(*command).out, library() + "\n")

    def test_flags_win_over_the_environment(self):
        self.assertEqual(self.variables("--quiet", MMT_QUIET="off")["quiet"], "on")
        self.assertEqual(self.variables("-o", "quiet=off", MMT_QUIET="on")["quiet"], "off")

    def test_the_environment_stays_where_no_flag_speaks(self):
        found = self.variables("--quiet", MMT_OPTIONS="quiet=off:nice=1")
        self.assertEqual((found["options"], found["quiet"]), ("quiet=off:nice=1", "on"))

    def test_relative_statistics_path_is_made_absolute(self):
        for arguments, env in ((("-o", "stats=s.txt"), {}), ((), {"MMT_STATS": "s.txt"})):
            done = mmt("run", *arguments, "--", "sh", "-c", PRINT_ENV, cwd=self.folder, env=clean_environment(**env))
            self.assertEqual(done.out.split("\n")[4], "s.txt" if env else str(self.folder / "s.txt"))

    def test_options_have_flags_of_their_own(self):
        done = mmt("run", "--huge-pages", "off", "--", "sh", "-c", "echo $MMT_HUGE_PAGES")
        self.assertEqual(done.out, "off\n")


class Configuration(Lab):
    """Files below flags and environment; the nearest one wins."""

    def quiet(self, *flags, **env):
        env = clean_environment(XDG_CONFIG_HOME=self.folder / "config", **env)
        done = mmt("run", *flags, "--", "sh", "-c", "echo $MMT_QUIET $MMT_OPTIONS", env=env, cwd=self.folder)
        self.assertEqual(done.status, 0, done)
        return done.out.strip()

    def test_precedence(self):
        (self.folder / "config" / "mmt").mkdir(parents=True)
        (self.folder / "config" / "mmt" / "mmt.toml").write_text("[options]\nquiet = true\n")
        self.assertEqual(self.quiet(), "on")
        (self.folder / "mmt.toml").write_text("[options]\nquiet = false\n")
        self.assertEqual(self.quiet(), "off")
        self.assertEqual(self.quiet(MMT_OPTIONS="quiet=on"), "quiet=on")
        self.assertEqual(self.quiet(MMT_QUIET="on"), "on")
        self.assertEqual(self.quiet("--quiet"), "on")

    def test_wrong_file(self):
        for text, named in (("[options]\nnonsense = 1\n", "'nonsense'"), ("[options", "line 1"), ("x = 1\n", "'x'"),
                            ("[options]\nstats = '/tmp/x'\n", "'stats'")):
            (self.folder / "mmt.toml").write_text(text)
            self.assert_fails(mmt("run", "--", "true", cwd=self.folder), 125, "./mmt.toml", named)


    def test_a_pipe_is_not_waited_for(self):
        os.mkfifo(self.folder / "mmt.toml")
        self.assert_fails(mmt("run", "--", "true", cwd=self.folder), 125, "./mmt.toml", "no regular file")


class OwnErrors(Lab):
    """125: a failure of mmt itself; 126: the program cannot be started; 127: there is none."""

    def test_no_program(self):
        self.assert_fails(mmt("run"), 125, "no program")
        self.assert_fails(mmt("run", "--"), 125, "no program")

    def test_program_that_does_not_exist(self):
        self.assert_fails(mmt("run", "--", "no-such-program"), 127, "'no-such-program'", "No such file")
        self.assert_fails(mmt("run", "--", "/no/such/program"), 127, "'/no/such/program'")
        self.assert_fails(mmt("run", "--", ""), 127, "''")

    def test_one_of_the_current_folder_is_suggested(self):
        program = self.folder / "mine"
        program.write_text("#!/bin/sh\n")
        (self.folder / "script.py").write_text("pass\n")
        done = mmt("run", "--", "mine", cwd=self.folder)
        self.assertNotIn("did you mean", done.err)
        program.chmod(0o755)
        done = mmt("run", "--", "mine", cwd=self.folder)
        self.assertEqual(done.status, 127, done)
        self.assertIn("did you mean './mine'?", done.err)
        for name, status in (("script.py", 127), ("./script.py", 126)):
            done = mmt("run", "--", name, cwd=self.folder)
            self.assertEqual(done.status, status, done)
            self.assertIn(f"not executable: did you mean 'python3 {name}'?", done.err)

    def test_a_file_that_is_no_program(self):
        (self.folder / "data").write_text("x")
        done = mmt("run", "--", "data", cwd=self.folder)
        self.assert_fails(done, 127, "cannot run 'data'", "the file './data' is not executable")

    def test_what_only_a_shell_understands(self):
        self.assert_fails(mmt("run", "--", "cd", "/"), 127, "only a shell knows it: -- sh -c 'cd ...'")
        self.assert_fails(mmt("run", "--", "true | cat"), 127, "which understands such a line: -- sh -c 'true | cat'?")
        for variable in ("A=b", "A=/b"):
            self.assert_fails(mmt("run", "--", variable, "true"), 127, f"set by env: -- env {variable} program")
        self.assert_fails(mmt("run", "--", "--", "true"), 127, "one -- is enough")

    def test_words_in_one_pair_of_quotes(self):
        self.assert_fails(mmt("run", "--", "true a b"), 127, "did you mean it without quotes, -- true a b?")
        done = mmt("run", "--", "no-such-program a")
        self.assertEqual((done.status, "quotes" in done.err), (127, False), done)
        named = self.folder / "true a"
        named.write_text("#!/bin/sh\necho whole\n")
        named.chmod(0o755)
        self.assertEqual(mmt("run", "--", "./true a", cwd=self.folder).out, "whole\n")

    def test_program_that_cannot_be_executed(self):
        plain = self.script("plain", "echo\n", 0o644)
        self.assert_fails(mmt("run", "--", plain), 126, plain, "Permission denied")
        self.assert_fails(mmt("run", "--", self.folder), 126, self.folder, "Is a directory")

    def test_program_without_permission_in_the_path(self):
        self.script("only-here", "echo\n", 0o644)
        env = clean_environment(PATH=str(self.folder) + ":" + os.environ["PATH"])
        self.assert_fails(mmt("run", "--", "only-here", env=env), 126, "'only-here'")

    def test_an_earlier_refusal_does_not_hide_a_later_program(self):
        self.script("echo", "exit 9\n", 0o644)
        env = clean_environment(PATH=str(self.folder) + ":" + os.environ["PATH"])
        self.assertEqual(mmt("run", "--", "echo", "x", env=env).out, "x\n")

    def test_interpreter_that_does_not_exist(self):
        script = self.script("script", "#!/no/such/interpreter -x\n")
        self.assert_fails(mmt("run", "--", script), 126, script, "/no/such/interpreter")

    def test_interpreter_with_a_carriage_return(self):
        script = self.script("dos", "#!/bin/sh\r\necho x\r\n")
        self.assert_fails(mmt("run", "--", script), 126, "'/bin/sh\\r'", "carriage returns")

    def test_missing_library(self):
        env = clean_environment(MMT_LIBRARY="/no/such/libmmt.so")
        self.assert_fails(mmt("run", "--", "true", env=env), 125, "'/no/such/libmmt.so'", "MMT_LIBRARY")

    def test_damaged_library(self):
        damaged = self.folder / "libmmt.so"
        whole = open(library(), "rb").read()
        for content, reason in (
            (b"", "no shared library"),
            (b"some text", "no shared library"),
            (whole[:100000], "cut off"),
            (whole[:18] + b"\xb7" + whole[19:], "built for aarch64"),
            (open(MMT, "rb").read(), "a program"),
        ):
            damaged.write_bytes(content)
            done = mmt("run", "--", "true", env=clean_environment(MMT_LIBRARY=damaged))
            self.assert_fails(done, 125, damaged, reason)

    def test_missing_library_in_a_copied_tree(self):
        (self.folder / "bin").mkdir()
        copy = self.folder / "bin" / "mmt"
        copy.write_bytes(open(MMT, "rb").read())
        copy.chmod(0o755)
        done = mmt("run", "--", "true", env=clean_environment(MMT_LIBRARY=None), binary=copy)
        self.assert_fails(done, 125, self.folder / "lib" / "libmmt.so")

    def test_library_path_that_ld_preload_cannot_express(self):
        for name in ("with space", "with:colon", "with$dollar"):
            folder = self.folder / name
            folder.mkdir()
            (folder / "libmmt.so").symlink_to(library())
            env = clean_environment(MMT_LIBRARY=folder / "libmmt.so")
            self.assert_fails(mmt("run", "--", "true", env=env), 125, folder / "libmmt.so", "LD_PRELOAD")

    def test_wrong_flags(self):
        self.assert_fails(mmt("run", "--no-such-flag", "--", "true"), 125, "--no-such-flag")
        self.assert_fails(mmt("run", "--no-such-flag", "true"), 125, "--no-such-flag")
        self.assert_fails(mmt("run", "--quiet=maybe", "--", "true"), 125, "--quiet takes no value; see")
        self.assert_fails(mmt("run", "--huge-pages", "maybe", "--", "true"), 125, "--huge-pages", "'maybe'")

    def test_wrong_options(self):
        self.assert_fails(mmt("run", "-o", "nonsense=1", "--", "true"), 125, "'nonsense'")
        self.assert_fails(mmt("run", "-o", "quiet", "--", "true"), 125, "'quiet'")
        self.assert_fails(mmt("run", "-o", "quiet=maybe", "--", "true"), 125, "'quiet'", "'maybe'")
        self.assert_fails(mmt("run", "-o", "quiet=on,server=off", "--", "true"), 125, "an -o of its own")

    def test_corrupted_environment(self):
        for value, named in (
            ("nonsense=1", "'nonsense'"),
            ("quiet=maybe", "'maybe'"),
            ("quiet", "'quiet'"),
            ("=1", "''"),
            ("\x01\xff=\n", "unknown option"),
            ("quiet=on:prefault_max=12monkeys", "12monkeys"),
            ("prefault_max=99999999999999999999999", "prefault_max"),
        ):
            done = mmt("run", "--", "true", env=clean_environment(MMT_OPTIONS=value))
            self.assertEqual(done.status, 125, done)
            self.assertIn("MMT_OPTIONS", done.err)
            self.assertIn(named, done.err)
        done = mmt("run", "--", "true", env=clean_environment(MMT_HUGE_PAGES="maybe"))
        self.assert_fails(done, 125, "MMT_HUGE_PAGES", "'maybe'")
        done = mmt("run", "--", "true", env=clean_environment(MMT_NONSENSE="1"))
        self.assert_fails(done, 125, "MMT_NONSENSE")

    def test_statistics_that_cannot_be_written(self):
        for path, named in (("/no/such/s.txt", "/no/such"), (self.folder, "it is a folder")):
            self.assert_fails(mmt("run", f"--stats={path}", "--", "true"), 125, path, named)
            for name, value in (("MMT_STATS", path), ("MMT_OPTIONS", f"quiet=on:stats={path}")):
                done = mmt("run", "--", "true", env=clean_environment(**{name: value}))
                self.assert_fails(done, 125, path, named)

    def test_messages_that_nobody_reads_change_nothing(self):
        static = self.compile("static", "int main(void) { return 7; }", "-static")
        for stderr in ("2>&-", "2>/dev/full"):
            for words, status in ((f"run {static}", 7), ("run /no/such", 127), ("nonsense", 2),
                                  ("stats 99999999", 1), ("run -o x=y true", 125)):
                done = subprocess.run(["sh", "-c", f"exec {os.path.abspath(MMT)} {words} {stderr}"],
                                      env=clean_environment(), timeout=60, check=False)
                self.assertEqual(done.returncode, status, (words, stderr))

    def test_errors_come_before_the_program_runs(self):
        witness = self.folder / "witness"
        mmt("run", "-o", "nonsense=1", "--", "touch", witness)
        self.assertFalse(witness.exists())


if __name__ == "__main__":
    main()
