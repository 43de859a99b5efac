#pragma once
// What the malloc family tells about the heap, in the shapes of glibc's <malloc.h>. All of it is a
// walk over the heap (observe/census.h): for diagnosis, not for every call.
#include <malloc.h>
#include <stdio.h>

namespace mmt::preload {

// Numbers that do not fit wrap around, as in glibc.
struct mallinfo info_narrow();
struct mallinfo2 info();
// 1: a parameter of glibc's, taken as a hint that this heap has no use for. 0: no such parameter, a
// value that glibc refuses as well, or M_PERTURB, which this heap cannot do.
int set_parameter(int parameter, int value);
// XML as glibc writes it. 0, or an error number.
int print_info(int options, FILE* stream);
void print_stats();

}  // namespace mmt::preload
