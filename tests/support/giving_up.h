// Each of several threads of a process gives up a right, in each way. No other thread of the
// process has more rights than the threads that the program has made.
#pragma once

#include <grp.h>
#include <semaphore.h>
#include <sys/fsuid.h>

#include "support/ordinary_user.h"
#include "support/rights.h"

enum { kWorkers = 2, kActors = 1 + kWorkers };

static long drop_capabilities(enum way way) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  if (way == kByName) return capset(&header, none);
  return call_by(way, SYS_capset, (long)&header, (long)none, 0, 0, 0);
}
static long control(enum way way, int option, long value) {
  if (way == kByName) return prctl(option, value, 0, 0, 0);
  return call_by(way, SYS_prctl, option, value, 0, 0, 0);
}
static long drop_bounding(enum way way) { return control(way, PR_CAPBSET_DROP, CAP_SYS_MODULE); }
static long drop_privileges(enum way way) { return control(way, PR_SET_NO_NEW_PRIVS, 1); }
static long change_user(enum way way) {
  if (way == kByName) return setuid(kNobody);
  return call_by(way, SYS_setuid, kNobody, 0, 0, 0, 0);
}
static long change_effective_user(enum way way) {
  if (way == kByName) return seteuid(kNobody);
  return call_by(way, SYS_setresuid, -1, kNobody, -1, 0, 0);
}
static long change_real_group(enum way way) {
  if (way == kByName) return setregid(kNobody, -1);
  return call_by(way, SYS_setregid, kNobody, -1, 0, 0, 0);
}
static long change_groups(enum way way) {
  const gid_t one = kNobody;
  if (way == kByName) return setgroups(1, &one);
  return call_by(way, SYS_setgroups, 1, (long)&one, 0, 0, 0);
}
static long change_group(enum way way) {
  if (way == kByName) return setgid(kNobody);
  return call_by(way, SYS_setgid, kNobody, 0, 0, 0, 0);
}
static long change_all_users(enum way way) {
  if (way == kByName) return setresuid(kNobody, kNobody, kNobody);
  return call_by(way, SYS_setresuid, kNobody, kNobody, kNobody, 0, 0);
}
static long change_real_user(enum way way) {
  if (way == kByName) return setreuid(kNobody, -1);
  return call_by(way, SYS_setreuid, kNobody, -1, -1, 0, 0);
}
static long change_saved_group(enum way way) {
  if (way == kByName) return setresgid(-1, -1, kNobody);
  return call_by(way, SYS_setresgid, -1, -1, kNobody, 0, 0);
}
static long drop_groups(enum way way) {
  if (way == kByName) return setgroups(0, NULL);
  return call_by(way, SYS_setgroups, 0, 0, 0, 0, 0);
}
static long change_file_user(enum way way) {
  if (way == kByName) return setfsuid(kNobody);
  return call_by(way, SYS_setfsuid, kNobody, 0, 0, 0, 0);
}
static long change_file_group(enum way way) {
  if (way == kByName) return setfsgid(kNobody);
  return call_by(way, SYS_setfsgid, kNobody, 0, 0, 0, 0);
}
static long change_niceness(enum way way) {
  if (way == kByName) return setpriority(PRIO_PROCESS, 0, 7);
  return call_by(way, SYS_setpriority, PRIO_PROCESS, 0, 7, 0, 0);
}
static long change_class(enum way way) {
  const struct sched_param values = {0};
  if (way == kByName) return sched_setscheduler(0, SCHED_BATCH, &values);
  return call_by(way, SYS_sched_setscheduler, 0, SCHED_BATCH, (long)&values, 0, 0);
}

static long (*const gives_up[])(enum way) = {
    drop_capabilities, drop_bounding,         drop_privileges,    change_user,
    change_real_group, change_effective_user, change_groups,      change_file_user,
    change_file_group, change_niceness,       change_class,       change_group,
    change_all_users,  change_real_user,      change_saved_group, drop_groups,
};
enum { kKinds = sizeof gives_up / sizeof gives_up[0] };

static struct program_threads program;
static sem_t orders[kWorkers];
static sem_t done;
static int kind;
static enum way way;

static void act(void) {
  allocate_volume(1);
  EXPECT(gives_up[kind](way) >= 0);
  // What is past libc is found some time later.
  const char* more = excess_beside(&program);
  for (int i = 0; i < 500 && way == kInline && more != NULL; ++i) {
    allocate_volume(1);
    usleep(20000);
    more = excess_beside(&program);
  }
  EXPECT(more == NULL, "%s, kind %d way %d thread %d", more, kind, (int)way, (int)gettid());
}

static void* worker(void* arg) {
  const int index = (int)(uintptr_t)arg;
  program.ids[1 + index] = gettid();
  sem_post(&done);
  sem_wait(&orders[index]);
  act();
  sem_post(&done);
  while (pause() == -1) continue;
  return NULL;
}

static void child(void* arg) {
  const int actor = *(const int*)arg;
  const gid_t groups[] = {3, 33, kNobody};
  EXPECT(setgroups(3, groups) == 0);
  program.ids[0] = getpid();
  program.count = kActors;
  sem_init(&done, 0, 0);
  for (uintptr_t i = 0; i < kWorkers; ++i) {
    pthread_t thread;
    sem_init(&orders[i], 0, 0);
    EXPECT(pthread_create(&thread, NULL, worker, (void*)i) == 0);
    sem_wait(&done);
  }
  allocate_volume(16);
  if (actor == 0) {
    act();
  } else {
    sem_post(&orders[actor - 1]);
    sem_wait(&done);
  }
  // Nor has one that is started later.
  for (int i = 0; i < 2; ++i) {
    allocate_volume(6);
    const char* more = excess_beside(&program);
    EXPECT(more == NULL, "%s, kind %d way %d of thread %d, later", more, kind, (int)way, actor);
  }
}

// The same by each of several threads, the first one or another.
static void give_up_all(enum way by) {
  way = by;
  for (kind = 0; kind < kKinds; ++kind)
    for (int actor = 0; actor < kActors; ++actor) expect_success(fork_child(child, &actor));
}
