// A program may use every pthread key there is. The library leaves nearly all of the keys to the
// program (at most two are for itself), and works when none is left.

#include <limits.h>
#include <pthread.h>

#include "support/expect.h"

static void* work(void* arg) {
  for (int i = 0; i < 10000; ++i) free(malloc((size_t)i));
  return arg;
}

int main(void) {
  pthread_key_t key;
  int got = 0;
  while (pthread_key_create(&key, free) == 0) {
    EXPECT(pthread_setspecific(key, malloc(50)) == 0);
    ++got;
  }
  EXPECT(got >= PTHREAD_KEYS_MAX - 3, "%d keys", got);
  for (int i = 0; i < 50; ++i) {
    pthread_t t;
    EXPECT(pthread_create(&t, NULL, work, NULL) == 0);
    pthread_join(t, NULL);
  }
  return 0;
}
