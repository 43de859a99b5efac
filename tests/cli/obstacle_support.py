"""What the tests of `mmt run` share that are about programs which cannot be served."""

from support import Lab, mmt

HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 5; }\n'
OWN_MALLOC = """
#include <stddef.h>
#include <unistd.h>
static char heap[1 << 20];
static size_t used;
void* malloc(size_t size) { void* p = heap + used; used += (size + 15) & ~15ul; return p; }
void free(void* p) { (void)p; }
void* calloc(size_t n, size_t size) { return malloc(n * size); }
void* realloc(void* p, size_t size) { (void)p; return malloc(size); }
int main(void) { return write(1, "hello\\n", 6) == 6 ? 5 : 1; }
"""


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
