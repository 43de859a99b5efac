#pragma once
// What the malloc family tells about the heap, in the shapes of glibc's <malloc.h>. All of it is a
// walk over the heap (observe/census.h): for diagnosis, not for every call.
#include <malloc.h>
#include <stdio.h>

namespace mmt::preload {

// Numbers that do not fit wrap around, as in glibc.
struct mallinfo info_narrow();
struct mallinfo2 info();
// As glibc 2.36 answers: 1, also to parameters that nobody knows, but 0 to a size of fast bins that
// is out of range. M_TRIM_THRESHOLD (Purger::set_floor) and M_PERTURB (perturb.h) have an effect.
int set_parameter(int parameter, int value);
// XML as glibc writes it. 0, or an error number.
int print_info(int options, FILE* stream);
void print_stats();

}  // namespace mmt::preload
