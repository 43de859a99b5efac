// Threads exchange blocks of 16 KiB to 8 MiB. Different threads take, zero, resize, check and give
// back the blocks. Memory stays bounded, and so does the address space.
// @args 6
// @soak 600

#include <pthread.h>

#include "support/exchange.h"
#include "support/processes.h"

enum { kBoxes = 12, kThreads = 4 };
static struct Parcel* boxes[kBoxes];
static volatile int stop;
static long count;

static void* work(void* arg) {
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  while (!stop) {
    uint64_t r = next_random(&seed);
    size_t size = next_random(&seed) % ((size_t)16384 << (r % 10));
    struct Parcel* p;
    if (r / 16 % 4 == 0) {
      p = calloc(1, sizeof *p + size);
      EXPECT(p != NULL);
      for (size_t i = 0; i < size; i += 512) EXPECT(p->bytes[i] == 0, "offset %zu of %zu", i, size);
      parcel_fill(p, size, r);
    } else {
      p = parcel_fill(malloc(sizeof *p + size), size, r);
    }
    p = __atomic_exchange_n(&boxes[r / 64 % kBoxes], p, __ATOMIC_ACQ_REL);
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    if (p == NULL) continue;
    parcel_check(p);
    if (r / 4096 % 3 == 0)
      p = parcel_resize(p, next_random(&seed) % ((size_t)16384 << (r / 8192 % 10)), r);
    memset(p->bytes, 0xdd, p->size);
    free(p);
  }
  return NULL;
}

int main(int argc, char** argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 3;
  pthread_t t[kThreads];
  for (uintptr_t i = 0; i < kThreads; ++i) EXPECT(!pthread_create(&t[i], NULL, work, (void*)i));
  size_t most = 0;
  size_t mapped_half_way = 0;
  double half = seconds_now() + seconds / 2;
  for (double end = seconds_now() + seconds; seconds_now() < end; usleep(20000)) {
    if (resident_bytes() > most) most = resident_bytes();
    if (seconds_now() > half && mapped_half_way == 0) mapped_half_way = mapped_bytes();
  }
  size_t mapped = mapped_bytes();
  stop = 1;
  for (int i = 0; i < kThreads; ++i) pthread_join(t[i], NULL);
  printf("%ld blocks, at most %zu MiB resident\n", count, most >> 20);
  // Live at once: 12 boxes and 2 blocks a thread, of 8 MiB at most; as much again may be cached.
  EXPECT(most < (size_t)350 << 20, "%zu", most);
  EXPECT(mapped < mapped_half_way + (256 << 20), "%zu then %zu", mapped_half_way, mapped);
  return 0;
}
