// malloc_stats, which writes to a stream, is no cancellation point. A thread that is cancelled goes
// on to the next such point, and nothing is left locked.
// @stderr (?i)in use bytes
// @without libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4 libtbbmalloc_proxy.so.2

#include <malloc.h>
#include <pthread.h>

#include "support/expect.h"

static volatile int returned;

static void* cancelled(void* unused) {
  EXPECT(pthread_cancel(pthread_self()) == 0);
  malloc_stats();
  returned = 1;
  int state = -1;
  EXPECT(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state) == 0);
  EXPECT(state == PTHREAD_CANCEL_ENABLE, "state %d", state);
  pthread_testcancel();
  return unused;
}

static void* not_to_be_cancelled(void* unused) {
  EXPECT(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL) == 0);
  malloc_stats();
  int state = -1;
  EXPECT(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state) == 0);
  EXPECT(state == PTHREAD_CANCEL_DISABLE, "state %d", state);
  return unused;
}

static void* result_of(void* (*body)(void*)) {
  pthread_t thread;
  void* result = NULL;
  EXPECT(pthread_create(&thread, NULL, body, NULL) == 0);
  EXPECT(pthread_join(thread, &result) == 0);
  return result;
}

int main(void) {
  EXPECT(result_of(cancelled) == PTHREAD_CANCELED);
  EXPECT(returned);
  EXPECT(result_of(not_to_be_cancelled) == NULL);
  free(malloc(100));
  malloc_stats();
  return 0;
}
