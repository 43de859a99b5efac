"""What a program, a shell and who sends signals see of `mmt run --stats`, which stays as the parent."""

import os
import pty
import re
import select
import signal
import subprocess
import time

from support import MMT, Lab, clean_environment, main, mmt

# Reads a word from standard input and does it; for a program that is told what to do when.
ANSWERER = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void tell(int number) { dprintf(1, "got %d\\n", number); }
int main(int argc, char** argv) {
  (void)argv;
  int numbers[] = {SIGHUP, SIGTERM, SIGUSR1, SIGINT, SIGCONT, SIGRTMIN};
  for (int i = 0; argc > 1 && i < 6; ++i) signal(numbers[i], tell);
  void* volatile block = malloc(20 << 20);
  (void)block;
  dprintf(1, "ready\\n");
  for (;;) pause();
}
"""
DAEMON = """
#include <stdio.h>
#include <unistd.h>
int main(void) {
  if (fork() != 0) _exit(0);
  setsid();
  close(0); close(1); close(2);
  for (int i = 0; i < 600 && access("stop", F_OK) != 0; ++i) usleep(100000);
  return 0;
}
"""


class Parent(Lab):
    """What a program, a shell and who sends signals see of the process in between."""

    def start(self, *arguments, **options):
        command = [os.path.abspath(MMT), "run", "--stats", "--", *map(str, arguments)]
        process = subprocess.Popen(
            command, env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_signal_that_ends_the_program(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGINT):
            process = self.start(self.compile("answerer", ANSWERER))
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(number)
            _, text = process.communicate(timeout=20)
            self.assertEqual(process.returncode, -number)
            self.assertIn(f"was ended by {number.name}", text)
            self.assertRegex(text, r"asked for      at most 2\d\.\d MiB at once")

    def test_signals_that_the_program_handles(self):
        process = self.start(self.compile("answerer", ANSWERER), "handles")
        self.assertEqual(process.stdout.readline(), "ready\n")
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGINT, signal.SIGCONT, signal.SIGRTMIN):
            process.send_signal(number)
            self.assertEqual(process.stdout.readline(), f"got {int(number)}\n")
        process.send_signal(signal.SIGQUIT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, -signal.SIGQUIT)

    def test_killed_itself_takes_the_program_along(self):
        process = self.start("sh", "-c", "echo $$; exec sleep 60")
        program = int(process.stdout.readline())
        process.kill()
        process.wait(10)
        deadline = time.monotonic() + 10
        while os.path.exists(f"/proc/{program}") and self.state_of(program) != "Z":
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def state_of(self, process):
        with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0]

    def test_daemon_is_not_waited_for(self):
        process = self.start(self.compile("daemon", DAEMON), cwd=self.folder)
        _, text = process.communicate(timeout=20)
        (self.folder / "stop").touch()
        self.assertEqual(process.returncode, 0)
        self.assertIn("daemon ran ", text)

    def test_orphans_are_reaped(self):
        """A grandchild whose parent has gone ends while the program runs: no zombie stays."""
        script = "sh -c 'sleep 0.1 & echo $! >orphan'; sleep 1; cat /proc/$(cat orphan)/stat || echo reaped"
        process = self.start("sh", "-c", script, cwd=self.folder)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(out, "reaped\n")

    def test_output_that_the_program_closes_is_closed(self):
        process = self.start("sh", "-c", "echo x; exec >/dev/null 2>&1; sleep 60")
        self.assertEqual(process.stdout.read(), "x\n")
        self.assertIsNone(process.poll())

    def test_signals_that_are_ignored_stay_so(self):
        mask = "grep -E '^Sig(Blk|Ign)' /proc/self/status"
        own = subprocess.run(["sh", "-c", mask], capture_output=True, text=True, check=True).stdout
        self.assertEqual(mmt("run", "--stats", "--", "sh", "-c", mask).out, own)


# An interactive shell that reads and writes no file of its user.
ALONE = ("--norc", "--noediting", "+o", "history", "-i")


class Terminal(Lab):
    """Job control, by a shell at a terminal."""

    def setUp(self):
        super().setUp()
        self.shell, self.terminal = pty.fork()
        if self.shell == 0:
            os.environ.clear()
            os.environ.update(clean_environment(PS1="$ ", TERM="dumb"))
            os.execvp("bash", ["bash", *ALONE])
        self.addCleanup(self.close)
        self.seen = ""

    def close(self):
        os.kill(self.shell, signal.SIGKILL)
        os.close(self.terminal)
        os.waitpid(self.shell, 0)

    def say(self, text):
        os.write(self.terminal, text.encode())

    def await_text(self, pattern):
        """Reads until it is there, and forgets what was up to it."""
        self.assertTrue(found := self.is_seen(pattern, 30), self.seen)
        return found

    def is_seen(self, pattern, seconds):
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.seen)):
            if time.monotonic() > deadline:
                return None
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.seen += os.read(self.terminal, 4096).decode(errors="replace")
        self.seen = self.seen[found.end() :]
        return found

    def test_stop_and_interrupt(self):
        self.say(f"{os.path.abspath(MMT)} run --stats -- sh -c 'echo start''ed; exec sleep 60'\n")
        self.await_text("started")
        self.say("\x1a")
        self.await_text(r"Stopped")
        self.say("fg; echo st''atus $?\n")
        self.await_text(r"fg")
        self.await_text(r"run --stats")
        # Until the shell has given the terminal away it goes to the shell, which does not mind.
        while not self.is_seen(r"mmt: \S+ ran .* was ended by SIGINT", 1):
            self.say("\x03")
        self.say("echo sta''tus $?\n")
        self.await_text(r"status 130")

    def test_interactive_shell_inside(self):
        self.say(f"{os.path.abspath(MMT)} run --stats -- bash {' '.join(ALONE)}\n")
        self.say("echo ins''ide $PPID\n")
        parent = int(self.await_text(r"inside (\d+)")[1])
        self.assertNotEqual(parent, self.shell)
        self.say("sh -c 'echo wor''king; exec sleep 60'\n")
        self.await_text("working")
        self.say("\x1a")
        self.await_text(r"Stopped")
        # A shell that has not yet seen its job end refuses to exit.
        self.say("kill -9 %1; while kill -0 %1; do :; done; echo kil''led\n")
        self.await_text("killed")
        self.say("suspend\n")
        self.await_text(r"Stopped[^\n]*run --stats")
        self.say("echo out''side $PPID; fg\n")
        self.await_text("outside")
        self.say("echo ag''ain; exit 5\n")
        self.await_text("again")
        self.await_text(r"mmt: bash ran .* ended with status 5")
        self.say("echo sta''tus $?\n")
        self.await_text("status 5")


if __name__ == "__main__":
    main()
