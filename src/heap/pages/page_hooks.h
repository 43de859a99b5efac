#pragma once
// Communication libraries want to learn which pages the program loses: a device may know them. They
// patch, or stand before, libc's munmap, madvise and mremap, which our raw calls pass by. Where
// that is so, only threads of the program give up pages that the program has owned. They call
// libc's own function for that, with the depot lock not held. All other threads keep such pages.
// Where the program wants no memory given back (M_TRIM_THRESHOLD -1), pages are also kept, but for
// malloc_trim.
#include <cstddef>

namespace mmt::heap {

struct Heap;

// What the library that carries libc's names knows of them. Any thread may call it, in any context.
struct PageHooks {
  bool (*are_set)() = nullptr;
  // madvise(MADV_DONTNEED) and munmap as the program would call them, where somebody would see it;
  // by a thread of the program's. False where nothing was done.
  bool (*discard)(void* at, size_t bytes) = nullptr;
  bool (*unmap)(void* at, size_t bytes) = nullptr;
};
// It is called once, before there are other threads.
void use_page_hooks(const PageHooks& hooks);

bool pages_are_watched();
// No page changes its memory by itself: none is given back, moved or replaced.
bool pages_stay(Heap& heap);
// How a thread of the program's discards pages that somebody watches; nullptr: nobody does.
bool (*discard_for_watchers())(void* at, size_t bytes);
// By a thread of the program's, which is about to unmap these pages. True: that was done for it.
bool unmap_for_watchers(void* at, size_t bytes);
// By a thread of the program's, which is about to replace these pages.
void tell_watchers_of_loss(void* at, size_t bytes);

}  // namespace mmt::heap
