// free_sized and free_aligned_sized (C23). glibc 2.36 lacks them; our library must have them.

#include <dlfcn.h>
#include <malloc.h>

#include "support/expect.h"

int main(void) {
  void (*free_sized_)(void*, size_t) = NULL;
  void (*free_aligned_sized_)(void*, size_t, size_t) = NULL;
  *(void**)&free_sized_ = dlsym(RTLD_DEFAULT, "free_sized");
  *(void**)&free_aligned_sized_ = dlsym(RTLD_DEFAULT, "free_aligned_sized");
  if (!under_mmt() && (free_sized_ == NULL || free_aligned_sized_ == NULL)) return 0;
  EXPECT(free_sized_ != NULL && free_aligned_sized_ != NULL);
  free_sized_(NULL, 0);
  free_aligned_sized_(NULL, 64, 128);
  for (size_t size = 1; size < ((size_t)1 << 28); size = size * 3 + 1) {
    for (int i = 0; i < 10; ++i) {
      char* p = i % 2 ? malloc(size) : calloc(size, 1);
      p[size - 1] = 1;
      errno = 9;
      free_sized_(p, size);
      EXPECT(errno == 9);
      size_t alignment = (size_t)16 << i;
      p = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
      p[size - 1] = 1;
      free_aligned_sized_(p, alignment, (size + alignment - 1) / alignment * alignment);
    }
  }
  return 0;
}
