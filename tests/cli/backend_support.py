"""Backends that tests compile: libraries with a small malloc."""

import pathlib

from support import Lab, library

LIBRARIES = pathlib.Path(library()).parent

# Gives nothing back; enough for a shell that prints a line.
ALLOCATOR = """
#include <stddef.h>
#include <string.h>
static char heap[1 << 24];
static size_t used;
void* malloc(size_t size) { void* p = heap + used; used += (size + 15) & ~15ul; return p; }
void free(void* p) { (void)p; }
void* calloc(size_t n, size_t size) { return malloc(n * size); }
void* realloc(void* p, size_t size) { void* q = malloc(size); if (p) memmove(q, p, size); return q; }
"""


class BackendLab(Lab):
    def allocator(self, name, *flags, source=ALLOCATOR):
        return self.compile(name, source, "-fno-builtin", *(flags or ("-shared", "-fPIC")))
