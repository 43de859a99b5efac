// Producers only allocate, consumers only free: every block crosses, in batches through a bounded
// queue; memory stays bounded.
// @args 6
// @soak 600

#include <pthread.h>

#include "support/exchange.h"
#include "support/processes.h"

enum { kBatch = 200, kQueue = 64, kPairs = 3 };

struct Queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct Parcel** batches[kQueue];
  int count;
  bool closed;
};
static struct Queue queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, false};
static volatile int stop;

static void* produce(void* arg) {
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  while (!stop) {
    struct Parcel** batch = malloc(kBatch * sizeof *batch);
    for (int i = 0; i < kBatch; ++i) batch[i] = parcel_new(&seed, parcel_size(&seed, 200000));
    pthread_mutex_lock(&queue.lock);
    while (queue.count == kQueue) pthread_cond_wait(&queue.changed, &queue.lock);
    queue.batches[queue.count++] = batch;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
  }
  return NULL;
}

static void* consume(void* arg) {
  long* freed = arg;
  for (;;) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0 && !queue.closed) pthread_cond_wait(&queue.changed, &queue.lock);
    struct Parcel** batch = queue.count > 0 ? queue.batches[--queue.count] : NULL;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
    if (batch == NULL) return NULL;
    for (int i = 0; i < kBatch; ++i) {
      parcel_check(batch[i]);
      free(batch[i]);
      ++*freed;
    }
    free(batch);
  }
}

int main(int argc, char** argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 3;
  pthread_t producers[kPairs], consumers[kPairs];
  static long freed[kPairs];
  for (uintptr_t i = 0; i < kPairs; ++i) {
    EXPECT(pthread_create(&producers[i], NULL, produce, (void*)i) == 0);
    EXPECT(pthread_create(&consumers[i], NULL, consume, &freed[i]) == 0);
  }
  size_t most = 0;
  for (double end = seconds_now() + seconds; seconds_now() < end; usleep(50000))
    if (resident_bytes() > most) most = resident_bytes();
  stop = 1;
  for (int i = 0; i < kPairs; ++i) pthread_join(producers[i], NULL);
  pthread_mutex_lock(&queue.lock);
  queue.closed = true;
  pthread_cond_broadcast(&queue.changed);
  pthread_mutex_unlock(&queue.lock);
  for (int i = 0; i < kPairs; ++i) pthread_join(consumers[i], NULL);
  printf("%ld freed, at most %zu MiB resident\n", freed[0] + freed[1] + freed[2], most >> 20);
  // A full queue is 13 thousand blocks of 1.6 KiB on average.
  EXPECT(most < (size_t)200 << 20, "%zu", most);
  return 0;
}
