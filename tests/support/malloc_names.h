// The names by which glibc hands out and takes back memory, and speaks of it.
#pragma once

static const char* const kMallocNames[] = {"malloc",
                                           "calloc",
                                           "realloc",
                                           "reallocarray",
                                           "free",
                                           "memalign",
                                           "aligned_alloc",
                                           "posix_memalign",
                                           "valloc",
                                           "pvalloc",
                                           "malloc_usable_size",
                                           "malloc_trim",
                                           "mallopt",
                                           "mallinfo",
                                           "mallinfo2",
                                           "malloc_info",
                                           "malloc_stats",
                                           "__libc_malloc",
                                           "__libc_free",
                                           "__libc_calloc",
                                           "__libc_realloc",
                                           "__libc_memalign",
                                           "__libc_valloc",
                                           "__libc_pvalloc"};
static const size_t kMallocNameCount = sizeof kMallocNames / sizeof kMallocNames[0];
