// Between 1 and 64 threads exchange blocks through shared mailboxes. Most blocks are freed or
// resized by a thread that did not make them, and the contents are checked at each hand. The
// argument is the seconds for each number of threads.
// @args 1.5
// @soak 300
// @timeout 120

#include <pthread.h>
#include <time.h>

#include "support/exchange.h"

enum { kBoxes = 4096, kMostThreads = 64 };
static struct Parcel* boxes[kBoxes];
static volatile int stop;
static long exchanged[kMostThreads];

static void* work(void* arg) {
  size_t me = (size_t)arg;
  uint64_t seed = me * 77 + 1;
  long count = 0;
  struct Parcel* mine = parcel_new(&seed, 100);
  while (!stop) {
    uint64_t r = next_random(&seed);
    mine = __atomic_exchange_n(&boxes[r % kBoxes], mine, __ATOMIC_ACQ_REL);
    ++count;
    if (mine == NULL) {
      mine = parcel_new(&seed, parcel_size(&seed, 300000));
      continue;
    }
    parcel_check(mine);
    if (r / kBoxes % 4 == 0) {
      mine = parcel_resize(mine, parcel_size(&seed, 300000), r);
    } else if (r / kBoxes % 4 < 3) {
      free(mine);
      mine = parcel_new(&seed, parcel_size(&seed, 300000));
    }
  }
  free(mine);
  exchanged[me] = count;
  return NULL;
}

int main(int argc, char** argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 1;
  for (size_t threads = 1; threads <= kMostThreads; threads *= 2) {
    pthread_t t[kMostThreads];
    stop = 0;
    for (size_t i = 0; i < threads; ++i) EXPECT(!pthread_create(&t[i], NULL, work, (void*)i));
    struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
    stop = 1;
    long total = 0;
    for (size_t i = 0; i < threads; ++i) pthread_join(t[i], NULL), total += exchanged[i];
    printf("%zu threads: %ld exchanges\n", threads, total);
    EXPECT(total > 1000);
  }
  for (int i = 0; i < kBoxes; ++i) {
    if (boxes[i] != NULL) parcel_check(boxes[i]);
    free(boxes[i]);
  }
  return 0;
}
