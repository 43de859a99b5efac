"""console.py finds what it is to find: a command that fails, and output that is not what is shown."""

import tempfile
import unittest

from console import blocks, is_alike, run

PAGE = """text
```console
$ echo one \\
  two
one two
$ false
$ echo three
```
```console
$ x=heap; echo "$x of 12 MiB"
heap of 3 KiB
```
"""


class Console(unittest.TestCase):
    def test_a_block_is_commands_with_their_output(self):
        first, second = blocks(PAGE)
        self.assertEqual([command for command, _ in first], ["echo one   two", "false", "echo three"])
        self.assertEqual(first[0][1], "one two\n")
        self.assertEqual(second[0][1], "heap of 3 KiB\n")

    def test_a_failure_is_none_and_ends_the_block(self):
        with tempfile.TemporaryDirectory() as folder:
            outputs, _ = run(blocks(PAGE)[0], folder)
        self.assertEqual(outputs, ["one two\n", None])

    def test_numbers_may_differ_and_words_not(self):
        self.assertTrue(is_alike("heap of 3 KiB in 2 blocks", "heap of 12 MiB in 9 blocks"))
        self.assertFalse(is_alike("heap of 3 KiB", "no such process"))
        self.assertFalse(is_alike("heap of 3 KiB", ""))
        self.assertTrue(is_alike("", "anything"))


if __name__ == "__main__":
    unittest.main()
