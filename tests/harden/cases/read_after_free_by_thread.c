// A thread reads what main has freed.
// expect: neutral
// expect large: neutral | fault
#include "harden/case.h"

static size_t bytes;
static void* look(void* block) { return is_neutral(block, bytes) ? block : NULL; }
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(bytes = n);
  memset(p, GOOD ? 0 : 's', n);
  if (!GOOD) free(p);
  pthread_t thread;
  pthread_create(&thread, NULL, look, p);
  void* found = NULL;
  pthread_join(thread, &found);
  if (GOOD) free(p);
  return end_if(found == p);
}
