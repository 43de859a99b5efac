#pragma once
// These are the sbrk and brk of whoever comes next, for those of ours. Any thread; as libc's, not
// two at a time. They are looked up before there is a second thread. Later, a thread that holds an
// allocator's lock must not wait for the dynamic linker's, whose holder may allocate.
#include <cstdint>

namespace mmt::backend {

void find_next_break();

void* next_sbrk(intptr_t by);
int next_brk(void* end);

}  // namespace mmt::backend
