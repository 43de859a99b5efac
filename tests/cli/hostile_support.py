"""One name with everything in it that must not reach a terminal, and what it looks like there."""

import re
import subprocess
import unicodedata

from support import MMT, Lab, clean_environment

# The name is that of a file, so it has neither a '/' nor a zero.
HOSTILE = "\x1b[31m\nmmt: fake\r\t\x7f\u009b1m\u202ex\u2066\"'`<script>[bold]%{x}".encode() + b"\xff\x9b"
# The kernel's name of a process that is called so: the first 15 bytes.
HOSTILE_COMM = HOSTILE[:15]


class HostileLab(Lab):
    def run_bytes(self, *arguments, **variables):
        """(status, stdout, stderr) of the tool, streams as bytes that are harmless."""
        env = {key: value for key, value in clean_environment().items()} | variables
        done = subprocess.run(
            [MMT, *arguments], env=env, cwd=self.folder, capture_output=True, timeout=60, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        for stream in (done.stdout, done.stderr):
            self.assert_harmless(stream, arguments)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def assert_harmless(self, output, where):
        text = output.decode()  # valid UTF-8
        # Controls, what turns text, and what separates lines.
        wrong = {one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp")} - {"\n"}
        self.assertEqual(wrong, set(), (where, text))
        self.assertNotRegex(text, r"(?m)^mmt: fake", where)

    def hostile_program(self, source="int main(void) { return 0; }"):
        """A program of that name."""
        plain = self.compile("plain", source, "-fno-builtin")
        path = bytes(self.folder) + b"/" + HOSTILE
        plain.rename(path.decode(errors="surrogateescape"))
        return path


def shown(name):
    """As the command shows it: what include/mmt/core/visible.h has, byte by byte."""
    text = name.decode(errors="surrogateescape")
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

    def escape(found):
        code = ord(found[0])
        if found[0] in short:
            return short[found[0]]
        if 0xDC80 <= code <= 0xDCFF:
            return f"\\x{code - 0xDC00:02x}"
        return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}"

    return re.sub("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff]", escape, text)
