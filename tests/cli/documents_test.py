"""Manual page and completions know every verb and every flag of its own that `mmt --help` shows."""

import pathlib
import re
import subprocess

from support import MMT, Lab, clean_environment, main, mmt

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ("man/mmt.1.scd", "completions/mmt.bash", "completions/_mmt", "completions/mmt.fish")
VERBS = ("run", "stats", "list", "doctor", "bench", "study", "report")
LEFT_TO_HELP = {
    "man/mmt.1.scd": {"--help", "--version", "--markdown"},
    "completions/_mmt": {"--version"},
    "completions/mmt.fish": {"--version"},
}


def flags_of(verb):
    """The long flags of a verb, but those of library options, which are generated."""
    text = mmt(verb, "--help").out.split("Options of the library:")[0]
    return set(re.findall(r"^ +(?:-\w, ?)?(--[a-z-]+)", text, re.M))


class Documents(Lab):
    def test_every_flag_is_known(self):
        for document in DOCUMENTS:
            text = (ROOT / document).read_text(encoding="utf-8")
            for verb in VERBS:
                self.assertRegex(text, rf"\b{verb}\b", document)
                for flag in sorted(flags_of(verb) - LEFT_TO_HELP.get(document, set())):
                    known = flag in text or f"-l {flag[2:]}" in text
                    if document.endswith(".fish") and not known:
                        known = re.search(rf"^for flag in .*\b{flag[2:]}\b", text, re.M)
                    self.assertTrue(known, f"{document}: {verb} {flag}")

    def complete(self, *words):
        """What bash offers for the last word."""
        code = f'source "{ROOT}/completions/mmt.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mmt 2>/dev/null; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(
            ["bash", "-c", code, "bash", MMT, *words],
            env=clean_environment(), capture_output=True, text=True, check=True, timeout=30,
        )
        return done.stdout.split()

    def test_bash_completion(self):
        self.assertEqual(self.complete("do"), ["doctor"])
        self.assertEqual(self.complete("report", "--o"), ["--output"])
        self.assertIn("--no-follow", self.complete("run", "--"))
        self.assertIn("--huge-pages", self.complete("run", "--hu"))
        self.assertEqual(self.complete("run", "-o", "huge_p"), ["huge_pages="])
        self.assertEqual(self.complete("list", "allo"), ["allocators"])
        self.assertIn("glibc", self.complete("bench", "--allocators", "g"))
        self.assertIn("--budget", self.complete("bench", "--b"))
        self.assertEqual(self.complete("run", "--", "--no"), [])


if __name__ == "__main__":
    main()
