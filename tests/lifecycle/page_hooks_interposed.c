// A program that has its own munmap, madvise and mremap is told of every page that the heap loses.
// @only mmt
// @env MMT_DECAY=50

#include "lifecycle/page_watch.h"

__attribute__((visibility("default"))) int munmap(void* at, size_t bytes) {
  note_loss(at, bytes);
  return (int)syscall(SYS_munmap, at, bytes);
}
__attribute__((visibility("default"))) int madvise(void* at, size_t bytes, int advice) {
  if (advice == MADV_DONTNEED) note_loss(at, bytes);
  return (int)syscall(SYS_madvise, at, bytes, advice);
}

int main(void) {
  use_watched_heap();
  EXPECT(watch_unseen_pages == 0, "%ld pages lost unseen", watch_unseen_pages);
  EXPECT(watch_seen_pages != 0 && watch_loss_count != 0, "malloc_trim gives back what is free");
  free_much();
  return 0;
}
