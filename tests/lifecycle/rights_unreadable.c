// No thread but the program's own outlives a change of what nobody, or few, can see of a thread.
// The kernel tells nobody Landlock's rules, memory policy and keys of a thread. Few ask for the
// priority of input and output. No thread comes later where the program's threads differ then. A
// thread that libc knows stays, and makes the change, too.
// @root
// @args[layered] stays
// @args[protocol] stays
// @needs no-filter

#include <linux/landlock.h>
#include <semaphore.h>

#include "support/rights.h"

static long confine(void) {
  const struct landlock_ruleset_attr rules = {.handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE};
  const long file = syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (file < 0 && (errno == ENOSYS || errno == EOPNOTSUPP)) return 0;
  EXPECT(file >= 0);
  return syscall(SYS_landlock_restrict_self, file, 0);
}
static long prefer_node(void) {
  enum { kPreferred = 1 };
  const unsigned long first = 1;
  const long result = syscall(SYS_set_mempolicy, kPreferred, &first, 8 * sizeof first);
  return result < 0 && errno == ENOSYS ? 0 : result;
}
enum { kOfThread = 1, kIdle = 3 << 13 };
static long lower_input(void) { return syscall(SYS_ioprio_set, kOfThread, 0, kIdle); }
static long join_keyring(void) {
  enum { kJoinSession = 1 };
  const long result = syscall(SYS_keyctl, kJoinSession, NULL);
  return result < 0 && errno == ENOSYS ? 0 : result;
}

static long (*const changes[])(void) = {confine, prefer_node, lower_input, join_keyring};
enum { kKinds = sizeof changes / sizeof changes[0], kMostOthers = 8 };

static struct program_threads program;
static bool stays;
static sem_t order;
static sem_t done;

struct others {
  pid_t ids[kMostOthers];
  int count;
};
static void note_other(pid_t thread, void* argument) {
  struct others* it = argument;
  if (it->count < kMostOthers) it->ids[it->count++] = thread;
}
static struct others others_now(void) {
  struct others it = {{0}, 0};
  for_other_threads(&program, note_other, &it);
  return it;
}

static void act(int kind) {
  allocate_volume(1);
  const struct others before = others_now();
  EXPECT(changes[kind]() >= 0, "kind %d: %s", kind, strerror(errno));
  const struct others after = others_now();
  for (int i = 0; i < before.count; ++i)
    for (int k = 0; k < after.count; ++k)
      EXPECT(stays || before.ids[i] != after.ids[k], "kind %d, thread %d", kind, before.ids[i]);
  if (changes[kind] != lower_input) return;
  for (int i = 0; i < after.count; ++i) {
    const long value = syscall(SYS_ioprio_get, kOfThread, after.ids[i]);
    EXPECT(value == kIdle || (value < 0 && errno == ESRCH), "0x%lx", value);
  }
}

static void* worker(void* arg) {
  program.ids[1] = gettid();
  sem_post(&done);
  sem_wait(&order);
  act((int)(uintptr_t)arg);
  sem_post(&done);
  while (pause() == -1) continue;
  return NULL;
}

struct test_case {
  int kind;
  bool has_worker;
  bool by_worker;
};

static void child(void* arg) {
  const struct test_case* it = arg;
  program.ids[0] = getpid();
  program.count = 1 + it->has_worker;
  sem_init(&order, 0, 0);
  sem_init(&done, 0, 0);
  pthread_t thread;
  if (it->has_worker) {
    EXPECT(pthread_create(&thread, NULL, worker, (void*)(uintptr_t)it->kind) == 0);
    sem_wait(&done);
  }
  allocate_volume(16);
  if (it->by_worker) {
    sem_post(&order);
    sem_wait(&done);
  } else {
    act(it->kind);
  }
  allocate_volume(300);
  if (it->has_worker && !stays) EXPECT(others_now().count == 0, "kind %d: one came", it->kind);
}

int main(int argc, char** argv) {
  (void)argv;
  stays = argc > 1;
  for (int kind = 0; kind < kKinds; ++kind) {
    const struct test_case cases[] = {
        {kind, false, false}, {kind, true, false}, {kind, true, true}};
    for (int i = 0; i < 3; ++i) expect_success(fork_child(child, (void*)&cases[i]));
  }
  return 0;
}
