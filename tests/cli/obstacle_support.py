"""What the tests of `mmt run` share that are about programs which cannot be served."""

from support import Lab, mmt

HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 5; }\n'


class ObstacleLab(Lab):
    def assert_warned(self, path, *fragments, status=5, out="hello\n", **options):
        """One line names program and reason; --quiet takes it away; --strict makes it an error."""
        done = mmt("run", "--", path, **options)
        self.assertEqual((done.status, done.out), (status, out), done)
        first = done.err.splitlines()[0]
        for fragment in ("mmt: the memory thread cannot serve", str(path), *fragments):
            self.assertIn(fragment, first)
        quiet = mmt("run", "--quiet", "--", path, **options)
        self.assertNotIn("cannot serve", quiet.err)
        strict = mmt("run", "--strict", "--", path, **options)
        self.assert_fails(strict, 125, path, *fragments)
        self.assertEqual(strict.out, "")
