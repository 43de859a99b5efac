// Four threads meet the address space limit together, over and over. Each thread gets NULL and
// ENOMEM or a sound block. Threads that cannot be created are refused cleanly. Afterwards all goes
// on as before.
// @timeout 120

#include <pthread.h>
#include <sys/resource.h>

#include "support/processes.h"

static void* push_and_free(void* arg) {
  enum { kMany = 3000 };
  void** blocks = calloc(kMany, sizeof *blocks);
  size_t* sizes = calloc(kMany, sizeof *sizes);
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  long refused = 0;
  if (blocks == NULL || sizes == NULL) return NULL;
  for (int round = 0; round < 60000; ++round) {
    uint64_t r = next_random(&seed);
    uint64_t k = r % kMany;
    size_t size = r / kMany % (r % 16 == 0 ? 2 << 20 : 60000);
    if (blocks[k] != NULL) check_pattern(blocks[k], sizes[k] < 512 ? sizes[k] : 512, k);
    errno = 0;
    if (blocks[k] != NULL && r % 5 == 0 && size > 0) {
      void* q = realloc(blocks[k], size);
      if (q == NULL) {
        EXPECT(errno == ENOMEM);
        check_pattern(blocks[k], sizes[k] < 512 ? sizes[k] : 512, k);
        ++refused;
        continue;
      }
      blocks[k] = q;
    } else {
      free(blocks[k]);
      errno = 0;
      blocks[k] = malloc(size);
      if (blocks[k] == NULL) {
        EXPECT(errno == ENOMEM);
        ++refused;
      }
    }
    sizes[k] = size;
    if (blocks[k] != NULL) fill_pattern(blocks[k], size < 512 ? size : 512, k);
  }
  for (int k = 0; k < kMany; ++k) free(blocks[k]);
  free(blocks);
  free(sizes);
  return (void*)refused;
}

int main(void) {
  struct rlimit limit = {260 << 20, RLIM_INFINITY};
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 18);
  long refused = 0;
  for (int round = 0; round < 3; ++round) {
    pthread_t t[4];
    int started = 0;
    for (uintptr_t i = 0; i < 4; ++i) {
      int error = pthread_create(&t[started], &attributes, push_and_free, (void*)(i + 1));
      EXPECT(error == 0 || error == EAGAIN || error == ENOMEM);
      started += error == 0;
    }
    for (int i = 0; i < started; ++i) {
      void* result;
      pthread_join(t[i], &result);
      refused += (long)(intptr_t)result;
    }
  }
  printf("%ld requests refused\n", refused);
  limit.rlim_cur = RLIM_INFINITY;
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  allocate_volume(64);
  return 0;
}
