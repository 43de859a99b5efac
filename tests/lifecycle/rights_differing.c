// No other thread of the process has more rights than the least that two threads of the program
// have. This holds when such a thread is looked for at once, and after much has been allocated. One
// of the two gives up its user for itself alone, through libc's names, by libc's syscall() or past
// libc. The first thread keeps root's user, and allocates on.
// @root
// @timeout 120
// @needs no-filter

#include <semaphore.h>
#include <stdatomic.h>
#include <sys/fsuid.h>

#include "support/ordinary_user.h"
#include "support/rights.h"

enum { kByThread, kByFileUser, kPastLibc, kHows };

static struct program_threads program;
static sem_t turn;
static sem_t done;
static uintptr_t how;

static void* worker(void* arg) {
  program.ids[1] = gettid();
  sem_post(&done);
  sem_wait(&turn);
  if (how == kByThread) EXPECT(syscall(SYS_setresuid, kNobody, kNobody, kNobody) == 0);
  if (how == kByFileUser) setfsuid(kNobody);
  if (how == kPastLibc) EXPECT(inline_call(SYS_setresuid, kNobody, kNobody, kNobody, 0, 0) == 0);
  sem_post(&done);
  while (pause() == -1) continue;
  return arg;
}

static _Atomic bool is_over;
static const char* _Atomic found;

// One that is just starting, or ending, is seen but once: what it had then counts.
static void note_stranger(pid_t thread, void* unused) {
  (void)unused;
  const struct rights its = rights_of(thread);
  if (its.is_there && its.users[3] != kNobody) found = "file system user";
}

// Looks all the time.
static void* watcher(void* arg) {
  program.ids[2] = gettid();
  sem_post(&done);
  sem_wait(&turn);
  while (!is_over) for_other_threads(&program, note_stranger, NULL);
  return arg;
}

// Much more than is ever free, so that it is fetched again and again.
static void grow_and_shrink(void) {
  enum { kBlocks = 200000 };
  static char* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(100 + (size_t)i % 400);
    EXPECT(blocks[i] != NULL);
    *blocks[i] = 1;
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

static void start(pthread_t* thread, void* (*body)(void*)) {
  EXPECT(pthread_create(thread, NULL, body, NULL) == 0);
  sem_wait(&done);
}

static void child(void* arg) {
  how = (uintptr_t)arg;
  program.ids[0] = getpid();
  program.count = 2;
  sem_init(&turn, 0, 0);
  sem_init(&done, 0, 0);
  pthread_t threads[2];
  start(&threads[0], worker);
  grow_and_shrink();
  sem_post(&turn);
  sem_wait(&done);
  const char* more = excess_beside(&program);
  // What is past libc is found some time later.
  for (int i = 0; i < 500 && how == kPastLibc && more != NULL; ++i) {
    allocate_volume(1);
    usleep(20000);
    more = excess_beside(&program);
  }
  EXPECT(more == NULL, "%s, way %d, at once", more, (int)how);
  program.count = 3;
  start(&threads[1], watcher);
  sem_post(&turn);
  for (int i = 0; i < 40; ++i) grow_and_shrink();
  is_over = true;
  pthread_join(threads[1], NULL);
  more = found;
  EXPECT(more == NULL, "%s, way %d, later", more, (int)how);
}

int main(void) {
  for (uintptr_t i = 0; i < kHows; ++i) expect_success(fork_child(child, (void*)i));
  return 0;
}
